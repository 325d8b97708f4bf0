/** What the classes of the grammar look like, in the page and in the shadow roots of editors. */
const rules = `
.tok-propertyName { color: var(--accent); }
.tok-keyword, .tok-bool, .tok-null, .tok-typeName { color: var(--mixed); }
.tok-string, .tok-string2 { color: var(--good); }
.tok-number { color: var(--check); }
.tok-comment, .tok-meta { color: var(--ink-soft); font-style: italic; }
.tok-heading, .tok-strong { color: var(--ink); font-weight: 650; }
.tok-emphasis { font-style: italic; }
.tok-strikethrough { text-decoration: line-through; }
.tok-link, .tok-url { color: var(--accent); text-decoration: underline; }
.tok-operator, .tok-punctuation { color: var(--ink-soft); }
.tok-chip { border-radius: 4px; background: var(--accent-soft); color: var(--accent); }
`;

let made: CSSStyleSheet | null = null;

/** Gives a document or a shadow root the colours of code. A sheet that is made this way is no inline style to the content security policy. */
export function colour(root: DocumentOrShadowRoot) {
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(rules);
  }
  if (!root.adoptedStyleSheets.includes(made)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, made];
}
