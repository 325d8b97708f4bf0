#!/usr/bin/env python3
"""Records what other programs compute, as golden cases for the tests of internal/rag.

    python3 -m venv venv && venv/bin/pip install -r bench/retrieval/requirements.txt
    venv/bin/python bench/retrieval/oracles.py ranking     # bm25s, ranx, langchain-core → internal/rag/search/testdata/ranking.json
    venv/bin/python bench/retrieval/oracles.py splits      # langchain-text-splitters → internal/rag/testdata/splits.json
    venv/bin/python bench/retrieval/oracles.py headings    # MarkdownHeaderTextSplitter → internal/rag/testdata/headings.json
    venv/bin/python bench/retrieval/oracles.py presets     # defaults of LangChain → internal/rag/testdata/presets.json
    venv/bin/python bench/retrieval/oracles.py full ../shared/data FOLDER   # the same over data sets, which are not kept here
    WORKBENCH_ORACLES=FOLDER go test ./internal/rag -run TestFullSample -v

Everything is seeded: the same versions write the same bytes. Texts are made here; no data set is copied.
"""

import hashlib
import json
import random
import sys
from pathlib import Path

RAG = Path(__file__).resolve().parents[2] / "internal" / "rag"
OUT = RAG / "testdata"

WORDS_EN = "the claim is paid within ten days after receipt of a form signed by both parties unless notice was given in writing".split()
WORDS_JA = ["経費は", "月末に", "締めます", "領収書が", "必要です", "申請は", "翌月の", "五日までに", "提出して", "ください", "出張の", "日当は", "一日あたり", "二千円です"]
MARKS_JA = ["。", "、", "！", "？", "。\n", "。\n\n", "\u3000", "」"]
MARKS_EN = [". ", ", ", " ", " ", " ", "\n", "\n\n", "! ", "? ", "\r\n", ".\n\n", "  "]
ODD = ["😀", "👩\u200d👩\u200d👧", "か\u3099", "𠮷", "\u200b", "\ufeff", "\x1c", "\x85", "\u00a0", "verylongwordwithoutanyplacetobreakit" * 3]


def prose(rng, lang, pieces):
    out = []
    for _ in range(pieces):
        if rng.random() < 0.03:
            out.append(rng.choice(ODD))
        out.append(rng.choice(WORDS_JA if lang == "ja" else WORDS_EN))
        if lang == "en" or rng.random() < 0.5:
            out.append(rng.choice(MARKS_JA if lang == "ja" else MARKS_EN))
    return "".join(out)


def save(name, data, folder=OUT):
    folder.mkdir(exist_ok=True)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    (folder / name).write_text(text.replace("},{", "},\n{") + "\n", encoding="utf-8")
    print(f"{name}: {len(text)} characters")


def digest(chunks):
    """How many chunks there are and the beginning of the SHA-256 of their texts: the texts themselves would be half a megabyte."""
    return f"{len(chunks)} " + hashlib.sha256("\0".join(chunks).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def ranking():
    import bm25s
    import numpy as np
    from langchain_core.vectorstores.utils import maximal_marginal_relevance
    from ranx import Run, fuse

    rng = random.Random(24)
    cases = []
    for k1, b in [(1.2, 0.75), (1.5, 0.4), (0.0, 0.75), (2.0, 0.0)]:
        docs = [[rng.choice("abcdefghijklmnopqrstuvwxyz") * rng.randint(1, 2) for _ in range(rng.randint(1, 30))] for _ in range(60)]
        retriever = bm25s.BM25(method="lucene", k1=k1, b=b)
        retriever.index(docs, show_progress=False)
        queries = []
        for _ in range(8):
            q = [rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(1, 5))]
            scores = [round(float(s), 6) for s in retriever.get_scores(q)]
            queries.append({"query": " ".join(q), "scores": scores})
        cases.append({"k1": k1, "b": b, "texts": [" ".join(d) for d in docs], "queries": queries})

    fusions = []
    for _ in range(12):
        lists = []
        for _ in range(2):
            ids = rng.sample(range(20), rng.randint(2, 12))
            scores = sorted({round(rng.uniform(0, 9), 3) for _ in ids}, reverse=True)
            lists.append(list(zip(ids, scores)))
        runs = [Run({"q": {str(i): s for i, s in ranked}}) for ranked in lists]
        rrf = fuse(runs=runs, norm=None, method="rrf", params={"k": 60})["q"]
        mm = fuse(runs=runs, norm="min-max", method="wsum", params={"weights": (0.3, 0.7)})["q"]
        fusions.append({"dense": lists[0], "words": lists[1], "rrf": {k: float(v) for k, v in rrf.items()},
                        "convex": {k: float(v) for k, v in mm.items()}})

    chosen = []
    generator = np.random.default_rng(24)
    for _ in range(6):
        v = generator.normal(size=(13, 6)).astype("float32")
        v /= np.linalg.norm(v, axis=1, keepdims=True)
        for lam in (0.0, 0.3, 0.5, 1.0):
            order = maximal_marginal_relevance(v[0], list(v[1:]), lambda_mult=lam, k=6)
            chosen.append({"lambda": lam, "query": v[0].tolist(), "candidates": v[1:].tolist(), "order": [int(i) for i in order]})
    save("ranking.json", {"bm25": cases, "fusion": fusions, "mmr": chosen}, RAG / "search" / "testdata")


