import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "./dialog";
import { useProblemWords } from "./faces";

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What the button does, in words: "Delete run", never "OK". */
  action: string;
  danger?: boolean;
  busy?: boolean;
  disabled?: boolean;
  /** What leaves it as it is, where that is not "Cancel". */
  cancel?: string;
  /** It is done: there is nothing to take back any more. */
  done?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something that costs money or cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title}>
      <div className="stack">
        <div>{props.children}</div>
        {props.error ? <ProblemLine error={props.error} /> : null}
        <div className="row apart">
          {!props.done && (
            <Button variant="default" onClick={props.onClose}>
              {props.cancel ?? t("parts.cancel")}
            </Button>
          )}
          <Button
            color={props.danger ? "red" : undefined}
            loading={props.busy ?? false}
            disabled={props.disabled ?? false}
            onClick={props.onConfirm}
          >
            {props.action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** An error in one or two lines, where there is no room for a face. */
export function ProblemLine({ error }: { error: unknown }) {
  const { title, hint } = useProblemWords(error);
  return (
    <p role="alert" style={{ color: "var(--worse)" }}>
      {title} {hint && <span className="soft">{hint}</span>}
    </p>
  );
}
