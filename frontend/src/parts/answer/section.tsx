import type { ReactNode } from "react";
import css from "./answer.module.css";

/** One part of what is shown about a question. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
