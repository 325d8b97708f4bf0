import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useList } from "../../api/queries";
import type { LibraryRow } from "../../api/types_library";
import type { ImportedResults } from "../../api/types_sheets";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card } from "../../parts/page";
import { FileDrop } from "../datasets/filedrop";
import { nameFrom } from "../datasets/mapping";
import { ImportAnswers } from "./answers";
import { Stored, toolName, tools } from "./stored";
import { TakeTraces } from "./taketraces";
import { appendDirections, DirectionFields, noDirections } from "./directionfields";
import { EncodingField } from "./encodingfield";
import { ImportHead } from "./importhead";
import { SheetField } from "./sheetfield";
import { VoteField } from "./votefield";

/** Imports what was answered or measured elsewhere: results of another tool, or answers without scores. */
export function ImportResults({ onClose }: { onClose: () => void }) {
  const [scored, setScored] = useState(true);
  return scored ? (
    <ImportScores onAnswers={() => setScored(false)} onClose={onClose} />
  ) : (
    <ImportAnswers onResults={() => setScored(true)} onClose={onClose} />
  );
}

/** Imports what another tool measured: a file becomes a dataset, a log and a run with the tool's scores. */
function ImportScores({ onAnswers, onClose }: { onAnswers: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [form, setForm] = useState({ from: "", name: "", dataset: "", sheet: "", vote_columns: "", encoding: "", low: "" });
  const [directions, setDirections] = useState(noDirections);
  const datasets = useList<LibraryRow>("/datasets", {}, 500);
  const store = useMutation({
    mutationFn: (upload: File) => {
      const body = new FormData();
      body.append("file", upload, upload.name);
      for (const [name, value] of Object.entries(form)) if (value && name !== "low") body.append(name, value);
      appendDirections(body, directions);
      const low = form.low.split(/[;；\n]/).map((said) => said.trim());
      if (low.some(Boolean)) body.append("low", JSON.stringify(low.filter(Boolean)));
      return send<ImportedResults>("POST", "/results", body);
    },
    onSuccess: () => client.invalidateQueries(),
  });
  const change = (to: Partial<typeof form>) => {
    setForm({ ...form, ...to });
    store.reset();
  };
  return (
    <>
      <ImportHead
        title={t("results.title")}
        about={t("results.about")}
        other={t("answers.open")}
        onOther={onAnswers}
        done={Boolean(store.data)}
        onClose={onClose}
      />
      <div className="stack">
        <Card title={t("results.choose")}>
          <div className="stack">
            <FileDrop
              accept=".json,.jsonl,.csv,.tsv,.xlsx,.pb,.binpb,.otlp"
              busy={store.isPending}
              chosen={file ? [file] : []}
              hint={t("results.formats")}
              onChoose={([first]) => {
                if (!first) return;
                setFile(first);
                change({ name: nameFrom(first.name), sheet: "" });
              }}
            />
            <div className="row" style={{ alignItems: "flex-end" }}>
              <NativeSelect
                size="xs"
                label={t("results.tool")}
                data={[{ value: "", label: t("results.auto") }, ...tools.map(([value]) => ({ value, label: toolName(t, value) }))]}
                value={form.from}
                onChange={(e) => change({ from: e.currentTarget.value })}
              />
              <SheetField file={file} sheet={form.sheet} onChange={(sheet) => change({ sheet })} />
              <EncodingField encoding={form.encoding} onChange={(encoding) => change({ encoding })} />
              <DirectionFields
                directions={directions}
                onChange={(to) => {
                  setDirections(to);
                  store.reset();
                }}
              />
              <TextInput
                size="xs"
                label={t("results.low")}
                description={t("results.lowMeaning")}
                value={form.low}
                onChange={(e) => change({ low: e.currentTarget.value })}
              />
              <VoteField votes={form.vote_columns} onChange={(vote_columns) => change({ vote_columns })} />
              <TextInput size="xs" label={t("results.name")} value={form.name} onChange={(e) => change({ name: e.currentTarget.value })} />
              <NativeSelect
                size="xs"
                label={t("results.dataset")}
                data={[{ value: "", label: t("results.datasetAuto") }, ...datasets.rows.map((d) => d.name)]}
                value={form.dataset}
                onChange={(e) => change({ dataset: e.currentTarget.value })}
              />
              <Button loading={store.isPending} disabled={!file || Boolean(store.data)} onClick={() => file && store.mutate(file)}>
                {t("results.import")}
              </Button>
            </div>
            {store.error && <ProblemLine error={store.error} />}
          </div>
        </Card>
        {store.data && <Stored results={store.data} />}
        <TakeTraces />
      </div>
    </>
  );
}
