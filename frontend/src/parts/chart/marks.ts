import { bubble, corner, hatchedBox } from "./bubbles";
import { measure, shorten } from "./labels";
import { type Mark, shown, wordsIn } from "./plan";
import { atEnds, em, lanesOf, type Panel, path, seriesOf, shade, symbol } from "./scene";

// The marks of a panel, as internal/charts/scene_marks.go draws them.

/** Draws what belongs to a panel. */
export function drawMarks(a: Panel) {
  const kind = a.p.mark;
  if (kind === "flow" || kind === "over") return; // laid out by itself
  if (kind === "line" || kind === "area") return series(a);
  if (kind === "bubble") corner(a);
  const along = (a.p.path ?? []).flatMap((at) => a.p.marks[at] ?? []);
  if (along.length > 0) a.draw("line c0", along.map((m, i) => path(i === 0 ? "M" : "L", a.x(m.x), " ", a.y(m.y))).join(""));
  const each = { bar, point, heat, box, hist: bin, rule, text: label, hex: hexagon, bubble }[kind];
  for (const [i, m] of a.p.marks.entries()) {
    a.mark = i;
    if ((m.facet ?? 0) === a.facet) each(a, i, m);
  }
  a.mark = undefined;
}

const colour = (m: Mark) => `c${m.colour ?? 0}`;
const barOf = (m: Mark) => `bar ${m.apart ? "apart " : ""}${colour(m)}`;

/** Where the bars of a category begin and how thick each is. */
function lane(a: Panel, m: Mark): [number, number] {
  const each = (a.flip ? a.height : a.width) / Math.max(1, a.p.x.ticks.length);
  const n = Math.max(1, lanesOf(a.p));
  const used = Math.min(each * 0.8, n * 56);
  const at = n === 1 ? 0 : (m.colour ?? 0);
  return [(m.x + 0.5) * each - used / 2 + (at * used) / n, used / n];
}

function valueText(a: Panel, m: Mark): string {
  if (m.text) return m.text;
  const i = a.p.head.findIndex((h) => h.number);
  const head = a.p.head[i];
  return head ? shown(head, a.p.rows[m.row]?.[i]) : "";
}

function bar(a: Panel, i: number, m: Mark) {
  const [from, thick] = lane(a, m);
  const text = valueText(a, m);
  const base = m.base ?? 0;
  const [low, high] = m.span ?? [];
  if (a.flip) {
    const y = a.top + from;
    const [x0, x1] = [a.x(base), a.x(m.y)];
    a.rect(barOf(m), Math.min(x0, x1), y + 0.5, Math.abs(x1 - x0), thick - 1);
    if (m.part) {
      const w = a.x(m.part) - x0;
      a.rect("part", x0, y + 0.5, w, thick - 1);
      a.draw("hatch", hatchedBox(x0, y + 0.5, w, thick - 1));
    }
    let end = Math.max(x0, x1);
    if (low !== undefined && high !== undefined) {
      const [l, h, mid] = [a.x(low), a.x(high), y + thick / 2];
      a.draw("err", path("M", l, " ", mid, "H", h, "M", l, " ", mid - 3, "v", 6, "M", h, " ", mid - 3, "v", 6));
      end = Math.max(end, h);
    }
    if (thick >= 11) a.text("value", text, end + 4, y + thick / 2 + 4);
    a.spot(i, x1, y + thick / 2, [0, y - 1, a.s.width, thick + 2]);
    return;
  }
  const x = a.left + from;
  const [y0, y1] = [a.y(base), a.y(m.y)];
  a.rect(barOf(m), x + 0.5, Math.min(y0, y1), thick - 1, Math.abs(y1 - y0));
  let end = Math.min(y0, y1);
  if (low !== undefined && high !== undefined) {
    const [l, h, mid] = [a.y(low), a.y(high), x + thick / 2];
    a.draw("err", path("M", mid, " ", l, "V", h, "M", mid - 3, " ", l, "h", 6, "M", mid - 3, " ", h, "h", 6));
    end = Math.min(end, h);
  }
  const room = lanesOf(a.p) <= 1 ? a.width / Math.max(1, a.p.x.ticks.length) - 2 : thick + 2;
  if (measure(text) * em <= room && end - 4 >= a.top - 6) a.text("value", text, x + thick / 2, end - 4, "middle");
  a.spot(i, x + thick / 2, y1, [x, a.top, thick, a.height]);
}

