import { useMemo } from "react";
import { useTranslation } from "react-i18next";

/** Shown where there is no value: never a zero, never an empty space. */
export const absent = "–";

/** Numbers, shares and dates as the language of the page writes them. Absent and not-a-number values become a dash. */
export function useFormat() {
  const { i18n } = useTranslation();
  return useMemo(() => formats(i18n.language), [i18n.language]);
}

/**
 * A number with so many decimals, half away from zero on the number as it is written: 4.975 is 4.98, as in the program's texts. (toFixed
 * rounds the nearest binary number, which is a little less.) What rounds to zero has no sign.
 */
export function fixed(value: number, decimals: number): string {
  decimalFormats[decimals] ??= new Intl.NumberFormat("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: false,
    signDisplay: "negative",
  });
  return decimalFormats[decimals].format(value);
}

const decimalFormats: Record<number, Intl.NumberFormat> = {};

const missing = (value: number | undefined | null): value is undefined | null =>
  value === undefined || value === null || Number.isNaN(value);

/** The difference of two numbers without what binary fractions leave behind. */
const difference = (before: number, after: number) => Number((after - before).toPrecision(12));

/** With how many decimals two numbers and their difference stand beside each other, at least so many: as the program's texts have it. */
export function decimalsBeside(before: number | undefined | null, after: number | undefined | null, least = 2): number {
  if (missing(before) || missing(after)) return least;
  for (let decimals = least; decimals <= least + 2; decimals++) {
    const read = fixed(Number(fixed(after, decimals)) - Number(fixed(before, decimals)), decimals);
    if (read === fixed(difference(before, after), decimals)) return decimals;
  }
  return least;
}

/** The formats of one language. */
export function formats(language: string) {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0, signDisplay: "negative" });
  const two = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "negative" });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0, signDisplay: "negative" });
  // Pages of schedules have clocks of other zones beside these: all count to 24.
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  const brief = new Intl.DateTimeFormat(language, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const when = (format: Intl.DateTimeFormat) => (iso: string | undefined | null) => {
    const time = iso ? new Date(iso) : undefined;
    return time && !Number.isNaN(time.getTime()) ? format.format(time) : absent;
  };
  const number = (format: Intl.NumberFormat) => (value: number | undefined | null) =>
    value === undefined || value === null || Number.isNaN(value) ? absent : format.format(value);
  return {
    /** A count. */
    count: number(whole),
    /** A mean: two decimals. */
    mean: number(two),
    /** One score: no decimals where it is a whole number, as on a scale from 1 to 5. */
    score: (value: number | undefined | null) => (Number.isInteger(value) ? number(whole)(value) : number(two)(value)),
    /** A share of 1, as stats.PerCent writes it: a part looks neither like nothing nor like the whole. */
    share: (value: number | undefined | null) => {
      const said = number(percent)(value);
      if (value !== undefined && value !== null && value < 1 && said === percent.format(1)) return percent.format(0.99);
      return value !== undefined && value !== null && value > 0 && said === percent.format(0) ? `< ${percent.format(0.01)}` : said;
    },
    /** A difference, always with its sign. */
    signed: (value: number | undefined | null) => {
      const text = number(two)(value);
      return value === undefined || value === null || Number.isNaN(value) || value < 0 || text === two.format(0) ? text : `+${text}`;
    },
    /** Two means and the difference of them as they are, with as many decimals as are needed that a reader who subtracts finds it. */
    beside: (before: number | undefined | null, after: number | undefined | null, least = 2) => {
      const decimals = decimalsBeside(before, after, least);
      const format = new Intl.NumberFormat(language, {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
        signDisplay: "negative",
      });
      const known = !missing(before) && !missing(after);
      const text = known ? format.format(difference(before, after)) : absent;
      return {
        before: number(format)(before),
        after: number(format)(after),
        difference: known && after > before && text !== format.format(0) ? `+${text}` : text,
      };
    },
    /** A difference of counts, always with its sign. */
    signedCount: (value: number | undefined | null) =>
      value !== undefined && value !== null && value > 0 ? `+${number(whole)(value)}` : number(whole)(value),
    /** An amount of money, with more decimals where it is small. */
    money: (value: number | undefined | null, currency: string) =>
      value === undefined || value === null
        ? absent
        : `${new Intl.NumberFormat(language, { maximumFractionDigits: value !== 0 && Math.abs(value) < 1 ? 4 : 2 }).format(value)} ${currency}`,
    /** A moment, in full. */
    moment: when(day),
    /** A moment, briefly. */
    brief: when(brief),
  };
}
