import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { PageLink } from "../pagelink";
import css from "./chart.module.css";
import type { Mark } from "./plan";
import type { Box, Scene } from "./scene";

/** A place of a chart that can be chosen, or that leads somewhere. */
export interface Target {
  id: string;
  box: Box;
  /** What it stands for, in words. */
  name: string;
  /** Absent where nothing can be chosen. */
  pressed?: boolean;
  to?: { to: string; search?: Record<string, string | undefined> };
  pick?: (() => void) | undefined;
}

interface TargetsProps {
  targets: Target[];
  /** Hears of the target that is reached by keyboard. */
  onReach: (at: number) => void;
  /** Whether the pointer drew a box, so that the click at its end chooses nothing. */
  moved: () => boolean;
  /** The one that is shown beside the chart; Tab begins there. */
  looked?: number | undefined;
}

/** What can be reached in a chart: one stop of Tab, from which the arrow keys walk over all. Enter chooses. */
export function Targets({ targets, onReach, moved, looked }: TargetsProps) {
  const nodes = useRef<(Element | null)[]>([]);
  const [stop, setStop] = useState(looked ?? 0);
  const last = targets.length - 1;
  const go = (to: number) => {
    const node = nodes.current[Math.min(last, Math.max(0, to))];
    if (node instanceof SVGElement) node.focus();
  };
  return targets.map((target, at) => {
    const act = () => target.pick && !moved() && target.pick();
    const onKeyDown = (event: KeyboardEvent) => {
      const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
      if (to !== undefined) go(to);
      else if (target.pick && (event.key === "Enter" || event.key === " ")) target.pick();
      else if (target.to && event.key === "Enter")
        nodes.current[at]?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const common = {
      className: css.target,
      tabIndex: at === Math.min(stop, last) ? 0 : -1,
      "aria-label": target.name,
      "data-mark": target.id,
      "aria-current": at === looked || undefined,
      onKeyDown,
      onFocus: () => {
        setStop(at);
        onReach(at);
      },
      ref: (node: Element | null) => {
        nodes.current[at] = node;
      },
    };
    const [x, y, width, height] = target.box;
    const shape = <rect x={x} y={y} width={width} height={height} rx={4} />;
    return target.to ? (
      <PageLink key={target.id} {...common} {...target.to}>
        {shape}
      </PageLink>
    ) : (
      <g key={target.id} {...common} role={target.pick ? "button" : "img"} aria-pressed={target.pressed} onClick={act}>
        {shape}
      </g>
    );
  });
}

/** Dragging a box over a chart chooses the marks whose middle is inside. */
export function useBrush(scene: Scene, marks: Mark[], onBrush: ((marks: Mark[]) => void) | undefined) {
  const [box, setBox] = useState<{ x: number; y: number; width: number; height: number } | null>(null);
  const from = useRef<DOMPoint | null>(null);
  const dragged = useRef(false);
  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    dragged.current = false;
    from.current = event.button === 0 ? placeOf(event) : null;
  };
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const start = from.current;
    const p = placeOf(event);
    if (!start || !p) return;
    if (!dragged.current && Math.hypot(p.x - start.x, p.y - start.y) < 6) return;
    if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = true;
    const [x, y] = [Math.min(p.x, start.x), Math.min(p.y, start.y)];
    setBox({ x, y, width: Math.abs(p.x - start.x), height: Math.abs(p.y - start.y) });
  };
  const onPointerUp = () => {
    from.current = null;
    setBox(null);
    if (!dragged.current || !box) return;
    const inside = ([x, y]: [number, number]) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    onBrush?.(marks.filter((_, i) => inside(scene.spots[i] ?? [-1, -1])));
  };
  const handlers = onBrush && { onPointerDown, onPointerUp, onPointerCancel: onPointerUp };
  return { box, moved: () => dragged.current, move: onBrush ? onPointerMove : undefined, handlers };
}

/** Where a pointer is in the units of a drawing: it may be narrower than its element. */
export function placeOf(event: PointerEvent<SVGSVGElement>): DOMPoint | null {
  const matrix = event.currentTarget.getScreenCTM();
  return matrix && new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
}
