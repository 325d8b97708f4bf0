import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import css from "./once.module.css";

/** Something secret that is shown this once. */
export function Once({ label, secret }: { label: string; secret: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(secret).then(() => setCopied(true));
  return (
    <div className={css.secret} role="status">
      <span>{label}</span>
      <code>{secret}</code>
      {/* Browsers lend the clipboard to pages behind TLS and on the loopback address only. */}
      {window.isSecureContext && (
        <Button size="xs" variant="default" onClick={copy}>
          {t(copied ? "people.copied" : "people.copy")}
        </Button>
      )}
    </div>
  );
}
