import { createElement, type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { PageLink } from "../../parts/pagelink";
import css from "./prose.module.css";

/** Elements that prose can hold; the server makes no others of Markdown (internal/notebooks/prose_test.go has the same list). */
const plain = new Set(["p", "blockquote", "hr", "br", "ul", "li", "thead", "tbody", "tr", "em", "strong", "del", "code"]);

/** How deep elements may lie in each other; what is deeper is shown as its text. */
const deepest = 60;

interface ProseProps {
  html: string | undefined; // that the server made of Markdown; undefined until it did
  source?: string; // what is shown until then
  lang?: string | undefined;
  level?: number; // of its headings at least: those of the page stand above them
}

/** Prose with the values of cells in it. What the server sent becomes elements of React one by one, and never markup of the page. */
export function Prose({ html, source = "", lang, level = 1 }: ProseProps) {
  const body = useMemo(() => new DOMParser().parseFromString(html ?? "", "text/html").body, [html]);
  return (
    <div className={css.prose} lang={lang} aria-busy={html === undefined}>
      {html === undefined ? <p className={css.source}>{source}</p> : elementsOf(body, level, 0)}
    </div>
  );
}

/** What is being written, as it will be read; it follows the writing a moment behind. */
export function Preview({ html }: { html: string | undefined }) {
  const { t } = useTranslation();
  return (
    <section className={css.preview} aria-label={t("notebook.preview")}>
      <p className="soft small" aria-hidden="true">
        {t("notebook.preview")}
      </p>
      <Prose html={html} level={2} />
    </section>
  );
}

/** The part of a parsed document that is looked at. */
export interface ParsedNode {
  nodeName: string; // in capitals for elements
  textContent: string | null;
  childNodes: ArrayLike<ParsedNode>;
  getAttribute?(name: string): string | null;
}

/** The children of a node as elements of React. */
export function elementsOf(node: ParsedNode, level: number, depth: number): ReactNode[] {
  if (depth > deepest) return [node.textContent];
  const between = /^(BODY|BLOCKQUOTE|TABLE|THEAD|TBODY|TR|UL|OL)$/.test(node.nodeName); // where ends of lines are no text
  const shown = Array.from(node.childNodes).filter((c) => !between || c.nodeName !== "#text" || c.textContent?.trim());
  return shown.map((child, key) => elementOf(child, key, level, depth + 1));
}

function elementOf(node: ParsedNode, key: number, level: number, depth: number): ReactNode {
  const name = node.nodeName.toLowerCase();
  if (name === "#text") return node.textContent;
  if (name === "#comment") return null;
  const inside = elementsOf(node, level, depth);
  const attribute = (of: string) => node.getAttribute?.(of) ?? "";
  if (/^h[1-6]$/.test(name)) return createElement(`h${Math.min(6, Math.max(level, Number(name[1])))}`, { key }, inside);
  switch (name) {
    case "hr":
    case "br":
      return createElement(name, { key });
    case "ol":
      return (
        <ol key={key} start={Number(attribute("start") || 1)}>
          {inside}
        </ol>
      );
    case "pre":
      return (
        <pre key={key} tabIndex={0}>
          {inside}
        </pre>
      );
    case "table":
      return (
        <div key={key} className={css.wide}>
          <table>{inside}</table>
        </div>
      );
    case "th":
    case "td": {
      const align = attribute("align");
      return createElement(name, { key, style: /^(left|center|right)$/.test(align) ? { textAlign: align } : undefined }, inside);
    }
    case "span":
      return (
        <span key={key} className={css.value} title={attribute("title")}>
          {inside}
        </span>
      );
    case "a":
      return <Link key={key} to={attribute("href")} inside={inside} />;
    default:
      return plain.has(name) ? createElement(name, { key }, inside) : node.textContent;
  }
}

/** A link to a page of ours or to the web. Any other address is no link. */
function Link({ to, inside }: { to: string; inside: ReactNode[] }) {
  if (/^\/(?![/\\])/.test(to)) return <PageLink to={to}>{inside}</PageLink>;
  if (!/^(https?:\/\/|#)/i.test(to)) return inside;
  return (
    <a href={to} target={to.startsWith("#") ? undefined : "_blank"} rel="noopener noreferrer">
      {inside}
    </a>
  );
}
