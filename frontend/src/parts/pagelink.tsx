import { useRouter } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, MouseEvent, Ref } from "react";
import { formatSearch } from "../app/url";

interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A path of this application, such as /runs/4cfc49e5d64f. */
  to: string;
  search?: Record<string, string | undefined>;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link to another page: a real address for the browser, and no reload for a plain click. */
export function PageLink({ to, search, onClick, ...rest }: PageLinkProps) {
  const router = useRouter();
  const href = to + formatSearch(search ?? {});
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
