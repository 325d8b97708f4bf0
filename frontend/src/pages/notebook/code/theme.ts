import { EditorView } from "@codemirror/view";

const mono = "var(--mantine-font-family-monospace)";
const input = { border: "1px solid var(--line-strong)", borderRadius: "5px", background: "var(--surface)", color: "var(--ink)" };

/** The colours of the page, by the variables that pass the border of the shadow root: they follow light and dark by themselves. */
export const theme = EditorView.theme({
  "&": {
    color: "var(--ink)",
    backgroundColor: "var(--surface)",
    fontSize: "13px",
    borderRadius: "6px",
    border: "1px solid var(--line-strong)",
  },
  "&.cm-focused": { outline: "none" },
  "&:focus-within": { borderColor: "var(--accent)" }, // the class comes ten milliseconds after the focus
  ".cm-scroller": { fontFamily: mono, lineHeight: "19px" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-faint)", borderRight: "1px solid var(--line)", fontSize: "12px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-activeLineGutter": { color: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--mark-evidence)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--worse-soft)" },
  ".cm-searchMatch": { backgroundColor: "var(--mark-quote)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--mark-evidence)" },
  ".cm-panels": { backgroundColor: "var(--hover)", color: "var(--ink)", borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search label": { fontSize: "12px", color: "var(--ink)" },
  ".cm-textfield": { ...input, padding: "2px 6px", fontSize: "12.5px" },
  ".cm-button": { ...input, backgroundImage: "none", padding: "2px 8px", fontSize: "12px", cursor: "pointer" },
  ".cm-button:active": { backgroundImage: "none", background: "var(--hover)" },
  ".cm-panel.cm-search [name=close]": { color: "var(--ink)", fontSize: "16px" },
  ".cm-textfield:focus-visible, .cm-button:focus-visible, [name=close]:focus-visible, input:focus-visible": {
    outline: "2px solid var(--accent)",
    outlineOffset: "1px",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line-strong)",
    borderRadius: "7px",
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "0 6px 22px rgb(0 0 0 / 22%)",
    zIndex: "30",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: mono, maxHeight: "none", maxWidth: "min(560px, 90vw)", padding: "4px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", borderRadius: "5px", lineHeight: "1.4" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-completionDetail": { fontFamily: "var(--mantine-font-family)", fontStyle: "normal", fontSize: "12px", color: "var(--ink-soft)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic": { padding: "4px 10px", maxWidth: "560px", fontFamily: "var(--mantine-font-family)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--worse)" },
  ".cm-lintRange-error, .cm-lintRange-active": {
    backgroundImage: "none",
    backgroundColor: "var(--worse-soft)",
    textDecoration: "underline wavy var(--worse) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintPoint-error:after": { borderBottomColor: "var(--worse)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-lint-marker-error": { content: "'▲'", color: "var(--worse)", width: "auto", fontSize: "10px" },
});

/** Prose has no numbers, and the letters of the page. */
export const proseTheme = EditorView.theme({
  ".cm-scroller": { fontFamily: "inherit", fontSize: "13.5px", lineHeight: "1.55" },
  ".cm-content": { padding: "6px 0", minHeight: "52px" },
});
