import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createElement, type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { type Bilingual, said } from "../../api/types_notebook";
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

/** How long typing rests before it is rendered, in milliseconds. */
const rest = 60;

/** The HTML of Markdown that is being written, by the server, which evaluates nothing for it; the last one stays until the next is there. */
function useWritten(markdown: string, values: Record<string, Bilingual>, made: string | undefined): string | undefined {
  const { i18n } = useTranslation();
  const [settled] = useDebouncedValue(markdown, rest);
  const rendered = useQuery({
    queryKey: ["/notebooks/prose", settled, values],
    queryFn: () => send<Bilingual>("POST", "/notebooks/prose", { markdown: settled, values }),
    enabled: made === undefined,
    placeholderData: keepPreviousData,
  });
  return made ?? (rendered.data ? said(rendered.data, i18n.language) : undefined);
}

interface PreviewProps {
  markdown: string;
  values: Record<string, Bilingual>; // of the references in prose, as they were evaluated last
  html: string | undefined; // that was made of this Markdown or of what stood here before
  current: boolean; // it was made of this Markdown
}

/** What is being written, as it will be read. */
export function Preview({ markdown, values, html, current }: PreviewProps) {
  const { t } = useTranslation();
  const written = useWritten(markdown, values, current ? (html ?? "") : undefined) ?? html;
  return (
    <section className={css.preview} aria-label={t("notebook.preview")}>
      <p className="soft small" aria-hidden="true">
        {t("notebook.preview")}
      </p>
      <Prose html={written} level={2} />
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
