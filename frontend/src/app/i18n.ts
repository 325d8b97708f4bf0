import i18next from "i18next";
import { initReactI18next } from "react-i18next";

/** The languages people can choose. */
export const languages = ["en", "ja"] as const;
export type Language = (typeof languages)[number];

/** The texts of a language, which are loaded once somebody reads it. */
const texts = { en: () => import("../locales/en.json"), ja: () => import("../locales/ja.json") };

const remembered = "workbench.language";

/** The language to start in: the one chosen before, else that of the browser. */
function firstLanguage(): Language {
  const chosen = localStorage.getItem(remembered) ?? navigator.language;
  return chosen.startsWith("ja") ? "ja" : "en";
}

/** Loads the texts of the first language. Nothing can be shown before. */
export async function startTexts() {
  const lng = firstLanguage();
  await i18next.use(initReactI18next).init({
    resources: { [lng]: { translation: (await texts[lng]()).default } },
    lng,
    fallbackLng: false, // both languages have every text
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
  });
  show(lng);
  i18next.on("languageChanged", show);
}

function show(language: string) {
  document.documentElement.lang = language;
}

/** Changes the language of everything on screen and remembers it. */
export async function chooseLanguage(language: Language) {
  localStorage.setItem(remembered, language);
  if (!i18next.hasResourceBundle(language, "translation"))
    i18next.addResourceBundle(language, "translation", (await texts[language]()).default);
  await i18next.changeLanguage(language);
}