LISTS = {
    "langchain": ["\n\n", "\n", " ", ""],
    "langchain_cjk": ["\n\n", "\n", " ", ".", ",", "\u200b", "\uff0c", "\u3001", "\uff0e", "\u3002", ""],
}
SIZES = [(1000, 0), (400, 80), (200, 50), (100, 0), (100, 99), (40, 12)]


def splits():
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    rng = random.Random(24)
    texts = ["", "  \n\n \u3000", "word", "\n\nstart and end\n\n", "x" * 250, "a\r\n\r\nb"]
    texts += [prose(rng, lang, n) for lang in ("en", "ja") for n in (5, 40, 120, 200, 300)]
    cases = []
    for name, separators in LISTS.items():
        for keep in ("start", "end"):
            for size, overlap in SIZES:
                splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, separators=separators,
                                                          keep_separator=keep, add_start_index=False)
                cases.append({"separators": name, "keep": keep, "size": size, "overlap": overlap,
                              "chunks": [digest(splitter.split_text(t)) for t in texts]})
    save("splits.json", {"texts": texts, "cases": cases})


def headings():
    from langchain_text_splitters import MarkdownHeaderTextSplitter

    rng = random.Random(24)
    splitter = MarkdownHeaderTextSplitter([("#" * n, f"h{n}") for n in range(1, 7)])
    cases = []
    for _ in range(30):
        lines = []
        for _ in range(rng.randint(3, 12)):
            level = rng.randint(1, 6)
            lines += ["#" * level + " " + rng.choice(["Travel", "旅費", "Abroad", "日当", "Per diem", "Receipts"]) + str(rng.randint(1, 99)), ""]
            if rng.random() < 0.9:
                lines += [prose(rng, rng.choice(["en", "ja"]), 6).replace("\n", " ").replace("\r", " ").strip() or "x", ""]
            if rng.random() < 0.2:
                lines += ["```", "# not a heading", "```", ""]
        text = "\n".join(lines)
        sections = [[d.metadata[k] for k in sorted(d.metadata)] for d in splitter.split_text(text)]
        cases.append({"text": text, "paths": sections})
    save("headings.json", cases)


