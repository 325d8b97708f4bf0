import { useTranslation } from "react-i18next";
import type { Agreement } from "../../api/types_agreement";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import css from "./agreement.module.css";
import { type Change, changesOf, type FieldChange } from "./form";
import { useAgreementNames } from "./names";

/** Every version, the newest first: who agreed when, and what changed since the one before. */
export function History({ history }: { history: Agreement[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Card title={t("agreement.history")}>
      <ol className={css.versions}>
        {history.map((a, i) => {
          const changes = changesOf(history[i + 1], a);
          return (
            <li key={a.version}>
              <h3>{t("agreement.versionOf", { n: a.version, date: a.agreed_on })}</h3>
              <p className="soft small">
                {t("agreement.recorded", { names: a.agreed_by.join(t("agreement.joint")), at: format.moment(a.at) })}{" "}
                {a.run_id && (
                  <>
                    {t("agreement.onRun")}{" "}
                    <PageLink className="mono" to={`/runs/${a.run_id}`}>
                      {a.run_id}
                    </PageLink>
                  </>
                )}
              </p>
              {changes.length === 0 ? (
                <p className="soft small">{t("agreement.nothingChanged")}</p>
              ) : (
                <ul className={css.changes}>
                  {changes.map((c, at) => (
                    <ChangeLine key={at} change={c} />
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

const signs = { added: "+", removed: "−", changed: "~" };

/** One difference: its sign, what it is about, and what it says now. */
function ChangeLine({ change: c }: { change: Change }) {
  const { t } = useTranslation();
  const names = useAgreementNames();
  if (c.kind === "threshold") return <Line how="changed">{t("agreement.thresholdChanged", { before: c.before, after: c.after })}</Line>;
  if (c.kind === "note") return <Line how="added">{t("agreement.noteOf", { note: c.after })}</Line>;
  if (c.kind === "target") {
    const metric = c.target.metric;
    return (
      <Line how={c.how}>
        {t("agreement.targetWord")} {names.target(c.target)} {names.goal(c.target)}
        <Fields fields={c.fields} say={(f, v) => (f === "target" ? names.value(metric, v as number | undefined) : String(v || absent))} />
      </Line>
    );
  }
  return (
    <Line how={c.how}>
      {t("agreement.itemWord")} {names.group(c.item)}: {c.item.out_of_scope ? t("agreement.because", { why: c.item.why }) : c.item.action}
      <Fields
        fields={c.fields}
        say={(f, v) =>
          f === "priority"
            ? names.priority(v as string | undefined)
            : f === "out_of_scope"
              ? t(v ? "agreement.yes" : "agreement.no")
              : String(v || absent)
        }
      />
    </Line>
  );
}

function Line({ how, children }: { how: keyof typeof signs; children: React.ReactNode }) {
  const { t } = useTranslation();
  return (
    <li className={css[how]}>
      <span className={css.sign} title={t(`agreement.how.${how}`)}>
        <span aria-hidden="true">{signs[how]}</span>
        <span className="hidden-text">{t(`agreement.how.${how}`)}</span>
      </span>
      <span>{children}</span>
    </li>
  );
}

function Fields({ fields, say }: { fields: FieldChange[]; say: (field: string, value: unknown) => string }) {
  const { t } = useTranslation();
  return fields.map((f) => (
    <span key={f.field} className={css.field}>
      {t(`agreement.fields.${f.field}`)}: <del>{say(f.field, f.before)}</del> → <ins>{say(f.field, f.after)}</ins>
    </span>
  ));
}
