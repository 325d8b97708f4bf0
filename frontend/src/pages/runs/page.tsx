import { Button, Checkbox, MultiSelect, Select, Tooltip } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShortcuts } from "../../app/keys";
import { useUrlState } from "../../app/url";
import { useMay } from "../../api/me";
import { useGet, useList } from "../../api/queries";
import type { Parameters, RunRow, TagCount } from "../../api/types";
import { OfflineBadge } from "../../parts/badges";
import { DataTable } from "../../parts/datatable";
import { Empty, Failed, Loading } from "../../parts/faces";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { TagButton } from "../../parts/runnotes";
import { comparePath, mostBeside, runPath } from "../../parts/runwords";
import { ColumnChooser, CopyLink, FilterChips, pinnedFirst, SearchBox, shownColumns } from "../../parts/tools";
import { useUndo } from "../../parts/undo";
import { useRunColumns } from "./columns";
import { useFolds } from "./folds";
import { ImportResults } from "./results";
import { viewFields, Views } from "./views";
import css from "./runs.module.css";

const states = ["queued", "running", "paused", "finished", "cancelled", "failed"];
const kinds = ["evaluate", "sweep", "verify", "diagnose", "questions", "validate"];

/** All runs, newest first, the baselines on top. Two to six of them can be compared. */
export default function RunsPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const [{ import: importing, open, ...url }, setUrl] = useUrlState([...viewFields, "open", "import"]);
  const { cols, pin, ...params } = url;
  const mayImport = useMay("edit");
  const list = useList<RunRow>("/runs", params);
  const parameters = useGet<Parameters>("/parameters", { ...params, limit: 500 });
  const { bar, doUndoably } = useUndo();
  const onTag = useCallback((tag: string) => setUrl({ tag }), [setUrl]);
  const onOpen = useCallback((runs: string) => setUrl({ open: runs }), [setUrl]);
  const ordered = useMemo(
    () => (url.sort ? list.rows : [...list.rows].sort((a, b) => Number(b.baseline) - Number(a.baseline))),
    [list.rows, url.sort],
  );
  const { rows, folds } = useFolds(ordered, { open, sort: url.sort, children: url.children }, onOpen);
  const writing = { noted: rows.some((r) => r.note), tagged: rows.some((r) => r.tags?.length), doUndoably, onTag };
  const columns = useRunColumns(parameters.data, writing, folds);
  const shown = useMemo(() => pinnedFirst(shownColumns(columns, cols), pin), [columns, cols, pin]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = rows.filter((r) => chosen.has(r.run_id));
  const filters = (["experiment", "dataset", "sweep"] as const)
    .filter((name) => url[name])
    .map((name) => ({ name, text: `${t(`runs.${name}`)}: ${url[name]}`, clear: () => setUrl({ [name]: "" }) }));
  const filtered = Object.entries(params).some(([name, value]) => !["sort", "children", "group"].includes(name) && value);

  if (importing && mayImport) return <ImportResults onClose={() => setUrl({ import: "" })} />;
  const importButton = mayImport && (
    <Button variant="default" leftSection={<Icon name="add" size={14} />} onClick={() => setUrl({ import: "1" }, { push: true })}>
      {t("results.open")}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t("runs.title")}
        name={t("runs.title")}
        below={list.rows.some((r) => r.offline) && <OfflineBadge whole />}
        actions={
          <>
            <CompareButton runs={picked} />
            <TagButton runs={picked} doUndoably={doUndoably} />
            {importButton}
            <Views shown={url} onShow={(view) => setUrl({ ...view, open: "" })} doUndoably={doUndoably} />
            <ColumnChooser
              columns={columns}
              chosen={cols}
              onChoose={(c) => setUrl(c ? { cols: c } : { cols: "", pin: "" })}
              pinned={pin}
              onPin={(p) => setUrl({ pin: p })}
            />
            <CopyLink />
          </>
        }
      />
      <div className={`row ${css.filters} no-print`} hidden={list.isSuccess && list.total === 0 && !filtered}>
        <SearchBox label={t("runs.search")} value={url.q} onChange={(q) => setUrl({ q })} />
        <Choice label={t("runs.state")} group="state" codes={states} value={url.state} onChange={(state) => setUrl({ state })} />
        <Choice label={t("runs.kind")} group="kind" codes={kinds} value={url.kind} onChange={(kind) => setUrl({ kind })} />
        <TagFilter value={url.tag} onChange={(tag) => setUrl({ tag })} />
        <Checkbox
          size="xs"
          label={t("runs.unfold")}
          checked={url.children === "true"}
          onChange={(e) => setUrl({ children: e.currentTarget.checked ? "true" : "" })}
        />
        <Checkbox
          size="xs"
          label={t("runs.group")}
          checked={url.group === "sweep"}
          onChange={(e) => setUrl({ group: e.currentTarget.checked ? "sweep" : "", open: "" })}
        />
        <FilterChips filters={filters} onClear={() => setUrl({ experiment: "", dataset: "", sweep: "" })} />
        <span className="soft small figures">{list.isSuccess && t("runs.count", { count: list.total })}</span>
      </div>
      {list.error ? (
        <Failed error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading rows={10} />
      ) : list.total === 0 && !filtered ? (
        <Empty
          title={t("runs.none")}
          next={t("runs.noneNext")}
          command="workbench demo"
          action={<PageLink to="/experiments">{t("nav.experiments")}</PageLink>}
        />
      ) : (
        <DataTable
          label={t("runs.title")}
          columns={shown}
          rows={rows}
          rowKey={(r) => r.run_id}
          total={list.total + rows.length - list.rows.length}
          more={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
          sort={url.sort}
          onSort={(sort) => setUrl({ sort })}
          onOpen={(r) => router.history.push(runPath(r))}
          chosen={chosen}
          onChoose={setChosen}
          rowHeight={54}
          height="calc(100vh - 156px)"
          empty={<Empty title={t("runs.noneFound")} next={t("runs.noneFoundNext")} />}
        />
      )}
      {bar}
    </>
  );
}

