import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { turnedTo } from "./focus";
import css from "./page.module.css";

/** The top of a page: what it is, where it belongs, and what can be done. It also names the browser's tab. */
export function PageHead({
  title,
  name,
  above,
  below,
  actions,
}: {
  title: ReactNode;
  /** The title as a plain text, for the tab. */
  name: string;
  above?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
}) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = t("shell.tab", { name });
  }, [t, name]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => turnedTo(heading.current), []);
  return (
    <header className={css.head}>
      <div className={css.titles}>
        {above && <div className="soft small">{above}</div>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      {actions && <div className={`row no-print ${css.actions}`}>{actions}</div>}
      {below && <div className={`row ${css.below}`}>{below}</div>}
    </header>
  );
}

/** A sheet of paper for one part of a page. */
export function Card({
  title,
  aside,
  children,
  className = "",
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`${css.card} ${className}`}>
      {(title || aside) && (
        <div className={`row apart ${css.cardHead}`}>
          {title && <h2>{title}</h2>}
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** Names and values, one below the other. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