/** Lines and areas, one for each colour. */
function series(a: Panel) {
  for (let c = 0; c < Math.max(1, seriesOf(a.p)); c++) {
    const own = a.p.marks.map((m, i) => ({ m, i })).filter(({ m }) => (m.facet ?? 0) === a.facet && (m.colour ?? 0) === c);
    if (own.length === 0) continue;
    let over = "";
    let under = "";
    let last: [number, number] = [0, 0];
    for (const { m, i } of own) {
      const [x, y] = [a.x(m.x), a.y(m.y)];
      over += path(over === "" ? "M" : "L", x, " ", y);
      under = path("L", x, " ", a.y(m.base ?? 0)) + under;
      last = [x, y];
      a.spot(i, x, y);
    }
    if (a.p.mark === "area") a.draw(`area c${c}`, `${over}${under}Z`);
    a.draw(`line c${c}`, over);
    for (const { m } of own) {
      const x = a.x(m.x);
      const [low, high] = m.span ?? [];
      if (low !== undefined && high !== undefined) a.draw("err", path("M", x, " ", a.y(low), "V", a.y(high)));
      if (a.p.mark === "line" && own.length <= 60) a.draw(`dot c${c}`, symbol(c, x, a.y(m.y), 3.5));
    }
    if (atEnds(a.p, a.s.width)) {
      a.text(`value n${c}`, shorten(wordsIn(a.p.colour?.names?.[c], a.lang), 12), last[0] + 8, last[1] + 4);
    }
  }
}

function point(a: Panel, i: number, m: Mark) {
  const [x, y] = [a.x(m.x), a.y(m.y)];
  const r = m.size ? Math.max(2.5, 14 * Math.sqrt(m.size)) : 3.5;
  join(a, `dot ${colour(m)}`, symbol(m.colour ?? 0, x, y, r), !m.size);
  if (m.text) beside(a, m.text, x, y, r);
  a.spot(i, x, y);
}

/** Adds to the path of a class, so that thousands of points are a few shapes. */
function join(a: Panel, cls: string, d: string, together: boolean) {
  const list = a.s.shapes;
  for (let i = list.length - 1; together && i >= 0 && list[i]?.d && list.length - i <= 8; i--) {
    const shape = list[i];
    if (shape?.class !== cls) continue;
    shape.d += d;
    return;
  }
  a.draw(cls, d);
}

/** By how much a font may be wider than labels are measured, where they stand at an edge. */
const wide = 1.15;

/** Names a point, on the side where there is room. */
function beside(a: Panel, text: string, x: number, y: number, r: number) {
  const short = shorten(text, Math.min(24, a.s.width / em / 2));
  if (x + r + 3 + measure(short) * em * wide > a.s.width) a.label("value", short, x - r - 3, y + 4, "end");
  else a.label("value", short, x + r + 3, y + 4);
}

function heat(a: Panel, i: number, m: Mark) {
  const [w, h] = [a.width / Math.max(1, a.p.x.ticks.length), a.height / Math.max(1, a.p.y.ticks.length)];
  const [x, y] = [a.x(m.x), a.y(m.y)];
  const level = m.colour ?? 0;
  a.rect(`tile ${shade(a.p, level)}`, x - w / 2 + 0.5, y - h / 2 + 0.5, w - 1, h - 1);
  const strong = level >= 5 || (level >= 0 && level < 2 && a.p.colour?.diverging);
  if (measure(m.text ?? "") * em <= w - 2) a.text(strong ? "on strong" : "on", m.text ?? "", x, y + 4, "middle");
  a.spot(i, x, y);
}

