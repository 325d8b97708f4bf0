import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import css from "./home.module.css";

/** The steps to the first result, each with the list that says whether it is done, and where it is done. */
const steps = [
  { key: "documents", list: "/corpora", to: "/corpora?import=1" },
  { key: "questions", list: "/datasets", to: "/datasets?import=1" },
  { key: "experiment", list: "/experiments", to: "/experiments?new=1" },
] as const;

/** What shows a filled workbench; a command is the same in every language. */
const demo = "workbench demo";

/** The home of a workbench without a result: three steps to the first one, of which the next is marked. */
export function Start() {
  const { t } = useTranslation();
  const router = useRouter();
  const may = useMay("edit");
  const corpora = useGet<{ items: unknown[] }>("/corpora");
  const datasets = useGet<{ items: unknown[] }>("/datasets");
  const experiments = useGet<{ items: { name: string }[] }>("/experiments");
  const done = [corpora, datasets, experiments].map((q) => (q.data?.items.length ?? 0) > 0);
  const next = done.indexOf(false);
  const experiment = experiments.data?.items[0]?.name;
  return (
    <>
      <PageHead title={t("home.title")} name={t("home.title")} below={<span className="soft">{t("home.about")}</span>} />
      <ol className={css.steps}>
        {steps.map((step, i) => (
          <li key={step.key} aria-current={i === next ? "step" : undefined}>
            <Card
              title={`${i + 1}. ${t(`home.${step.key}`)}`}
              aside={done[i] ? <span className={css.done}>✓ {t("home.done")}</span> : undefined}
            >
              <p className="soft">{t(`home.${step.key}About`)}</p>
              {may && (
                <Button variant={i === next ? "filled" : "default"} onClick={() => router.history.push(step.to)}>
                  {t(`home.${step.key}Do`)}
                </Button>
              )}
              {done[i] && <PageLink to={step.list}>{t("home.see")}</PageLink>}
            </Card>
          </li>
        ))}
      </ol>
      {experiment && (
        <p>
          <PageLink to={`/experiments/${encodeURIComponent(experiment)}`}>{t("home.run")}</PageLink>
        </p>
      )}
      <p className="soft small">
        {t("home.look")} <code>{demo}</code>
      </p>
    </>
  );
}
