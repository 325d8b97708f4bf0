import { fallingBox, hatchedBox } from "./bubbles";
import { measure, shorten, wrap } from "./labels";
import { type Mark, type Plan, type Track, wordsIn } from "./plan";
import { along, em, gap, legend, line, Panel, path, px, type Scene, type Shape, symbol } from "./scene";

// Drawings below each other over the same places, as internal/charts/scene_over.go lays them out.

const trackTall = 96;
const laneTall = 17;
const mostLanes = 5;
/** More room below the name of bars, for what is written over the highest. */
const barsBelow = 10;
/** By how much a font may be wider than labels are measured. */
const bold = 1.15;

interface Strands {
  a: Panel;
  /** The width of a place. */
  wide: number;
  x: (at: number) => number;
  y: (v: number) => number;
}

/** Lays drawings out below what happened, and writes below them when. Each place can be pointed at. */
export function over(s: Scene, p: Plan, lang: string) {
  const a = new Panel(s, p, 0, lang, false);
  const places = p.places ?? [];
  const tracks = p.tracks ?? [];
  a.left = 10 + Math.max(0, ...tracks.flatMap((t) => t.y.ticks.map((tick) => measure(wordsIn(tick.text, lang)) * em)));
  a.width = s.width - a.left - 12;
  a.height = trackTall;
  const wide = a.width / Math.max(1, places.length);
  const own: Strands = { a, wide, x: (at) => a.left + (at + 0.5) * wide, y: () => 0 };
  const [lanes, first] = flags(own);
  let y = first;
  let explained = false;
  for (const [i, t] of tracks.entries()) {
    if (t.parts && !explained) {
      y = legend(s, p, lang, y) - 4;
      explained = true;
    }
    y = track(own, i, t, y);
  }
  dates(own, y);
  s.height = px(y + line + gap);
  s.areas = places.map((_, i) => [a.left + i * wide, first, wide, y + line + 4 - first]);
  const behind: Shape[] = s.areas.flatMap(([x, top], i) =>
    places[i]?.empty ? [{ class: "void", x: px(x), y: px(top), w: px(wide), h: px(y - first) }] : [],
  );
  for (const [i, l] of (p.lines ?? []).entries()) {
    const from = Math.min(lanes[i] ?? 0, mostLanes) * laneTall + 4;
    behind.push({ class: "flag", d: path("M", own.x(l.x ?? 0), " ", from, "V", y) });
  }
  s.shapes.unshift(...behind);
}

/** Writes what happened, in lanes so that no text touches another. What has no room is a line alone. */
function flags({ a, x: placeOf }: Strands): [lanes: number[], bottom: number] {
  const taken: [number, number][][] = [];
  const lanes = (a.p.lines ?? []).map((l) => {
    const x = placeOf(l.x ?? 0);
    const text = shorten(wordsIn(l.title, a.lang), Math.min(24, (Math.max(x, a.s.width - x) - gap) / em / bold));
    const broad = measure(text) * em * bold + gap;
    const end = x + broad > a.s.width;
    const [from, to] = end ? [x - broad, x + 4] : [x - 4, x + broad];
    let lane = taken.findIndex((spans) => spans.every(([b, c]) => to <= b || from >= c));
    if (lane < 0) lane = taken.push([]) - 1;
    taken[lane]?.push([from, to]);
    if (lane < mostLanes) a.text("flagname", text, end ? x - 4 : x + 4, lane * laneTall + 13, end ? "end" : undefined);
    return lane;
  });
  return [lanes, Math.min(mostLanes, taken.length) * laneTall + 4];
}

/** Draws one of the drawings and returns where it ends. */
function track(own: Strands, facet: number, t: Track, top: number): number {
  const { a } = own;
  let y = top;
  const below = (cls: string, text: string) => {
    for (const l of text ? wrap(text, (a.s.width - 4) / em) : []) {
      y += line;
      a.text(cls, l, 0, y);
    }
  };
  below("name", wordsIn(t.title, a.lang));
  a.top = y + 12 + (t.line ? 0 : barsBelow);
  own.y = (v) => a.top + (1 - along(t.y, v)) * a.height;
  const nothing = wordsIn(t.nothing, a.lang);
  if (nothing) {
    below("tick", nothing);
    return y + gap;
  }
  for (const tick of t.y.ticks) {
    a.draw("grid", path("M", a.left, " ", own.y(tick.at), "h", a.width));
    a.text("tick", wordsIn(tick.text, a.lang), a.left - 6, own.y(tick.at) + 4, "end");
  }
  const marks = a.p.marks.map((m, i) => ({ m, i })).filter(({ m }) => (m.facet ?? 0) === facet);
  if (t.line) drawLine(own, marks);
  else drawBars(own, marks, Boolean(t.parts));
  return a.top + a.height + gap;
}

