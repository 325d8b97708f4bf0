import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Failed } from "../parts/faces";
import { NotFound } from "./notfound";
import { pages } from "./pages";
import { Shell } from "./shell";
import { formatSearch, parseSearch } from "./url";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const routes = pages.map((page) => createRoute({ getParentRoute: () => root, path: page.path, component: lazyRouteComponent(page.load) }));

/** The router over all pages of pages.ts. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch,
  stringifySearch: formatSearch,
  defaultErrorComponent: ({ error, reset }) => <Failed page error={error} retry={reset} />,
  scrollRestoration: false,
  notFoundMode: "root",
});
