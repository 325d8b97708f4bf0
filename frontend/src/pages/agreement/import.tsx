import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";
import type { RunDetail } from "../../api/types";
import type { ImportedReviews } from "../../api/types_agreement";
import { ProblemLine } from "../../parts/confirmdialog";
import { Icon } from "../../parts/icon";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { FileDrop } from "../datasets/filedrop";
import css from "./agreement.module.css";
import { Conflicts, Corrections, Counts } from "./merge";

interface Sent {
  file: File;
  reviewer: string;
  dry: boolean;
  references: boolean;
}

/** Reads a filled-in workbook back: look at what it would change, then merge it. Nothing is stored before the last step. */
export function ImportReviews({ above, onClose }: { above: ReactNode; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [reviewer, setReviewer] = useState("");
  const [references, setReferences] = useState(false);
  const merge = useMutation({
    mutationFn: (s: Sent) => {
      const form = new FormData();
      form.append("reviewer", s.reviewer);
      form.append("dry_run", String(s.dry));
      form.append("apply_references", String(s.references));
      form.append("file", s.file, s.file.name);
      return send<ImportedReviews>("POST", "/reviews", form);
    },
    onSuccess: (done) => (done.applied ? client.invalidateQueries() : undefined),
  });
  const look = (chosen: File | undefined) => {
    setFile(chosen);
    if (chosen) merge.mutate({ file: chosen, reviewer, dry: true, references: false });
  };
  const found = merge.data;
  const change = found ? found.new + found.changed : 0;
  return (
    <>
      <PageHead
        name={t("agreement.importReviews")}
        title={t("agreement.importReviews")}
        above={above}
        below={<span className="soft">{t("agreement.importAbout")}</span>}
        actions={
          <Button variant="default" onClick={onClose}>
            {found?.applied ? t("parts.close") : t("parts.cancel")}
          </Button>
        }
      />
      <div className="stack">
        <Card title={t("agreement.step1")}>
          <div className="stack">
            <TextInput
              w={320}
              label={t("agreement.reviewer")}
              description={t("agreement.reviewerRule")}
              value={reviewer}
              onChange={(e) => setReviewer(e.currentTarget.value)}
              onBlur={() => file && found && !found.applied && look(file)}
            />
            <FileDrop
              accept=".xlsx"
              busy={merge.isPending}
              chosen={file ? [file] : []}
              hint={t("agreement.importHint")}
              onChoose={([first]) => look(first)}
            />
            {merge.error && <ProblemLine error={merge.error} />}
          </div>
        </Card>
        {found && file && (
          <>
            <Card title={found.applied ? t("agreement.stored") : t("agreement.step2")}>
              <div className="stack">
                <Counts found={found} />
                {found.conflicts.length > 0 && <Conflicts found={found} />}
              </div>
            </Card>
            {found.references.length > 0 && (
              <Card title={t("agreement.corrections")}>
                <Corrections found={found} />
              </Card>
            )}
            {found.applied ? (
              <Done found={found} />
            ) : (
              <Card title={t("agreement.step3")}>
                <div className="stack">
                  {found.references.length > 0 && (
                    <Checkbox
                      size="xs"
                      label={t("agreement.applyReferences")}
                      checked={references}
                      onChange={(e) => setReferences(e.currentTarget.checked)}
                    />
                  )}
                  <div className="row">
                    <Button
                      loading={merge.isPending}
                      disabled={change === 0 && !references}
                      onClick={() => merge.mutate({ file, reviewer, dry: false, references })}
                    >
                      {change > 0 ? t("agreement.apply", { count: change }) : t("agreement.applyNothing")}
                    </Button>
                    {found.left_out > 0 && <span className="soft small">{t("agreement.leftInBook")}</span>}
                  </div>
                </div>
              </Card>
            )}
          </>
        )}
      </div>
    </>
  );
}

/** Where to go on after an import. */
function Done({ found }: { found: ImportedReviews }) {
  const { t } = useTranslation();
  return (
    <Card title={t("agreement.next")}>
      <ul className={css.plain} role="status">
        {found.datasets.map((ref) => (
          <li key={ref.name}>
            <Icon name="check" size={13} />{" "}
            <PageLink to={`/datasets/${encodeURIComponent(ref.name)}`}>
              {t("agreement.madeVersion", { ref: `${ref.name}@${ref.version}` })}
            </PageLink>
          </li>
        ))}
        {found.runs.map((run) => (
          <RunLinks key={run} run={run} />
        ))}
      </ul>
    </Card>
  );
}

function RunLinks({ run }: { run: string }) {
  const { t } = useTranslation();
  const dataset = useGet<RunDetail>(`/runs/${run}`).data?.row.dataset.name;
  return (
    <li className="row">
      <PageLink to={`/runs/${run}`}>{t("agreement.lookAtRun", { run })}</PageLink>
      {dataset && (
        <PageLink to={`/agreements/${encodeURIComponent(dataset)}`} search={{ run }}>
          {t("agreement.besideJudge")}
        </PageLink>
      )}
    </li>
  );
}