/** Narrows the list to runs that have all of some tags; nothing while no run has a tag. */
function TagFilter({ value, onChange }: { value: string; onChange: (tags: string) => void }) {
  const { t } = useTranslation();
  const known = useGet<{ items: TagCount[] }>("/run-tags").data?.items ?? [];
  const chosen = value.split(",").filter(Boolean);
  if (known.length === 0 && chosen.length === 0) return null;
  return (
    <MultiSelect
      size="xs"
      miw={150}
      maw={320}
      clearable
      searchable
      aria-label={t("notes.any")}
      placeholder={chosen.length ? "" : t("notes.any")}
      value={chosen}
      onChange={(tags) => onChange(tags.join(","))}
      data={[...new Set([...known.map((k) => k.tag), ...chosen])]}
      clearButtonProps={{ "aria-label": t("filter.clear") }}
    />
  );
}

function Choice({
  label,
  group,
  codes,
  value,
  onChange,
}: {
  label: string;
  group: string;
  codes: string[];
  value: string;
  onChange: (v: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      size="xs"
      w={150}
      clearable
      aria-label={label}
      placeholder={label}
      value={value || null}
      onChange={(v) => onChange(v ?? "")}
      data={codes.map((code) => ({ value: code, label: t(`${group}.${code}`) }))}
    />
  );
}

/** Compares the two to six runs that are chosen: against the baseline where it is one of them, else against the oldest. */
function CompareButton({ runs }: { runs: RunRow[] }) {
  const { t } = useTranslation();
  const router = useRouter();
  const [before, ...others] = [...runs].sort((a, b) => Number(b.baseline) - Number(a.baseline) || a.created_at.localeCompare(b.created_at));
  const ready = before && others.length > 0 && others.length <= mostBeside;
  const go = () => ready && router.history.push(comparePath(before.run_id, ...others.map((r) => r.run_id)));
  useShortcuts([{ press: "c", label: "keys.compare", run: go }]);
  return (
    <Tooltip label={t("runs.chooseSome")} disabled={Boolean(ready)}>
      <Button leftSection={<Icon name="compare" size={14} />} aria-disabled={!ready} variant={ready ? "filled" : "default"} onClick={go}>
        {t("runs.compare")}
      </Button>
    </Tooltip>
  );
}
