import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useList } from "../../api/queries";
import type { RunRow } from "../../api/types";
import type { LibraryRow } from "../../api/types_library";
import type { EvidenceFound } from "../../api/types_sheets";
import { useFormat } from "../../parts/format";
import { useSheetWork } from "../../parts/sheetwork";
import { corpusFor } from "./edit";

/** Looks for the evidence of questions that have none, usually in the corpus of the newest run: the dataset as a sheet, with proposals to decide about. */
export function useEvidence(reference: string) {
  const { t } = useTranslation();
  const format = useFormat();
  const [name = ""] = reference.split("@");
  const corpora = useList<LibraryRow>("/corpora", {}, 500);
  const names = corpora.rows.map((c) => c.name);
  const [chosen, setChosen] = useState<string>();
  const newest = useList<RunRow>("/runs", { dataset: name }, 1).rows[0]?.corpus?.name ?? "";
  const corpus = chosen ?? (names.includes(newest) ? newest : corpusFor(name, names));
  return useSheetWork<EvidenceFound>({
    words: {
      button: t("sheets.evidence"),
      title: t("sheets.evidenceTitle"),
      text: t("sheets.evidenceText"),
      start: t("sheets.evidenceStart"),
      next: t("sheets.evidenceNext", { name }),
    },
    path: `/datasets/${encodeURIComponent(reference)}/evidence`,
    body: corpus ? { corpus } : {},
    fields: (
      <NativeSelect
        size="xs"
        label={t("sheets.corpus")}
        data={[{ value: "", label: t("sheets.corpusChoose") }, ...names]}
        value={corpus}
        onChange={(e) => setChosen(e.currentTarget.value)}
      />
    ),
    missing: corpus ? "" : t("sheets.corpusMissing"),
    found: (r) =>
      [
        t("sheets.found", { whole: format.count(r.whole), part: format.count(r.part), n: format.count(r.whole + r.part + r.none) }),
        ...(r.known + r.unasked > 0 ? [t("sheets.foundRest", { count: r.known + r.unasked })] : []),
        ...(r.offline ? [t("sheets.foundOffline")] : []),
      ].join(" "),
  });
}
