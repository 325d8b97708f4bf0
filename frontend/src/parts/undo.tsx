import { Button, CloseButton } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ProblemLine } from "./confirmdialog";
import css from "./undo.module.css";

/** Something that was done, in words, and how to take it back. */
interface Done {
  said: string;
  back?: () => Promise<unknown>;
  error?: unknown;
}

/** Does something and offers to take it back. do returns how. */
export type DoUndoably = (said: string, work: () => Promise<() => Promise<unknown>>) => Promise<void>;

/**
 * What was done last, in a bar at the bottom with a button that takes it back; it stays until it is closed or something else is done, or
 * for so many seconds.
 */
export function useUndo(seconds = 0): { bar: React.ReactNode; doUndoably: DoUndoably } {
  const { t } = useTranslation();
  const [done, setDone] = useState<Done | null>(null);
  const doUndoably = useCallback<DoUndoably>(async (said, work) => {
    try {
      setDone({ said, back: await work() });
    } catch (error) {
      setDone({ said, error });
    }
  }, []);
  useEffect(() => {
    if (!done || seconds === 0) return;
    const timer = setTimeout(() => setDone(null), seconds * 1000);
    return () => clearTimeout(timer);
  }, [done, seconds]);
  const back = async () => {
    if (!done?.back) return;
    try {
      await done.back();
      setDone({ said: t("undo.done") });
    } catch (error) {
      setDone({ said: done.said, error });
    }
  };
  const bar = (
    <div className={`${css.place} no-print`} role="status">
      {done && (
        <div className={css.bar}>
          {done.error ? <ProblemLine error={done.error} /> : <span className="clip">{done.said}</span>}
          {done.back && (
            <Button size="compact-xs" variant="light" flex="none" onClick={() => void back()}>
              {t("undo.undo")}
            </Button>
          )}
          <CloseButton size="sm" aria-label={t("parts.close")} onClick={() => setDone(null)} />
        </div>
      )}
    </div>
  );
  return { bar, doUndoably };
}
