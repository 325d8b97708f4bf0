import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { useList } from "../../api/queries";
import type { Imported, LibraryRow, UploadPreview } from "../../api/types_library";
import { ProblemLine } from "../../parts/confirmdialog";
import css from "./datasets.module.css";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { EncodingField } from "../runs/encodingfield";
import { FileDrop } from "./filedrop";
import { asks, doubled, hasQuestions, type Mapping, mapped, nameFrom } from "./mapping";
import { Columns, Found, Problems, Rows } from "./preview";
import { Sheets } from "./sheets";

/** A sheet of questions as it is read: anew each time that something is said of how. */
function useSheet() {
  const [file, setFile] = useState<File>();
  const [changes, setChanges] = useState<Mapping>({});
  const [sheets, setSheets] = useState<string[]>(); // undefined: those that the reader chooses
  const [shown, setShown] = useState<UploadPreview>(); // stays while the file is read again, and the focus with it
  const [name, setName] = useState("");
  const [corpus, setCorpus] = useState("");
  const [encoding, setEncoding] = useState("");
  const read = useMutation({
    mutationFn: ({ upload, columns, tabs, quoted, written }: Reading) => {
      const form = new FormData();
      form.append("file", upload, upload.name);
      if (Object.keys(columns).length > 0) form.append("columns", JSON.stringify(columns));
      if (tabs) form.append("sheets", JSON.stringify(tabs));
      if (quoted) form.append("corpus", quoted);
      if (written) form.append("encoding", written);
      if (shown?.token) form.append("replaces", shown.token);
      return send<UploadPreview>("POST", "/datasets/preview", form);
    },
  });
  const again = (reading: Reading) => read.mutate(reading, { onSuccess: setShown });
  const choose = (upload: File) => {
    setFile(upload);
    setShown(undefined);
    setChanges({});
    setSheets(undefined);
    setName(nameFrom(upload.name));
    setEncoding("");
    again({ upload, columns: {}, tabs: undefined, quoted: corpus, written: "" });
  };
  const change = (columns: Mapping) => {
    setChanges(columns);
    if (file) again({ upload: file, columns, tabs: sheets, quoted: corpus, written: encoding });
  };
  const turn = (tabs: string[] | undefined) => {
    setSheets(tabs);
    setChanges({}); // of columns that other sheets may not have
    if (file && tabs?.length !== 0) again({ upload: file, columns: {}, tabs, quoted: corpus, written: encoding });
  };
  const look = (quoted: string) => {
    setCorpus(quoted);
    if (file) again({ upload: file, columns: changes, tabs: sheets, quoted, written: encoding });
  };
  const decode = (written: string) => {
    setEncoding(written);
    setChanges({}); // of columns that are called otherwise in another encoding
    if (file) again({ upload: file, columns: {}, tabs: sheets, quoted: corpus, written });
  };
  return { file, changes, sheets, shown, name, corpus, encoding, read, choose, change, turn, look, decode, setName };
}

