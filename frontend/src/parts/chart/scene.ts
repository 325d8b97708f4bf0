import { flow } from "./flow";
import { breaks, measure, shorten, wrap } from "./labels";
import { drawMarks } from "./marks";
import { over, textured } from "./over";
import { type Axis, type Plan, wordsIn } from "./plan";

// Plans are laid out as internal/charts/scene.go does it for files: what changes here changes there. The cases in
// internal/charts/testdata hold both to the same numbers.

export interface Shape {
  class: string;
  d?: string;
  x?: number;
  y?: number;
  w?: number;
  h?: number;
  text?: string;
  anchor?: "middle" | "end";
  /** Of the plan: which mark it belongs to. */
  mark?: number;
}

/** A rectangle. */
export type Box = [x: number, y: number, w: number, h: number];

/** A plan laid out for a width, in pixels. */
export interface Scene {
  width: number;
  height: number;
  shapes: Shape[];
  spots: [number, number][];
  /** Where each mark can be pointed at, or each place, and each category: only the page needs to know. */
  areas: Box[];
  ticks: { axis: "x" | "y"; at: number; box: Box }[];
  /** Where labels of marks stand: left, top, right, bottom. */
  taken: [number, number, number, number][];
  /** Labels that would stand over others. */
  left: number;
}

export const em = 12;
export const line = 15;
export const gap = 8;
const slot = 22;
const tall = 240;
const mostEm = 24;
const compact = 480;
const levels = 7;

export const px = (v: number) => Math.floor(v * 10 + 0.5) / 10 + 0;

/** Joins letters and lengths of a path. */
export const path = (...parts: (string | number)[]) => parts.map((p) => (typeof p === "string" ? p : String(px(p)))).join("");

/** The place of one facet. */
export class Panel {
  left = 0;
  top = 0;
  width = 0;
  height = 0;
  /** The mark that is drawn. */
  mark: number | undefined;
  constructor(
    readonly s: Scene,
    readonly p: Plan,
    readonly facet: number,
    readonly lang: string,
    readonly flip: boolean,
  ) {}

  x = (v: number) => this.left + along(this.flip ? this.p.y : this.p.x, v) * this.width;

  y = (v: number) => {
    const axis = this.flip ? this.p.x : this.p.y;
    return this.top + (axis.category ? along(axis, v) : 1 - along(axis, v)) * this.height;
  };

  text(cls: string, text: string, x: number, y: number, anchor?: "middle" | "end") {
    if (text) this.push({ class: cls, text, x: px(x), y: px(y), ...(anchor && { anchor }) });
  }

  /** Writes the label of a mark where no other one stands, the first come first; false: there is no room for it. */
  label(cls: string, text: string, x: number, y: number, anchor?: "middle" | "end"): boolean {
    const wide = measure(text) * em;
    const from = x - (anchor === "middle" ? wide / 2 : anchor === "end" ? wide : 0);
    const to = from + wide;
    if (this.s.taken.some(([l, t, r, b]) => from < r && l < to && y - 10 < b && t < y + 3)) {
      this.s.left++;
      return false;
    }
    this.s.taken.push([from, y - 10, to, y + 3]);
    this.text(cls, text, x, y, anchor);
    return true;
  }

  draw(cls: string, d: string) {
    this.push({ class: cls, d });
  }

  rect(cls: string, x: number, y: number, w: number, h: number) {
    this.push({ class: cls, x: px(x), y: px(y), w: px(Math.max(0, w)), h: px(Math.max(0, h)) });
  }

  private push(shape: Shape) {
    this.s.shapes.push(this.mark === undefined ? shape : { ...shape, mark: this.mark });
  }

  /** Where a mark is, and where it can be pointed at: by default around it. */
  spot(i: number, x: number, y: number, area: Box = [x - 11, y - 11, 22, 22]) {
    this.s.spots[i] = [px(x), px(y)];
    this.s.areas[i] = area;
  }
}

/** Lays a plan out. Widths are 280 and more. */
export function draw(p: Plan, lang: string, width: number): Scene {
  const s: Scene = { width, height: 0, shapes: [], spots: p.marks.map(() => [0, 0]), areas: [], ticks: [], taken: [], left: 0 };
  if (p.mark === "over") {
    over(s, p, lang);
    return s;
  }
  let top = legend(s, p, lang, 0);
  const panels = Math.max(1, p.facets?.length ?? 0);
  const columns = width >= compact ? Math.min(panels, 4, Math.max(1, Math.floor(width / 200))) : 1;
  const each = Math.floor(width / columns);
  let tallest = 0;
  for (let i = 0; i < panels; i++) {
    if (i % columns === 0) {
      top += tallest;
      tallest = 0;
    }
    const bottom = drawPanel(s, p, i, lang, (i % columns) * each, top, each - (columns > 1 ? gap : 0));
    tallest = Math.max(tallest, bottom - top);
  }
  let bottom = top + tallest;
  if (s.left > 0) {
    const a = new Panel(s, p, 0, lang, false);
    for (const l of wrap(wordsIn(p.crowded, lang).replaceAll("{n}", String(s.left)), (width - 4) / em)) {
      bottom += line;
      a.text("tick", l, 0, bottom - 4);
    }
  }
  s.height = px(bottom);
  return s;
}

