import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShortcutList } from "../../app/keys";
import { useGet } from "../../api/queries";
import { type CellDetail, type CellSchema, type GalleryEntry, type NotebookParam, said } from "../../api/types_notebook";
import { Dialog } from "../../parts/dialog";
import { type Choice, found, paramChoices } from "./choices";
import css from "./palette.module.css";

interface PaletteProps {
  cells: CellDetail[];
  schemas: CellSchema[]; // types that can be inserted; none where nothing can be changed
  params: NotebookParam[];
  datasets: string[];
  onDataset: (name: string) => void;
  onTemplate: (id: string) => void;
  onCell: (name: string) => void;
  onInsert: (schema: CellSchema) => void;
  onHeat: () => void;
  onParam: (change: Record<string, string>) => void;
  onClose: () => void;
}

/** Everything that can be done here, found by a few letters: what the list of keys has, cells, parameters, and new cells. */
export function Palette({
  cells,
  schemas,
  params,
  datasets,
  onDataset,
  onTemplate,
  onCell,
  onInsert,
  onHeat,
  onParam,
  onClose,
}: PaletteProps) {
  const { t, i18n } = useTranslation();
  const keys = useShortcutList();
  const templates = useGet<{ items: GalleryEntry[] }>("/notebooks/gallery").data?.items ?? [];
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const choices: Choice[] = [
    ...paramChoices(params, typed, (p, value) => onParam({ [`${p.cell}.${p.name}`]: value === String(p.default ?? "") ? "" : value })),
    ...keys()
      .filter((s) => !/^(Arrow|Escape|Ctrl\+k$)/.test(s.press))
      .map((s) => ({ kind: t("palette.action"), label: t(s.label), also: s.press, run: s.run })),
    ...cells.map((c) => ({ kind: t("palette.cell"), label: c.name, also: c.type, run: () => onCell(c.name) })),
    ...(schemas.length > 0 ? [{ kind: t("palette.insert"), label: t("heat.insert"), also: t("heat.insertAbout"), run: onHeat }] : []),
    ...schemas.map((s) => ({
      kind: t("palette.insert"),
      label: s.type,
      also: said(s.doc, i18n.language),
      run: () => onInsert(s),
    })),
    ...datasets.map((name) => ({ kind: t("palette.dataset"), label: name, also: "", run: () => onDataset(name) })),
    ...templates.map((g) => ({
      kind: t("palette.template"),
      label: said(g.title, i18n.language) || g.id,
      also: g.id,
      run: () => onTemplate(g.id),
    })),
  ];
  const list = found(choices, typed);
  const chosen = Math.min(at, list.length - 1);
  const run = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    setTimeout(choice.run); // when the dialog is gone: keys of a page under a dialog do nothing
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown") setAt(Math.min(chosen + 1, list.length - 1));
    else if (e.key === "ArrowUp") setAt(Math.max(chosen - 1, 0));
    else if (e.key === "Enter" && !e.nativeEvent.isComposing) run(list[chosen]);
    else return;
    e.preventDefault();
  };
  return (
    <Dialog opened onClose={onClose} title={t("palette.title")} size="560px">
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={list.length > 0 ? `palette-${chosen}` : undefined}
        aria-label={t("palette.title")}
        placeholder={t("palette.placeholder")}
        value={typed}
        onChange={(e) => {
          setTyped(e.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette" role="listbox" aria-label={t("palette.title")} className={css.list}>
        {list.map((c, i) => (
          <div
            key={`${c.kind} ${c.label} ${c.also}`}
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            ref={(element) => {
              if (i === chosen) element?.scrollIntoView?.({ block: "nearest" });
            }}
            onClick={() => run(c)}
          >
            <span className="soft small">{c.kind}</span> <span>{c.label}</span> <span className="soft small clip">{c.also}</span>
          </div>
        ))}
      </div>
      {list.length === 0 && <p className="soft">{t("palette.none")}</p>}
    </Dialog>
  );
}
