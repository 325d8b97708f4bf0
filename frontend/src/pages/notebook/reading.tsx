import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { get } from "../../api/client";
import type { NotebookDetail } from "../../api/types_notebook";
import type { Reading, ReadingBlock, ReadingRemark } from "../../api/types_reading";
import { OfflineBadge } from "../../parts/badges";
import { Await } from "../../parts/faces";
import { PlanChart } from "../../parts/chart/chart";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { ShareButton } from "../../parts/sharebutton";
import { Figures, SmallTable } from "./figures";
import { FoundParts } from "./found";
import { Leading } from "./leading";
import { VerdictBadge } from "./output";
import { Prose } from "./prose";
import { StateChip } from "./statechip";
import { ViewSwitch } from "./top";
import comments from "./comments.module.css";
import css from "./reading.module.css";

interface ReadingViewProps {
  path: string;
  detail: NotebookDetail;
  params: string[];
  lang: string;
  onUrl: (change: Record<string, string>) => void;
}

/** A notebook as readers see it: no cells, one language, ready to print. */
export function ReadingView({ path, detail, params, lang: chosen, onUrl }: ReadingViewProps) {
  const { t, i18n } = useTranslation();
  const lang = chosen || i18n.language;
  const query = [`lang=${lang}`, ...params.map((p) => `param=${encodeURIComponent(p)}`)].join("&");
  const reading = useQuery({
    queryKey: [`${path}/read`, query],
    queryFn: ({ signal }) => get<Reading>(`${path}/read?${query}`, {}, signal),
  });
  return (
    <Await page query={reading} rows={10}>
      {(r) => (
        <article className={css.reading} lang={r.lang}>
          <PageHead
            name={r.title}
            title={r.title}
            above={
              <span className="no-print" lang={i18n.language}>
                <PageLink to="/notebooks">{t("nav.notebooks")}</PageLink> › <span className="mono">{detail.name}</span>
              </span>
            }
            below={
              <>
                {r.verdict && <VerdictBadge verdict={r.verdict} />}
                {r.offline && <OfflineBadge whole />}
              </>
            }
            actions={
              <>
                <SegmentedControl
                  size="xs"
                  aria-label={t("notebook.readIn")}
                  value={lang}
                  onChange={(v) => onUrl({ lang: v })}
                  data={[
                    { value: "ja", label: "日本語" },
                    { value: "en", label: "English" },
                  ]}
                />
                <Button variant="default" leftSection={<Icon name="print" size={14} />} onClick={() => window.print()}>
                  {t("run.print")}
                </Button>
                {!detail.read_only && <ShareButton page={{ kind: "notebook", notebook: detail.name, params }} />}
                <ViewSwitch view="read" onUrl={onUrl} />
              </>
            }
          />
          {r.blocks.map((b, i) => (
            <Fragment key={i}>
              {b.kind === "prose" ? <Prose html={b.html} source={b.markdown} level={2} /> : <Result block={b} lang={r.lang} />}
            </Fragment>
          ))}
          <Remarks list={r.comments ?? []} />
        </article>
      )}
    </Await>
  );
}

/** What people said about the cells when it was sealed with a snapshot, cell by cell. Nothing can be answered here. */
function Remarks({ list }: { list: ReadingRemark[] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  if (list.length === 0) return null;
  return (
    <section aria-label={t("comments.all", { count: list.length })} lang={i18n.language}>
      <h2>{t("comments.all", { count: list.length })}</h2>
      <ol className={comments.list}>
        {list.map((c, i) => (
          <li key={i} className={comments.one} data-resolved={c.resolved ? true : undefined}>
            <div className={comments.head}>
              <strong>{c.by}</strong>
              <time className="soft small" dateTime={c.at}>
                {format.brief(c.at)}
              </time>
              <span className="mono small">{c.cell}</span>
              {c.question && (
                <span className="mono small">
                  {c.question} · {c.run}
                </span>
              )}
              {c.resolved && <span className="soft small">✓ {t("comments.resolved")}</span>}
            </div>
            <Prose html={c.html} level={3} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Result({ block: b, lang }: { block: ReadingBlock; lang: string }) {
  const { t } = useTranslation();
  const label = b.title || b.cell || "";
  return (
    <section className={css.result} aria-label={label}>
      {b.title && <h2>{b.title}</h2>}
      {b.state && b.state !== "fresh" && (
        <p className="soft small">
          <StateChip state={b.state} /> {b.cell} {b.why?.length ? `· ${b.why.join("; ")}` : ""} {b.error}
        </p>
      )}
      {b.tone ? <VerdictBadge verdict={b.tone} /> : null}
      {b.headline && <h3 data-said="headline">{b.headline}</h3>}
      {b.text && <p>{b.text}</p>}
      {b.caution && <p>{b.caution}</p>}
      {b.figures && b.figures.length > 0 && <Figures figures={b.figures} />}
      <FoundParts parts={b.found ?? []} level={b.headline ? 4 : 3} />
      {b.plan &&
        (b.plan.mark === "bubble" || b.plan.list ? (
          <Leading plan={b.plan} run={b.runs?.[0]?.run_id} lang={lang} />
        ) : (
          <PlanChart plan={b.plan} lang={lang} />
        ))}
      {b.table && (
        <SmallTable
          label={label}
          head={b.table.head}
          rows={b.table.rows.map((row) => row.map((cell) => <span className={css.cellText}>{cell}</span>))}
        />
      )}
      {b.runs && b.runs.length > 0 && (
        <p className="soft small no-print">
          {t("notebook.evidence")}{" "}
          {b.runs.map((r) => (
            <PageLink key={r.run_id} to={`/runs/${r.run_id}`} className={css.run}>
              {r.label || r.run_id}
            </PageLink>
          ))}
        </p>
      )}
    </section>
  );
}
