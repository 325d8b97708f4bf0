import { NativeSelect } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Listing } from "../api/types_library";
import { useFormat } from "./format";

/** Chooses another version of a corpus or dataset; the page of that version opens. */
export function VersionChoice({ kind, listing, all }: { kind: "corpora" | "datasets"; listing: Listing; all: Listing[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const router = useRouter();
  return (
    <NativeSelect
      size="xs"
      aria-label={t("corpora.version")}
      value={String(listing.version)}
      data={all.map((l) => ({
        value: String(l.version),
        label: t("parts.versionAt", { n: l.version, at: format.brief(l.created_at) }),
      }))}
      onChange={(e) => router.history.push(`/${kind}/${encodeURIComponent(`${listing.name}@${e.currentTarget.value}`)}`)}
    />
  );
}

/** The first figures of a digest; all of it is shown to who points at it. */
export function Digest({ of }: { of: string }) {
  return (
    <span className="soft small mono" title={of}>
      {of.slice(0, 12)}
    </span>
  );
}
