import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { at, expect, folderOf, settled } from "./watch.ts";

/** A cell of the notebook on screen. */
export const cell = (page: Page, name: string) => page.locator(`[data-cell="${name}"]`);

/** The beginning of a notebook over the demo: a parameter k, the corpus, the first questions, and a configuration of these lines. */
export const beginning = (title: string, limit: number, config: string) => `---
ragnb: 1
title: ${title}
---

\`\`\`rag params p
k: {type: integer, default: 3}
\`\`\`

\`\`\`rag corpus docs
source: airline-en
\`\`\`

\`\`\`rag dataset qa
source: airline-en
limit: ${limit}
\`\`\`

\`\`\`rag config base
corpus: docs
${config}
\`\`\`
`;

/** The file of a notebook. */
export const fileOf = (name: string) => join(folderOf("work"), "notebooks", `${name}.rag.md`);

/** Waits until everything that was written is on disk. */
export const saved = (page: Page) => expect(page.locator("[role=status][data-saved=true]")).toBeVisible();

/** Makes a notebook from an entry of the gallery, or of a text, and opens it. */
export async function open(page: Page, name: string, text?: string, search = "") {
  const response = await page.request.post(`${at("work")}/api/v1/notebooks`, {
    data: { name, ...(text ? { text } : { from: "airline-study" }) },
    headers: { origin: at("work") },
  });
  expect(response.ok(), await response.text()).toBe(true);
  await page.goto(`${at("work")}/notebooks/${name}${search}`);
  await settled(page);
}

/** The editor inside a place, once its code has come: until then a plain field stands there. */
export const editorIn = (place: Locator) => place.locator("code-editor").getByRole("textbox");

/** Writes a text in the place of the one in an editor. */
export async function write(editor: Locator, text: string) {
  await editor.focus();
  await editor.press("ControlOrMeta+A");
  await editor.page().keyboard.insertText(text);
}