/** Imports a sheet of questions: upload, look at how it was understood, correct it, store. Nothing is stored before the last step. */
export function ImportDataset({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { file, changes, sheets, shown, name, corpus, encoding, read, choose, change, turn, look, decode, setName } = useSheet();
  return (
    <>
      <PageHead
        title={t("datasets.import")}
        name={t("datasets.import")}
        above={<PageLink to="/datasets">{t("nav.datasets")}</PageLink>}
        actions={
          <Button variant="default" onClick={onClose}>
            {t("parts.cancel")}
          </Button>
        }
      />
      <div className="stack">
        <Card title={t("datasets.step1")}>
          <FileDrop
            accept=".jsonl,.json,.csv,.tsv,.xlsx"
            busy={read.isPending}
            chosen={file ? [file] : []}
            hint={t("datasets.formats")}
            onChoose={([first]) => first && choose(first)}
          />
          {file && !file.name.endsWith(".xlsx") && <EncodingField encoding={encoding} onChange={decode} />}
          {read.error && <ProblemLine error={read.error} />}
        </Card>
        {shown && file && (
          <Understood
            preview={shown}
            changes={changes}
            sheets={sheets}
            name={name}
            corpus={corpus}
            encoding={encoding}
            busy={read.isPending || read.isError}
            onChange={change}
            onSheets={turn}
            onName={setName}
            onCorpus={look}
          />
        )}
      </div>
    </>
  );
}

/** What is read, and how. */
interface Reading {
  upload: File;
  columns: Mapping;
  tabs: string[] | undefined;
  quoted: string;
  /** The encoding that was chosen; "" for what the bytes say. */
  written: string;
}

interface UnderstoodProps {
  preview: UploadPreview;
  changes: Mapping;
  sheets: string[] | undefined;
  name: string;
  corpus: string;
  encoding: string;
  busy: boolean;
  onChange: (changes: Mapping) => void;
  onSheets: (sheets: string[] | undefined) => void;
  onName: (name: string) => void;
  onCorpus: (corpus: string) => void;
}

/** How the sheet was understood, with what can be said otherwise, and the way to store it. */
function Understood({ preview, changes, sheets, name, corpus, encoding, busy, onChange, onSheets, onName, onCorpus }: UnderstoodProps) {
  const { t } = useTranslation();
  const columns = mapped(preview, changes);
  const twice = doubled(columns);
  const may = asks(preview);
  return (
    <>
      <Card title={t("datasets.step2")} aside={preview.report.format && <Found report={preview.report} />}>
        <div className="stack">
          {preview.problem && preview.problems.length === 0 && (
            <ProblemLine error={new ApiProblem(preview.problem, preview.problem.status)} />
          )}
          {may.corpus && <CorpusField corpus={corpus} onChange={onCorpus} />}
          <Sheets sheets={preview.report.sheets ?? []} chosen={sheets} onChange={onSheets} />
          {preview.report.columns.length > 0 && <Columns preview={preview} changes={changes} onChange={onChange} />}
          {twice.length > 0 && <p role="alert">{t("datasets.twice", { fields: twice.join(", ") })}</p>}
          {!hasQuestions(columns) && !preview.problem && <p role="alert">{t("datasets.noQuestions")}</p>}
          {(!preview.problem || preview.problems.length > 0) && (
            <Problems problems={preview.problems} notes={preview.report.notes ?? []} hint={preview.problem ? t("datasets.correct") : ""} />
          )}
        </div>
      </Card>
      {preview.rows.length > 0 && (
        <Card title={t("datasets.firstRows")}>
          <Rows rows={preview.rows} />
        </Card>
      )}
      {may.store && (
        <Store
          preview={preview}
          said={{ columns: changes, ...(sheets ? { sheets } : {}), ...(corpus ? { corpus } : {}), ...(encoding ? { encoding } : {}) }}
          name={name}
          ready={!busy && sheets?.length !== 0 && twice.length === 0}
          onName={onName}
        />
      )}
    </>
  );
}

/** The corpus in which quotes of the sheet are looked up. */
function CorpusField({ corpus, onChange }: { corpus: string; onChange: (corpus: string) => void }) {
  const { t } = useTranslation();
  const corpora = useList<LibraryRow>("/corpora", {}, 500);
  return (
    <NativeSelect
      className={css.corpus ?? ""}
      size="xs"
      label={t("datasets.corpus")}
      description={t("datasets.corpusRule")}
      value={corpus}
      data={[{ value: "", label: t("datasets.noCorpus") }, ...corpora.rows.map((c) => c.name)]}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}

interface StoreProps {
  preview: UploadPreview;
  /** What was said of how the sheet is read. */
  said: { columns: Mapping; sheets?: string[]; corpus?: string; encoding?: string };
  name: string;
  ready: boolean;
  onName: (name: string) => void;
}

/** The last step: a name, and the questions are stored as a dataset, which is shown then. */
function Store({ preview, said, name, ready, onName }: StoreProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const store = useMutation({
    mutationFn: () => send<Imported>("POST", "/datasets", { token: preview.token, name, ...said }),
    onSuccess: async (stored) => {
      await client.invalidateQueries();
      router.history.push(`/datasets/${encodeURIComponent(stored.name)}`);
    },
  });
  return (
    <Card title={t("datasets.step3")}>
      <div className="stack">
        <div className="row" style={{ alignItems: "flex-end" }}>
          <TextInput
            size="xs"
            label={t("datasets.name")}
            description={t("datasets.nameRule")}
            value={name}
            onChange={(e) => onName(e.currentTarget.value)}
          />
          <Button loading={store.isPending} disabled={!ready || name === ""} onClick={() => store.mutate()}>
            {t("datasets.store", { count: preview.total })}
          </Button>
        </div>
        {store.error && <ProblemLine error={store.error} />}
      </div>
    </Card>
  );
}
