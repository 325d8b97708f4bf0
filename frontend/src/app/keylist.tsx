import { Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
import css from "./keylist.module.css";
import { useShortcutList } from "./keys";

/** The keys that work on the present page. */
export function KeyList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const list = useShortcutList();
  return (
    <Modal opened={opened} onClose={onClose} title={t("keys.title")} closeButtonProps={{ "aria-label": t("parts.close") }}>
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
    </Modal>
  );
}
