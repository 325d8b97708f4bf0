import { Button, Checkbox, Menu, Popover, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { address, type Params } from "../api/client";
import type { Column } from "./datatable";
import { Icon } from "./icon";

/** Copies the address of what is on screen: the address holds all filters. */
export function CopyLink() {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1800);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      variant="default"
      className="no-print"
      leftSection={<Icon name="copy" size={14} />}
      onClick={() => void navigator.clipboard?.writeText(location.href).then(() => setCopied(true))}
    >
      <span aria-live="polite">{copied ? t("parts.copied") : t("parts.copyLink")}</span>
    </Button>
  );
}

/** Downloads of a table in every format that the server writes, with the filters that are set. */
export function ExportMenu({
  path,
  params = {},
  formats = ["csv", "jsonl", "xlsx"],
}: {
  path: string;
  params?: Params;
  formats?: string[];
}) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" className="no-print" leftSection={<Icon name="download" size={14} />}>
          {t("parts.export")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} component="a" href={address(`${path}.${format}`, params)} download>
            {t(`format.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Free text search. The key / goes here. */
export function SearchBox({ value, onChange, label }: { value: string; onChange: (value: string) => void; label: string }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const later = useDebouncedCallback(onChange, 250);
  return (
    <TextInput
      type="search"
      size="xs"
      w={210}
      className="no-print"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={14} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}

/** The columns of a table that are on screen: those in the address, else all that are not optional. */
export function shownColumns<T>(columns: Column<T>[], chosen: string): Column<T>[] {
  if (!chosen) return columns.filter((c) => !c.optional);
  const ids = new Set(chosen.split(","));
  return columns.filter((c) => ids.has(c.id));
}

/** Columns with the pinned ones first, which stay in sight while the others scroll sideways. */
export function pinnedFirst<T>(columns: Column<T>[], pinned: string): Column<T>[] {
  const ids = new Set(pinned.split(","));
  return [...columns.filter((c) => ids.has(c.id)).map((c) => ({ ...c, pinned: true })), ...columns.filter((c) => !ids.has(c.id))];
}

interface ColumnChooserProps<T> {
  columns: Column<T>[];
  chosen: string;
  onChoose: (chosen: string) => void;
  /** The pinned columns by their ids; without onPin none can be. */
  pinned?: string;
  onPin?: (pinned: string) => void;
}

/** Chooses which columns are on screen, and which stay in sight. The choice lives in the address. */
export function ColumnChooser<T>({ columns, chosen, onChoose, pinned = "", onPin }: ColumnChooserProps<T>) {
  const { t } = useTranslation();
  const shown = new Set(shownColumns(columns, chosen).map((c) => c.id));
  const toggle = (id: string) => {
    const next = columns.filter((c) => (c.id === id ? !shown.has(id) : shown.has(c.id))).map((c) => c.id);
    if (next.length) onChoose(next.join(","));
  };
  const pins = pinned.split(",").filter(Boolean);
  const pin = (id: string) => onPin?.((pins.includes(id) ? pins.filter((p) => p !== id) : [...pins, id]).join(","));
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" className="no-print" leftSection={<Icon name="columns" size={14} />}>
          {t("table.columns")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={380} style={{ overflowY: "auto" }}>
        <div className="stack" style={{ gap: 7 }}>
          {columns.map((c) => (
            <div key={c.id} className="row apart" style={{ flexWrap: "nowrap" }}>
              <Checkbox size="xs" label={c.name ?? c.header} checked={shown.has(c.id)} onChange={() => toggle(c.id)} />
              {onPin && shown.has(c.id) && (
                <Button
                  size="compact-xs"
                  variant={pins.includes(c.id) ? "filled" : "subtle"}
                  aria-pressed={pins.includes(c.id)}
                  aria-label={t("table.pin", { name: c.name ?? c.header })}
                  onClick={() => pin(c.id)}
                >
                  <Icon name="pin" size={11} />
                </Button>
              )}
            </div>
          ))}
          <Button variant="subtle" onClick={() => onChoose("")}>
            {t("table.usual")}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Filters that are set, each with a button that takes it away. */
export function FilterChips({ filters, onClear }: { filters: { name: string; text: string; clear: () => void }[]; onClear: () => void }) {
  const { t } = useTranslation();
  if (filters.length === 0) return null;
  return (
    <div className="row" style={{ gap: 6 }} role="group" aria-label={t("filter.set")}>
      {filters.map((f) => (
        <Button
          key={f.name}
          size="compact-xs"
          variant="light"
          radius="xl"
          rightSection={<Icon name="close" size={10} />}
          aria-label={t("filter.remove", { name: f.text })}
          onClick={f.clear}
        >
          {f.text}
        </Button>
      ))}
      <Button size="compact-xs" variant="subtle" onClick={onClear}>
        {t("filter.clear")}
      </Button>
    </div>
  );
}
