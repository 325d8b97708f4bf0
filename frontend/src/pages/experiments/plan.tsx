import { useTranslation } from "react-i18next";
import type { Plan } from "../../api/types";
import { said } from "../../api/types_notebook";
import { useFormat } from "../../parts/format";
import { Probes } from "../../parts/probes";
import css from "./experiments.module.css";

/** What some work would ask for and cost, before it is started: nothing has been asked yet. */
export function PlanTable({ plan }: { plan: Plan }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const price = (micros: number, known: boolean) => (known ? format.money(micros / 1e6, plan.currency) : t("experiments.unknownPrice"));
  const stages = plan.stages ?? [];
  return (
    <div className="stack">
      <p>
        {plan.buy === 0
          ? t("experiments.planFree", { runs: plan.runs, questions: plan.questions })
          : t("experiments.planBuy", {
              calls: format.count(plan.expected_buy),
              price: price(plan.expected_micros, plan.price_known),
              most: format.count(plan.buy),
              mostPrice: price(plan.price_micros, plan.price_known),
            })}
      </p>
      {plan.evidence && <p role="note">{said(plan.evidence, i18n.language)}</p>}
      {plan.search && <p>{said(plan.search, i18n.language)}</p>}
      <Layers plan={plan} price={price} />
      {stages.length > 0 && (
        <table className={css.plan} aria-label={t("experiments.stage")}>
          <thead>
            <tr>
              <th scope="col">{t("experiments.stage")}</th>
              <th scope="col">{t("experiments.free")}</th>
              <th scope="col">{t("experiments.bought")}</th>
              <th scope="col">{t("experiments.toBuy")}</th>
              <th scope="col">{t("experiments.callsAtMost")}</th>
              <th scope="col">{t("experiments.tokens")}</th>
              <th scope="col">{t("experiments.price")}</th>
              <th scope="col">{t("experiments.priceAtMost")}</th>
            </tr>
          </thead>
          <tbody>
            {stages.map((s) => (
              <tr key={s.stage}>
                <td>{t(`experiments.stages.${s.stage}`, { defaultValue: s.stage })}</td>
                <td>{format.count(s.free)}</td>
                <td>{format.count(s.known)}</td>
                <td>{format.count(s.expected_buy)}</td>
                <td>{format.count(s.buy)}</td>
                <td>{format.count(s.expected_tokens)}</td>
                <td>{price(s.expected_micros, s.price_known)}</td>
                <td>{price(s.price_micros, s.price_known)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{t("experiments.together")}</td>
              <td colSpan={2} />
              <td>{format.count(plan.expected_buy)}</td>
              <td>{format.count(plan.buy)}</td>
              <td />
              <td>{price(plan.expected_micros, plan.price_known)}</td>
              <td>{price(plan.price_micros, plan.price_known)}</td>
            </tr>
          </tfoot>
        </table>
      )}
      {!plan.price_known && <p className="small soft">{t("experiments.priceUnknown")}</p>}
      {plan.buy > 0 && <p className="small soft">{t("experiments.upperBound")}</p>}
      {plan.probes && plan.probes.length > 0 && (
        <div>
          <p className="small soft">{t("experiments.probed")}</p>
          <Probes probes={plan.probes} />
        </div>
      )}
    </div>
  );
}

/** How often each layer of the work is done for all configurations of a sweep together. */
function Layers({ plan, price }: { plan: Plan; price: (micros: number, known: boolean) => string }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!plan.layers?.length) return null;
  return (
    <>
      {(plan.written ?? 0) > plan.runs && <p>{t("experiments.folded", { written: plan.written, different: plan.runs })}</p>}
      <table className={css.plan} aria-label={t("experiments.layer")}>
        <thead>
          <tr>
            <th scope="col">{t("experiments.layer")}</th>
            <th scope="col">{t("experiments.different")}</th>
            <th scope="col">{t("experiments.inAll")}</th>
            <th scope="col">{t("experiments.callsAtMost")}</th>
            <th scope="col">{t("experiments.priceAtMost")}</th>
          </tr>
        </thead>
        <tbody>
          {plan.layers.map((l) => (
            <tr key={l.layer}>
              <td>{t(`experiments.layers.${l.layer}`, { defaultValue: l.layer })}</td>
              <td>{format.count(l.different)}</td>
              <td>{format.count(l.in_all)}</td>
              <td>{l.buys ? format.count(l.buys.buy) : "–"}</td>
              <td>{l.buys ? price(l.buys.price_micros, l.buys.price_known) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
