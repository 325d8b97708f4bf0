import { Button, Popover } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CellDetail, NotebookParam } from "../../api/types_notebook";
import { Icon } from "../../parts/icon";
import { useWords } from "../../parts/words";
import { Param } from "./paramsform";
import { StateChip, usePrice } from "./statechip";
import { priceOf } from "./stale";
import { whyWords } from "./why";
import css from "./bar.module.css";

interface BarProps {
  title: string;
  state: ReactNode; // of saving
  params: NotebookParam[];
  given: Record<string, string>;
  stale: CellDetail[];
  /** How many cells have an error, and how many wait for a result of another. */
  wrong: number;
  waiting: number;
  run: ReactNode;
  insert: ReactNode;
  views: ReactNode;
  onUrl: (change: Record<string, string>) => void;
  onCell: (name: string) => void;
  onOutline: () => void;
}

/** What must be in sight wherever one reads: whether all is saved, the parameters, what is not up to date and its price. */
export function Bar({ title, state, params, given, stale, wrong, waiting, run, insert, views, onUrl, onCell, onOutline }: BarProps) {
  const { t } = useTranslation();
  const [mark, stuck] = useStuck();
  const set = params.filter((p) => given[`${p.cell}.${p.name}`]);
  return (
    <>
      <div ref={mark} aria-hidden="true" className={css.mark} />
      <div className={`${css.bar} no-print`} data-stuck={stuck || undefined} data-bar>
        <button type="button" className={css.outline} onClick={onOutline} aria-label={t("outline.open")} title={t("outline.open")}>
          <Icon name="menu" size={14} />
        </button>
        <span className={css.title} aria-hidden="true">
          {title}
        </span>
        {state}
        <Stale cells={stale} wrong={wrong} waiting={waiting} onCell={onCell} />
        {run}
        {insert && <span className={css.insert}>{insert}</span>}
        {params.length > 0 && (
          <form className={css.params} aria-label={t("notebook.params")} onSubmit={(e) => e.preventDefault()}>
            {params.map((p) => {
              const key = `${p.cell}.${p.name}`;
              return <Chip key={key} param={p} given={given[key] ?? ""} onChange={(v) => onUrl({ [key]: v })} />;
            })}
            {set.length > 0 && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => onUrl(Object.fromEntries(set.map((p) => [`${p.cell}.${p.name}`, ""])))}
              >
                {t("notebook.defaults")}
              </Button>
            )}
          </form>
        )}
        <span className={css.views}>{views}</span>
      </div>
    </>
  );
}

/** A parameter with its value; it opens in place. */
function Chip({ param: p, given, onChange }: { param: NotebookParam; given: string; onChange: (value: string) => void }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" withinPortal trapFocus shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={css.chip}
          aria-expanded={opened}
          data-set={given ? true : undefined}
          onClick={() => setOpened(!opened)}
        >
          <span className="mono">{p.name}</span> = {given || String(p.value ?? p.default ?? "")}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <Param
          param={p}
          given={given}
          onChange={(v) => {
            onChange(v);
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** How many cells are not up to date and what they would cost; it opens their list. */
function Stale({ cells, wrong, waiting, onCell }: Pick<BarProps, "wrong" | "waiting" | "onCell"> & { cells: CellDetail[] }) {
  const { t } = useTranslation();
  const priced = usePrice();
  const words = useWords();
  const [opened, setOpened] = useState(false);
  const sum = priceOf(cells);
  if (cells.length === 0) {
    const words = wrong ? t("bar.wrong", { count: wrong }) : waiting ? t("bar.waiting", { count: waiting }) : t("bar.fresh");
    return <span className={css.fresh}>{words}</span>;
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" withinPortal trapFocus shadow="md">
      <Popover.Target>
        <button type="button" className={css.stale} aria-expanded={opened} onClick={() => setOpened(!opened)} data-stale={cells.length}>
          <Icon name="stale" size={12} /> {t("bar.stale", { count: cells.length })}
          {sum && !(sum.later && sum.calls === 0) && ` · ${priced.price(sum)}${sum.later ? " +" : ""}`}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={css.list}>
          {cells.map((c) => (
            <li key={c.name}>
              <button
                type="button"
                onClick={() => {
                  setOpened(false);
                  onCell(c.name);
                }}
              >
                <strong className="mono">{c.name}</strong> <StateChip state={c.state} />
                <span>{c.price ? priced.price(c.price) : t("notebook.pricedLater")}</span>
                <span className="soft small">{whyWords(t, words, c).join(t("notebook.semicolon"))}</span>
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Whether what stands above the bar has left the screen. */
function useStuck() {
  const mark = useRef<HTMLDivElement>(null);
  const [stuck, setStuck] = useState(false);
  useEffect(() => {
    if (!mark.current || typeof IntersectionObserver === "undefined") return;
    const seen = new IntersectionObserver(([e]) => setStuck(e ? !e.isIntersecting && e.boundingClientRect.top < 100 : false));
    seen.observe(mark.current);
    return () => seen.disconnect();
  }, []);
  return [mark, stuck] as const;
}
