import type { Page } from "@playwright/test";

/**
 * What a reader of the screen would miss in the structure of a page, beyond what axe looks at: its one heading, the name of the tab,
 * landmarks, names of tables, texts of charts, and what only a mouse can do.
 */
export async function unstructured(page: Page, name: string): Promise<string[]> {
  const found = await page.evaluate(() => {
    const faults: string[] = [];
    const shown = (e: Element) => e.checkVisibility({ visibilityProperty: true }) && !e.closest("[aria-hidden=true]");
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(shown);
    const text = (e?: Element | null) => (e?.textContent ?? "").replace(/\s+/g, " ").trim();
    const labelled = (e: Element) =>
      (e.getAttribute("aria-label") ?? "").trim() ||
      (e.getAttribute("aria-labelledby") ?? "")
        .split(/\s+/)
        .map((id) => text(id ? document.getElementById(id) : null))
        .join(" ")
        .trim();
    const told = (e: Element) =>
      `<${e.tagName.toLowerCase()}${e.className && typeof e.className === "string" ? ` class="${e.className}"` : ""}> ${text(e).slice(0, 50)}`;

    const headings = all("h1, h2, h3, h4, h5, h6");
    const tops = headings.filter((h) => h.tagName === "H1");
    if (tops.length !== 1) faults.push(`${tops.length} headings of level 1: ${tops.map(text).join(" | ")}`);
    let level = 0;
    for (const h of headings) {
      const own = Number(h.tagName[1]);
      if (own > level + 1) faults.push(`a heading of level ${own} follows one of level ${level}: ${text(h).slice(0, 60)}`);
      if (text(h) === "" && !h.querySelector("input, textarea, [aria-label]")) faults.push(`an empty heading of level ${own}`);
      level = own;
    }
    // A page that takes its heading from what is entered has it in a field.
    const heading = tops[0]?.querySelector<HTMLInputElement>("input")?.value ?? text(tops[0]);
    const tab = document.title.replace(/ – RAG Workbench$/, "");
    if (heading === "" || tab === document.title || !(tab.startsWith(heading) || heading.startsWith(tab)))
      faults.push(`the tab is called “${document.title}”, the page “${heading}”`);

    const landmarks: [string, string, number][] = [
      ["banner", "header:not(main *, [role])", 1],
      ["navigation", "nav", 1],
      ["main", "main", 1],
    ];
    for (const [role, selector, least] of landmarks) if (all(selector).length < least) faults.push(`no landmark ${role}`);
    for (const selector of ["header:not(main *, [role])", "main"]) if (all(selector).length > 1) faults.push(`several of ${selector}`);
    for (const kind of ["nav", "aside", "section[aria-label], section[aria-labelledby]"]) {
      const names = all(kind).map(labelled);
      if (names.includes("")) faults.push(`a landmark without a name: ${told(all(kind)[names.indexOf("")] as Element)}`);
      for (const twice of new Set(names.filter((n, i) => names.indexOf(n) !== i))) faults.push(`two landmarks are called “${twice}”`);
    }

    for (const table of all("table, [role=table]")) {
      if (!labelled(table) && !text(table.querySelector("caption"))) faults.push(`a table without a name: ${told(table)}`);
      if (!table.querySelector("th, [role=columnheader], [role=rowheader]")) faults.push(`a table without headers: ${told(table)}`);
      for (const th of table.querySelectorAll("thead th:not([scope])")) faults.push(`a header without its scope: ${told(th)}`);
    }
    for (const chart of all("figure, svg[role]"))
      if (!labelled(chart) && !text(chart.querySelector("figcaption"))) faults.push(`a chart without a text: ${told(chart)}`);
    for (const drawing of all("figure svg"))
      if (!drawing.hasAttribute("role")) faults.push(`a chart that is not announced: ${told(drawing)}`);

    // React keeps what listens to a click beside the element.
    const clicked = (e: Element) => {
      const key = Object.keys(e).find((k) => k.startsWith("__reactProps$"));
      return key !== undefined && typeof (e as unknown as Record<string, { onClick?: unknown }>)[key]?.onClick === "function";
    };
    const usable =
      "a[href], button, input, select, textarea, summary, label, [tabindex='0'], [role=menuitem], [role=option], [role=tab], " +
      "svg[role=group] [role=button][tabindex]"; // the marks of a chart: the arrow keys walk over them from its one stop of Tab
    for (const e of all("body *"))
      if (clicked(e) && !e.matches(usable) && !e.matches(".mantine-Overlay-root")) faults.push(`only a mouse can click ${told(e)}`);
    return [...new Set(faults)];
  });
  return found.map((fault) => `${name}: ${fault}`);
}

