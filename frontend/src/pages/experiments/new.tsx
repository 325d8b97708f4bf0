import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useGet, useList } from "../../api/queries";
import type { Definition, ExperimentDetail, ExperimentRow } from "../../api/types_experiments";
import { Await, Empty, Loading } from "../../parts/faces";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { Editor } from "./editor";
import { copyName, emptyDefinition } from "./form";
import { useNames } from "./names";

/** Registers an experiment: an empty one, or a copy of another. */
export function NewExperiment({ from, onClose }: { from: string; onClose: () => void }) {
  const { t } = useTranslation();
  const name = from ? t("experiments.cloneOf", { name: from }) : t("experiments.new");
  return (
    <>
      <PageHead title={name} name={name} above={<PageLink to="/experiments">{t("nav.experiments")}</PageLink>} />
      {from ? <Copy from={from} onClose={onClose} /> : <Fresh onClose={onClose} />}
    </>
  );
}

function Copy({ from, onClose }: { from: string; onClose: () => void }) {
  const original = useGet<ExperimentDetail>(`/experiments/${encodeURIComponent(from)}`);
  const all = useList<ExperimentRow>("/experiments", { archived: true }, 500);
  return (
    <Await page query={original}>
      {(e) =>
        all.isPending ? (
          <Loading />
        ) : (
          <Begin definition={{ ...e.definition, name: copyName(e.name, new Set(all.rows.map((r) => r.name))) }} onClose={onClose} />
        )
      }
    </Await>
  );
}

function Fresh({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const names = useNames();
  const definition = useMemo<Definition>(() => {
    const [dataset = ""] = names.datasets;
    const corpus = names.corpora.includes(dataset) ? dataset : (names.corpora[0] ?? "");
    return { ...emptyDefinition(), dataset, corpus };
  }, [names]);
  if (!names.ready) return <Loading />;
  if (names.datasets.length === 0) {
    return (
      <Empty
        title={t("experiments.noDataset")}
        next={t("experiments.noDatasetNext")}
        action={<PageLink to="/datasets?import=1">{t("datasets.import")}</PageLink>}
      />
    );
  }
  return <Begin definition={definition} onClose={onClose} />;
}

function Begin({ definition, onClose }: { definition: Definition; onClose: () => void }) {
  const router = useRouter();
  return (
    <Editor definition={definition} onSaved={(name) => router.history.push(`/experiments/${encodeURIComponent(name)}`)} onClose={onClose} />
  );
}