def presets():
    """What a pipeline gets that says nothing: each text of splits.json five times, so that even 4,000 characters are cut."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    def child_of_parent(text):
        parents = RecursiveCharacterTextSplitter(chunk_size=2000, chunk_overlap=0).split_text(text)
        children = RecursiveCharacterTextSplitter(chunk_size=400, chunk_overlap=0)
        return [child for parent in parents for child in children.split_text(parent)]

    cjk = RecursiveCharacterTextSplitter(separators=LISTS["langchain_cjk"])
    pipelines = {"langchain": RecursiveCharacterTextSplitter().split_text, "langchain-cjk": cjk.split_text,
                 "langchain-parent": child_of_parent}
    texts = json.loads((OUT / "splits.json").read_text(encoding="utf-8"))["texts"]
    save("presets.json", {name: [digest(cut((t + "\n") * 5)) for t in texts] for name, cut in pipelines.items()})


def documents(data, sets, most):
    """The first texts of data sets, as a workbench reads them."""
    import unicodedata

    texts = []
    for name in sets:
        for line in (Path(data) / name / "corpus.jsonl").open(encoding="utf-8"):
            texts.append(unicodedata.normalize("NFC", json.loads(line)["text"])[:20000])
            if len(texts) == most:
                return texts
    return texts


def full_splits(texts):
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    cases = []
    for name, separators in LISTS.items():
        for keep in ("start", "end"):
            for size, overlap in [(1000, 0), (400, 80), (200, 50), (100, 0), (100, 99)]:
                splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, separators=separators,
                                                          keep_separator=keep, add_start_index=False)
                cases.append({"separators": name, "keep": keep, "size": size, "overlap": overlap,
                              "chunks": [digest(splitter.split_text(t)) for t in texts]})
    return cases


def full_tokens(texts):
    """Of each text how many tokens it has, and behind which characters they end; one that ends inside a character ends behind it."""
    import bisect
    import importlib.util
    import itertools
    import os

    package = importlib.util.find_spec("llama_index.core").origin  # which carries both vocabularies; without it they are downloaded
    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(package).parent / "_static" / "tiktoken_cache")
    import tiktoken

    out = {}
    for name in ("cl100k_base", "o200k_base"):
        encoding = tiktoken.get_encoding(name)
        rows = []
        for text in texts:
            starts = list(itertools.accumulate((len(c.encode("utf-8")) for c in text), initial=0))
            tokens = encoding.encode(text, disallowed_special=())
            ends = itertools.accumulate(len(b) for b in encoding.decode_tokens_bytes(tokens))
            places = sorted({bisect.bisect_left(starts, end) for end in ends})
            rows.append([len(tokens), hashlib.sha256(",".join(map(str, places)).encode()).hexdigest()[:16]])
        out[name] = rows
    return out


def full_words(data, sets, japanese):
    """300 questions over chunks of 400 characters, as words that a space parts: the best ten by bm25s."""
    import re

    import bm25s

    def words(text):
        text = text.lower()
        if japanese:
            runs = re.findall(r"\w+", text)
            return [r[i:i + 2] for r in runs for i in range(max(1, len(r) - 1))]
        return re.findall(r"\w+", text)

    texts = documents(data, sets, 10**6)
    chunks = [c for c in (words(t[i:i + 400]) for t in texts for i in range(0, len(t), 400)) if c]
    questions = []
    for name in sets:
        questions += [json.loads(line)["question"] for line in (Path(data) / name / "questions.jsonl").open(encoding="utf-8")]
    queries = [q for q in map(words, questions) if q][:300]
    cases = []
    for k1 in (1.2, 1.5):
        for b in (0.4, 0.75):
            retriever = bm25s.BM25(method="lucene", k1=k1, b=b)
            retriever.index(chunks, show_progress=False)
            best = []
            for q in queries:
                scores = retriever.get_scores(q)
                best.append([[int(i), round(float(scores[i]), 6)] for i in sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:10]])
            cases.append({"k1": k1, "b": b, "best": best})
    return {"texts": [" ".join(c) for c in chunks], "queries": [" ".join(q) for q in queries], "cases": cases}


def full():
    global OUT
    data, OUT = sys.argv[2], Path(sys.argv[3])
    texts = documents(data, ["jaquad", "nta_tax_qa"], 100) + documents(data, ["clapnq"], 100)
    save("splits.json", {"texts": texts, "cases": full_splits(texts)})
    save("tokens.json", {"texts": texts, **full_tokens(texts)})
    save("words_en.json", full_words(data, ["clapnq", "covid_qa"], False))
    save("words_ja.json", full_words(data, ["jaquad", "nta_tax_qa"], True))


if __name__ == "__main__":
    {"full": full, "ranking": ranking, "splits": splits, "headings": headings, "presets": presets}[sys.argv[1]]()
