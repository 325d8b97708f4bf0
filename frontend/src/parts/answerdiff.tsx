import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import css from "./answerdiff.module.css";
import { type DiffPart, diffWords } from "./worddiff";

type View = "sides" | "one";

/** Two texts with their differences marked: beside each other, or as one text. */
export function AnswerDiff({ before, after, language, title }: { before: string; after: string; language: string; title: string }) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>("sides");
  const parts = useMemo(() => diffWords(before, after, language), [before, after, language]);
  return (
    <section className={css.diff} aria-label={title}>
      <div className="row apart">
        <h3>{title}</h3>
        <SegmentedControl
          className="no-print"
          size="xs"
          aria-label={t("diff.view")}
          value={view}
          onChange={(v) => setView(v as View)}
          data={[
            { value: "sides", label: t("diff.sides") },
            { value: "one", label: t("diff.one") },
          ]}
        />
      </div>
      {view === "one" ? (
        <Parts parts={parts} show={["same", "removed", "added"]} />
      ) : (
        <div className={css.sides}>
          <div>
            <h4>{t("words.before")}</h4>
            {before ? <Parts parts={parts} show={["same", "removed"]} /> : <p className="soft">{t("diff.nothing")}</p>}
          </div>
          <div>
            <h4>{t("words.after")}</h4>
            {after ? <Parts parts={parts} show={["same", "added"]} /> : <p className="soft">{t("diff.nothing")}</p>}
          </div>
        </div>
      )}
    </section>
  );
}

function Parts({ parts, show }: { parts: DiffPart[]; show: DiffPart["kind"][] }) {
  return (
    <div className={`text ${css.words}`}>
      {parts
        .filter((p) => show.includes(p.kind))
        .map((part, i) => {
          if (part.kind === "added") return <ins key={i}>{part.text}</ins>;
          if (part.kind === "removed") return <del key={i}>{part.text}</del>;
          return part.text;
        })}
    </div>
  );
}
