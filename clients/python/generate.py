"""Writes src/rag_workbench/_api.py from docs/openapi.json: what the client calls, and the types that this takes and gives.

    python3 clients/python/generate.py           # write
    python3 clients/python/generate.py --check   # exit with 1 where the file is not what would be written
"""

from __future__ import annotations

import json
import keyword
import sys
from pathlib import Path
from typing import Any, Iterator

HERE = Path(__file__).resolve().parent
CONTRACT = HERE.parent.parent / "docs" / "openapi.json"
TARGET = HERE / "src" / "rag_workbench" / "_api.py"

# What the client calls. A new one is added here, then the file is written again.
OPERATIONS = """
get-me
get-experiments get-experiments-name put-experiments-name
post-datasets-preview post-datasets get-datasets-ref-questions
post-corpora post-answers
post-runs-plan post-runs get-runs get-runs-id post-runs-id-cancel post-runs-id-resume get-runs-id-questions
get-comparisons get-comparisons-questions get-comparisons-gate post-comparisons-verify get-jobs-id
get-baselines put-baselines-dataset
""".split()

HEAD = '''"""The API in types. Written by generate.py from docs/openapi.json: change nothing here."""

# fmt: off
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Operation(NamedTuple):
    """One route of the API."""

    method: str
    path: str
    query: str = ""  # names of the parameters of the query
    form: str = ""  # names of the fields of the form, for uploads
    once: bool = False  # takes an Idempotency-Key, so that it may be sent twice
'''

SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, Any]"}


def references(node: Any) -> Iterator[str]:
    """The schemas that a part of the contract names."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value.rsplit("/", 1)[1]
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def python_type(schema: dict[str, Any]) -> str:
    """A schema as a type. Only lists may be null in this contract; the client makes such a list an empty one."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if len(kinds) > 1 and kinds != ["array", "null"]:
        raise ValueError(f"the client does not know what {kinds} means")
    if "array" in kinds:
        return f"list[{python_type(schema['items'])}]"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"dict[str, {python_type(schema['additionalProperties'])}]"
    return SIMPLE[kinds[0]] if kinds else "Any"


def typed_dict(name: str, schema: dict[str, Any]) -> str:
    """A schema as a TypedDict; as a call where a field is a word of Python."""
    required = schema.get("required", [])
    fields = {}
    for field, value in schema.get("properties", {}).items():
        kind = python_type(value)
        fields[field] = kind if field in required else f"NotRequired[{kind}]"
    if any(keyword.iskeyword(field) for field in fields):
        lines = [f"    {json.dumps(field)}: {json.dumps(kind)}," for field, kind in fields.items()]
        return "\n".join([f'{name} = TypedDict("{name}", {{', *lines, "})"])
    return "\n".join([f"class {name}(TypedDict):", *(f"    {field}: {kind}" for field, kind in fields.items())] + ["    pass"] * (not fields))


def operation(method: str, path: str, spec: dict[str, Any]) -> str:
    """One line of the table of operations."""
    parameters = spec.get("parameters", [])
    form = spec.get("requestBody", {}).get("content", {}).get("multipart/form-data", {}).get("schema", {})
    names = {"query": [p["name"] for p in parameters if p["in"] == "query"], "form": list(form.get("properties", {}))}
    words = [json.dumps(method.upper()), json.dumps(path)]
    words += [f"{name}={json.dumps(' '.join(value))}" for name, value in names.items() if value]
    words += ["once=True"] * any(p["name"] == "Idempotency-Key" for p in parameters)
    line = f'    "{spec["operationId"]}": Operation({", ".join(words)}),'
    if len(line) > 120:
        line = f'    "{spec["operationId"]}": Operation(\n' + "".join(f"        {word},\n" for word in words) + "    ),"
    return line


def render(contract: dict[str, Any]) -> str:
    """The file, from the contract."""
    specs = {}
    for path, methods in contract["paths"].items():
        for method, spec in methods.items():
            specs[spec["operationId"]] = (method, path, spec)
    schemas = contract["components"]["schemas"]
    rows, waiting = [], {"Problem"}
    for name in OPERATIONS:
        method, path, spec = specs[name]
        rows.append(operation(method, path, spec))
        waiting |= set(references(spec))
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        waiting |= set(references(schemas[name])) - seen
    table = "\n".join(["OPERATIONS: dict[str, Operation] = {", *rows, "}"])
    return "\n\n\n".join([HEAD.rstrip(), table, *(typed_dict(name, schemas[name]) for name in sorted(seen))]) + "\n"


def main() -> int:
    text = render(json.loads(CONTRACT.read_text(encoding="utf-8")))
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") == text:
            return 0
        print(f"{TARGET.name} does not fit docs/openapi.json: run python3 clients/python/generate.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
