import { useTranslation } from "react-i18next";
import type { Check, ConditionRow, DatasetScore, PayloadRow, Protocol } from "../../api/types_judges";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { inBand, lostText, reach } from "./card";
import { useFigures } from "./figures";
import css from "./judgecards.module.css";
import { LightBadge } from "./light";
import { useWords } from "../../parts/words";

/** One protocol: its figures with goals, and what they are made of. */
export function ProtocolCard({ protocol: p }: { protocol: Protocol }) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const beside = Object.entries(p.figures ?? {});
  const lost = Object.entries(p.lost_why ?? {});
  return (
    <Card title={`${p.id} ${words.word("judge_check", p.id)}`} aside={<LightBadge light={p.light} />}>
      <div className="stack">
        <p className="soft">{t(`judges.what.${p.id}`, { defaultValue: "" })}</p>
        <div className={css.wide}>
          <table className={css.figures} aria-label={words.word("judge_check", p.id)}>
            <thead>
              <tr>
                <th scope="col">{t("judges.figure")}</th>
                <th scope="col" className={`${css.right} ${css.valueColumn}`}>
                  {t("judges.value")}
                </th>
                <th scope="col" className={`${css.right} ${css.nColumn}`}>
                  n
                </th>
                <th scope="col" className={css.scaleColumn}>
                  {t("judges.scale")}
                </th>
                <th scope="col" className={`${css.right} ${css.goalColumn}`}>
                  {t("judges.goal")}
                </th>
                <th scope="col" className={css.lightColumn}>
                  {t("judges.standing")}
                </th>
              </tr>
            </thead>
            <tbody>
              {p.checks.map((check) => (
                <Figure key={check.id} check={check} />
              ))}
            </tbody>
          </table>
        </div>
        {(p.conditions ?? []).length > 0 && <Conditions rows={p.conditions ?? []} />}
        {(p.payloads ?? []).length > 0 && <Payloads rows={p.payloads ?? []} />}
        {p.lost > 0 && (
          <details>
            <summary>{t("judges.lost", { count: p.lost })}</summary>
            <ul className="small soft">
              {lost.map(([why, n]) => (
                <li key={why}>{t("judges.lostOf", { why: lostText(why, words, i18n.language === "ja"), n })}</li>
              ))}
            </ul>
          </details>
        )}
        {beside.length > 0 && (
          <details>
            <summary>{t("judges.beside", { count: beside.length })}</summary>
            <ul className={css.beside}>
              {beside.map(([name, c]) => (
                <li key={name}>
                  <span className="mono">{name}</span> {format.mean(c.value)} <span className="soft small">{t("parts.n", { n: c.n })}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Card>
  );
}

function Figure({ check }: { check: Check }) {
  const words = useWords();
  const figure = useFigures();
  const measured = check.n > 0;
  return (
    <tr>
      <td>{words.word("judge_check", check.id)}</td>
      <td className={css.right}>
        {measured ? figure(check.value) : absent}
        {measured && check.count !== undefined && (
          <span className="soft small">
            {" "}
            ({check.count}/{check.n})
          </span>
        )}
      </td>
      <td className={css.right}>{check.n}</td>
      <td>{measured && <Scale check={check} />}</td>
      <td className={css.right}>
        {check.at_most ? "≤" : "≥"} {figure(check.goal)}
      </td>
      <td>
        <LightBadge light={check.light} />
      </td>
    </tr>
  );
}

/** The figure with its interval, between what is red and what is green. */
function Scale({ check }: { check: Check }) {
  const { t } = useTranslation();
  const format = useFormat();
  const most = reach(check);
  const x = (v: number) => (v / most) * 196 + 2;
  const [from, to] = check.at_most ? [0, check.goal] : [check.goal, most];
  const [redFrom, redTo] = check.at_most ? [check.floor, most] : [0, check.floor];
  const interval = check.low !== undefined && check.high !== undefined;
  const words = interval ? t("judges.interval", { low: format.mean(check.low), high: format.mean(check.high) }) : t("judges.noInterval");
  return (
    <svg className={css.scale} viewBox="0 0 200 16" preserveAspectRatio="none" role="img" aria-label={words}>
      <title>{words}</title>
      <rect x={x(from)} width={Math.max(1, x(to) - x(from))} y={5} height={6} className={css.good} />
      <rect x={x(redFrom)} width={Math.max(0, x(redTo) - x(redFrom))} y={5} height={6} className={css.bad} />
      <line x1={x(check.goal)} x2={x(check.goal)} y1={1} y2={15} className={css.goal} />
      {interval && <line x1={x(check.low ?? 0)} x2={x(check.high ?? 0)} y1={8} y2={8} className={css.whisker} />}
      <rect x={x(check.value) - 2} y={3} width={4} height={10} className={css.dot} />
    </svg>
  );
}

/** J1: how trust spreads over the levels in each condition, beside the founding paper's table. */
function Conditions({ rows }: { rows: ConditionRow[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const levels = [5, 4, 3, 2, 1];
  return (
    <div className={css.wide}>
      <table className={css.figures} aria-label={t("judges.contexts")}>
        <thead>
          <tr>
            <th scope="col">{t("judges.contexts")}</th>
            {levels.map((l) => (
              <th key={l} scope="col" className={css.right}>
                {l}
              </th>
            ))}
            <th scope="col" className={css.right}>
              {t("judges.inBand")}
            </th>
            <th scope="col" className={css.paper}>
              {t("judges.paper")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr key={r.condition}>
              <td>{words.word("judge_check", r.condition)}</td>
              {r.levels.map((n, i) => (
                <td key={levels[i]} className={`${css.right} ${inBand(r.band, levels[i] ?? 0) ? css.band : ""}`}>
                  {n}
                </td>
              ))}
              <td className={css.right}>
                {r.in_band}/{r.n}
              </td>
              <td className={css.paper}>{r.paper ? `${r.paper.levels.join(" · ")} — ${r.paper.in_band}/${r.paper.n}` : absent}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft small">{t("judges.bandLegend")}</p>
    </div>
  );
}

/** J7: each attack, where it stood, and how often it lifted a low score. */
function Payloads({ rows }: { rows: PayloadRow[] }) {
  const { t } = useTranslation();
  const cell = (succeeded: number, tried: number) => (
    <td className={css.right}>
      {succeeded > 0 ? <strong>{succeeded}</strong> : 0} / {tried}
    </td>
  );
  return (
    <table className={css.figures} aria-label={t("judges.payload")}>
      <thead>
        <tr>
          <th scope="col">{t("judges.payload")}</th>
          <th scope="col" className={css.right}>
            {t("judges.inAnswer")}
          </th>
          <th scope="col" className={css.right}>
            {t("judges.inContext")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.id}>
            <td>{t(`judges.payloads.${r.id}`, { defaultValue: r.id })}</td>
            {cell(r.answer_succeeded, r.answer_tried)}
            {cell(r.context_succeeded, r.context_tried)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** J3: agreement with labels that people gave. */
export function Agreement({ datasets }: { datasets: DatasetScore[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  return (
    <Card title={`J3 ${words.word("judge_check", "J3")}`}>
      <div className={css.wide}>
        <table className={css.figures} aria-label={words.word("judge_check", "J3")}>
          <thead>
            <tr>
              <th scope="col">{t("judges.labelled")}</th>
              <th scope="col" className={css.right}>
                n
              </th>
              <th scope="col" className={css.right}>
                {t("judges.auroc")}
              </th>
              <th scope="col" className={css.right}>
                {t("judges.accuracy")}
              </th>
              <th scope="col" className={css.right}>
                {t("judges.spearman")}
              </th>
              <th scope="col">{t("judges.asked")}</th>
              <th scope="col">{t("judges.standing")}</th>
            </tr>
          </thead>
          <tbody>
            {datasets.map((d) => (
              <tr key={d.name}>
                <td>{d.name}</td>
                <td className={css.right}>{d.n}</td>
                <td className={css.right}>{format.mean(d.auroc)}</td>
                <td className={css.right}>{format.mean(d.accuracy)}</td>
                <td className={css.right}>{format.mean(d.correlation)}</td>
                <td className="small soft">{d.asked}</td>
                <td>
                  <LightBadge light={d.light} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
