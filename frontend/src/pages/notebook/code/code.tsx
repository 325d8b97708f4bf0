import { createElement, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Completion } from "../completion";
import css from "./code.module.css";
import type { CodeElement } from "./element";
import type { Kind } from "./grammar";
import type { Mark } from "./marks";

/** What others may ask of an editor. */
export interface CodeHandle {
  reveal: (from: number, to: number) => void;
}

interface CodeProps {
  kind: Kind;
  label: string;
  value: string;
  onChange: (text: string) => void;
  lang?: string;
  /** Number of the first line; 0 is prose, without numbers. */
  first?: number;
  marks?: Mark[];
  complete?: (text: string, caret: number) => Completion | null;
  /** Whether a text may stand here; others are not written. */
  accepts?: (text: string) => boolean;
  readOnly?: boolean;
  /** As high as its text. */
  high?: boolean;
  ref?: Ref<CodeHandle>;
}

let loaded = false;

/** Texts of the editor itself, by what it calls them. */
const own = {
  Find: "find",
  Replace: "replaceBy",
  next: "next",
  previous: "previous",
  all: "all",
  "match case": "case",
  regexp: "regexp",
  "by word": "word",
  replace: "replace",
  "replace all": "replaceAll",
  close: "close",
  "current match": "current",
  "on line": "onLine",
  "replaced $ matches": "replacedAll",
  "replaced match on line $": "replaced",
  "Go to line": "goToLine",
  go: "go",
  Diagnostics: "problems",
  "No diagnostics": "noProblems",
  Completions: "suggestions",
  "Selection deleted": "deleted",
} as const;

/** An editor of code or prose. Its chunk is read when the first one is opened; until it is there, a plain field takes what is typed. */
export function Code({ ref, ...props }: CodeProps) {
  const { kind, label, value, lang, first = 1, marks = [], readOnly = false, high = false } = props;
  const { t } = useTranslation();
  const [ready, setReady] = useState(loaded);
  const plain = useRef<HTMLTextAreaElement>(null);
  const left = useRef<{ from: number; to: number } | null>(null); // the selection in the plain field, when it had the focus
  const editor = useRef<CodeElement>(null);
  const now = useRef(props);
  now.current = props;
  const phrases = useMemo(() => Object.fromEntries(Object.entries(own).map(([word, key]) => [word, t(`notebook.code.${key}`)])), [t]);
  useEffect(() => {
    if (loaded) return;
    let gone = false;
    void import("./element").then(() => {
      loaded = true;
      const field = plain.current;
      if (field && document.activeElement === field) left.current = { from: field.selectionStart, to: field.selectionEnd };
      if (!gone) flushSync(() => setReady(true)); // at once: nothing is typed between the two
    });
    return () => {
      gone = true;
    };
  }, []);
  // On every drawing, and before anything is typed: what the editor shows is what the notebook says.
  useLayoutEffect(() => {
    const element = editor.current;
    if (!ready || !element) return;
    element.written = (text) => now.current.onChange(text);
    element.accepts = (text) => now.current.accepts?.(text) ?? true;
    element.complete = (text, at) => now.current.complete?.(text, at) ?? null;
    element.show(value, { kind, label, lang, first, readOnly, high, invalid: marks.length > 0, phrases });
    element.mark(marks);
    if (!left.current) return;
    element.reveal(left.current.from, left.current.to);
    left.current = null;
  });
  useImperativeHandle(ref, () => ({ reveal: (from, to) => editor.current?.reveal(from, to) }), []);
  if (ready) return createElement("code-editor", { ref: editor, class: css.editor });
  return (
    <textarea
      ref={plain}
      className={css.plain}
      aria-label={label}
      lang={lang}
      spellCheck={false}
      rows={Math.min(40, value.split("\n").length + 1)}
      readOnly={readOnly}
      value={value}
      onChange={(e) => (props.accepts?.(e.currentTarget.value) ?? true) && props.onChange(e.currentTarget.value)}
    />
  );
}
