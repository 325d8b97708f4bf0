/** Drawings on a grid of 16, as paths. */
const drawings = {
  runs: "M3 3.5h10M3 8h10M3 12.5h6",
  compare: "M5 2.5v11M11 2.5v11M2.5 5.5 5 3l2.5 2.5M8.5 10.5 11 13l2.5-2.5",
  experiments: "M6 2.5h4M6.5 2.5v4L3 12.8c-.3.6.1 1.2.8 1.2h8.4c.7 0 1.1-.6.8-1.2L9.5 6.5v-4M5 10h6",
  schedules: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5v3.200l2.300 1.500",
  datasets:
    "M2.5 4c0-1.1 2.5-2 5.5-2s5.5.9 5.5 2-2.5 2-5.5 2-5.5-.9-5.5-2Zm0 0v8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2",
  corpora: "M3 2.5h6.5L13 6v7.5H3zM9.5 2.5V6H13M5.5 8.5h5M5.5 11h5",
  agreements: "M3.5 2.5h9v11h-9zM5.8 8.2l1.600 1.600 2.800-3.200",
  judges: "M8 2.5v11M4.5 13.5h7M3 4.5h10M3 4.5 1.3 9h3.400zM13 4.5 11.3 9h3.400z",
  endpoints: "M5.5 8h5M3.5 10.5a2.5 2.5 0 0 1 0-5H6M12.5 5.5a2.5 2.5 0 0 1 0 5H10",
  people:
    "M6 3a2.2 2.2 0 1 0 0 4.400 2.2 2.2 0 0 0 0-4.400ZM2 13.2c0-2.500 1.700-4 4-4s4 1.500 4 4M10.500 3.500a2 2 0 0 1 0 3.800M11.500 9.500c1.600.5 2.500 1.800 2.500 3.700",
  settings:
    "M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.2 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM5.8 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z",
  worse: "M8 13 2.5 4h11z",
  better: "M8 3l5.5 9h-11z",
  mixed: "M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.500 11 13l2.5-2.500",
  check: "M5.5 6a2.5 2.5 0 1 1 3.600 2.200C8.3 8.600 8 9 8 9.800M8 12.300v.4",
  same: "M3 6h10M3 10h10",
  copy: "M6 5.5h7.5v8H6zM10.5 5.5v-3H3v8h3",
  download: "M8 2.5v8M4.8 7.5 8 10.700l3.2-3.200M2.5 13.5h11",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.300l3.2 3.2",
  previous: "M10 3 5 8l5 5",
  next: "M6 3l5 5-5 5",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  light:
    "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1.5v1.200M8 13.300v1.200M1.5 8h1.200M13.3 8h1.200M3.400 3.400l.9.9M11.7 11.700l.9.9M12.600 3.400l-.9.9M4.3 11.700l-.9.9",
  dark: "M13 9.800A5.5 5.5 0 0 1 6.2 3 5.5 5.5 0 1 0 13 9.800Z",
  auto: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 2.5v11M8 5.5h3M8 8h5M8 10.5h3.5",
  keys: "M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M11.5 7h.01M5 9.5h6",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.200v.2",
  pin: "M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v4.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  tag: "M2.5 3v4.500l6 6 5-5-6-6zM5.300 5.300h.01",
  view: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8ZM8 6.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600Z",
  pause: "M5.5 3v10M10.5 3v10",
  play: "M4.5 2.5v11l9-5.5z",
  stop: "M3.5 3.5h9v9h-9z",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.800l.6-9",
  edit: "M3 13l.7-3L10.5 3.200l2.3 2.300L6 12.300z",
  up: "M3.5 10 8 5.5l4.5 4.5",
  down: "M3.5 6 8 10.5 12.5 6",
  add: "M8 3v10M3 8h10",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  notebooks: "M4 2.5h9v11H4zM2.5 5h3M2.5 8h3M2.5 11h3M8 6h2.500M8 8.500h2.500",
  done: "M3 8.500 6.500 12 13 4.500",
  stale: "M13 8a5 5 0 1 1-1.600-3.700M13 2.500v3h-3",
  blocked: "M4 7h8v6.500H4zM5.500 7V5a2.500 2.500 0 0 1 5 0v2",
  partial: "M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11ZM8 2.500V8h5.500",
  chart: "M3 13.500V8M8 13.500V3M13 13.500V6",
  share:
    "M12 2.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600ZM4 6.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600ZM12 10.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600ZM5.600 7.200l4.800-2.400M5.600 8.800l4.800 2.400",
  comment: "M2.5 3h11v8H8l-3 2.500V11H2.500z",
  print: "M4.5 6V2.5h7V6M4.5 11.5H2.5V6h11v5.5h-2M4.5 9.5h7v4h-7z",
} as const;

export type IconName = keyof typeof drawings;

const filled: ReadonlySet<IconName> = new Set<IconName>(["worse", "better", "play", "stop"]);

/** A small drawing beside words. It says nothing to screen readers: the words do. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const paint = filled.has(name)
    ? { fill: "currentColor" }
    : { fill: "none", stroke: "currentColor", strokeWidth: name === "more" ? 2.2 : 1.4 };
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
      {...paint}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={drawings[name]} />
    </svg>
  );
}
