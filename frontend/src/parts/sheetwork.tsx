import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { address, get } from "../api/client";
import { useMay } from "../api/me";
import { useGet } from "../api/queries";
import type { Job } from "../api/types";
import { useUrlState } from "../app/url";
import { BuyDialog } from "./buydialog";
import { ProblemLine } from "./confirmdialog";
import { Icon } from "./icon";
import { JobProgress } from "./jobprogress";

interface SheetWorkProps<R> {
  /** The button, what the dialog says, and what to do with the sheet. */
  words: { button: string; title: string; text: string; start: string; next: string };
  path: string;
  /** What can be chosen besides the judge, and the body that it makes. */
  fields: ReactNode;
  body: Record<string, unknown>;
  /** What has to be chosen first, as a sentence. */
  missing?: string;
  /** What was found, in a sentence. */
  found: (result: R) => string;
}

/** Work that writes a sheet for people to fill in: its price first, then how far it is, then the sheet. It survives a reload: the address has it. */
export function useSheetWork<R>({ words, path, fields, body, missing = "", found }: SheetWorkProps<R>): {
  button: ReactNode;
  progress: ReactNode;
} {
  const { t } = useTranslation();
  const may = useMay("run");
  const [url, setUrl] = useUrlState(["sheet"]);
  const [open, setOpen] = useState(false);
  const [judge, setJudge] = useState("");
  const chosen = { ...body, ...(judge.trim() ? { judge: judge.trim() } : {}) };
  const [settled] = useDebouncedValue(JSON.stringify(chosen), 350);
  const button = may && (
    <Button variant="default" onClick={() => setOpen(true)}>
      {words.button}
    </Button>
  );
  const progress = (
    <>
      <BuyDialog
        opened={open}
        title={words.title}
        text={words.text}
        action={words.start}
        path={path}
        body={JSON.parse(settled) as Record<string, unknown>}
        waiting={settled !== JSON.stringify(chosen)}
        missing={missing}
        fields={
          <>
            {fields}
            <TextInput
              size="xs"
              label={t("sheets.judge")}
              description={t("sheets.judgeRule")}
              value={judge}
              onChange={(e) => setJudge(e.currentTarget.value)}
            />
          </>
        }
        onClose={() => setOpen(false)}
        onStarted={(sheet) => setUrl({ sheet })}
      />
      {url.sheet && <Sheet key={url.sheet} id={url.sheet} found={found} next={words.next} onForget={() => setUrl({ sheet: "" })} />}
    </>
  );
  return { button, progress };
}

/** How far the work is; when it is done, the sheet and what to do with it. */
function Sheet<R>({ id, found, next, onForget }: { id: string; found: (result: R) => string; next: string; onForget: () => void }) {
  const { t } = useTranslation();
  const job = useQuery({ queryKey: ["job", id], queryFn: ({ signal }) => get<Job>(`/jobs/${id}`, {}, signal) });
  const done = job.data?.state === "done";
  const result = useGet<R>(done && job.data?.result ? `/jobs/${id}/result` : null);
  return (
    <div className="stack no-print" style={{ gap: 8, marginBottom: 12 }}>
      <div className="row">
        <JobProgress id={id} />
        {job.error && <ProblemLine error={job.error} />}
        {done && job.data?.file && (
          <Button
            component="a"
            href={address(`/jobs/${id}/file`)}
            download={job.data.file}
            leftSection={<Icon name="download" size={14} />}
          >
            {t("sheets.download", { file: job.data.file })}
          </Button>
        )}
        {(job.error || (job.data && job.data.state !== "running")) && (
          <Button variant="subtle" onClick={onForget}>
            {t("parts.close")}
          </Button>
        )}
      </div>
      {result.data && (
        <p>
          {found(result.data)} <span className="soft">{next}</span>
        </p>
      )}
    </div>
  );
}