/** Whether series are named at their ends in the place of a legend. */
export function atEnds(p: Plan, width: number): boolean {
  const names = p.colour?.names?.length ?? 0;
  return p.mark === "line" && names > 0 && names <= 4 && !p.facets?.length && width >= compact;
}

/** Explains the colours from a place downwards, and returns where it ends. */
export function legend(s: Scene, p: Plan, lang: string, top: number): number {
  if (!p.colour || atEnds(p, s.width)) return top + 4;
  const a = new Panel(s, p, 0, lang, false);
  let x = 0;
  let y = top + line;
  const title = shorten(wordsIn(p.colour.title, lang), s.width / em - 1);
  a.text("name", title, x, y);
  x = measure(title) * em + 2 * gap;
  if (!p.colour.names?.length) {
    if (x + 260 > s.width) {
      x = 0;
      y += line;
    }
    const [from, to] = [wordsIn(p.colour.ends?.[0], lang), wordsIn(p.colour.ends?.[1], lang)];
    a.text("tick", from, x, y);
    x += measure(from) * em + gap;
    for (let i = 0; i < levels; i++, x += 20) a.rect(shade(p, i), x, y - 10, 20, 12);
    a.text("tick", to, x + gap, y);
    return y + 12;
  }
  for (const [i, name] of p.colour.names.entries()) {
    const text = shorten(wordsIn(name, lang), Math.min(mostEm, s.width / em - 3));
    const w = 16 + measure(text) * em + 2 * gap;
    if (x + w > s.width && x > 0) {
      x = 0;
      y += line + 3;
    }
    if (p.mark === "line" || p.mark === "point") a.draw(`dot c${i}`, symbol(i, x + 6, y - 4, 5));
    else a.rect(`bar c${i % 8}`, x, y - 10, 12, 12);
    const d = p.mark === "over" && textured(i, x, y - 10, 12, 12);
    if (d) a.draw("hatch", d);
    a.text("tick", text, x + 16, y);
    x += w;
  }
  return y + 12;
}

/** The class of a level of colour. */
export function shade(p: Plan, level: number): string {
  if (level < 0) return "none";
  return `${p.colour?.diverging ? "d" : "l"}${level}`;
}

/** The outline of a mark of a series: colour is not the only sign. */
export function symbol(series: number, x: number, y: number, r: number): string {
  switch (series % 4) {
    case 1:
      return path("M", x - r * 0.9, " ", y - r * 0.9, "h", 1.8 * r, "v", 1.8 * r, "h", -1.8 * r, "Z");
    case 2:
      return path("M", x, " ", y - 1.1 * r, "l", 1.1 * r, " ", 2 * r, "h", -2.2 * r, "Z");
    case 3:
      return path("M", x, " ", y - 1.3 * r, "l", 1.3 * r, " ", 1.3 * r, "l", -1.3 * r, " ", 1.3 * r, "l", -1.3 * r, " ", -1.3 * r, "Z");
  }
  return path("M", x - r, " ", y, "a", r, " ", r, " 0 1 0 ", 2 * r, " 0a", r, " ", r, " 0 1 0 ", -2 * r, " 0Z");
}

/** Whether categories run down: as soon as their labels would be cut below the bars. */
export function flipped(p: Plan, width: number): boolean {
  if (p.list) return true;
  if ((p.mark !== "bar" && p.mark !== "box") || !p.x.category) return false;
  const room = (width - 50) / em / Math.max(1, p.x.ticks.length) - 0.6;
  return p.x.ticks.some((t) =>
    ["en", "ja"].some((lang) => {
      const lines = wrap(wordsIn(t.text, lang), room);
      const [first = "", second = ""] = lines;
      return lines.length > 1 && (second.startsWith("…") || room < 4 || torn(first, second, wordsIn(t.text, lang)));
    }),
  );
}

/** Whether a line ends within a word. */
function torn(first: string, second: string, text: string): boolean {
  return first + second === text && !breaks([...first].at(-1) ?? "", [...second][0] ?? "");
}

/** How many bars stand beside each other. */
export const lanesOf = (p: Plan) => p.colour?.lanes ?? 0;

export const seriesOf = (p: Plan) => p.colour?.names?.length ?? 0;

