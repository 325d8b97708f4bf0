import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface EncodingFieldProps {
  encoding: string;
  onChange: (encoding: string) => void;
}

const encodings = ["CP932", "EUC-JP", "Windows-1252", "Windows-1250", "Windows-1251", "EUC-KR", "GB18030", "Big5", "MacRoman"];

/** In which encoding a text file is that is not in UTF-8; "" leaves it to what its bytes say beyond doubt. */
export function EncodingField({ encoding, onChange }: EncodingFieldProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      label={t("results.encoding")}
      description={t("results.encodingMeaning")}
      data={[{ value: "", label: t("results.auto") }, ...encodings.map((value) => ({ value, label: t(`results.encodings.${value}`) }))]}
      value={encoding}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}
