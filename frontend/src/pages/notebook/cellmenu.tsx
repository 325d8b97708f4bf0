import { Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Icon } from "../../parts/icon";
import css from "./notebook.module.css";

/** What can be done with a cell. */
export interface CellActions {
  mayRun: boolean;
  run: () => void;
  runAlone: () => void;
  repeat: (more: number) => void;
  fold: () => void;
  up: () => void;
  down: () => void;
  toNote: () => void;
  rename: () => void;
  remove: () => void;
}

/** The rest of what can be done with a cell, each with its key. */
export function CellMenu({
  name,
  type,
  hasOutput,
  folded,
  actions: a,
}: {
  name: string;
  type: string;
  hasOutput: boolean;
  folded: boolean;
  actions: CellActions;
}) {
  const { t } = useTranslation();
  const paid = type === "run" || type === "cause" || type === "apply";
  const item = (label: string, icon: Parameters<typeof Icon>[0]["name"], run: () => void, key = "") => (
    <Menu.Item
      leftSection={<Icon name={icon} size={14} />}
      rightSection={key ? <kbd className={css.kbd}>{key}</kbd> : undefined}
      onClick={run}
    >
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <button type="button" className={css.tool} aria-label={t("notebook.more", { name })}>
          <Icon name="more" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {paid && a.mayRun && item(t("notebook.runUpstream"), "play", a.run, "Ctrl ↵")}
        {paid && a.mayRun && item(t("notebook.runAlone"), "play", a.runAlone)}
        {type === "run" && a.mayRun && item(t("notebook.repeatOnce"), "add", () => a.repeat(1))}
        {type === "run" && a.mayRun && item(t("notebook.repeatTwice"), "add", () => a.repeat(2))}
        {hasOutput && item(folded ? t("notebook.unfold") : t("notebook.fold"), folded ? "down" : "up", a.fold, "o")}
        {item(t("notebook.moveUp"), "up", a.up, "Alt ↑")}
        {item(t("notebook.moveDown"), "down", a.down, "Alt ↓")}
        {type !== "note" && item(t("notebook.toNote"), "edit", a.toNote, "m")}
        {item(t("notebook.rename"), "edit", a.rename)}
        {item(t("notebook.remove"), "trash", a.remove, "d d")}
      </Menu.Dropdown>
    </Menu>
  );
}
