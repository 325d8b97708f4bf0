import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { type CellSchema, said } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import { Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icon";
import { typeIcon } from "./celltypes";
import css from "./notebook.module.css";

interface InsertDialogProps {
  where: "above" | "below" | "instead" | null; // of the chosen block
  schemas: CellSchema[];
  onInsert: (schema: CellSchema | null) => void;
  onHeat: () => void;
  onClose: () => void;
}

/** The types of cells, each in a line. Arrows or j and k choose, Enter takes. */
export function InsertDialog({ where, schemas, onInsert, onHeat, onClose }: InsertDialogProps) {
  const { t, i18n } = useTranslation();
  const walk = (event: KeyboardEvent<HTMLUListElement>) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("button")];
    all[(all.indexOf(document.activeElement as HTMLButtonElement) + step + all.length) % all.length]?.focus();
  };
  return (
    <Dialog
      opened={where !== null}
      onClose={onClose}
      title={t({ above: "notebook.insertAbove", below: "notebook.insertBelow", instead: "notebook.makeIt" }[where ?? "below"])}
      size="lg"
    >
      <ul className={css.types} onKeyDown={walk}>
        <li hidden={where === "instead"}>
          <button type="button" data-autofocus onClick={() => onInsert(null)}>
            <Icon name="edit" size={15} />
            <strong>{t("notebook.prose")}</strong>
            <span className="soft">{t("notebook.proseAbout")}</span>
          </button>
        </li>
        <li hidden={where === "instead"}>
          <button type="button" onClick={onHeat}>
            <Icon name="chart" size={15} />
            <strong>{t("heat.insert")}</strong>
            <span className="soft">{t("heat.insertAbout")}</span>
          </button>
        </li>
        {schemas.map((s) => (
          <li key={s.type}>
            <button type="button" onClick={() => onInsert(s)}>
              <Icon name={typeIcon(s.type)} size={15} />
              <strong>{s.type}</strong>
              <span className="soft">
                {said(s.doc, i18n.language)} {s.paid && <Badge tone="needs_check">{t("notebook.paid")}</Badge>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
