import { type KeyboardEvent, type Ref, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Completion } from "./completion";
import css from "./codearea.module.css";

/** Height of a line and width of a letter, as in the style sheet. */
const high = 19;
const indent = 10;

interface CodeAreaProps {
  label: string;
  lang?: string;
  value: string;
  onChange: (text: string) => void;
  /** Number of the first line. */
  line?: number;
  /** Lines with problems, with what is wrong. */
  wrong?: Map<number, string>;
  complete?: ((text: string, caret: number) => Completion | null) | undefined;
  readOnly?: boolean;
  /** The most lines that are shown at a time. */
  most?: number;
  /** Prose has no numbers, and its lines are as long as the window. */
  prose?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A plain text with numbers of lines, where those with problems are marked; Ctrl-Space completes, and so does typing $ or a dot. */
export function CodeArea({
  label,
  lang,
  value,
  onChange,
  line = 1,
  wrong,
  complete,
  readOnly = false,
  most = 40,
  prose = false,
  ref,
}: CodeAreaProps) {
  const { t } = useTranslation();
  const id = useId();
  const gutter = useRef<HTMLDivElement>(null);
  const popup = useCompletion(onChange, complete);
  const lines = value.replace(/\n$/, "").split("\n");
  const rows = Math.min(Math.max(lines.length, 2), most);
  const { found, chosen } = popup;
  return (
    <div className={css.area}>
      {!prose && (
        <div ref={gutter} className={css.gutter} aria-hidden="true" style={{ height: rows * high + 12 }}>
          {lines.map((_, i) => (
            <div key={i} className={wrong?.has(line + i) ? css.wrong : undefined} title={wrong?.get(line + i)}>
              {wrong?.has(line + i) && "▲ "}
              {line + i}
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={ref}
        className={prose ? `${css.text} ${css.prose}` : css.text}
        style={prose ? { minHeight: rows * high + 12 } : { height: rows * high + 12 }}
        lang={lang}
        aria-label={label}
        aria-invalid={!!wrong && [...wrong.keys()].some((n) => n >= line && n < line + lines.length)}
        {...(found ? { "aria-controls": id, "aria-activedescendant": `${id}-${chosen}` } : {})}
        aria-autocomplete="list"
        spellCheck={false}
        autoComplete="off"
        wrap={prose ? "soft" : "off"}
        readOnly={readOnly}
        value={value}
        onChange={popup.onChange}
        onKeyDown={popup.onKeyDown}
        onBlur={popup.close}
        onScroll={(e) => {
          if (gutter.current) gutter.current.scrollTop = e.currentTarget.scrollTop;
        }}
      />
      {found && (
        <ul
          id={id}
          role="listbox"
          aria-label={t("notebook.suggestions")}
          className={css.popup}
          style={prose ? { left: 10, top: "100%" } : popup.place}
        >
          {found.list.map((s, i) => (
            <li
              key={s.text}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === chosen}
              ref={i === chosen ? (e) => e?.scrollIntoView({ block: "nearest" }) : undefined}
              onMouseDown={(e) => {
                e.preventDefault();
                popup.take(i);
              }}
            >
              <span className="mono">{s.text}</span> <span className="soft small">{s.about}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function useCompletion(onChange: (text: string) => void, complete: CodeAreaProps["complete"]) {
  const [found, setFound] = useState<Completion | null>(null);
  const [chosen, setChosen] = useState(0);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  const area = useRef<HTMLTextAreaElement | null>(null);
  const close = () => setFound(null);

  const ask = (element: HTMLTextAreaElement) => {
    area.current = element;
    const next = complete?.(element.value, element.selectionStart) ?? null;
    setFound(next);
    setChosen(0);
    if (next) setPlace(caretPlace(element, next.from));
  };
  const take = (i: number) => {
    const element = area.current;
    const suggestion = found?.list[i];
    if (!element || !found || !suggestion) return;
    const caret = element.selectionStart;
    const closing = suggestion.text.endsWith("}") && element.value[caret] === "}" ? 1 : 0;
    const next = element.value.slice(0, found.from) + suggestion.text + element.value.slice(caret + closing);
    const end = found.from + suggestion.text.length;
    // At once: a caret that is put in its place a frame later goes there between two keys of somebody who types on.
    flushSync(() => {
      onChange(next);
      close();
    });
    element.setSelectionRange(end, end);
  };
  return {
    found,
    chosen,
    place,
    close,
    take,
    onChange: (event: { currentTarget: HTMLTextAreaElement; nativeEvent: Event }) => {
      const element = event.currentTarget;
      onChange(element.value);
      const typed = (event.nativeEvent as InputEvent).data ?? "";
      const before = element.value.slice(0, element.selectionStart);
      if (
        found
          ? /\S/.test(typed) || typed === ""
          : typed === "$" || (typed === "." && /[\p{L}_]\.$/u.test(before)) || before.endsWith("{{ ") || before.endsWith("{{")
      )
        ask(element);
      else close();
    },
    onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
      if (event.key === " " && event.ctrlKey) {
        event.preventDefault();
        ask(event.currentTarget);
        return;
      }
      if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) setChosen((c) => (c + step + found.list.length) % found.list.length);
      else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") take(chosen);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** Where a letter stands in an area, below its line. */
function caretPlace(element: HTMLTextAreaElement, at: number): { left: number; top: number } {
  const before = element.value.slice(0, at).split("\n");
  const paint = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(element);
  if (paint) paint.font = `${style.fontSize} ${style.fontFamily}`;
  const left = element.offsetLeft + indent + (paint?.measureText(before.at(-1) ?? "").width ?? 0) - element.scrollLeft;
  const top = before.length * high + 8 - element.scrollTop;
  return { left: Math.max(0, Math.min(left, element.offsetLeft + element.clientWidth - 240)), top };
}
