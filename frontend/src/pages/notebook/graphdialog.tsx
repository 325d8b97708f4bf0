import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CellDetail } from "../../api/types_notebook";
import { Dialog } from "../../parts/dialog";
import { useWords } from "../../parts/words";
import { layered, type Node, reach } from "./graph";
import css from "./graph.module.css";

/** The most cells that are drawn; more are listed only. */
const most = 60;
const [width, height, gapX, gapY] = [150, 42, 56, 14];

interface GraphProps {
  cells: CellDetail[];
  editable: boolean;
  onChoose: (cell: string) => void;
  onSort: (nodes: Node[]) => void;
  onClose: () => void;
}

/** What each cell needs, as a picture and as a list. */
export function GraphDialog({ cells, editable, onChoose, onSort, onClose }: GraphProps) {
  const { t } = useTranslation();
  const nodes = layered(cells);
  return (
    <Dialog opened onClose={onClose} title={t("graph.title")} size="min(96vw, 1400px)">
      <div className="stack">
        {nodes.length <= most ? <Picture nodes={nodes} onChoose={onChoose} /> : <p className="soft">{t("graph.many", { most })}</p>}
        <details open={nodes.length > most}>
          <summary>{t("graph.asList")}</summary>
          <ul>
            {nodes.map((n) => (
              <li key={n.cell.name}>
                <strong className="mono">{n.cell.name}</strong>{" "}
                {n.needs.length > 0 ? t("graph.needs", { cells: n.needs.join(", ") }) : t("graph.needsNone")}
                {n.usedBy.length > 0 && ` ${t("graph.usedBy", { cells: n.usedBy.join(", ") })}`}
              </li>
            ))}
          </ul>
        </details>
        {editable && (
          <div>
            <Button variant="default" onClick={() => onSort(nodes)}>
              {t("graph.sort")}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Picture({ nodes, onChoose }: { nodes: Node[]; onChoose: (cell: string) => void }) {
  const { t } = useTranslation();
  const words = useWords();
  const [hovered, setHovered] = useState("");
  const needs = reach(nodes, hovered, "needs");
  const used = reach(nodes, hovered, "usedBy");
  const at = new Map(nodes.map((n) => [n.cell.name, { x: n.column * (width + gapX) + 2, y: n.row * (height + gapY) + 2 }]));
  const columns = 1 + Math.max(0, ...nodes.map((n) => n.column));
  const rows = 1 + Math.max(0, ...nodes.map((n) => n.row));
  const [w, h] = [columns * (width + gapX) - gapX + 4, rows * (height + gapY) - gapY + 4];
  const mark = (name: string) => (name === hovered ? "self" : needs.has(name) ? "needs" : used.has(name) ? "used" : undefined);
  return (
    <div className={css.scroll}>
      <svg
        width={w}
        height={h}
        viewBox={`0 0 ${w} ${h}`}
        aria-label={t("graph.title")}
        className={css.graph}
        data-marked={hovered || undefined}
      >
        {nodes.flatMap((n) =>
          n.needs.map((from) => {
            const [a, b] = [at.get(from), at.get(n.cell.name)];
            if (!a || !b) return null;
            const [x1, y1, x2, y2] = [a.x + width, a.y + height / 2, b.x, b.y + height / 2];
            const on = mark(from) && mark(n.cell.name) ? true : undefined;
            const bend = Math.max(20, (x2 - x1) / 2);
            return (
              <path key={`${from} ${n.cell.name}`} data-on={on} d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />
            );
          }),
        )}
        {nodes.map((n) => {
          const place = at.get(n.cell.name) ?? { x: 0, y: 0 };
          return (
            <g
              key={n.cell.name}
              role="button"
              tabIndex={0}
              aria-label={`${n.cell.name}, ${n.cell.type}, ${words.word("notebook_state", n.cell.state)}`}
              data-state={n.cell.state}
              data-mark={mark(n.cell.name)}
              transform={`translate(${place.x} ${place.y})`}
              onMouseEnter={() => setHovered(n.cell.name)}
              onMouseLeave={() => setHovered("")}
              onFocus={() => setHovered(n.cell.name)}
              onBlur={() => setHovered("")}
              onClick={() => onChoose(n.cell.name)}
              onKeyDown={(e) => (e.key === "Enter" || e.key === " ") && onChoose(n.cell.name)}
            >
              <rect width={width} height={height} rx={6} />
              <text x={9} y={17}>
                {cut(n.cell.name)}
              </text>
              <text x={9} y={33} className={css.small}>
                {n.cell.type} · {words.word("notebook_state", n.cell.state)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const cut = (name: string) => (name.length > 18 ? `${name.slice(0, 17)}…` : name);