function drawPanel(s: Scene, p: Plan, facet: number, lang: string, x: number, top: number, width: number): number {
  const a = new Panel(s, p, facet, lang, flipped(p, width));
  let y = top;
  if (p.facets?.length) {
    a.text("name", shorten(wordsIn(p.facets[facet], lang), width / em), x, y + line);
    y += line + 6;
  }
  if (p.mark === "flow") return flow(a, x, y, width);
  const [vertical, horizontal] = a.flip ? [p.x, p.y] : [p.y, p.x];
  const labels = vertical.ticks.map((t) => {
    const text = wordsIn(t.text, lang);
    return vertical.category ? wrap(text, Math.min(mostEm, Math.floor((width * 0.42) / em))) : [text];
  });
  const down = Math.max(0, ...labels.flat().map((l) => measure(l) * em));
  let right = 12;
  if (p.list) right = Math.max(right, ...p.marks.map((m) => measure(m.text ?? "") * em + gap));
  else if (a.flip && p.mark === "bar") right = 52;
  else if (atEnds(p, s.width)) {
    for (const n of p.colour?.names ?? []) right = Math.max(right, 2 * gap + measure(shorten(wordsIn(n, lang), 12)) * em);
  }
  const title = wordsIn(vertical.title, lang);
  if (title) {
    a.text("name", shorten(title, (width - 4) / em), x, y + line);
    y += line + 6;
  }
  a.left = x + down + 10;
  a.top = y + 12;
  a.width = Math.max(40, width - down - 10 - right);
  a.height = tall;
  if (vertical.category) {
    let each = a.flip && p.mark === "bar" ? Math.max(slot, Math.max(1, lanesOf(p)) * 13 + 8) : slot;
    if (labels.some((l) => l.length > 1)) each = Math.max(each, 2 * line + 4);
    if (p.mark === "heat") each = Math.max(each, 28);
    each = Math.max(each, p.rise ?? 0);
    a.height = each * Math.max(1, vertical.ticks.length);
  }
  sides(a, vertical, labels);
  const bottom = p.list ? a.top + a.height : below(a, horizontal);
  guides(a);
  drawMarks(a);
  return bottom + 4;
}

export function along(a: Axis, v: number): number {
  let [low, high] = a.domain;
  let at = v;
  if (a.log) [low, high, at] = [Math.log10(low), Math.log10(high), Math.log10(Math.max(v, a.domain[0]))];
  return high <= low ? 0.5 : Math.min(1, Math.max(0, (at - low) / (high - low)));
}

function sides(a: Panel, axis: Axis, labels: string[][]) {
  for (const [i, t] of axis.ticks.entries()) {
    const y = a.y(t.at);
    if (!axis.category) a.draw("grid", path("M", a.left, " ", y, "h", a.width));
    const lines = labels[i] ?? [];
    const wide = Math.max(24, ...lines.map((l) => measure(l) * em + 4));
    if (axis.category) a.s.ticks.push({ axis: a.flip ? "x" : "y", at: t.at, box: [a.left - 4 - wide, y - 12, wide, 24] });
    for (const [k, l] of lines.entries()) a.text("tick", l, a.left - 6, y + 4 + line * (k - (lines.length - 1) / 2), "end");
  }
  if (axis.category) a.draw("axis", path("M", a.left, " ", a.top, "v", a.height));
}

/** Labels of the horizontal axis. Those for which there is no room are left out, none is cut. */
function below(a: Panel, axis: Axis): number {
  let y = a.top + a.height;
  a.draw("axis", path("M", a.left, " ", y, "h", a.width));
  const room = a.width / em / Math.max(1, axis.ticks.length) - 0.6;
  const labels = axis.ticks.map((t) => {
    const text = wordsIn(t.text, a.lang);
    if (!axis.category) return [text];
    return room >= 3 ? wrap(text, room) : [shorten(text, 8)];
  });
  const lines = Math.max(1, ...labels.map((l) => l.length));
  const widest = Math.max(0, ...labels.flat().map((l) => measure(l) + 0.6));
  const every = Math.max(1, Math.ceil((widest * axis.ticks.length) / (a.width / em) - 0.01));
  for (const [i, t] of axis.ticks.entries()) {
    if (i % every !== 0) continue;
    const x = a.x(t.at);
    if (!axis.category) a.draw("grid", path("M", x, " ", a.top, "v", a.height));
    else a.s.ticks.push({ axis: a.flip ? "y" : "x", at: t.at, box: [x - 13, y + 2, 26, 24] });
    for (const [k, l] of (labels[i] ?? []).entries()) {
      const half = (measure(l) * em) / 2 + 2;
      a.text("tick", l, Math.min(Math.max(x, half), a.s.width - half), y + line + k * line, "middle");
    }
  }
  y += line * lines + 2;
  const title = wordsIn(axis.title, a.lang);
  if (title) {
    for (const l of wrap(title, (a.width + a.left - (a.p.facets?.length ? a.left : 0)) / em)) {
      y += line;
      a.text("name", l, a.left + a.width, y, "end");
    }
  }
  return y + gap;
}

function guides(a: Panel) {
  for (const l of a.p.lines ?? []) {
    const title = shorten(wordsIn(l.title, a.lang), a.width / em);
    const v = l.y ?? l.x ?? 0;
    if ((l.y !== undefined) !== a.flip) {
      const y = a.y(v);
      a.draw("guide", path("M", a.left, " ", y, "h", a.width));
      a.text("guidename", title, a.left + a.width, y - 4, "end");
      continue;
    }
    const x = a.x(v);
    a.draw("guide", path("M", x, " ", a.top, "v", a.height));
    const out = x + 4 + measure(title) * em > a.s.width;
    a.text("guidename", title, out ? x - 4 : x + 4, a.top + 8, out ? "end" : undefined);
  }
}
