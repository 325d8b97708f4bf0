const key = "workbench.place";

/** Keeps the page that somebody wanted to see, for this tab, while they sign in somewhere else. */
export function keepPlace(href: string) {
  if (href.startsWith("/") && !href.startsWith("/?")) sessionStorage.setItem(key, href);
}

/** The page that was kept, once. */
export function takePlace(): string | null {
  const href = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return href;
}
