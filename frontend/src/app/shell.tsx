import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../api/client";
import { KeptFor, startAgain, useMe } from "../api/me";
import type { Me } from "../api/types";
import { Loading } from "../parts/faces";
import { turnPage } from "../parts/focus";
import { Icon } from "../parts/icon";
import { PageLink } from "../parts/pagelink";
import { chooseLanguage, type Language } from "./i18n";
import { KeyboardProvider, type Shortcut, useShortcuts } from "./keys";
import { KeyList } from "./keylist";
import { pages } from "./pages";
import { SignIn } from "./signin";
import css from "./shell.module.css";

const places = pages.flatMap((page) => (page.nav ? [{ path: page.path, ...page.nav }] : []));

/** Pages that people open with a link before they can sign in. */
const links = ["/setup", "/reset"];

/** What surrounds every page: navigation, language, colours, and the keys that work everywhere. */
export function Shell() {
  return (
    <KeyboardProvider>
      <Frame />
    </KeyboardProvider>
  );
}

function Frame() {
  const { t } = useTranslation();
  const path = useRouterState({ select: (s) => s.location.pathname });
  const main = useRef<HTMLElement>(null);
  const me = useMe();
  // Where people sign in, a page that nobody may see yet asks the server for nothing.
  const stranger = me.data && !me.data.role;
  // The page of somebody whose session has ended stays as it is, with what was entered there, until they have signed in again.
  const [kept, setKept] = useState<Me | null>(null);
  if (me.data?.account && me.data !== kept) setKept(me.data);
  const asks = stranger && !links.includes(path);
  const [listed, setListed] = useState(false);
  // On a phone the navigation is folded away until it is asked for, and again once a page was chosen.
  const [unfolded, setUnfolded] = useState(false);
  useGlobalShortcuts(() => setListed(true));
  const before = useRef(path);
  useLayoutEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main.current?.scrollTo(0, 0);
    setUnfolded(false);
    turnPage();
  }, [path]);

  return (
    <div className={css.frame}>
      <a className="skip no-print" href="#main">
        {t("shell.skip")}
      </a>
      <header className={`${css.side} no-print`} data-unfolded={unfolded || undefined}>
        <PageLink to="/" className={css.brand}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span>{t("shell.product")}</span>
        </PageLink>
        <button
          type="button"
          className={css.fold}
          aria-expanded={unfolded}
          aria-controls="navigation"
          onClick={() => setUnfolded(!unfolded)}
        >
          <Icon name="menu" size={16} /> {t("shell.menu")}
        </button>
        {!stranger && (
          <nav id="navigation" aria-label={t("shell.navigation")} className={css.nav}>
            {places.map((place) => (
              <PageLink
                key={place.path}
                to={place.path}
                className={css.place}
                aria-current={path === place.path || path.startsWith(`${place.path}/`) ? "page" : undefined}
              >
                <Icon name={place.icon} />
                <span>{t(place.label)}</span>
              </PageLink>
            ))}
          </nav>
        )}
        <Preferences onKeys={() => setListed(true)} />
      </header>
      <main id="main" ref={main} tabIndex={-1} className={css.main}>
        {me.isPending && <Loading />}
        {asks && <SignIn keptFor={kept?.account ?? ""} />}
        {!me.isPending && (!asks || kept) && (
          <div style={{ display: asks ? "none" : "contents" }}>
            <KeptFor.Provider value={kept}>
              <Outlet />
            </KeptFor.Provider>
          </div>
        )}
      </main>
      <KeyList opened={listed} onClose={() => setListed(false)} />
    </div>
  );
}

function useGlobalShortcuts(showKeys: () => void) {
  const router = useRouter();
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      ...places.map((p) => ({ press: p.press, label: p.label, run: () => router.history.push(p.path) })),
      { press: "/", label: "keys.search", run: () => document.querySelector<HTMLInputElement>("input[type=search]")?.focus() },
      { press: "?", label: "keys.list", run: showKeys },
    ],
    [router, showKeys],
  );
  useShortcuts(shortcuts);
}

function Preferences({ onKeys }: { onKeys: () => void }) {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const me = useMe();
  return (
    <div className={css.preferences}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("shell.language")}
        value={i18n.language}
        onChange={(value) => void chooseLanguage(value as Language)}
        data={[
          { value: "ja", label: "日本語" },
          { value: "en", label: "English" },
        ]}
      />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("shell.colours")}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as "light" | "dark" | "auto")}
        data={(["light", "dark", "auto"] as const).map((value) => ({
          value,
          label: (
            <span className={css.scheme} title={t(`shell.${value}`)}>
              <Icon name={value} size={14} />
              <span className="hidden-text">{t(`shell.${value}`)}</span>
            </span>
          ),
        }))}
      />
      <button type="button" className={css.keys} onClick={onKeys}>
        <Icon name="keys" size={14} /> {t("keys.title")} <kbd>?</kbd>
      </button>
      {me.data?.auth === "sign_in" && me.data.role && (
        <button type="button" className={css.keys} onClick={() => void send("DELETE", "/session").then(() => startAgain())}>
          {t("people.out")}
        </button>
      )}
      {me.data?.version && <span className={css.version}>{me.data.version}</span>}
    </div>
  );
}
