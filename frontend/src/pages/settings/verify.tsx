import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { get, send } from "../../api/client";
import { useGet } from "../../api/queries";
import type { Job } from "../../api/types";
import type { Verification } from "../../api/types_settings";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { JobProgress } from "../../parts/jobprogress";
import { Card } from "../../parts/page";
import { FileDrop } from "../datasets/filedrop";

/** Computes everything in a study again from the raw replies in it: whoever got one need not believe it. */
export function VerifyStudy() {
  const { t } = useTranslation();
  const [file, setFile] = useState<File>();
  const [digest, setDigest] = useState("");
  const work = useMutation({
    mutationFn: () => {
      const body = new FormData();
      if (file) body.append("file", file, file.name);
      if (digest.trim()) body.append("digest", digest.trim());
      return send<Job>("POST", "/studies/verification", body);
    },
  });
  return (
    <Card title={t("verify.title")}>
      <div className="stack">
        <p className="soft small">{t("verify.about")}</p>
        <FileDrop
          accept=".zip"
          busy={work.isPending}
          chosen={file ? [file] : []}
          hint={t("verify.formats")}
          onChoose={([first]) => {
            setFile(first);
            work.reset();
          }}
        />
        <div className="row" style={{ alignItems: "flex-end" }}>
          <TextInput
            size="xs"
            label={t("verify.digest")}
            description={t("verify.digestMeaning")}
            value={digest}
            onChange={(e) => setDigest(e.currentTarget.value)}
          />
          <Button loading={work.isPending} disabled={!file} onClick={() => work.mutate()}>
            {t("verify.start")}
          </Button>
        </div>
        {work.error && <ProblemLine error={work.error} />}
        {work.data && <Verified id={work.data.id} />}
      </div>
    </Card>
  );
}

/** How far it is, and then what was found. */
function Verified({ id }: { id: string }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const job = useQuery({ queryKey: ["job", id], queryFn: ({ signal }) => get<Job>(`/jobs/${id}`, {}, signal) });
  const v = useGet<Verification>(job.data?.state === "done" ? `/jobs/${id}/result` : null).data;
  if (!v) return <JobProgress id={id} />;
  const said = v.equal ? (v.complete ? "equal" : "incomplete") : "different";
  const japanese = i18n.language === "ja";
  const say = (...parts: string[]) => parts.map((english) => (japanese && v.ja?.[english]) || english).join(japanese ? "：" : ": ");
  const odd = [
    ...v.runs.flatMap((r) => [...(r.different ?? []), ...(r.missing ?? [])].map((what) => say(r.run_id, what))),
    ...v.runs.flatMap((r) => (r.other_version ?? []).map((n) => say(r.run_id, n.part, n.why))),
    ...(v.vectors.different ?? []),
    ...(v.findings ?? []).map((f) => say(f.subject, f.message)),
  ];
  return (
    <section className="stack" role="status">
      <p>
        <Badge tone={said === "equal" ? "better" : said === "different" ? "worse" : "needs_check"}>{t(`verify.short.${said}`)}</Badge>{" "}
        {t(`verify.said.${said}`)} {v.other_version > 0 && t("verify.otherVersion", { n: format.count(v.other_version) })}{" "}
        {!v.sealed && t("verify.unsealed")}
      </p>
      <ul style={{ margin: 0 }}>
        {v.runs.map((r) => (
          <li key={r.run_id}>
            {t("verify.run", {
              run: r.run_id,
              verified: format.count(r.verified),
              questions: format.count(r.questions),
              recomputed: format.count(r.recomputed),
              cells: format.count(r.cells - r.errors - r.measured),
            })}
          </li>
        ))}
        {odd.slice(0, 20).map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      {odd.length > 20 && <p className="soft small">{t("verify.more", { count: odd.length - 20 })}</p>}
    </section>
  );
}
