import { Button, CloseButton, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import type { Imported } from "../../api/types_library";
import { said } from "../../api/types_notebook";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { problemWords } from "../../parts/problemwords";
import { FileDrop } from "../datasets/filedrop";
import css from "./corpora.module.css";
import { nameFrom } from "../datasets/mapping";

const kinds = ".txt,.md,.html,.htm,.docx,.pptx,.xlsx,.pdf,.jsonl";

/** Imports documents as the next version of a corpus. */
export function ImportCorpus({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [files, setFiles] = useState<File[]>([]);
  const [name, setName] = useState("");
  const store = useMutation({
    mutationFn: () => {
      const form = new FormData();
      form.append("name", name);
      for (const file of files) form.append("files", file, file.webkitRelativePath || file.name);
      return send<Imported>("POST", "/corpora", form);
    },
    onSuccess: () => client.invalidateQueries(),
  });
  const choose = (list: File[]) => {
    setFiles(list);
    store.reset();
    if (name === "") setName(nameFrom(list[0]?.webkitRelativePath.split("/")[0] || list[0]?.name || ""));
  };
  return (
    <>
      <PageHead
        title={t("corpora.import")}
        name={t("corpora.import")}
        above={<PageLink to="/corpora">{t("nav.corpora")}</PageLink>}
        actions={
          <Button variant="default" onClick={onClose}>
            {t(store.data ? "parts.close" : "parts.cancel")}
          </Button>
        }
      />
      <div className="stack">
        <Card title={t("corpora.files")}>
          <FileDrop accept={kinds} many busy={store.isPending} chosen={files} hint={t("corpora.formats")} onChoose={choose} />
          {files.length > 0 && !store.data && (
            <ul className={css.files}>
              {files.map((file) => (
                <li key={file.webkitRelativePath || file.name}>
                  <span className="mono">{file.webkitRelativePath || file.name}</span>
                  <CloseButton
                    size="sm"
                    aria-label={t("corpora.leaveOut", { name: file.name })}
                    onClick={() => {
                      setFiles(files.filter((f) => f !== file));
                      store.reset();
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
        </Card>
        {files.length > 0 && !store.data && (
          <Card title={t("corpora.store")}>
            <div className="stack">
              <div className="row" style={{ alignItems: "flex-end" }}>
                <TextInput
                  size="xs"
                  label={t("corpora.name")}
                  description={t("corpora.nameRule")}
                  value={name}
                  onChange={(e) => setName(e.currentTarget.value)}
                />
                <Button loading={store.isPending} disabled={name === ""} onClick={() => store.mutate()}>
                  {t("corpora.storeFiles", { count: files.length })}
                </Button>
              </div>
              {store.error && <ProblemLine error={store.error} />}
            </div>
          </Card>
        )}
        {store.data && <Result result={store.data} />}
      </div>
    </>
  );
}

/** What was stored, and what was left out or assumed. */
function Result({ result }: { result: Imported }) {
  const { t, i18n } = useTranslation();
  return (
    <Card title={t(result.created ? "corpora.stored" : "corpora.same")}>
      <div className="stack">
        <p>
          <PageLink to={`/corpora/${encodeURIComponent(result.name)}`}>
            {result.name}@{result.version}
          </PageLink>{" "}
          {t("corpora.count", { count: result.items })}
        </p>
        {result.notes.length > 0 && (
          <section>
            <h3>{t("corpora.notes")}</h3>
            <ul>
              {result.notes.map((note) => (
                <li key={note.en}>{said(note, i18n.language)}</li>
              ))}
            </ul>
          </section>
        )}
        {(result.left_out ?? []).length > 0 && (
          <section>
            <h3>{t("corpora.leftOut")}</h3>
            <ul>
              {(result.left_out ?? []).map((file) => (
                <LeftOut key={file.file} file={file} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Card>
  );
}

/** A file that could not be read: why, and what to do. */
function LeftOut({ file }: { file: NonNullable<Imported["left_out"]>[number] }) {
  const { i18n } = useTranslation();
  const { title, hint } = problemWords(new ApiProblem({ ...file, detail: file.message }, 422), i18n);
  return (
    <li>
      <span className="mono">{file.file}</span> {title} <span className="soft">{hint}</span>
    </li>
  );
}
