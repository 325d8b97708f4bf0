import { ActionIcon, Button, Popover, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import type { RunView } from "../../api/types";
import { formatSearch, parseSearch } from "../../app/url";
import { Icon } from "../../parts/icon";
import type { DoUndoably } from "../../parts/undo";
import { useFormat } from "../../parts/format";
import css from "./runs.module.css";

/** What the address says of the list, which a view keeps. */
export const viewFields = [
  "q",
  "tag",
  "state",
  "kind",
  "experiment",
  "dataset",
  "sweep",
  "children",
  "group",
  "sort",
  "cols",
  "pin",
] as const;
export type ViewFields = Record<(typeof viewFields)[number], string>;

/** A query in one form, whoever wrote it. */
function plain(values: Partial<ViewFields>): string {
  return formatSearch(Object.fromEntries(viewFields.map((name) => [name, values[name]]))).slice(1);
}

interface ViewsProps {
  shown: ViewFields;
  onShow: (view: ViewFields) => void;
  doUndoably: DoUndoably;
}

/** The saved views of the list: each opens by its name, which only sets the address; what is shown now is saved under a name. */
export function Views({ shown, onShow, doUndoably }: ViewsProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const list = useGet<{ items: RunView[] }>("/run-views");
  const views = list.data?.items ?? [];
  const now = plain(shown);
  const present = views.find((v) => plain(parseSearch(v.query)) === now);
  const show = (query: string) => {
    const values = parseSearch(query);
    onShow(Object.fromEntries(viewFields.map((name) => [name, values[name] ?? ""])) as ViewFields);
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" withinPortal trapFocus returnFocus width={320}>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="view" size={14} />} aria-expanded={opened} onClick={() => setOpened((o) => !o)}>
          <span className="clip" style={{ maxWidth: 180 }}>
            {present ? t("views.shown", { name: present.name }) : t("views.title")}
          </span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("views.title")}>
        <div className="stack">
          {views.length > 0 ? (
            <ul className={css.views}>
              {views.map((v) => (
                <View key={v.name} view={v} present={v === present} onShow={() => show(v.query)} doUndoably={doUndoably} />
              ))}
            </ul>
          ) : (
            <p className="soft small">{t("views.none")}</p>
          )}
          {now && (
            <Button variant="subtle" onClick={() => show("")}>
              {t("views.usual")}
            </Button>
          )}
          <Save query={now} names={views.map((v) => v.name)} doUndoably={doUndoably} onSaved={() => setOpened(false)} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

const pathOf = (name: string) => `/run-views/${encodeURIComponent(name)}`;

function useAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["/run-views"] });
}

interface ViewProps {
  view: RunView;
  present: boolean;
  onShow: () => void;
  doUndoably: DoUndoably;
}

function View({ view, present, onShow, doUndoably }: ViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const again = useAgain();
  const may = useMay("edit");
  const remove = () =>
    doUndoably(t("views.removed", { name: view.name }), async () => {
      await send("DELETE", pathOf(view.name));
      await again();
      return async () => {
        await send("POST", `${pathOf(view.name)}/restore`, {});
        await again();
      };
    });
  return (
    <li>
      <button type="button" className={css.view} aria-current={present ? "true" : undefined} onClick={onShow}>
        <span className="clip">{view.name}</span>
        <span className="soft small clip">{t("views.by", { name: view.made_by, at: format.brief(view.saved_at) })}</span>
      </button>
      {may && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t("views.remove", { name: view.name })}
          onClick={() => void remove()}
        >
          <Icon name="trash" size={13} />
        </ActionIcon>
      )}
    </li>
  );
}

interface SaveProps {
  query: string;
  names: string[];
  doUndoably: DoUndoably;
  onSaved: () => void;
}

/** Saves what is shown now for everybody; under a name that is there, in its place. */
function Save({ query, names, doUndoably, onSaved }: SaveProps) {
  const { t } = useTranslation();
  const again = useAgain();
  const list = useGet<{ items: RunView[] }>("/run-views");
  const [name, setName] = useState("");
  const given = name.trim();
  const save = () =>
    doUndoably(t("views.saved", { name: given }), async () => {
      const before = list.data?.items.find((v) => v.name === given);
      await send("PUT", pathOf(given), { query });
      await again();
      return async () => {
        await (before ? send("PUT", pathOf(given), { query: before.query }) : send("DELETE", pathOf(given)));
        await again();
      };
    });
  if (!useMay("edit")) return null;
  return (
    <form
      className={css.save}
      onSubmit={(event) => {
        event.preventDefault();
        if (!given) return;
        onSaved();
        setName("");
        void save();
      }}
    >
      <TextInput
        size="xs"
        label={t("views.name")}
        placeholder={t("views.example")}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!given}>
        {names.includes(given) ? t("views.replace") : t("views.save")}
      </Button>
    </form>
  );
}
