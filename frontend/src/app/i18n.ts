import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "../locales/en.json";
import ja from "../locales/ja.json";

/** The languages people can choose. */
export const languages = ["en", "ja"] as const;
export type Language = (typeof languages)[number];

const remembered = "workbench.language";

/** The language to start in: the one chosen before, else that of the browser. */
function firstLanguage(): Language {
  const chosen = localStorage.getItem(remembered) ?? navigator.language;
  return chosen.startsWith("ja") ? "ja" : "en";
}

void i18next.use(initReactI18next).init({
  resources: { en: { translation: en }, ja: { translation: ja } },
  lng: firstLanguage(),
  fallbackLng: "en",
  interpolation: { escapeValue: false }, // React escapes
  returnNull: false,
});

function show(language: string) {
  document.documentElement.lang = language;
}
show(i18next.language);
i18next.on("languageChanged", show);

/** Changes the language of everything on screen and remembers it. */
export function chooseLanguage(language: Language) {
  localStorage.setItem(remembered, language);
  void i18next.changeLanguage(language);
}
