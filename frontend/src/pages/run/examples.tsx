import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { CauseReport, Points } from "../../api/types";
import { Badge } from "../../parts/badges";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import type { Filters } from "./filters";
import { CauseMatrix } from "./matrix";
import css from "./run.module.css";

type Example = NonNullable<CauseReport["examples"]>[number];
type Said = { en: string; ja: string };

/** One low answer of each of the most frequent causes, told through. */
function Examples({ list, onOpen }: { list: Example[]; onOpen: (question: string) => void }) {
  const { t } = useTranslation();
  const words = useWords();
  if (list.length === 0) return null;
  return (
    <section className={css.examples}>
      <h3>{t("run.examples")}</h3>
      {list.map((x) => (
        <details key={x.component}>
          <summary>
            {t("run.exampleOf", { cause: words.cause(x.component), n: x.count })} <span className="soft">{x.question}</span>
          </summary>
          <Told x={x} />
          <button type="button" className={css.link} onClick={() => onOpen(x.question_id)}>
            {t("run.exampleOpen", { id: x.question_id })}
          </button>
        </details>
      ))}
    </section>
  );
}

function Told({ x }: { x: Example }) {
  const { t, i18n } = useTranslation();
  const say = (text: Said) => (i18n.language === "ja" ? text.ja : text.en);
  return (
    <dl>
      <dt>{t("run.question")}</dt>
      <dd>{x.question}</dd>
      <dt>{t("question.reference")}</dt>
      <dd>{x.reference}</dd>
      <dt>{t("question.answer")}</dt>
      <dd>{x.answer}</dd>
      {x.needed.length > 0 && <dt>{t("run.exampleNeeded")}</dt>}
      {x.needed.map((p, i) => (
        <Passage key={i} p={p} mark={p.holds ? t("run.exampleWasRead") : t("run.exampleNotRead")} />
      ))}
      {x.retrieved.length > 0 && <dt>{t("run.exampleRetrieved")}</dt>}
      {x.retrieved.map((p, i) => (
        <Passage key={i} p={p} mark={p.holds ? t("run.exampleHolds") : ""} />
      ))}
      {x.tried.length > 0 && <dt>{t("run.exampleTried")}</dt>}
      {x.tried.map((s, i) => (
        <dd key={i}>
          {say(s.result) ? t("run.exampleStep", { what: say(s.what), result: say(s.result) }) : say(s.what)}{" "}
          {s.fixed && <Badge tone="better">{t("run.exampleGood")}</Badge>}
        </dd>
      ))}
      <dt>{t("run.exampleWhy")}</dt>
      <dd>{say(x.rationale)}</dd>
    </dl>
  );
}

function Passage({ p, mark }: { p: Example["needed"][number]; mark: string }) {
  return (
    <dd>
      <span className="soft small">{p.doc_id}</span> {p.text} {mark && <Badge>{mark}</Badge>}
    </dd>
  );
}

interface DetailProps {
  run: string;
  points: Points;
  filters: Filters;
  onFilter: (change: Partial<Filters>) => void;
  onOpen: (question: string) => void;
}

/** What lies behind the bars of causes: causes by category, how the answers fail, and examples told through. */
export function CauseDetail({ run, points, filters, onFilter, onOpen }: DetailProps) {
  const { t } = useTranslation();
  const report = useGet<CauseReport>(points.cause.some(Boolean) ? `/runs/${run}/causes` : null).data;
  if (!report) return null;
  return (
    <Card title={t("run.causeDetail")}>
      <CauseMatrix points={points} filters={filters} onFilter={onFilter} />
      <Patterns report={report} />
      <Examples list={report.examples ?? []} onOpen={onOpen} />
    </Card>
  );
}

/** How low-score answers fail, by which score is low: table 4 of the founding paper. */
function Patterns({ report }: { report: CauseReport }) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const list = report.patterns ?? [];
  if (list.length === 0) return null;
  const patterns = words.patterns.filter((p) => list.some((found) => found.pattern === p.code && found.count > 0));
  const count = (corner: string, pattern: string) =>
    list.filter((p) => p.corner === corner && p.pattern === pattern).reduce((sum, p) => sum + p.count, 0);
  const by = report.patterns_by?.[i18n.language === "ja" ? "ja" : "en"];
  return (
    <>
      <table className={css.matrix}>
        <caption>{t("run.patterns")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("run.corner")}</th>
            {patterns.map((p) => (
              <th key={p.code} scope="col">
                {p.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {words.corners.map((corner) => (
            <tr key={corner.code}>
              <th scope="row">{corner.name}</th>
              {patterns.map((p) => (
                <td key={p.code} className="figures">
                  {count(corner.code, p.code)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {by && (
        <p className="small soft" data-said="patterns_by">
          {by}
        </p>
      )}
    </>
  );
}
