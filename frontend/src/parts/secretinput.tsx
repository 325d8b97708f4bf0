import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A field for a password or a token, with a button that shows what is in it: by keyboard too, and named in the language of the page. */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  return <PasswordInput visibilityToggleButtonProps={{ "aria-label": t("people.show"), tabIndex: 0 }} {...props} />;
}
