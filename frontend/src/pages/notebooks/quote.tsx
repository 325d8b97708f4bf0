import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import type { TemplateQuote } from "../../api/types_notebook";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { worded } from "../notebook/worded";
import css from "./notebooks.module.css";

/** What the notebook would make and cost, before it is written. */
export function QuoteLine({ filled }: { filled: { from: string; slots: Record<string, string>; lang: string } }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const quote = useQuery({
    queryKey: ["/notebooks/gallery/quote", filled],
    queryFn: () => send<TemplateQuote>("POST", "/notebooks/gallery/quote", filled),
    retry: false,
  });
  const q = quote.data;
  if (quote.error)
    return (
      <div className={css.quote}>
        <ProblemLine error={quote.error} />
      </div>
    );
  if (!q)
    return (
      <p className={`soft small ${css.quote}`} role="status">
        {t("notebooks.quoting")}
      </p>
    );
  if (q.problem) {
    const wrong = worded(q.problem, i18n);
    return (
      <p className={`small ${css.quote}`} role="alert">
        {wrong.detail} <span className="soft">{wrong.hint}</span>
      </p>
    );
  }
  const p = q.price;
  const money = format.money(p.micros / 1e6, p.currency);
  const price =
    p.calls === 0 && p.micros === 0
      ? t("notebook.free")
      : p.price_known
        ? t("notebook.price", { calls: format.count(p.calls), money })
        : t("notebook.unpriced", { calls: format.count(p.calls) });
  return (
    <p className={`small ${css.quote}`} role="status" data-quote>
      {t("notebooks.quoted", { runs: format.count(q.runs), answers: format.count(q.answers), price })}
      {q.later.length > 0 && <span className="soft"> {t("notebooks.quotedLater", { cells: q.later.join(", ") })}</span>}
    </p>
  );
}
