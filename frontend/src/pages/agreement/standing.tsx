import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ItemProgress, Standing, TargetProgress } from "../../api/types_agreement";
import { formatSearch } from "../../app/url";
import { Badge } from "../../parts/badges";
import { absent, useFormat } from "../../parts/format";
import { Icon, type IconName } from "../../parts/icon";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { runTitle } from "../../parts/runwords";
import { useWords } from "../../parts/words";
import css from "./agreement.module.css";
import { themeSearch } from "./form";
import { useAgreementNames } from "./names";

interface StandingProps {
  standing: Standing;
  agreed: boolean;
  runs: ReactNode;
}

/** Where a run stands: every target with what was measured, every item with the low-score answers that are left. */
export function StandingCards({ standing: s, agreed, runs }: StandingProps) {
  const { t } = useTranslation();
  const words = useWords();
  const p = s.progress;
  const own = p.own_low?.join(" / ");
  return (
    <>
      <Card title={t("agreement.progress")} aside={<div className="row no-print">{runs}</div>}>
        <div className={css.counts}>
          <Count n={s.met} word={t("agreement.state.met")} icon="same" />
          <Count n={s.missed} word={t("agreement.state.missed")} icon="worse" />
          <Count n={s.not_measured} word={t("agreement.state.not_measured")} icon="check" />
          <p className="soft small">
            <PageLink to={`/runs/${s.run.run_id}`}>{runTitle(s.run, words)}</PageLink>{" "}
            {p.rated > 0 && !own && t("agreement.lowLeft", { low: p.low, rated: p.rated, n: p.low_score })}
            {p.rated > 0 && own && t("agreement.lowLeftOwn", { low: p.low, rated: p.rated, line: own })}
            {p.untold > 0 && ` ${t("agreement.lowUntold", { n: p.untold })}`}
            {!own && !p.low_unsaid && p.run_low_score !== p.low_score && ` ${t("agreement.otherThreshold", { n: p.run_low_score })}`}
          </p>
        </div>
        {p.targets.length > 0 ? <Targets standing={s} /> : <p className="soft">{t("agreement.noTargets")}</p>}
      </Card>
      {agreed && (
        <Card title={t("agreement.itemsTitle")}>
          {p.items.length > 0 ? <Items standing={s} /> : <p className="soft">{t("agreement.noItems")}</p>}
          {p.open.length > 0 && (
            <p className={css.foot}>
              <Icon name="warning" size={13} />{" "}
              <PageLink to={`/runs/${s.run.run_id}`} search={{ low: "true" }}>
                {t("agreement.open", { n: p.open.length, low: p.low })}
              </PageLink>
            </p>
          )}
        </Card>
      )}
    </>
  );
}

function Count({ n, word, icon }: { n: number; word: string; icon: IconName }) {
  const tone = icon === "same" ? css.met : icon === "worse" ? css.missed : css.open;
  return (
    <span className={`${css.count} ${n > 0 ? tone : ""}`}>
      <strong className="figures">{n}</strong> {word}
    </span>
  );
}

