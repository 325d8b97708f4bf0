import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AnswerDiff } from "../../parts/answerdiff";
import { Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icon";
import css from "./notebook.module.css";

interface ConflictNoticeProps {
  base: string;
  mine: string;
  theirs: string;
  cells: string[];
  onKeep: () => void;
  onTake: () => void;
}

/** The same cell was changed here and in the file: keep this text, take that one, or look at what each changed first. */
export function ConflictNotice({ base, mine, theirs, cells, onKeep, onTake }: ConflictNoticeProps) {
  const { t, i18n } = useTranslation();
  const [both, setBoth] = useState(false);
  const buttons = (
    <div className="row">
      <Button onClick={onKeep}>{t("notebook.keepMine")}</Button>
      <Button variant="default" onClick={onTake}>
        {t("notebook.takeTheirs")}
      </Button>
    </div>
  );
  return (
    <section className={css.conflict} role="alert" aria-label={t("notebook.conflict")}>
      <p>
        <Icon name="warning" size={15} /> <strong>{t("notebook.conflict")}</strong> {t("notebook.conflictHow")}{" "}
        {cells.length > 0 && t("notebook.conflictCells", { cells: cells.join(", ") })}
      </p>
      <div className="row">
        {buttons}
        <Button variant="subtle" onClick={() => setBoth(true)}>
          {t("notebook.showBoth")}
        </Button>
      </div>
      <Dialog opened={both} onClose={() => setBoth(false)} title={t("notebook.conflict")} size="90%">
        <div className="stack">
          <p className="soft">{t("notebook.whichIsWhich")}</p>
          <AnswerDiff title={t("notebook.bothTexts")} before={theirs} after={mine} language={i18n.language} />
          {base !== mine && base !== theirs && (
            <>
              <AnswerDiff title={t("notebook.theyChanged")} before={base} after={theirs} language={i18n.language} />
              <AnswerDiff title={t("notebook.youChanged")} before={base} after={mine} language={i18n.language} />
            </>
          )}
          {buttons}
        </div>
      </Dialog>
    </section>
  );
}
