import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { JudgeCard } from "../../api/types_judges";
import { useUrlState } from "../../app/url";
import { OfflineBadge } from "../../parts/badges";
import { Await, Empty } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Card, Facts, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { CopyLink } from "../../parts/tools";
import { Aligned } from "./aligned";
import { lightOf, protocolsOf, reached, type Reason, reasonsOf, unmeasured } from "./card";
import { useFigures } from "./figures";
import css from "./judgecards.module.css";
import { LightBadge } from "./light";
import { Measure } from "./measure";
import { Agreement, ProtocolCard } from "./protocol";
import { Readers } from "./readers";
import { useWords } from "../../parts/words";

/** What was measured of the judges: whether to decide by them, and why not. */
export default function JudgeCardsPage() {
  const { t } = useTranslation();
  const query = useGet<{ items: JudgeCard[] }>("/judge-cards");
  const [url, setUrl] = useUrlState(["judge", "at"]);
  return (
    <Await page query={query}>
      {({ items }) => {
        const judge = items.find((c) => c.judge === url.judge) ?? (url.judge ? undefined : items[0]);
        return (
          <>
            <PageHead
              title={t("judges.title")}
              name={t("judges.title")}
              below={<span className="soft">{t("judges.about")}</span>}
              actions={
                <>
                  {items.length > 1 && (
                    <NativeSelect
                      size="xs"
                      aria-label={t("judges.choose")}
                      value={judge?.judge ?? ""}
                      data={[
                        ...(judge ? [] : [{ value: "", label: url.judge }]),
                        ...items.map((c) => ({ value: c.judge, label: c.judge })),
                      ]}
                      onChange={(e) => setUrl({ judge: e.currentTarget.value, at: "" })}
                    />
                  )}
                  <Measure
                    judges={[...new Set(["offline/lexical", ...items.map((c) => c.judge)])]}
                    shown={judge?.judge ?? (url.judge || "offline/lexical")}
                  />
                  <CopyLink />
                </>
              }
            />
            {judge ? (
              <Measurements key={judge.judge} newest={judge} at={url.at} onAt={(at) => setUrl({ at })} />
            ) : (
              <Empty
                title={url.judge ? t("judges.noneOf", { judge: url.judge }) : t("judges.none")}
                next={t("judges.noneNext")}
                command={
                  url.judge && url.judge !== "offline/lexical"
                    ? `workbench validate judge --judge ${url.judge} --plan`
                    : "workbench validate judge"
                }
              />
            )}
          </>
        );
      }}
    </Await>
  );
}

/** All cards of one judge; the newest is on top unless people choose another. */
function Measurements({ newest, at, onAt }: { newest: JudgeCard; at: string; onAt: (at: string) => void }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const all = useGet<{ items: JudgeCard[] }>(`/judge-cards/${encodeURIComponent(newest.judge)}`).data?.items ?? [newest];
  const card = all.find((c) => c.measured_at === at) ?? newest;
  const choice = all.length > 1 && (
    <NativeSelect
      size="xs"
      aria-label={t("judges.measured")}
      value={card.measured_at}
      data={all.map((c) => ({
        value: c.measured_at,
        label: `${format.moment(c.measured_at)} · ${words.word("judge_light", lightOf(c.status))}`,
      }))}
      onChange={(e) => onAt(e.currentTarget.value === newest.measured_at ? "" : e.currentTarget.value)}
    />
  );
  return (
    <div className="stack">
      <Verdict card={card} choice={choice} />
      {protocolsOf(card).map((p) => (
        <ProtocolCard key={p.id} protocol={p} />
      ))}
      {card.datasets.length > 0 && <Agreement datasets={card.datasets} />}
      {card.verdicts && <Readers score={card.verdicts} />}
      {card.aligned.length > 0 && <Aligned tests={card.aligned} />}
    </div>
  );
}

function Verdict({ card, choice }: { card: JudgeCard; choice: React.ReactNode }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const reasons = reasonsOf(card);
  const missing = unmeasured(card);
  const light = lightOf(card.status);
  return (
    <Card
      title={
        <span className="row">
          {card.judge} {card.offline && <OfflineBadge />}
        </span>
      }
      aside={choice}
    >
      <div className={css.verdict}>
        <div className="stack">
          <div className={css.status}>
            <LightBadge light={card.status} large />
            <p>{words.word("judge_light_says", light)}</p>
          </div>
          {(reasons.length > 0 || missing.length > 0) && (
            <section>
              <h3>{t("judges.why")}</h3>
              <ul className={css.reasons}>
                {reasons.map((r) => (
                  <Why key={`${r.protocol} ${r.check.id}`} reason={r} />
                ))}
                {missing.map((id) => (
                  <li key={id}>
                    <LightBadge light="UNMEASURED" /> {t("judges.notMeasured", { name: words.word("judge_check", id) })}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <div>
          <Facts
            facts={[
              [t("judges.measured"), format.moment(card.measured_at)],
              [
                t("judges.prompts"),
                <span key="p" className="mono">
                  {card.prompt_version}
                </span>,
              ],
              [
                t("judges.items"),
                t("judges.itemsOf", { items: format.count(card.items), replicates: card.replicates, source: card.source }),
              ],
              [t("judges.calls"), format.count(card.calls)],
              [t("judges.cost"), format.money(card.cost_micros / 1e6, "").trim()],
              ...(card.run_id
                ? [
                    [
                      t("judges.run"),
                      <PageLink key="r" className="mono" to={`/runs/${card.run_id}`}>
                        {card.run_id}
                      </PageLink>,
                    ] as [string, React.ReactNode],
                  ]
                : []),
            ]}
          />
        </div>
      </div>
    </Card>
  );
}

function Why({ reason: { protocol, check } }: { reason: Reason }) {
  const { t } = useTranslation();
  const words = useWords();
  const figure = useFigures();
  const key = reached(check) ? "judges.reasonLost" : check.at_most ? "judges.reasonAtMost" : "judges.reasonAtLeast";
  return (
    <li>
      <LightBadge light={check.light} />{" "}
      {t(key, {
        protocol,
        figure: words.word("judge_check", check.id),
        value: figure(check.value),
        goal: figure(check.goal),
      })}
    </li>
  );
}
