import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/dialog";
import { type Hit, hitsOf, replaced } from "./searching";
import { blocksOf } from "./text";
import css from "./searchdialog.module.css";

interface SearchProps {
  text: string;
  mayEdit: boolean;
  onText: (text: string) => void;
  onGo: (at: number) => void;
  onClose: () => void;
}

/** Looks for a text in all cells and prose of a notebook, and puts another one in its place. A step back undoes it. */
export function SearchDialog({ text, mayEdit, onText, onGo, onClose }: SearchProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const [by, setBy] = useState("");
  const [exact, setExact] = useState(false);
  const [told, setTold] = useState("");
  const { hits, count } = useMemo(() => hitsOf(text, query, exact), [text, query, exact]);
  const blocks = useMemo(() => blocksOf(text), [text]);
  const replace = (only?: Hit) => {
    const made = replaced(text, query, by, exact, only);
    onText(made.source);
    setTold([t("find.replaced", { count: made.done }), made.left ? t("find.left", { count: made.left }) : ""].filter(Boolean).join(" "));
  };
  const changed = (set: (text: string) => void) => (e: { currentTarget: HTMLInputElement }) => {
    set(e.currentTarget.value);
    setTold("");
  };
  return (
    <Dialog opened onClose={onClose} title={t("find.title")} size="720px">
      <div className={css.fields}>
        <TextInput
          data-autofocus
          type="search"
          label={t("find.find")}
          value={query}
          onChange={changed(setQuery)}
          onKeyDown={(e) => {
            const first = hits[0];
            if (e.key === "Enter" && !e.nativeEvent.isComposing && first) onGo(first.at);
          }}
        />
        {mayEdit && <TextInput label={t("find.by")} value={by} onChange={changed(setBy)} />}
        <Checkbox label={t("find.exact")} checked={exact} onChange={(e) => setExact(e.currentTarget.checked)} />
        {mayEdit && (
          <Button variant="default" disabled={count === 0} onClick={() => replace()}>
            {t("find.all", { count })}
          </Button>
        )}
      </div>
      <p className="soft small" role="status">
        {[told, query ? t("find.count", { count }) : ""].filter(Boolean).join(" ")}
      </p>
      <ol className={css.hits}>
        {hits.map((h) => (
          <li key={`${h.at} ${h.from}`}>
            <button type="button" className={css.hit} onClick={() => onGo(h.at)}>
              <span className="soft small">
                {blocks[h.at]?.cell?.name ?? t("notebook.prose")} · {t("find.line", { n: h.line })}
              </span>
              <span className={css.line}>
                {h.before.slice(-24)}
                <mark>{h.found}</mark>
                {h.after.slice(0, 80)}
              </span>
            </button>
            {mayEdit && (
              <Button size="compact-xs" variant="subtle" aria-label={t("find.oneAt", { n: h.line })} onClick={() => replace(h)}>
                {t("find.one")}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {count > hits.length && <p className="soft small">{t("find.more", { n: hits.length })}</p>}
    </Dialog>
  );
}
