import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import type { FileComparison, FileText, Label } from "../../api/types";
import { LowerIsBetter } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { LabelBadge, LabelCounts } from "../../parts/labelbadge";
import { Card, PageHead } from "../../parts/page";
import { FileDrop } from "../datasets/filedrop";
import { appendDirections, DirectionFields, noDirections } from "../runs/directionfields";
import { EncodingField } from "../runs/encodingfield";
import { VoteField } from "../runs/votefield";
import css from "./compare.module.css";
import { useWords } from "../../parts/words";

/** How many questions are listed; the command line writes them all. */
const listed = 100;

/** Compares two files of scores of any tool, question by question. Nothing is stored. */
export function CompareFiles({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [files, setFiles] = useState<{ baseline?: File; candidate?: File }>({});
  const [directions, setDirections] = useState(noDirections);
  const [votes, setVotes] = useState("");
  const [encoding, setEncoding] = useState("");
  const work = useMutation({
    mutationFn: () => {
      const body = new FormData();
      for (const [arm, file] of Object.entries(files)) if (file) body.append(arm, file, file.name);
      appendDirections(body, directions);
      if (votes) body.append("vote_columns", votes);
      if (encoding) body.append("encoding", encoding);
      return send<FileComparison>("POST", "/score-files/comparison", body);
    },
  });
  return (
    <>
      <PageHead
        title={t("scores.title")}
        name={t("scores.title")}
        below={<span className="soft">{t("scores.about")}</span>}
        actions={
          <Button variant="default" onClick={onClose}>
            {t("parts.cancel")}
          </Button>
        }
      />
      <div className="stack">
        <Card title={t("scores.files")}>
          <div className="stack">
            {(["baseline", "candidate"] as const).map((arm) => (
              <section key={arm}>
                <h3>{t(`compare.${arm}`)}</h3>
                <FileDrop
                  accept=".csv,.tsv,.jsonl,.json,.xlsx"
                  busy={work.isPending}
                  chosen={files[arm] ? [files[arm]] : []}
                  hint={t("scores.formats")}
                  onChoose={([first]) => {
                    if (first) setFiles({ ...files, [arm]: first });
                    work.reset();
                  }}
                />
              </section>
            ))}
            <div className="row" style={{ alignItems: "flex-end" }}>
              <DirectionFields
                directions={directions}
                onChange={(to) => {
                  setDirections(to);
                  work.reset();
                }}
              />
              <EncodingField
                encoding={encoding}
                onChange={(name) => {
                  setEncoding(name);
                  work.reset();
                }}
              />
              <VoteField
                votes={votes}
                onChange={(way) => {
                  setVotes(way);
                  work.reset();
                }}
              />
              <Button loading={work.isPending} disabled={!files.baseline || !files.candidate} onClick={() => work.mutate()}>
                {t("compare.go")}
              </Button>
            </div>
            {work.error && <ProblemLine error={work.error} />}
          </div>
        </Card>
        {work.data && <Compared comparison={work.data} />}
      </div>
    </>
  );
}

/** What came of it: the counts, which filter, every metric, and the questions behind them. */
function Compared({ comparison: c }: { comparison: FileComparison }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const [label, setLabel] = useState<Label | "">("");
  const texts = new Map((c.texts ?? []).map((text) => [text.id, text]));
  const shown = c.questions.filter((q) => (label ? q.label === label : ["worse", "needs_check"].includes(q.label)));
  return (
    <>
      <p role="status">{t("scores.matched", { count: c.matched, by: c.decide_by.join(", ") })}</p>
      <LabelCounts counts={c.verdict_counts} chosen={label} onChoose={setLabel} />
      {[...(c.warnings ?? []), ...c.excluded.map((e) => `${e.metric}: ${e.why}`)].map((warning) => (
        <p key={warning} className={css.warning}>
          {warning}
        </p>
      ))}
      {(c.notes ?? []).map((note) => (
        <p key={note} className="soft small">
          {note}
        </p>
      ))}
      <Card title={t("compare.metrics")}>
        <div className={css.scroll}>
          <table className={css.metrics} aria-label={t("compare.metrics")}>
            <thead>
              <tr>
                {["answer.metric", "words.before", "words.after", "compare.difference", "compare.interval", "compare.n"].map((head) => (
                  <th key={head} scope="col">
                    {t(head)}
                  </th>
                ))}
                {(["worse", "needs_check", "better"] as const).map((head) => (
                  <th key={head} scope="col">
                    {words.label(head)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {c.metrics.map((m) => (
                <tr key={m.metric}>
                  <th scope="row">
                    {m.metric} {m.lower_is_better && <LowerIsBetter />}
                  </th>
                  {Object.entries(format.beside(m.baseline, m.candidate)).map(([what, shown]) => (
                    <td key={what}>{shown}</td>
                  ))}
                  <td>{m.ci95?.length === 2 ? `${format.signed(m.ci95[0] ?? 0)} … ${format.signed(m.ci95[1] ?? 0)}` : ""}</td>
                  <td>{format.count(m.n)}</td>
                  <td>{format.count(m.counts.worse)}</td>
                  <td>{format.count(m.counts.needs_check)}</td>
                  <td>{format.count(m.counts.better)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Card title={t("scores.questions")}>
        {shown.length === 0 ? (
          <p className="soft">{t("scores.none")}</p>
        ) : (
          <div className={css.scroll}>
            <table className={css.metrics} aria-label={t("scores.questions")}>
              <thead>
                <tr>
                  {["scores.question", "answer.metric", "words.before", "words.after", "scores.label"].map((head) => (
                    <th key={head} scope="col">
                      {t(head)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.slice(0, listed).map((q) => (
                  <tr key={q.id + q.metric}>
                    <th scope="row">
                      <Asked id={q.id} text={texts.get(q.id)} />
                    </th>
                    <td>{q.metric}</td>
                    <td>{format.mean(q.baseline)}</td>
                    <td>{format.mean(q.candidate)}</td>
                    <td>
                      <LabelBadge label={q.label} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {shown.length > listed && <p className="soft small">{t("scores.more", { count: shown.length - listed })}</p>}
      </Card>
    </>
  );
}

/** A question as the files word it, with its id beside it, and what was answered before and after. */
function Asked({ id, text }: { id: string; text: FileText | undefined }) {
  const { t } = useTranslation();
  if (!text) return id;
  const parts = (
    [
      ["compare.found.reference", text.reference],
      ["compare.baseline", text.baseline?.answer],
      ["scores.contexts", text.baseline?.contexts?.join("\n")],
      ["compare.candidate", text.candidate?.answer],
      ["scores.contexts", text.candidate?.contexts?.join("\n")],
    ] as const
  ).filter(([, words]) => words);
  return (
    <>
      {text.question || id} {text.question && text.question !== id && <span className="soft small">{id}</span>}
      {parts.length > 0 && (
        <details className="small">
          <summary>{t("scores.answers")}</summary>
          <dl>
            {parts.map(([label, words], at) => (
              <div key={at}>
                <dt>{t(label)}</dt>
                <dd className={css.words}>{words}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
