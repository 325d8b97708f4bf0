import { type Found, said } from "../../api/types_notebook";
import type { FoundRead } from "../../api/types_reading";

/** A part of the findings in one language. */
export const foundIn = (p: Found, lang: string): FoundRead => ({
  name: p.name,
  title: said(p.title, lang),
  lines: p.lines.map((line) => said(line, lang)),
});

/** What came of a comparison, part by part: the same parts as on its page. Level is that of their headings, below what stands above them. */
export function FoundParts({ parts, level = 4 }: { parts: FoundRead[]; level?: 3 | 4 }) {
  const Heading = `h${level}` as const;
  return parts.map((p) => (
    <section key={p.name}>
      <Heading>{p.title}</Heading>
      <ul data-said={p.name}>
        {p.lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
    </section>
  ));
}