function box(a: Panel, i: number, m: Mark) {
  const [begin, broad] = lane(a, m);
  const thick = Math.min(broad, 40);
  const from = begin + (broad - thick) / 2;
  const span = m.span ?? [];
  if (a.flip) {
    const y = a.top + from + thick / 2;
    const [v0 = 0, v1 = 0, v2 = 0, v3 = 0, v4 = 0] = span.map(a.x);
    a.draw("err", path("M", v0, " ", y, "H", v1, "M", v3, " ", y, "H", v4, "M", v0, " ", y - 4, "v", 8, "M", v4, " ", y - 4, "v", 8));
    a.rect(`box ${colour(m)}`, v1, y - thick / 2 + 1, v3 - v1, thick - 2);
    a.draw("middle", path("M", v2, " ", y - thick / 2 + 1, "v", thick - 2));
    for (const o of m.out ?? []) a.draw("out", symbol(0, a.x(o), y, 2.5));
    a.spot(i, v2, y);
    return;
  }
  const x = a.left + from + thick / 2;
  const [v0 = 0, v1 = 0, v2 = 0, v3 = 0, v4 = 0] = span.map(a.y);
  a.draw("err", path("M", x, " ", v0, "V", v1, "M", x, " ", v3, "V", v4, "M", x - 4, " ", v0, "h", 8, "M", x - 4, " ", v4, "h", 8));
  a.rect(`box ${colour(m)}`, x - thick / 2 + 1, v3, thick - 2, v1 - v3);
  a.draw("middle", path("M", x - thick / 2 + 1, " ", v2, "h", thick - 2));
  for (const o of m.out ?? []) a.draw("out", symbol(0, x, a.y(o), 2.5));
  a.spot(i, x, v2);
}

function bin(a: Panel, i: number, m: Mark) {
  const base = m.base ?? 0;
  const [x0, x1, y0, y1] = [a.x(m.x), a.x(m.x2 ?? 0), a.y(base), a.y(m.y)];
  if (m.y > base) a.rect(`bar ${colour(m)}`, x0 + 0.5, y1, x1 - x0 - 1, y0 - y1);
  a.spot(i, (x0 + x1) / 2, y1);
}

function rule(a: Panel, i: number, m: Mark) {
  const y = a.y(m.y);
  a.draw(`line ${colour(m)}`, path("M", a.left, " ", y, "h", a.width));
  if (m.text) a.text("value", shorten(m.text, a.width / em), a.left + a.width, Math.max(y - 4, a.top + 8), "end");
  a.spot(i, a.left + a.width / 2, y);
}

/** A text at its place, and a point where there is no room for it. */
function label(a: Panel, i: number, m: Mark) {
  const [x, y] = [a.x(m.x), a.y(m.y)];
  const text = shorten(m.text ?? "", Math.min(24, a.s.width / em / 2));
  const half = (measure(text) * em * wide) / 2;
  if (!a.label(`value n${m.colour ?? 0}`, text, Math.min(Math.max(x, half), a.s.width - half), y + 4, "middle"))
    a.draw(`dot ${colour(m)}`, symbol(m.colour ?? 0, x, y, 2.5));
  a.spot(i, x, y);
}

function hexagon(a: Panel, i: number, m: Mark) {
  const [x, y] = [a.x(m.x), a.y(m.y)];
  const [w, h] = [((m.size ?? 0) * a.width) / 2, (m.size ?? 0) * a.height * 0.5];
  const d = ["M", x, " ", y - 2 * h, "L", x + w, " ", y - h, "V", y + h, "L", x, " ", y + 2 * h, "L", x - w, " ", y + h, "V", y - h, "Z"];
  a.draw(`tile ${shade(a.p, m.colour ?? 0)}`, path(...d));
  a.spot(i, x, y);
}
