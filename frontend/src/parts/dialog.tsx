import { Modal } from "@mantine/core";
import { type ReactNode, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { focusHeading } from "./focus";

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: string;
  children: ReactNode;
}

/** A question above the page: it keeps the focus until it closes, and gives it back to what opened it. */
export function Dialog({ opened, onClose, title, size, children }: DialogProps) {
  const { t } = useTranslation();
  useLayoutEffect(() => {
    if (!opened) return;
    const opener = openerOf(document.activeElement);
    return () => {
      const active = document.activeElement;
      if (active !== document.body && !active?.closest("[role=dialog]")) return; // something else has taken it
      if (opener?.isConnected) opener.focus({ preventScroll: true });
      else focusHeading();
    };
  }, [opened]);
  return (
    <Modal.Root opened={opened} onClose={onClose} returnFocus={false} {...(size ? { size } : {})}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="none">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t("parts.close")} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** What the focus returns to: an item of a menu is gone by then, so the button of the menu. */
function openerOf(active: Element | null): HTMLElement | null {
  const menu = active?.closest("[role=menu]");
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : active;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
