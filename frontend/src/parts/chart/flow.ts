import { measure, shorten } from "./labels";
import { type Axis, type Mark, shown, wordsIn } from "./plan";
import { em, gap, line, type Panel, path } from "./scene";

// Flows, as internal/charts/scene_flow.go draws them.

const base = 200;
const least = 18;
const between = 4;
const node = 10;

/** Where the nodes of a side stand: where what flows at each begins, and where its name stands. */
interface Side {
  names: string[];
  counts: string[];
  from: number[];
  at: number[];
  bottom: number;
}

function nodesOf(a: Panel, axis: Axis, of: (m: Mark) => number): Side {
  const [share, sum] = [axis.ticks.map(() => 0), axis.ticks.map(() => 0)];
  const column = a.p.head.findIndex((h) => h.number);
  for (const m of a.p.marks) {
    if ((m.facet ?? 0) !== a.facet) continue;
    share[of(m)] = (share[of(m)] ?? 0) + (m.size ?? 0);
    sum[of(m)] = (sum[of(m)] ?? 0) + Number(a.p.rows[m.row]?.[column] ?? 0);
  }
  const out: Side = { names: [], counts: [], from: [], at: [], bottom: a.top };
  for (const [i, t] of axis.ticks.entries()) {
    const own = (share[i] ?? 0) * base;
    const room = Math.max(least, own);
    out.names.push(wordsIn(t.text, a.lang));
    out.counts.push(shown(a.p.head[column] ?? { title: {} }, sum[i]));
    out.from.push(out.bottom + (room - own) / 2);
    out.at.push(out.bottom + room / 2);
    out.bottom += room + between;
  }
  return out;
}

/** Draws ribbons between two columns of nodes; where the panel ends. */
export function flow(a: Panel, x: number, y: number, width: number): number {
  const half = (width / 2 - gap) / em;
  a.text("name", shorten(wordsIn(a.p.x.title, a.lang), half), x, y + line);
  a.text("name", shorten(wordsIn(a.p.y.title, a.lang), half), x + width - 4, y + line, "end");
  a.top = y + line + 12;
  const sides = [nodesOf(a, a.p.x, (m) => m.x), nodesOf(a, a.p.y, (m) => m.y)] as const;
  const [left, right] = sides;
  const room = width * 0.32;
  const [before, behind] = sides.map((side) => {
    side.names = side.names.map((name, i) => {
      const count = side.counts[i] ?? "";
      return `${shorten(name, room / em - measure(count) - 1.2)}: ${count}`;
    });
    return Math.max(0, ...side.names.map((name) => measure(name) * em + gap));
  }) as [number, number];
  const [x0, x1] = [x + before, x + width - behind];
  const [from, to] = [[...left.from], [...right.from]];
  for (const [i, m] of a.p.marks.entries()) {
    if ((m.facet ?? 0) !== a.facet) continue;
    const h = (m.size ?? 0) * base;
    const [u = 0, v = 0, mid] = [from[m.x], to[m.y], (x0 + x1) / 2];
    from[m.x] = u + h;
    to[m.y] = v + h;
    const over = ["M", x0 + node, " ", u, "C", mid, " ", u, " ", mid, " ", v, " ", x1 - node, " ", v, "v", h];
    const back = ["C", mid, " ", v + h, " ", mid, " ", u + h, " ", x0 + node, " ", u + h, "Z"];
    a.draw(`flow c${m.colour ?? 0}`, path(...over, ...back));
    a.spot(i, mid, (u + v + h) / 2);
  }
  for (const [i, name] of left.names.entries()) {
    a.rect("node", x0, left.from[i] ?? 0, node, (from[i] ?? 0) - (left.from[i] ?? 0));
    a.text("tick", name, x0 - 6, (left.at[i] ?? 0) + 4, "end");
  }
  for (const [i, name] of right.names.entries()) {
    a.rect("node", x1 - node, right.from[i] ?? 0, node, (to[i] ?? 0) - (right.from[i] ?? 0));
    a.text("tick", name, x1 + 6, (right.at[i] ?? 0) + 4);
  }
  return Math.max(left.bottom, right.bottom) + gap;
}
