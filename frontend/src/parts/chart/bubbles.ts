import { measure } from "./labels";
import type { Mark } from "./plan";
import { em, type Panel, path } from "./scene";

// Bubbles and hatchings, as internal/charts/scene_bubbles.go draws them.

/** The distance between the lines of a hatching, along both axes. */
const step = 7;

/** Marks the places whose bubbles are hatched. */
export function corner(a: Panel) {
  const n = a.p.corner ?? 0;
  const [across, up] = [a.p.x.ticks.length, a.p.y.ticks.length];
  const [w, h] = [a.width / across, a.height / up];
  for (let i = 1; i < across; i++) a.draw("grid", path("M", a.left + i * w, " ", a.top, "v", a.height));
  for (let i = 1; i < up; i++) a.draw("grid", path("M", a.left, " ", a.top + i * h, "h", a.width));
  if (n <= 0 || n >= across || n >= up) return;
  a.rect("zone", a.left, a.top, n * w, a.height);
  a.rect("zone", a.left + n * w, a.top + (up - n) * h, a.width - n * w, n * h);
  a.draw("guide", path("M", a.left + n * w, " ", a.top, "V", a.top + (up - n) * h, "H", a.left + a.width));
}

/** A circle of a place, hatched where it is marked. */
export function bubble(a: Panel, i: number, m: Mark) {
  const [w, h] = [a.width / a.p.x.ticks.length, a.height / a.p.y.ticks.length];
  const [x, y] = [a.x(m.x), a.y(m.y)];
  const text = m.text ?? "";
  // Rounded as it is written: half circles over a chord that is a little shorter than theirs bulge.
  const r = Math.round(10 * Math.max(6, Math.sqrt(m.size ?? 0) * Math.min(0.48 * w, Math.max(0.48 * h, 26)))) / 10;
  const circle = path("M", x - r, " ", y, "a", r, " ", r, " 0 1 0 ", 2 * r, " 0a", r, " ", r, " 0 1 0 ", -2 * r, " 0Z");
  a.draw(m.colour === 1 ? "bubble marked" : "bubble", circle);
  if (m.colour === 1) a.draw("hatch", hatchedCircle(x, y, r));
  if (r >= 12 && measure(text) * em * 1.2 < 2 * r) a.text("number", text, x, y + 5, "middle");
  else a.text("value", text, x + r + 3, y + 4);
  const reach = Math.max(12, r);
  a.spot(i, x, y, [x - reach, y - reach, 2 * reach, 2 * reach]);
}

/** Rising lines within a circle. */
function hatchedCircle(x: number, y: number, r: number): string {
  let out = "";
  for (let o = -Math.floor((r * Math.SQRT2) / step) * step; o <= r * Math.SQRT2; o += step) {
    const away = o / Math.SQRT2;
    const half = Math.sqrt(Math.max(0, r * r - away * away)) / Math.SQRT2;
    if (half > 0.5) out += path("M", x + o / 2 - half, " ", y + o / 2 + half, "l", 2 * half, " ", -2 * half);
  }
  return out;
}

/** Falling lines within a rectangle. */
export function fallingBox(x: number, y: number, w: number, h: number): string {
  let out = "";
  for (let o = step - h; o < w; o += step) {
    const [from, to] = [Math.max(0, o), Math.min(o + h, w)];
    if (to > from) out += path("M", x + from, " ", y + from - o, "L", x + to, " ", y + to - o);
  }
  return out;
}

/** Rising lines within a rectangle. */
export function hatchedBox(x: number, y: number, w: number, h: number): string {
  let out = "";
  for (let o = step; o < w + h; o += step) {
    const [from, to] = [Math.max(0, o - h), Math.min(o, w)];
    if (to > from) out += path("M", x + from, " ", y + o - from, "L", x + to, " ", y + o - to);
  }
  return out;
}
