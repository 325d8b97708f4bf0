import type { ComponentType } from "react";
import type { IconName } from "../parts/icon";

/** A page: where it is, how it is loaded, and its place in the navigation. */
export interface PageEntry {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  nav?: { label: string; icon: IconName; press: string };
}

/** Every page of the workbench. A page is a module below src/pages whose default export is its component. */
export const pages: PageEntry[] = [
  { path: "/", load: () => import("../pages/home/page") },
  {
    path: "/notebooks",
    load: () => import("../pages/notebooks/page"),
    nav: { label: "nav.notebooks", icon: "notebooks", press: "g n" },
  },
  { path: "/notebooks/$notebook", load: () => import("../pages/notebook/page") },
  { path: "/runs", load: () => import("../pages/runs/page"), nav: { label: "nav.runs", icon: "runs", press: "g r" } },
  { path: "/runs/$run", load: () => import("../pages/run/page") },
  { path: "/runs/$run/reviews", load: () => import("../pages/reviews/page") },
  { path: "/compare", load: () => import("../pages/compare/page"), nav: { label: "nav.compare", icon: "compare", press: "g c" } },
  { path: "/beside", load: () => import("../pages/beside/page") },
  { path: "/trend", load: () => import("../pages/schedules/trend/page"), nav: { label: "trend.nav", icon: "chart", press: "g t" } },
  { path: "/sweeps/$sweep", load: () => import("../pages/sweep/page") },
  {
    path: "/experiments",
    load: () => import("../pages/experiments/page"),
    nav: { label: "nav.experiments", icon: "experiments", press: "g e" },
  },
  { path: "/experiments/$experiment", load: () => import("../pages/experiments/experiment") },
  {
    path: "/schedules",
    load: () => import("../pages/schedules/page"),
    nav: { label: "nav.schedules", icon: "schedules", press: "g h" },
  },
  { path: "/schedules/$schedule", load: () => import("../pages/schedules/schedule") },
  { path: "/datasets", load: () => import("../pages/datasets/page"), nav: { label: "nav.datasets", icon: "datasets", press: "g d" } },
  { path: "/datasets/$dataset", load: () => import("../pages/datasets/dataset") },
  { path: "/corpora", load: () => import("../pages/corpora/page"), nav: { label: "nav.corpora", icon: "corpora", press: "g o" } },
  { path: "/corpora/$corpus", load: () => import("../pages/corpora/corpus") },
  {
    path: "/agreements",
    load: () => import("../pages/agreement/page"),
    nav: { label: "nav.agreements", icon: "agreements", press: "g a" },
  },
  { path: "/agreements/$dataset", load: () => import("../pages/agreement/dataset") },
  { path: "/judge-cards", load: () => import("../pages/judgecards/page"), nav: { label: "nav.judges", icon: "judges", press: "g j" } },
  { path: "/endpoints", load: () => import("../pages/endpoints/page"), nav: { label: "nav.endpoints", icon: "endpoints", press: "g p" } },
  { path: "/settings", load: () => import("../pages/settings/page"), nav: { label: "nav.settings", icon: "settings", press: "g s" } },
  { path: "/people", load: () => import("../pages/people/page"), nav: { label: "nav.people", icon: "people", press: "g u" } },
  { path: "/people/audit", load: () => import("../pages/people/audit") },
  { path: "/setup", load: () => import("../pages/people/link") },
  { path: "/reset", load: () => import("../pages/people/link") },
];
