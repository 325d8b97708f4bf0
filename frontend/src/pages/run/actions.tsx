import { Button, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send, workKey } from "../../api/client";
import { useMay } from "../../api/me";
import type { RunRow } from "../../api/types";
import { ConfirmDialog, ProblemLine } from "../../parts/confirmdialog";
import { Icon } from "../../parts/icon";
import { looksInto } from "../../parts/runwords";
import { formatSearch } from "../../app/url";
import { CompareWith } from "./comparewith";

/** What can be done with a run that is over: compare, make it the baseline, retry, repeat, delete. */
export function RunActions({ run, baseline }: { run: RunRow; baseline: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const [deleting, setDeleting] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [mayRun, mayEdit, mayDelete] = [useMay("run"), useMay("edit"), useMay("admin")];
  const act = useRunAction(run.run_id);
  const pin = usePin(run);
  const finished = run.state === "finished";
  const errors = Object.values(run.totals?.errors ?? {}).reduce((a, b) => a + b, 0);

  return (
    <>
      {finished && run.kind === "evaluate" && (
        <Button
          variant={baseline ? "filled" : "default"}
          leftSection={<Icon name="compare" size={14} />}
          onClick={() =>
            baseline ? router.history.push(`/compare${formatSearch({ baseline, candidate: run.run_id })}`) : setChoosing(true)
          }
        >
          {baseline ? t("run.compareBaseline") : t("run.compare")}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label={t("run.more")}>
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {finished && run.kind === "evaluate" && baseline && (
            <Menu.Item leftSection={<Icon name="compare" size={14} />} onClick={() => setChoosing(true)}>
              {t("run.compare")}
            </Menu.Item>
          )}
          {finished && run.kind === "evaluate" && (
            <Menu.Item
              leftSection={<Icon name="agreements" size={14} />}
              onClick={() => router.history.push(`/runs/${run.run_id}/reviews`)}
            >
              {t("reviews.open")}
            </Menu.Item>
          )}
          {finished && mayEdit && run.dataset.name && !looksInto(run) && (
            <Menu.Item leftSection={<Icon name="pin" size={14} />} onClick={() => pin.mutate()}>
              {run.baseline ? t("run.unpin") : t("run.pin")}
            </Menu.Item>
          )}
          {finished && mayRun && !looksInto(run) && (
            <Menu.Item leftSection={<Icon name="play" size={14} />} onClick={() => act.mutate("replicate")}>
              {t("run.replicate")}
            </Menu.Item>
          )}
          {finished && mayRun && errors > 0 && (
            <Menu.Item leftSection={<Icon name="play" size={14} />} onClick={() => act.mutate("retry-errors")}>
              {t("run.retryErrors", { n: errors })}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="print" size={14} />} onClick={() => window.print()}>
            {t("run.print")}
          </Menu.Item>
          {mayDelete && (
            <Menu.Item color="red" leftSection={<Icon name="trash" size={14} />} onClick={() => setDeleting(true)}>
              {t("run.delete")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {act.error || pin.error ? <ProblemLine error={act.error ?? pin.error} /> : null}
      <CompareWith run={run} opened={choosing} onClose={() => setChoosing(false)} />
      <DeleteRun run={run} opened={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}

/** Does something with a run by its name in the API, then reads everything about runs again. */
export function useRunAction(run: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: string) => send("POST", `/runs/${run}/${action}`, action === "replicate" ? { n: 1 } : undefined, workKey()),
    onSuccess: () => client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith("/runs") }),
  });
}

function usePin(run: RunRow) {
  const client = useQueryClient();
  const path = `/baselines/${encodeURIComponent(run.dataset.name)}`;
  return useMutation({
    mutationFn: () => (run.baseline ? send("DELETE", path) : send("PUT", path, { run: run.run_id })),
    onSuccess: () => client.invalidateQueries(),
  });
}

function DeleteRun({ run, opened, onClose }: { run: RunRow; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const removal = useMutation({
    mutationFn: () => send("DELETE", `/runs/${run.run_id}`),
    onSuccess: () => {
      router.history.push("/runs");
      return client.invalidateQueries({ queryKey: ["/runs"] });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t("run.deleteTitle")}
      action={t("run.delete")}
      danger
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    >
      <p>{t("run.deleteText", { run: run.run_id })}</p>
    </ConfirmDialog>
  );
}
