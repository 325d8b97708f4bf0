import i18next from "i18next";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { initReactI18next } from "react-i18next";
import en from "../locales/en.json";
import ja from "../locales/ja.json";

/** The HTML of an element in a language. */
export async function painted(element: ReactElement, language: "en" | "ja"): Promise<string> {
  const interpolation = { escapeValue: false }; // React escapes
  await i18next
    .use(initReactI18next)
    .init({ lng: language, interpolation, resources: { en: { translation: en }, ja: { translation: ja } } });
  return renderToStaticMarkup(element);
}
