import { useTranslation } from "react-i18next";
import { Dialog } from "../parts/dialog";
import css from "./keylist.module.css";
import { useShortcutList } from "./keys";

/** The keys that work on the present page. */
export function KeyList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const list = useShortcutList();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("keys.title")}>
      <dl className={css.list}>
        {opened &&
          list().map((s) => (
            <div key={s.press}>
              <dt>
                {s.press.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{t(s.label)}</dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
