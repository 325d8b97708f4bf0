/** Whether a page has been turned to whose heading is not there yet. */
let awaited = false;

const main = () => document.getElementById("main");

/** Another page is turned to: the focus leaves what was clicked, which may be gone, and waits in the new page for its heading. */
export function turnPage() {
  awaited = true;
  main()?.focus({ preventScroll: true });
}

/** The heading of a page is there. It takes the focus, so that it is read out and Tab goes on behind it, unless the focus has moved on. */
export function turnedTo(heading: HTMLElement | null) {
  if (!awaited) return;
  awaited = false;
  if (document.activeElement === document.body || document.activeElement === main()) heading?.focus({ preventScroll: true });
}

/** Puts the focus on the heading of the page, for who had it on something that is gone. */
export function focusHeading() {
  (main()?.querySelector<HTMLElement>("h1") ?? main())?.focus({ preventScroll: true });
}
