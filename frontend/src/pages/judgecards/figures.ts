import { useMemo } from "react";
import { useTranslation } from "react-i18next";

/** Figures of a card with up to three decimals: goals such as 0.985 differ in the third. */
export function useFigures(): (value: number) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const format = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 2, maximumFractionDigits: 3 });
    return (value) => format.format(value);
  }, [i18n.language]);
}