type Marks = { m: Mark; i: number }[];

/** Values with the bands of their intervals, in pieces. */
function drawLine({ a, wide, x: placeOf, y: heightOf }: Strands, marks: Marks) {
  let [joined, frames, dots, band] = ["", "", "", ""];
  let piece: [x: number, high: number, low: number][] = [];
  const shut = () => {
    const [first] = piece;
    if (first && piece.length === 1) band += path("M", first[0] - 4, " ", first[1], "h", 8, "V", first[2], "h", -8, "Z");
    else if (first) {
      const upper = piece.map(([x, high], i) => path(i === 0 ? "M" : "L", x, " ", high));
      band += `${upper.join("")}${piece
        .reverse()
        .map(([x, , low]) => path("L", x, " ", low))
        .join("")}Z`;
    }
    piece = [];
  };
  let before = -2;
  for (const { m, i } of marks) {
    const [x, y] = [placeOf(m.x), heightOf(m.y)];
    const begins = m.begins || m.x !== before + 1;
    before = m.x;
    const [low, high] = m.span ?? [];
    if (begins || low === undefined || high === undefined) shut();
    if (low !== undefined && high !== undefined) piece.push([x, heightOf(high), heightOf(low)]);
    joined += path(begins ? "M" : "L", x, " ", y);
    if (m.framed) frames += path("M", x - 7, " ", y - 7, "h", 14, "v", 14, "h", -14, "Z");
    dots += symbol(0, x, y, Math.min(3.5, wide / 2.4));
    a.spot(i, x, y);
  }
  shut();
  for (const [cls, d] of [
    ["band c0", band],
    ["line c0", joined],
    ["frame", frames],
    ["dot c0", dots],
  ] as const)
    if (d) a.draw(cls, d);
}

/** Values from zero on, or their parts on each other. */
function drawBars({ a, wide, x: placeOf, y: heightOf }: Strands, marks: Marks, parts: boolean) {
  const thick = wide < 4 ? wide : Math.min(30, wide * 0.62);
  const half = Math.min(3, wide * 0.35);
  let errs = "";
  for (const { m, i } of marks) {
    const [x, y0, y1] = [placeOf(m.x), heightOf(m.base ?? 0), heightOf(m.y)];
    const h = Math.max(1, y0 - y1);
    const left = x - thick / 2;
    const whole = m.text ?? "";
    a.spot(i, x, y1);
    if (parts) {
      a.rect(`bar c${(m.colour ?? 0) % 8}`, left, y1, thick, h);
      const d = textured(m.colour ?? 0, left, y1, thick, h);
      if (d) a.draw("hatch", d);
      if (h >= line && measure(whole) * em * 1.2 < thick) a.text("number", whole, x, y1 + h / 2 + 4, "middle");
      continue;
    }
    a.rect("part", left, y1, thick, h);
    a.draw("hatch", hatchedBox(left, y1, thick, h));
    let end = y1;
    const [low, high] = m.span ?? [];
    if (low !== undefined && high !== undefined) {
      end = heightOf(high);
      errs += path("M", x - half, " ", end, "h", 2 * half, "M", x, " ", end, "V", heightOf(low));
      errs += path("M", x - half, " ", heightOf(low), "h", 2 * half);
    }
    const room = (text: string) => measure(text) * em <= wide - 2;
    const text = room(whole) ? whole : (whole.split(" / ")[0] ?? "");
    if (room(text)) a.text("value", text, x, Math.max(a.top - 2, end - 4), "middle");
  }
  if (errs) a.draw("err", errs);
}

/** The lines that tell parts apart besides their colours: none, rising or falling ones. Neighbours differ. */
export function textured(colour: number, x: number, y: number, w: number, h: number): string {
  const kind = (colour + Math.floor(colour / 8)) % 3;
  return kind === 0 ? "" : (kind === 1 ? hatchedBox : fallingBox)(x, y, w, h);
}

/** When the places were: the newest always, and those before it for which there is room. */
function dates({ a, x: placeOf }: Strands, y: number) {
  let edge = Number.POSITIVE_INFINITY;
  for (const [i, tick] of [...a.p.x.ticks.entries()].reverse()) {
    const text = shorten(wordsIn(tick.text, a.lang), a.s.width / em);
    const half = (measure(text) * em) / 2 + 2;
    const x = Math.min(Math.max(placeOf(i), half), a.s.width - half);
    if (x + half + gap > edge) continue;
    a.text("tick", text, x, y + line, "middle");
    edge = x - half;
  }
}
