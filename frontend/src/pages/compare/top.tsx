import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import type { ComparisonView, RunRow, Verification } from "../../api/types";
import { useUrlState } from "../../app/url";
import { Badge, OfflineBadge, RecordedBadge } from "../../parts/badges";
import { BuyDialog } from "../../parts/buydialog";
import { GateDialog, gateLimits, limitsSent } from "../../parts/gatedialog";
import { Icon } from "../../parts/icon";
import { JobProgress } from "../../parts/jobprogress";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { ReportMenu } from "../../parts/reportmenu";
import { paramsText, refText } from "../../parts/runwords";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { comparisonCells } from "../../parts/sentcells";
import { ShareButton } from "../../parts/sharebutton";
import { CopyLink } from "../../parts/tools";
import { useWords } from "../../parts/words";
import css from "./compare.module.css";
import { Headline } from "./findings";

/** Which runs are compared, and what can be done with the comparison. */
export function CompareTop({ comparison: c, onSwap, onOther }: { comparison: ComparisonView; onSwap: () => void; onOther: () => void }) {
  const { t } = useTranslation();
  const [gating, setGating] = useState(false);
  const [limits] = useUrlState(gateLimits);
  return (
    <PageHead
      name={t("compare.title")}
      title={t("compare.title")}
      below={
        <>
          <Arm run={c.baseline} word={t("words.before")} />
          <span className="soft">→</span>
          <Arm run={c.candidate} word={t("words.after")} />
          <Badge>{refText(c.candidate.dataset)}</Badge>
          <PageLink
            className="small"
            to={`/agreements/${encodeURIComponent(c.candidate.dataset.name)}`}
            search={{ run: c.candidate.run_id }}
          >
            {t("agreement.ofRun")}
          </PageLink>
          {(c.baseline.offline || c.candidate.offline) && <OfflineBadge whole />}
          <RecordedBadge by={c.findings.recorded} />
        </>
      }
      actions={
        <>
          <Verify comparison={c} />
          <GateDialog opened={gating} onClose={() => setGating(false)} baseline={c.baseline.run_id} candidate={c.candidate.run_id} />
          <ReportMenu baseline={c.baseline.run_id} candidate={c.candidate.run_id} limits={limits} />
          <ShareButton page={{ kind: "comparison", baseline: c.baseline.run_id, candidate: c.candidate.run_id, ...limitsSent(limits) }} />
          <SendToNotebook cells={comparisonCells(c.baseline.run_id, c.candidate.run_id, limits)} />
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" aria-label={t("compare.more")}>
                <Icon name="more" />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="done" size={14} />} onClick={() => setGating(true)}>
                {t("gate.open")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="compare" size={14} />} onClick={onSwap}>
                {t("compare.swap")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="search" size={14} />} onClick={onOther}>
                {t("compare.other")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="print" size={14} />} onClick={() => window.print()}>
                {t("run.print")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <CopyLink />
        </>
      }
    />
  );
}

function Arm({ run, word }: { run: RunRow; word: string }) {
  const words = useWords();
  return (
    <span className={css.arm}>
      <span className="soft small">{word}</span>
      <PageLink to={`/runs/${run.run_id}`} title={run.run_id}>
        {run.experiment}
      </PageLink>
      <span className="small">{paramsText(run.params, words)}</span>
    </span>
  );
}

const verifyPath = "/comparisons/verify";

const armsOf = (c: ComparisonView) => ({ baseline: c.baseline.run_id, candidate: c.candidate.run_id });

/** About how many answers a verification would ask: asking until that is known, and then end says why it would not. */
function useVerification(c: ComparisonView): { asking: boolean; known: boolean; answers: number; end?: Verification["end"] } {
  const wanted = useMay("run") && !c.method.settled;
  const plan = useQuery({
    queryKey: ["plan", verifyPath, armsOf(c)],
    queryFn: () => send<Verification>("POST", verifyPath, { ...armsOf(c), plan: true }),
    enabled: wanted,
  });
  return { asking: wanted && plan.isPending, known: wanted && plan.isSuccess, answers: plan.data?.plan.answers ?? 0, end: plan.data?.end };
}

/** Asks for more votes where one vote cannot tell; says the price first. */
function Verify({ comparison: c }: { comparison: ComparisonView }) {
  const { t } = useTranslation();
  const may = useMay("run");
  const [open, setOpen] = useState(false);
  const [job, setJob] = useState("");
  const { asking, known, end } = useVerification(c);
  if (c.method.settled || !may) return null;
  const over = known && end !== undefined; // a button that would do nothing is a promise
  const text = t("compare.verifyText");
  return (
    <>
      {!over && (
        <Button
          variant={c.labels.needs_check > 0 && !c.findings.recorded ? "filled" : "default"} // what is not recorded cannot be asked
          disabled={asking}
          leftSection={<Icon name="check" size={14} />}
          onClick={() => setOpen(true)}
        >
          {t("compare.verify")}
        </Button>
      )}
      <JobProgress id={job} />
      <BuyDialog
        opened={open && !over}
        title={t("compare.verifyTitle")}
        text={c.findings.recorded ? `${t("compare.verifyRecorded")} ${text}` : text}
        action={t("compare.verifyStart")}
        path={verifyPath}
        body={armsOf(c)}
        onClose={() => setOpen(false)}
        onStarted={setJob}
      />
    </>
  );
}

/** The result for people in a hurry, and warnings that belong beside it. */
export function Sentences({ comparison: c }: { comparison: ComparisonView }) {
  const { t, i18n } = useTranslation();
  const { known, answers, end } = useVerification(c);
  const language = i18n.language === "ja" ? "ja" : "en";
  const sentences = c.sentences[language] ?? [];
  return (
    <section className={css.sentences} aria-label={t("compare.summary")}>
      <Headline comparison={c} />
      {sentences.map((sentence, i) => (
        <p key={i}>{sentence}</p>
      ))}
      {c.findings.scored_here && <p>{c.findings.scored_here[language]}</p>}
      {c.findings.recorded && <p data-said="recorded">{c.findings.recorded[language]}</p>}
      {(c.findings.changed ?? []).length > 0 && (
        <p className="small soft">
          {t("compare.changed", { list: c.findings.changed?.map((text) => text[language]).join(t("compare.and")) })}
        </p>
      )}
      {known && c.labels.needs_check > 0 && (
        <p className="small soft" data-said="verify">
          {end ? end[language] : t("compare.verifyTip", { n: answers })}
        </p>
      )}
      {known && !end && c.labels.needs_check > 0 && c.findings.recorded && <p className="small soft">{t("compare.verifyRecorded")}</p>}
      {c.same_run && <p className={css.warning}>{t("compare.sameRun")}</p>}
      {(c.warnings ?? []).map((w) => (
        <p key={w.code} className={css.warning}>
          <Icon name="warning" size={14} /> {language === "ja" ? w.message_ja : w.message}
        </p>
      ))}
    </section>
  );
}
