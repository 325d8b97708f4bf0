import { useWords } from "../../parts/words";
import { type Light, lightOf } from "./card";
import css from "./judgecards.module.css";

/** Each standing has a shape of its own: a disc, a triangle, an octagon, a ring. */
const shapes: Record<Light, string> = {
  GREEN: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
  AMBER: "M8 1.800 14.800 14H1.200Z",
  RED: "M5.300 1.500h5.400l3.800 3.800v5.400l-3.800 3.800H5.300l-3.800-3.800V5.300Z",
  UNMEASURED: "M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11Zm0 2a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7Z",
};

/** A standing: shape, colour and word. */
export function LightBadge({ light, large = false }: { light: string; large?: boolean }) {
  const words = useWords();
  const known = lightOf(light);
  return (
    <span className={`${css.light} ${css[known]} ${large ? css.large : ""}`}>
      <svg viewBox="0 0 16 16" width={large ? 30 : 13} height={large ? 30 : 13} aria-hidden="true">
        <path d={shapes[known]} fill="currentColor" fillRule="evenodd" />
      </svg>
      {words.word("judge_light", known)}
    </span>
  );
}