/**
 * What Tab does not reach, and where the focus cannot be seen: Tab is pressed from the top of the page on until it has been everywhere,
 * in an open dialog only there. Of a long table the first rows stand for the others.
 */
export async function unreachable(page: Page, name: string): Promise<string[]> {
  await page.evaluate(watchFocus);
  let before = -1;
  for (let at = await page.evaluate(walked); at.left.length > 0 && at.stops > before && at.stops < 600; at = await page.evaluate(walked)) {
    before = at.stops;
    await Promise.all(Array.from({ length: 20 }, () => page.keyboard.press("Tab")));
  }
  const { left, unseen } = await page.evaluate(walked);
  return [...left.map((e) => `${name}: Tab does not reach ${e}`), ...unseen.map((e) => `${name}: the focus is not to be seen on ${e}`)];
}

interface Walk {
  awaited: Set<Element>;
  unseen: Set<string>;
  stops: number;
}

/** In the page: notes where the focus goes, and whether anything looks different there. */
function watchFocus() {
  const usable = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const within = document.querySelector("[aria-modal=true]") ?? document;
  const row = (e: Element) => Number(e.closest<HTMLElement>("[data-row]")?.dataset.row ?? 0);
  const awaited = [...within.querySelectorAll<HTMLInputElement>(usable)].filter(
    (e) => e.checkVisibility({ visibilityProperty: true }) && e.tabIndex >= 0 && !e.disabled && e.type !== "radio" && row(e) <= 2,
  );
  const walk: Walk = { awaited: new Set(awaited), unseen: new Set(), stops: 0 };
  Object.assign(window, { walk });
  const quick = new CSSStyleSheet();
  quick.replaceSync("*, *::before, *::after { transition: none !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, quick];
  const look = (e: Element) => {
    const s = getComputedStyle(e);
    const outline = s.outlineStyle === "none" ? "" : `${s.outlineStyle} ${s.outlineWidth} ${s.outlineColor}`;
    return `${outline} ${s.boxShadow} ${s.borderColor} ${s.backgroundColor} ${s.stroke} ${s.strokeWidth} ${s.color}`;
  };
  // It may be seen on the element, on what is drawn in it or for it, or on what surrounds it.
  const looks = (e: HTMLInputElement) =>
    [e, e.parentElement, e.nextElementSibling, ...e.children, ...(e.shadowRoot?.children ?? []), ...(e.labels ?? [])]
      .map((x) => (x ? look(x) : ""))
      .join();
  document.addEventListener("focusin", (event) => {
    const e = event.target as HTMLInputElement;
    walk.stops++;
    walk.awaited.delete(e);
    const focused = looks(e);
    e.addEventListener("focusout", () => looks(e) === focused && queueMicrotask(() => looks(e) === focused && walk.unseen.add(told(e))), {
      once: true,
    });
    if (row(e) <= 2) return;
    const rows = [...(e.closest("[role=table]")?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const last = rows.at(-1);
    if (last && !last.contains(e)) (last.querySelector<HTMLElement>(usable) ?? last).focus();
  });
  const told = (e: Element) => e.outerHTML.slice(0, 150);
  (document.activeElement as HTMLElement | null)?.blur();
}

/** In the page: what is left of the walk. What has gone meanwhile is no longer awaited. */
function walked() {
  const { walk } = window as unknown as { walk: Walk };
  for (const e of walk.awaited) if (!e.isConnected || !e.checkVisibility({ visibilityProperty: true })) walk.awaited.delete(e);
  return { left: [...walk.awaited].map((e) => e.outerHTML.slice(0, 150)), unseen: [...walk.unseen], stops: walk.stops };
}
