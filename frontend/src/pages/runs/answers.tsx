import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { useList } from "../../api/queries";
import type { LibraryRow } from "../../api/types_library";
import type { ImportedAnswers } from "../../api/types_sheets";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { FileDrop } from "../datasets/filedrop";
import { nameFrom } from "../datasets/mapping";
import { EncodingField } from "./encodingfield";
import { ImportHead } from "./importhead";
import { SheetField } from "./sheetfield";

interface ImportAnswersProps {
  onResults: () => void;
  onClose: () => void;
}

/** Imports what a system answered: first how the file is read, then a log and the experiment that replays it. */
export function ImportAnswers({ onResults, onClose }: ImportAnswersProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [form, setForm] = useState({ name: "", dataset: "", corpus: "", sheet: "", encoding: "" });
  const [columns, setColumns] = useState<Record<string, string>>({});
  const datasets = useList<LibraryRow>("/datasets", {}, 500);
  const corpora = useList<LibraryRow>("/corpora", {}, 500);
  const work = useMutation({
    mutationFn: (dry: boolean) => {
      const body = new FormData();
      if (file) body.append("file", file, file.name);
      for (const [name, value] of Object.entries(form)) if (value) body.append(name, value);
      body.append("columns", JSON.stringify(Object.fromEntries(Object.entries(columns).filter(([, field]) => field))));
      body.append("dry_run", String(dry));
      return send<ImportedAnswers>("POST", "/answers", body);
    },
    onSuccess: (read) => (read.applied ? client.invalidateQueries() : undefined),
  });
  const change = (to: Partial<typeof form>) => {
    setForm({ ...form, ...to });
    work.reset();
  };
  const read = work.data;
  const unread = columnsOf(work.error);
  const choose = (source: string, field: string) => setColumns({ ...columns, [source]: field });
  return (
    <>
      <ImportHead
        title={t("answers.title")}
        about={t("answers.about")}
        other={t("answers.withScores")}
        onOther={onResults}
        done={Boolean(read?.applied)}
        onClose={onClose}
      />
      <div className="stack">
        <Card title={t("results.choose")}>
          <div className="stack">
            <FileDrop
              accept=".jsonl,.json,.csv,.tsv,.xlsx"
              busy={work.isPending}
              chosen={file ? [file] : []}
              hint={t("answers.formats")}
              onChoose={([first]) => {
                if (!first) return;
                setFile(first);
                setColumns({});
                change({ name: nameFrom(first.name), sheet: "" });
              }}
            />
            <div className="row" style={{ alignItems: "flex-end" }}>
              <NativeSelect
                size="xs"
                label={t("results.dataset")}
                data={[{ value: "", label: t("answers.which") }, ...datasets.rows.map((d) => d.name)]}
                value={form.dataset}
                onChange={(e) => change({ dataset: e.currentTarget.value })}
              />
              <NativeSelect
                size="xs"
                label={t("answers.corpus")}
                data={[{ value: "", label: t("answers.noCorpus") }, ...corpora.rows.map((c) => c.name)]}
                value={form.corpus}
                onChange={(e) => change({ corpus: e.currentTarget.value })}
              />
              <SheetField
                file={file}
                sheet={form.sheet}
                onChange={(sheet) => {
                  setColumns({});
                  change({ sheet });
                }}
              />
              <EncodingField
                encoding={form.encoding}
                onChange={(encoding) => {
                  setColumns({});
                  change({ encoding });
                }}
              />
              <TextInput size="xs" label={t("results.name")} value={form.name} onChange={(e) => change({ name: e.currentTarget.value })} />
              <Button variant="default" loading={work.isPending} disabled={!file || !form.dataset} onClick={() => work.mutate(true)}>
                {t("answers.check")}
              </Button>
            </div>
            {work.error && <ProblemLine error={work.error} />}
            {unread.length > 0 && <Columns sources={unread} fields={allFields} chosen={columns} onColumn={choose} />}
          </div>
        </Card>
        {read && (
          <Read read={read} columns={columns} onColumn={choose} onCheck={() => work.mutate(true)} onImport={() => work.mutate(false)} />
        )}
      </div>
    </>
  );
}

/** What a column can be, as the server says it of a file that it could read. */
const allFields = ["", "question_id", "question", "answer", "contexts", "context_ids", "latency_ms", "latency_s", "ignore"];

/** The columns of a file that lacks one which is needed: people say which it is. */
function columnsOf(error: unknown): string[] {
  const { columns } = error instanceof ApiProblem ? error.params : {};
  return Array.isArray(columns) ? columns.map(String) : [];
}

interface ColumnsProps {
  sources: string[];
  fields: string[];
  chosen: Record<string, string>;
  onColumn: (source: string, field: string) => void;
}

function Columns({ sources, fields, chosen, onColumn }: ColumnsProps) {
  const { t } = useTranslation();
  return (
    <div className="row" style={{ alignItems: "flex-end" }}>
      {sources.map((source) => (
        <NativeSelect
          key={source}
          size="xs"
          label={source}
          data={fields.map((value) => ({
            value,
            label: value ? t(`answers.fields.${value}`, { defaultValue: value }) : t("results.auto"),
          }))}
          value={chosen[source] ?? ""}
          onChange={(e) => onColumn(source, e.currentTarget.value)}
        />
      ))}
    </div>
  );
}

interface ReadProps {
  read: ImportedAnswers;
  columns: Record<string, string>;
  onColumn: (source: string, field: string) => void;
  onCheck: () => void;
  onImport: () => void;
}

/** How a file of answers was read, and what came of it. */
function Read({ read, columns, onColumn, onCheck, onImport }: ReadProps) {
  const { t, i18n } = useTranslation();
  const asRead = Object.entries(columns).every(([source, field]) =>
    read.report.columns.some((c) => c.source === source && c.field === field),
  );
  return (
    <Card title={t(read.applied ? "results.stored" : "answers.read")}>
      <div className="stack" role="status">
        <p>{t("answers.found", { count: read.answers, dataset: read.dataset })}</p>
        {read.missing.length > 0 && (
          <p>{t("results.unanswered", { count: read.missing.length, ids: read.missing.slice(0, 5).join(", ") })}</p>
        )}
        {read.notes.map((note) => (
          <p key={note.en} className="soft">
            {i18n.language === "ja" ? note.ja : note.en}
          </p>
        ))}
        {read.applied ? (
          <p>
            {!read.created && t("answers.same")}{" "}
            <PageLink to={`/experiments/${encodeURIComponent(read.experiment)}`}>{t("answers.run", { name: read.experiment })}</PageLink>
          </p>
        ) : (
          <>
            <Columns
              sources={read.report.columns.map((c) => c.source)}
              fields={[...read.fields, "ignore"]}
              chosen={{ ...Object.fromEntries(read.report.columns.map((c) => [c.source, c.field])), ...columns }}
              onColumn={onColumn}
            />
            <div className="row">
              <Button onClick={asRead ? onImport : onCheck}>{t(asRead ? "results.import" : "answers.check")}</Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}
