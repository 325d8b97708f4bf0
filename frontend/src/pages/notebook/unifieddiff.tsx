import { useTranslation } from "react-i18next";
import css from "./history.module.css";

/** A difference of two texts as `diff -u` writes it: signs as well as colours say what went and what came. */
export function UnifiedDiff({ text }: { text: string }) {
  const { t } = useTranslation();
  if (text === "") return <p className="soft">{t("history.equal")}</p>;
  const lines = text.replace(/\n$/, "").split("\n").slice(2); // without the two names
  return (
    <pre className={css.diff} tabIndex={0} aria-label={t("history.text")}>
      {lines.map((line, i) => {
        const body = `${line || " "}\n`;
        if (line.startsWith("+")) return <ins key={i}>{body}</ins>;
        if (line.startsWith("-")) return <del key={i}>{body}</del>;
        return line.startsWith("@@") ? (
          <span key={i} className={css.place}>
            {body}
          </span>
        ) : (
          body
        );
      })}
    </pre>
  );
}
