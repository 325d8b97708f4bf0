import { NativeSelect, NumberInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWords } from "../../parts/words";
import { Amount, Choice, Tick } from "./choice";
import { ChunkPreviewer } from "./chunkpreview";
import type { Group } from "./fields";

/** How documents are cut, with what comes of it. */
export function ChunkFields({ group }: { group: Group }) {
  const { t } = useTranslation();
  const words = useWords();
  const { set, error } = group;
  const { chunk } = group.definition.base;
  const number = (v: number | string) => (v === "" ? undefined : v);
  return (
    <>
      <Preset group={group} />
      <div className="fields">
        <NativeSelect
          label={words.param("chunk.by")}
          description={t(`experiments.chunkers.says.${chunk.by}`)}
          data={words.chunkUnits.map((value) => ({ value, label: words.chunkUnit(value) }))}
          value={chunk.by}
          error={error("base.chunk.by")}
          onChange={(e) => set("base.chunk.by", e.currentTarget.value)}
        />
        <NumberInput
          label={words.param("chunk.size")}
          min={1}
          value={chunk.size}
          error={error("base.chunk.size")}
          onChange={(v) => set("base.chunk.size", number(v))}
        />
        <NumberInput
          label={words.param("chunk.overlap")}
          min={0}
          value={chunk.overlap}
          error={error("base.chunk.overlap")}
          onChange={(v) => set("base.chunk.overlap", number(v))}
        />
      </div>
      {chunk.by === "recursive" && <Recursive group={group} />}
      <div className="fields">
        <Choice group={group} path="chunk.heading" name="headings" value={chunk.heading || "none"} values={["none", "path"]} />
        <Choice group={group} path="chunk.header" name="headers" value={chunk.header || "none"} values={["none", "title", "path"]} />
        <Parents group={group} />
        {chunk.heading === "path" && <Amount group={group} path="chunk.min" name="shortest" value={chunk.min} min={0} usual="0" />}
      </div>
      {chunk.header && chunk.header !== "none" && (
        <Tick group={group} path="chunk.header_in_prompt" name="headerInPrompt" checked={chunk.header_in_prompt ?? true} usual={true} />
      )}
      <ChunkPreviewer group={group} />
    </>
  );
}

function Recursive({ group }: { group: Group }) {
  const words = useWords();
  const { chunk } = group.definition.base;
  const separators = chunk.separators ?? [];
  const list = separators.length === 0 ? "auto" : separators.length === 1 ? (separators[0] ?? "auto") : separators.join(" ");
  return (
    <div className="fields">
      <Choice
        group={group}
        path="chunk.count"
        name="counts"
        value={chunk.count || "chars"}
        values={["chars", "tokens"]}
        say={words.chunkUnit}
      />
      <Choice
        group={group}
        path="chunk.separators"
        name="separators"
        value={list}
        values={["auto", "langchain", "langchain_cjk"]}
        onChange={(v) => group.set("base.chunk.separators", [v])}
      />
      <Choice group={group} path="chunk.keep" name="keeps" value={chunk.keep || "end"} values={["end", "start"]} />
      <Choice group={group} path="chunk.tables" name="tables" value={chunk.tables || usualPieces(list)} values={["keep", "split"]} />
      <Choice group={group} path="chunk.lists" name="lists" value={chunk.lists || usualPieces(list)} values={["keep", "split"]} />
    </div>
  );
}

/** Tables and lists are kept whole unless the separators are those of another library. */
function usualPieces(separators: string): string {
  return separators === "auto" ? "keep" : "split";
}

function Parents({ group }: { group: Group }) {
  const { chunk } = group.definition.base;
  const parent = chunk.parent ?? { mode: "none" };
  return (
    <>
      <Choice
        group={group}
        path="chunk.parent.mode"
        name="parents"
        value={parent.mode || "none"}
        values={["none", "window", "section", "size", "merge"]}
      />
      {parent.mode === "window" && (
        <Amount group={group} path="chunk.parent.n" name="parentN" value={parent.n} min={1} max={50} usual="3" />
      )}
      {["section", "size", "merge"].includes(parent.mode) && (
        <Amount group={group} path="chunk.parent.size" name="parentSize" value={parent.size} min={1} usual="2000" />
      )}
      {parent.mode === "merge" && (
        <Amount group={group} path="chunk.parent.ratio" name="parentRatio" value={parent.ratio} min={0} max={0.99} step={0.1} usual="0.5" />
      )}
    </>
  );
}

/** Begins with the chunks and hits of another library. */
function Preset({ group: { names, definition, set } }: { group: Group }) {
  const { t } = useTranslation();
  if (names.presets.length === 0) return null;
  const begin = (name: string) => {
    const preset = names.presets.find((p) => p.name === name);
    if (preset) set("base", { ...definition.base, chunk: preset.chunk, retrieve: preset.retrieve });
  };
  return (
    <NativeSelect
      maw={320}
      label={t("experiments.preset.label")}
      description={t("experiments.preset.says")}
      value=""
      data={[{ value: "", label: t("experiments.preset.none") }, ...names.presets.map((p) => ({ value: p.name, label: p.name }))]}
      onChange={(e) => begin(e.currentTarget.value)}
    />
  );
}
