import {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  completionStatus,
  moveCompletionSelection,
  selectedCompletionIndex,
} from "@codemirror/autocomplete";
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yamlLanguage } from "@codemirror/lang-yaml";
import { SQLDialect } from "@codemirror/lang-sql";
import { bracketMatching, defineLanguageFacet, Language, languageDataProp, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, forEachDiagnostic, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap, searchPanelOpen } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type TransactionSpec } from "@codemirror/state";
import {
  crosshairCursor,
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  MatchDecorator,
  rectangularSelection,
  ViewPlugin,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { parser as markdown } from "@lezer/markdown";
import type { LRParser } from "@lezer/lr";
import type { Completion } from "../completion";
import { colour } from "./colours";
import { chip, grammarOf, type Kind, withSql } from "./grammar";
import { type Mark, rangeOf } from "./marks";
import { proseTheme, theme } from "./theme";

/** What an editor is told. All but the text may change while it is open. */
export interface CodeOptions {
  kind: Kind;
  label: string;
  lang?: string | undefined; // of what people write
  first: number; // number of the first line; 0 shows no numbers and breaks long lines
  readOnly: boolean;
  invalid: boolean;
  high: boolean; // as high as its text
  phrases: Record<string, string>; // of the editor's own texts
}

/** The words of a statement that the box answers; names of tables and columns come from the notebook. */
const dialect = SQLDialect.define({
  keywords:
    "select from where group by having order limit offset as and or not in is null like glob between exists case when then else end " +
    "distinct all union intersect except join left right full inner outer cross natural using on with recursive values over partition " +
    "rows range groups filter asc desc nulls first last collate cast true false",
  types: "integer real text",
  operatorChars: "*+-%<>!=&|~/",
  specialVar: ":?",
  caseInsensitiveIdentifiers: true,
});
withSql(dialect.language.parser);

const proseData = defineLanguageFacet();
const parts = {
  yaml: yamlLanguage.parser as LRParser,
  markdown: markdown.configure({ props: [languageDataProp.add((type) => (type.isTop ? proseData : undefined))] }),
  sql: dialect.language.parser,
};
const languages = new Map<Kind, Language>();

function languageOf(kind: Kind): Language {
  const had = languages.get(kind);
  if (had) return had;
  const data = kind === "sql" ? dialect.language.data : kind === "prose" || kind === "document" ? proseData : yamlLanguage.data;
  const made = new Language(data, grammarOf(kind, parts), [], kind);
  languages.set(kind, made);
  return made;
}

const chips = new MatchDecorator({ regexp: chip, decoration: Decoration.mark({ class: "tok-chip" }) });
const chipMarks = ViewPlugin.define(
  (view) => ({
    marks: chips.createDeco(view),
    update(u) {
      this.marks = chips.updateDeco(u, this.marks);
    },
  }),
  {
    decorations: (plugin) => plugin.marks,
  },
);

/**
 * Text that is typed over a selection is put there by the editor: the browser would keep the style of what it replaces in a style
 * attribute, which the content security policy refuses and reports.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    const { data } = event;
    if (event.inputType !== "insertText" || !data || !event.cancelable || event.isComposing || view.composing || state.readOnly)
      return false;
    if (state.selection.ranges.every((r) => r.empty)) return false;
    view.dispatch(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    event.preventDefault();
    return true;
  },
  compositionstart(_, view) {
    const { state } = view;
    if (!state.readOnly && !state.selection.main.empty) view.dispatch(state.replaceSelection(""), { userEvent: "delete.selection" });
    return false;
  },
});

/** Takes what is chosen of what may follow, or the first of it. */
function takeFirst(view: EditorView): boolean {
  if (completionStatus(view.state) !== "active") return false;
  if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

/** Goes to the next mark and says what is wrong there. */
function nextMark(view: EditorView): boolean {
  if (!nextDiagnostic(view)) return false;
  const { from, to } = view.state.selection.main;
  forEachDiagnostic(view.state, (d, start, end) => {
    if (start === from && end === to) view.dispatch({ effects: EditorView.announce.of(d.message) });
  });
  return true;
}

/**
 * An editor of text: CodeMirror in a shadow root, where its style sheets are adopted and the content security policy sees no inline
 * style. Keys that it needs for itself are told by keeps.
 */
export class CodeElement extends HTMLElement {
  /** What was typed. */
  written: (text: string) => void = () => {};
  /** Whether a text may stand here. */
  accepts: (text: string) => boolean = () => true;
  /** What may follow at a place. */
  complete: (text: string, at: number) => Completion | null = () => null;

  private view: EditorView | null = null;
  private readonly given = new Compartment();
  private options = "";
  private marked = "";
  /** Whether the list of what may follow was asked for, and did not come by itself. */
  private asked = false;
  /** Whether what was typed is on screen and not told yet. */
  private untold = false;

  constructor() {
    super();
    // What follows a text, such as saving or running, begins with what was typed before.
    const tell = () => this.tell();
    const asks = (e: KeyboardEvent) =>
      e.ctrlKey || e.metaKey || e.altKey || (e.shiftKey && e.key === "Enter") || e.key === "Escape" || e.key === "Tab";
    this.addEventListener("keydown", (e) => asks(e) && tell(), { capture: true });
    this.addEventListener("focusout", tell);
  }

  /** Opens the editor, or gives it other options. */
  show(text: string, options: CodeOptions) {
    const { untold } = this;
    const key = JSON.stringify(options);
    if (!this.view) this.open(text, options);
    else if (key !== this.options) this.view.dispatch({ effects: this.given.reconfigure(this.extensions(options)) });
    this.options = key;
    if (!untold) this.value = text; // else it is older than what is on screen
  }

  /** Tells what was typed, once it is on screen: the page that is drawn for it holds up no key. */
  private typed() {
    if (this.untold) return;
    this.untold = true;
    requestAnimationFrame(() => setTimeout(() => this.tell()));
  }

  private tell() {
    if (!this.untold || !this.view) return;
    this.untold = false;
    this.written(this.value);
  }

  get value() {
    return this.view?.state.doc.toString() ?? "";
  }

  /** Puts another text in the place of the present one: only what differs is replaced, so that carets and undo stay true. */
  set value(text: string) {
    const now = this.value;
    if (!this.view || now === text) return;
    let from = 0;
    while (from < now.length && from < text.length && now[from] === text[from]) from++;
    let same = 0;
    while (same < now.length - from && same < text.length - from && now.at(-1 - same) === text.at(-1 - same)) same++;
    this.view.dispatch({ changes: { from, to: now.length - same, insert: text.slice(from, text.length - same) }, userEvent: "set" });
  }

  /** Marks what is wrong. */
  mark(marks: Mark[]) {
    const key = JSON.stringify(marks);
    if (!this.view || key === this.marked) return;
    this.marked = key;
    const text = this.value;
    const wrong = marks.map((m): Diagnostic => {
      const [from, to] = rangeOf(text, m);
      return { from, to, severity: "error", message: m.text };
    });
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        wrong.sort((a, b) => a.from - b.from),
      ),
    );
  }

  /** Selects a part of the text and shows it. */
  reveal(from: number, to: number) {
    const length = this.value.length;
    this.view?.dispatch({ selection: { anchor: Math.min(from, length), head: Math.min(to, length) }, scrollIntoView: true });
    this.focus();
  }

  /** The caret in the text, and the language of the field that it is; "" where it is a whole body. */
  get caret(): { at: number; lang: string } {
    const { lang = "" } = JSON.parse(this.options || "{}") as Partial<CodeOptions>;
    return { at: this.view?.state.selection.main.head ?? 0, lang };
  }

  override focus() {
    this.view?.focus();
  }

  /** Whether the editor needs a key for itself: a panel or a list is open, or a word of an input method. */
  keeps(event: KeyboardEvent): boolean {
    const { view } = this;
    const inner = event.composedPath()[0];
    if (!view || event.isComposing || event.keyCode === 229) return true;
    if (inner instanceof Element && inner.closest(".cm-panel")) return true;
    if (event.key !== "Escape") return false;
    return completionStatus(view.state) === "active" || searchPanelOpen(view.state) || view.state.selection.ranges.length > 1;
  }

  disconnectedCallback() {
    this.tell();
    this.view?.destroy();
    this.view = null;
  }

  private open(text: string, options: CodeOptions) {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    colour(root);
    const state = EditorState.create({ doc: text, extensions: [this.fixed(), this.given.of(this.extensions(options))] });
    this.view = new EditorView({ state, parent: root, root });
  }

  private fixed(): Extension {
    return [
      theme,
      history(),
      drawSelection(),
      EditorState.allowMultipleSelections.of(true),
      rectangularSelection(),
      crosshairCursor(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches({ minSelectionLength: 2 }),
      search({ top: true }),
      syntaxHighlighting(classHighlighter),
      chipMarks,
      typedOver,
      EditorState.tabSize.of(2),
      // The list is there with the letter that opened it, so no key needs to wait for it. Nothing in it is chosen until somebody asked for it
      // or walked into it: whoever types whole lines is not answered with words that he did not write.
      autocompletion({
        selectOnOpen: false,
        override: [(at) => this.suggest(at)],
        activateOnTypingDelay: 0,
        interactionDelay: 0,
        icons: false,
        maxRenderedOptions: 9, // a list that scrolls could not be reached by keys
      }),
      keymap.of([
        { key: "F8", run: nextMark },
        { key: "Tab", run: takeFirst },
        { key: "Enter", run: (view) => this.asked && takeFirst(view) },
      ]),
      keymap.of([...completionKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorState.transactionFilter.of((tr) => (tr.docChanged && !tr.isUserEvent("set") && !this.accepts(tr.newDoc.toString()) ? [] : tr)),
      EditorView.updateListener.of((u) => {
        if (u.docChanged && !u.transactions.every((tr) => tr.isUserEvent("set"))) this.typed();
      }),
    ];
  }

  private extensions(o: CodeOptions): Extension {
    const numbers = [lineNumbers({ formatNumber: (n) => String(n + o.first - 1) }), highlightActiveLineGutter(), lintGutter()];
    return [
      languageOf(o.kind),
      o.first > 0 ? numbers : [EditorView.lineWrapping, proseTheme],
      o.high ? [] : EditorView.theme({ ".cm-scroller": { maxHeight: "772px", overflow: "auto" } }),
      EditorState.readOnly.of(o.readOnly),
      EditorState.phrases.of(o.phrases),
      EditorView.contentAttributes.of({
        "aria-label": o.label,
        "aria-invalid": String(o.invalid),
        spellcheck: "false",
        ...(o.readOnly ? { "aria-readonly": "true" } : {}),
        ...(o.lang ? { lang: o.lang } : {}),
      }),
    ];
  }

  private suggest(at: CompletionContext): CompletionResult | null {
    const text = at.state.doc.toString();
    const found = this.complete(text, at.pos);
    this.asked = at.explicit;
    if (!found) return null;
    const options = found.list.map((s) => ({
      label: s.text,
      detail: s.about,
      apply: (view: EditorView, _: unknown, from: number, to: number) => view.dispatch(taken(view.state, s.text, from, to)),
    }));
    return { from: found.from, options, filter: false };
  }
}

/** What a suggestion changes. A brace that was typed to close it already is not doubled; one that closes a mapping stays. */
function taken(state: EditorState, text: string, from: number, to: number): TransactionSpec {
  const line = state.doc.lineAt(to);
  const rest = `${line.text.slice(0, from - line.from)}${line.text.slice(to - line.from)}`;
  const open = rest.split("{").length - rest.split("}").length;
  const doubled = text.endsWith("}") && open < 0 && state.sliceDoc(to, to + 1) === "}" ? 1 : 0;
  return {
    changes: { from, to: to + doubled, insert: text },
    selection: { anchor: from + text.length },
    userEvent: "input.complete",
    scrollIntoView: true,
  };
}

customElements.define("code-editor", CodeElement);
