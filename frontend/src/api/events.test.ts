import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { follow } from "./events";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A run's page that is being read or not, and the events it hears. */
function page() {
  const heard: Record<string, (message: MessageEvent<string>) => void> = {};
  const seen = { reads: 0, reading: false, closed: false };
  const source = {
    addEventListener: (kind: string, hear: (message: MessageEvent<string>) => void) => {
      heard[kind] = hear;
    },
    close: () => {
      seen.closed = true;
    },
  };
  const stop = follow(source, { told: () => undefined, read: () => void seen.reads++, reading: () => seen.reading });
  const event = (kind: string) => heard[kind]?.({ data: JSON.stringify({ kind, seq: 1 }) } as MessageEvent<string>);
  return { seen, stop, event };
}

test("the end of a run is read at once, even while an earlier state of it is still being read", () => {
  const { seen, event } = page();
  seen.reading = true;
  event("progress");
  event("finished");
  vi.advanceTimersByTime(100);
  expect(seen.reads).toBe(1);
});

test("progress is read seldom, and not while it is being read", () => {
  const { seen, event } = page();
  for (let i = 0; i < 9; i++) {
    event("progress");
    vi.advanceTimersByTime(1000);
  }
  expect(seen.reads).toBe(0);
  seen.reading = true;
  vi.advanceTimersByTime(1000);
  expect(seen.reads).toBe(0);
  seen.reading = false;
  vi.advanceTimersByTime(10_000);
  expect(seen.reads).toBe(1);
});

test("a page that learned of the end elsewhere reads once more what it read before the end", () => {
  const { seen, stop, event } = page();
  event("finished");
  stop(); // the run itself came back as finished, before the time to read had come
  expect(seen).toMatchObject({ reads: 1, closed: true });
  vi.advanceTimersByTime(60_000);
  expect(seen.reads).toBe(1);
});
