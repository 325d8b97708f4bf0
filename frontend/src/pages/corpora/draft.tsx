import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Drafted } from "../../api/types_sheets";
import { useFormat } from "../../parts/format";
import { useSheetWork } from "../../parts/sheetwork";

const sizes = ["8", "20", "40", "100", "200", "500", "1000"];

/** Drafts questions from a corpus: a sheet to be read, corrected and imported as a dataset. */
export function useDraft(reference: string) {
  const { t } = useTranslation();
  const format = useFormat();
  const [n, setN] = useState("40");
  return useSheetWork<Drafted>({
    words: {
      button: t("sheets.draft"),
      title: t("sheets.draftTitle"),
      text: t("sheets.draftText"),
      start: t("sheets.draftStart"),
      next: t("sheets.draftNext"),
    },
    path: `/corpora/${encodeURIComponent(reference)}/draft`,
    body: { n: Number(n) },
    fields: (
      <NativeSelect
        size="xs"
        label={t("sheets.size")}
        description={t("sheets.sizeRule")}
        data={sizes.map((value) => ({ value, label: format.count(Number(value)) }))}
        value={n}
        onChange={(e) => setN(e.currentTarget.value)}
      />
    ),
    found: (r) => [t("sheets.drafted", { count: r.questions }), ...(r.offline ? [t("sheets.draftedOffline")] : [])].join(" "),
  });
}
