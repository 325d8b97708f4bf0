import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface VoteFieldProps {
  votes: string;
  onChange: (votes: string) => void;
}

/** How score columns that differ by a number alone are read: "fold" as votes of one metric, "apart" as metrics, "" by their names. */
export function VoteField({ votes, onChange }: VoteFieldProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      label={t("results.votes")}
      description={t("results.votesMeaning")}
      data={[
        { value: "", label: t("results.votesAuto") },
        { value: "fold", label: t("results.votesFold") },
        { value: "apart", label: t("results.votesApart") },
      ]}
      value={votes}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}
