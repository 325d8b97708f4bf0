import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { useGet, useList } from "../../api/queries";
import type { ScheduleRow } from "../../api/types_schedules";
import type { Settings } from "../../api/types_settings";
import { ProblemLine } from "../../parts/confirmdialog";
import { Loading } from "../../parts/faces";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useProblemWords } from "../../parts/faces";
import { pathOf, useChange, useSchedules } from "./data";
import { bodyOf, emptySchedule, formOf, missing, type ScheduleForm } from "./form";
import { Check, Messages, Rules, Spending, Timing, What } from "./fields";
import css from "./schedules.module.css";
import { ownZone } from "./times";

/** Names that a schedule can refer to. */
export interface Choices {
  experiments: string[];
  notebooks: string[];
  /** How many schedules the front matter of a notebook has. */
  front: Record<string, number>;
  /** Of the price file. */
  currency: string;
}

/** Everything the groups of fields need. */
export interface Fields {
  form: ScheduleForm;
  choices: Choices;
  /** An existing schedule keeps its name. */
  fixed: boolean;
  set: (change: Partial<ScheduleForm>) => void;
  /** What is wrong with a field of the API, if anything. */
  wrong: (field: string) => string | undefined;
}

function useChoices(): Choices | undefined {
  const experiments = useList<{ name: string }>("/experiments", {}, 500);
  const notebooks = useGet<{ items: { name: string; schedules: number }[] }>("/notebooks");
  const settings = useGet<Settings>("/settings");
  const pending = experiments.isPending || notebooks.isPending || settings.isPending;
  return useMemo(
    () =>
      pending
        ? undefined
        : {
            experiments: experiments.data?.pages.flatMap((p) => p.items.map((e) => e.name)) ?? [],
            notebooks: notebooks.data?.items.map((n) => n.name) ?? [],
            front: Object.fromEntries(notebooks.data?.items.map((n) => [n.name, n.schedules]) ?? []),
            currency: settings.data?.currency ?? "",
          },
    [pending, experiments.data, notebooks.data, settings.data],
  );
}

/** Adds a schedule. */
export function NewSchedule({ experiment, notebook, onClose }: { experiment: string; notebook: string; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const choices = useChoices();
  const form = useMemo<ScheduleForm>(() => {
    const empty = emptySchedule(ownZone(), i18n.language === "ja" ? "ja" : "en");
    return {
      ...empty,
      kind: notebook ? "notebook" : "experiment",
      experiment: experiment || (choices?.experiments[0] ?? ""),
      notebook: notebook || (choices?.notebooks[0] ?? ""),
    };
  }, [choices, experiment, notebook, i18n.language]);
  return (
    <>
      <PageHead title={t("schedules.new")} name={t("schedules.new")} above={<PageLink to="/schedules">{t("nav.schedules")}</PageLink>} />
      {choices ? <Editor begin={form} choices={choices} onClose={onClose} /> : <Loading />}
    </>
  );
}

/** Changes a schedule. */
export function EditSchedule({ schedule, onClose }: { schedule: ScheduleRow; onClose: () => void }) {
  const choices = useChoices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed stays when the schedule is read again
  const form = useMemo(() => formOf(schedule), [schedule.name]);
  return choices ? <Editor begin={form} choices={choices} fixed onClose={onClose} /> : <Loading />;
}

function Editor({
  begin,
  choices,
  fixed = false,
  onClose,
}: {
  begin: ScheduleForm;
  choices: Choices;
  fixed?: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const router = useRouter();
  const [form, setForm] = useState(begin);
  const schedules = useSchedules();
  const taken = !fixed && (schedules.data?.items.some((s) => s.name === form.name.trim()) ?? false);
  const name = form.name.trim();
  const save = useChange(
    () => send<ScheduleRow>("PUT", pathOf(name), bodyOf(form)),
    () => (fixed ? onClose() : router.history.push(`/schedules/${encodeURIComponent(name)}`)),
  );
  const { title, hint } = useProblemWords(save.error);
  const blamed = save.error instanceof ApiProblem ? blamedField(save.error) : "";
  const fields: Fields = {
    form,
    choices,
    fixed,
    set: (change) => {
      setForm({ ...form, ...change });
      if (save.error) save.reset();
    },
    wrong: (field) => (field === "name" && taken ? t("schedules.nameTaken") : blamed === field ? `${title} ${hint}` : undefined),
  };
  const lacks = missing(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (lacks === "" && !taken) save.mutate(undefined);
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <What {...fields} />
      <Timing {...fields} />
      <Rules {...fields} />
      <Spending {...fields} />
      {form.kind === "experiment" && <Check {...fields} />}
      <Messages {...fields} />
      <div className={css.bar}>
        {save.error && <ProblemLine error={save.error} />}
        <div className="row">
          <Button type="submit" loading={save.isPending} disabled={lacks !== "" || taken}>
            {fixed ? t("schedules.save") : t("schedules.add")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("parts.cancel")}
          </Button>
          {lacks !== "" && <span className="soft small">{t(`schedules.lacks.${lacks}`)}</span>}
        </div>
      </div>
    </form>
  );
}

/** The field of the form that a problem is about. */
function blamedField(problem: ApiProblem): string {
  const named = typeof problem.params.field === "string" ? problem.params.field : problem.field;
  return named.replace(/^body\./, "");
}
