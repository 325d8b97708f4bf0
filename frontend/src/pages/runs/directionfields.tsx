import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Columns in which less, and in which more is better, as people write them. */
export interface Directions {
  lower: string;
  higher: string;
}

export const noDirections: Directions = { lower: "", higher: "" };

/** The names that people wrote, with the commas of either language between them. */
export function namesIn(written: string): string[] {
  return written
    .split(/[,，、]/)
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Adds to an upload which way is better, as far as somebody said so. */
export function appendDirections(body: FormData, directions: Directions) {
  for (const way of ["lower", "higher"] as const) {
    const names = namesIn(directions[way]);
    if (names.length > 0) body.append(way, JSON.stringify(names));
  }
}

interface DirectionFieldsProps {
  directions: Directions;
  onChange: (directions: Directions) => void;
}

/** Which way is better, for columns of which nobody knows it by their names. */
export function DirectionFields({ directions, onChange }: DirectionFieldsProps) {
  const { t } = useTranslation();
  return (["lower", "higher"] as const).map((way) => (
    <TextInput
      key={way}
      size="xs"
      label={t(`scores.${way}`)}
      description={t(`scores.${way}Meaning`)}
      value={directions[way]}
      onChange={(e) => onChange({ ...directions, [way]: e.currentTarget.value })}
    />
  ));
}
