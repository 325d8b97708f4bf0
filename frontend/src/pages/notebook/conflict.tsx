import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AnswerDiff } from "../../parts/answerdiff";
import { Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icon";
import css from "./notebook.module.css";

interface ConflictNoticeProps {
  mine: string;
  theirs: string;
  onKeep: () => void;
  onTake: () => void;
}

/** The file changed on disk while it was edited here: keep this text, take that one, or look at both first. */
export function ConflictNotice({ mine, theirs, onKeep, onTake }: ConflictNoticeProps) {
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
        <Icon name="warning" size={15} /> <strong>{t("notebook.conflict")}</strong> {t("notebook.conflictHow")}
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
          {buttons}
        </div>
      </Dialog>
    </section>
  );
}
