import { createElement, type ReactNode, useMemo } from "react";
import { PageLink } from "../../parts/pagelink";
import css from "./prose.module.css";
import { type Inline, type Part, readMarkdown } from "./markdown";

/** Says what {{ ref }} shows; undefined while nobody knows. */
export type Embed = (ref: string) => string | undefined;

/** Prose with the values of cells in it. What is written becomes elements of React, never markup. */
export function Prose({ text, embed, lang, level = 1 }: { text: string; embed: Embed; lang?: string | undefined; level?: number }) {
  const parts = useMemo(() => readMarkdown(text), [text]);
  return (
    <div className={css.prose} lang={lang}>
      {parts.map((part, i) => (
        <PartView key={i} part={part} embed={embed} level={level} />
      ))}
    </div>
  );
}

function PartView({ part, embed, level }: { part: Part; embed: Embed; level: number }): ReactNode {
  const line = (inside: Inline[]) => <Line inside={inside} embed={embed} />;
  const parts = (list: Part[]) => list.map((p, i) => <PartView key={i} part={p} embed={embed} level={level} />);
  switch (part.kind) {
    case "heading":
      return createElement(`h${Math.min(6, Math.max(level, part.level))}`, null, line(part.inside));
    case "paragraph":
      return <p>{line(part.inside)}</p>;
    case "quote":
      return <blockquote>{parts(part.inside)}</blockquote>;
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{part.text}</code>
        </pre>
      );
    case "line":
      return <hr />;
    case "list": {
      const items = part.items.map((inside, i) => <li key={i}>{parts(inside)}</li>);
      return part.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div className={css.wide}>
          <table>
            <thead>
              <tr>
                {part.head.map((cell, i) => (
                  <th key={i}>{line(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {part.rows.map((cells, i) => (
                <tr key={i}>
                  {cells.map((cell, k) => (
                    <td key={k}>{line(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function Line({ inside, embed }: { inside: Inline[]; embed: Embed }): ReactNode {
  return inside.map((piece, i) => {
    switch (piece.kind) {
      case "text":
        return piece.text;
      case "code":
        return <code key={i}>{piece.text}</code>;
      case "value":
        return (
          <span key={i} className={css.value} title={piece.ref}>
            {embed(piece.ref) ?? `{{ ${piece.ref} }}`}
          </span>
        );
      case "link":
        return piece.to.startsWith("/") ? (
          <PageLink key={i} to={piece.to}>
            <Line inside={piece.inside} embed={embed} />
          </PageLink>
        ) : (
          <a key={i} href={piece.to} target={piece.to.startsWith("#") ? undefined : "_blank"} rel="noopener noreferrer">
            <Line inside={piece.inside} embed={embed} />
          </a>
        );
      default:
        return createElement(piece.kind, { key: i }, <Line inside={piece.inside} embed={embed} />);
    }
  });
}
