import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import { useMay } from "../../api/me";
import type { QueueView } from "../../api/types_reviews";
import { usePathPart, useUrlState } from "../../app/url";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { CopyLink } from "../../parts/tools";
import { Align } from "./align";
import { Deal } from "./deal";
import { Queue } from "./queue";
import css from "./reviews.module.css";

/** Answers of a run, reviewed in turn; what the reviews say of the judge; and what to show it. */
export default function ReviewsPage() {
  const run = encodeURIComponent(usePathPart("run"));
  const query = useGet<QueueView>(`/runs/${run}/review-queue`);
  return (
    <Await page query={query}>
      {(view) => <Reviews view={view} />}
    </Await>
  );
}

function Reviews({ view }: { view: QueueView }) {
  const { t } = useTranslation();
  const may = useMay("edit");
  const [url, setUrl] = useUrlState(["as"]);
  const run = view.queue.run_id;
  const names = view.queue.reviewers.map((r) => r.name);
  const mine = view.you || (names.includes(url.as) ? url.as : names.length === 1 ? (names[0] ?? "") : "");
  return (
    <>
      <PageHead
        title={t("reviews.title")}
        name={t("reviews.title")}
        above={<PageLink to={`/runs/${run}`}>{t("reviews.ofRun", { run })}</PageLink>}
        below={<span className="soft">{t("reviews.about")}</span>}
        actions={
          <>
            {!view.you && names.length > 1 && (
              <NativeSelect
                size="xs"
                aria-label={t("reviews.who")}
                value={mine}
                data={[...(mine ? [] : [{ value: "", label: t("reviews.who") }]), ...names]}
                onChange={(e) => setUrl({ as: e.currentTarget.value })}
              />
            )}
            <Deal run={run} names={names} />
            <CopyLink />
          </>
        }
      />
      <div className="stack">
        {names.length === 0 ? (
          <Card title={t("reviews.queue")}>
            <p className="soft">{t("reviews.nothingDealt")}</p>
          </Card>
        ) : (
          may && (names.includes(mine) ? <Queue key={mine} run={run} reviewer={mine} signedIn={view.you !== ""} /> : <Nobody view={view} />)
        )}
        <div className={css.two}>
          <Reviewers view={view} />
          <Errors view={view} />
        </div>
        <Align run={run} state={view.align} />
      </div>
    </>
  );
}

/** Whoever looks has no answers to review. */
function Nobody({ view }: { view: QueueView }) {
  const { t } = useTranslation();
  return (
    <Card title={t("reviews.queue")}>
      <p>{view.you ? t("reviews.notYours", { name: view.you }) : t("reviews.chooseWho")}</p>
    </Card>
  );
}

/** How far everybody is, and how far two people agree. */
function Reviewers({ view }: { view: QueueView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { queue } = view;
  return (
    <Card title={t("reviews.reviewers")}>
      <div className="stack">
        <p className="soft small">{t("reviews.dealt", { n: queue.answers, twice: queue.twice })}</p>
        <table className={css.table} aria-label={t("reviews.reviewers")}>
          <thead>
            <tr>
              <th scope="col">{t("reviews.name")}</th>
              <th scope="col" className={css.right}>
                {t("reviews.done")}
              </th>
              <th scope="col" className={css.right}>
                {t("reviews.later")}
              </th>
            </tr>
          </thead>
          <tbody>
            {queue.reviewers.map((r) => (
              <tr key={r.name}>
                <td>{r.name}</td>
                <td className={css.right}>{t("parts.place", { at: r.done, of: r.dealt })}</td>
                <td className={css.right}>{format.count(r.later)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          {view.pairs === 0
            ? t("reviews.noPairs")
            : t("reviews.pairs", { n: view.pairs, kappa: format.mean(view.kappa), alpha: format.mean(view.alpha) })}{" "}
          {view.low !== undefined && view.high !== undefined && (
            <span className="soft">{t("compare.ci", { low: format.mean(view.low), high: format.mean(view.high) })}</span>
          )}
          {view.pairs > 0 && view.low === undefined && <span className="soft">{t("reviews.fewPairs")}</span>}
        </p>
      </div>
    </Card>
  );
}

/** How often people contradict the judge, in the sentences that every other place has too. */
function Errors({ view }: { view: QueueView }) {
  const { t, i18n } = useTranslation();
  return (
    <Card title={t("reviews.errors")}>
      {view.errors.length === 0 ? (
        <p className="soft">{t("reviews.noErrors")}</p>
      ) : (
        <ul className={css.list}>
          {view.errors.map((e) => (
            <li key={`${e.of} ${e.class} ${e.low}`} className={e.needs > 0 ? "soft" : ""}>
              {i18n.language === "ja" ? e.ja : e.en}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