function Targets({ standing: s }: { standing: Standing }) {
  const { t } = useTranslation();
  const names = useAgreementNames();
  const some = (of: (p: TargetProgress) => unknown) => s.progress.targets.some(of);
  const was = some((p) => p.target.was !== undefined);
  return (
    <div className={css.wide}>
      <table className={css.table} aria-label={t("agreement.targets")}>
        <thead>
          <tr>
            <th scope="col">{t("agreement.about1")}</th>
            <th scope="col">{t("agreement.metric")}</th>
            {was && (
              <th scope="col" className={css.right}>
                {t("agreement.was")}
              </th>
            )}
            <th scope="col" className={css.right}>
              {t("agreement.now")}
            </th>
            <th scope="col" className={css.right}>
              {t("agreement.target")}
            </th>
            <th scope="col">{t("agreement.standing")}</th>
            <th scope="col">{t("agreement.owner")}</th>
            <th scope="col">{t("agreement.due")}</th>
          </tr>
        </thead>
        <tbody>
          {s.progress.targets.map((p, i) => (
            <tr key={i}>
              <td>
                <PageLink to={`/runs/${s.run.run_id}`} search={{ ...themeSearch(p.target.theme, p), category: p.target.category }}>
                  {names.reach(p.target)}
                </PageLink>
                {p.target.theme && p.by && <span className="soft small"> {t(`agreement.by.${p.by}`)}</span>}
                {p.from_file && <span className="soft small"> {t("agreement.fromFile")}</span>}
              </td>
              <td>{names.metric(p.target.metric)}</td>
              {was && <td className={css.right}>{names.value(p.target.metric, p.target.was)}</td>}
              <td className={css.right}>
                {names.value(p.target.metric, p.now)} {p.n > 0 && <span className="soft small">{t("parts.n", { n: p.n })}</span>}
                {p.out_of_scope > 0 && <div className="soft small">{t("agreement.leftOut", { n: p.out_of_scope })}</div>}
              </td>
              <td className={css.right}>{names.goal(p.target)}</td>
              <td>
                <TargetState state={p.state} />
              </td>
              <td>{p.target.owner || absent}</td>
              <td>
                <Due date={p.target.due} late={s.overdue_targets.includes(i)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Met or not: a sign and a word, and a colour beside them. */
export function TargetState({ state }: { state: string }) {
  const { t } = useTranslation();
  const look = state === "met" ? (["better", "✓"] as const) : state === "missed" ? (["worse", "✗"] as const) : (["neutral", "–"] as const);
  return (
    <Badge tone={look[0]}>
      <span aria-hidden="true">{look[1]}</span> {t(`agreement.state.${state}`)}
    </Badge>
  );
}

function Due({ date, late }: { date: string | undefined; late: boolean }) {
  const { t } = useTranslation();
  if (!date) return <>{absent}</>;
  return (
    <span className={css.due}>
      <span className="figures">{date}</span>
      {late && (
        <Badge tone="needs_check">
          <Icon name="warning" size={11} /> {t("agreement.overdue")}
        </Badge>
      )}
    </span>
  );
}

function Items({ standing: s }: { standing: Standing }) {
  const { t } = useTranslation();
  const names = useAgreementNames();
  return (
    <div className={css.wide}>
      <table className={css.table} aria-label={t("agreement.itemsTitle")}>
        <thead>
          <tr>
            <th scope="col">{t("agreement.group")}</th>
            <th scope="col">{t("agreement.action")}</th>
            <th scope="col">{t("agreement.priorityWord")}</th>
            <th scope="col">{t("agreement.owner")}</th>
            <th scope="col">{t("agreement.due")}</th>
            <th scope="col" className={css.right}>
              {t("agreement.lowAnswers")}
            </th>
            <th scope="col">{t("agreement.standing")}</th>
          </tr>
        </thead>
        <tbody>
          {s.progress.items.map((p, i) => (
            <tr key={i} className={p.item.out_of_scope ? css.outside : ""}>
              <td>
                {names.group(p.item)}
                {p.item.theme && p.by && <span className="soft small"> {t(`agreement.by.${p.by}`)}</span>}
              </td>
              <td className="text">
                {p.item.out_of_scope ? <span className="soft">{t("agreement.because", { why: p.item.why })}</span> : p.item.action}
              </td>
              <td>{names.priority(p.item.priority)}</td>
              <td>{p.item.owner || absent}</td>
              <td>
                <Due date={p.item.due} late={s.overdue_items.includes(i)} />
              </td>
              <td className={css.right}>
                <Left run={s.run.run_id} p={p} />
              </td>
              <td>
                <ItemState run={s.run.run_id} p={p} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How many low-score answers of a group there were and are; the number leads to them. */
function Left({ run, p }: { run: string; p: ItemProgress }) {
  const format = useFormat();
  const now = format.count(p.now);
  const search = searchOf(p);
  return (
    <span className="figures">
      {p.item.was !== undefined && `${format.count(p.item.was)} → `}
      {search && p.now ? <PageLink to={`/runs/${run}${formatSearch(search)}`}>{now}</PageLink> : now}
    </span>
  );
}

/** The filters of a run's page that show a group; null where they cannot. */
function searchOf(p: ItemProgress): Record<string, string | undefined> | null {
  const { item } = p;
  if (item.data || item.param || (item.questions ?? []).length > 1) return null;
  return { low: "true", cause: item.component, ...themeSearch(item.theme, p), category: item.category, question: item.questions?.[0] };
}

const itemLooks: Record<string, readonly ["better" | "worse" | "neutral" | "accent", string]> = {
  done: ["better", "✓"],
  fewer: ["accent", "↓"],
  same: ["neutral", "="],
  more: ["worse", "↑"],
  out_of_scope: ["neutral", "–"],
  untold: ["neutral", "?"],
  unknown: ["neutral", "?"],
};

function ItemState({ run, p }: { run: string; p: ItemProgress }) {
  const { t } = useTranslation();
  const [tone, sign] = itemLooks[p.state] ?? (["neutral", "?"] as const);
  return (
    <>
      <Badge tone={tone}>
        <span aria-hidden="true">{sign}</span> {t(`agreement.state.${p.state}`)}
      </Badge>
      {p.untold && !p.item.out_of_scope ? <div className="soft small">{t("agreement.untold", { n: p.untold })}</div> : null}
      {p.needs && (
        <div className="small">
          <PageLink to={`/runs/${run}`}>{t(`agreement.needs.${p.needs}`)}</PageLink>
        </div>
      )}
    </>
  );
}
