import { ActionIcon } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useShortcuts } from "../app/keys";
import { Icon } from "./icon";
import css from "./sidepanel.module.css";

interface SidePanelProps {
  title: ReactNode;
  label: string;
  /** Where this one stands in the list it was opened from, such as "3 / 29". */
  place?: string;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * One thing of a list, beside the list: j and k go to the next and the previous, Escape closes. The list stays usable, so this
 * is no dialog; the focus moves into it when it opens and back when it closes.
 */
export function SidePanel({ title, label, place, onClose, onPrevious, onNext, actions, children }: SidePanelProps) {
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useShortcuts([
    { press: "j", label: "keys.next", run: () => onNext?.() },
    { press: "k", label: "keys.previous", run: () => onPrevious?.() },
    { press: "Escape", label: "keys.back", run: onClose },
  ]);
  return (
    <aside ref={panel} className={css.panel} aria-label={label} tabIndex={-1}>
      <header className={css.head}>
        <div className={css.title}>{title}</div>
        <div className={`${css.buttons} no-print`}>
          {place && <span className="soft small figures">{place}</span>}
          <ActionIcon variant="subtle" color="gray" aria-label={t("parts.previous")} disabled={!onPrevious} onClick={() => onPrevious?.()}>
            <Icon name="previous" />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={t("parts.next")} disabled={!onNext} onClick={() => onNext?.()}>
            <Icon name="next" />
          </ActionIcon>
          {actions}
          <ActionIcon variant="subtle" color="gray" aria-label={t("parts.close")} onClick={onClose}>
            <Icon name="close" />
          </ActionIcon>
        </div>
      </header>
      <div className={css.content}>{children}</div>
    </aside>
  );
}
