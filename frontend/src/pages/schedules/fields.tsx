import { Button, Checkbox, Input, NativeSelect, NumberInput, Radio, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";
import type { ChannelRow } from "../../api/types_schedules";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import { LimitFields } from "../../parts/gatedialog";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useChange, useCronWords } from "./data";
import type { Fields } from "./editor";
import { type BudgetText, catchUps, overlaps, presets } from "./form";
import { Preview } from "./preview";
import css from "./schedules.module.css";

/** Choices, with the present one even where it is gone. */
const known = (choices: string[], present: string) => (present === "" || choices.includes(present) ? choices : [present, ...choices]);

/** Its name, and what it runs. */
export function What({ form, choices, fixed, set, wrong }: Fields) {
  const { t } = useTranslation();
  const names = form.kind === "experiment" ? choices.experiments : choices.notebooks;
  const present = form[form.kind];
  return (
    <Card title={t("schedules.what")}>
      <div className="fields">
        <TextInput
          label={t("schedules.name")}
          description={t("schedules.nameRule")}
          required
          disabled={fixed}
          value={form.name}
          error={wrong("name")}
          onChange={(e) => set({ name: e.currentTarget.value })}
        />
        <Input.Wrapper
          label={t("schedules.runs")}
          description={t(`schedules.meaning.${form.kind}`)}
          labelElement="div"
          inputWrapperOrder={["label", "description", "input"]}
        >
          <SegmentedControl
            size="xs"
            fullWidth
            mt={4}
            aria-label={t("schedules.runs")}
            value={form.kind}
            onChange={(kind) => set({ kind: kind as "experiment" | "notebook" })}
            data={(["experiment", "notebook"] as const).map((value) => ({ value, label: t(`schedules.${value}`) }))}
          />
        </Input.Wrapper>
        {names.length === 0 && present === "" ? (
          <p>
            {t(`schedules.nothing.${form.kind}`)}{" "}
            <PageLink to={form.kind === "experiment" ? "/experiments" : "/notebooks"}>{t(`schedules.go.${form.kind}`)}</PageLink>
          </p>
        ) : (
          <NativeSelect
            label={t(`schedules.${form.kind}`)}
            data={known(names, present)}
            value={present}
            error={wrong(form.kind)}
            onChange={(e) => set({ [form.kind]: e.currentTarget.value })}
          />
        )}
        {form.kind === "experiment" && (
          <>
            <NumberInput
              label={t("schedules.askedMost")}
              description={t("schedules.askedRule")}
              placeholder={t("schedules.askedNone")}
              min={1}
              max={5000}
              value={form.last}
              error={wrong("last")}
              onChange={(last) => set({ last: String(last) })}
            />
            {form.last !== "" && (
              <NumberInput
                label={t("schedules.askedDays")}
                min={1}
                max={366}
                value={form.days}
                error={wrong("days")}
                onChange={(days) => set({ days: String(days) })}
              />
            )}
            {form.last !== "" && (
              <TextInput
                label={t("schedules.askedSeed")}
                description={t("schedules.askedSeedRule")}
                value={form.seed}
                error={wrong("seed")}
                onChange={(e) => set({ seed: e.currentTarget.value })}
              />
            )}
          </>
        )}
        {form.kind === "notebook" && !fixed && (choices.front[form.notebook] ?? 0) > 0 && (
          <FromFront notebook={form.notebook} count={choices.front[form.notebook] ?? 0} />
        )}
        {form.kind === "notebook" && (
          <Textarea
            label={t("schedules.params")}
            description={t("schedules.paramsRule")}
            autosize
            minRows={1}
            value={form.params}
            error={wrong("params")}
            onChange={(e) => set({ params: e.currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t("schedules.lang")}
          data={[
            { value: "en", label: "English" },
            { value: "ja", label: "日本語" },
          ]}
          value={form.lang}
          onChange={(e) => set({ lang: e.currentTarget.value })}
        />
      </div>
    </Card>
  );
}

/** Registers what the front matter of a notebook says, in place of this form. */
function FromFront({ notebook, count }: { notebook: string; count: number }) {
  const { t } = useTranslation();
  const router = useRouter();
  const register = useChange(
    () => send("POST", "/schedules/from-notebook", { notebook }),
    () => router.history.push("/schedules"),
  );
  return (
    <div>
      <p className="soft small">{t("schedules.front", { count })}</p>
      <Button variant="default" loading={register.isPending} onClick={() => register.mutate(undefined)}>
        {t("schedules.register", { count })}
      </Button>
      {register.error && <ProblemLine error={register.error} />}
    </div>
  );
}

/** When it fires, with the next ten times. */
export function Timing({ form, set, wrong }: Fields) {
  const { t } = useTranslation();
  const words = useCronWords();
  const zones = useGet<{ items: string[] }>("/schedules/zones");
  const list = useId();
  return (
    <Card title={t("schedules.when")}>
      <div className={css.when}>
        <div className="stack">
          <div role="group" aria-label={t("schedules.presets")} className="row" style={{ gap: 6 }}>
            {presets.map((cron) => (
              <Button
                key={cron}
                size="compact-xs"
                variant={form.cron.trim() === cron ? "light" : "default"}
                aria-pressed={form.cron.trim() === cron}
                onClick={() => set({ cron })}
              >
                {words(cron)}
              </Button>
            ))}
          </div>
          <TextInput
            className={css.cron}
            label={t("schedules.timetable")}
            description={t("schedules.timetableRule")}
            required
            spellCheck={false}
            autoComplete="off"
            maxLength={200}
            value={form.cron}
            error={wrong("cron")}
            onChange={(e) => set({ cron: e.currentTarget.value })}
          />
          <TextInput
            label={t("schedules.zone")}
            description={t("schedules.zoneRule")}
            list={list}
            spellCheck={false}
            autoComplete="off"
            maxLength={64}
            value={form.zone}
            error={wrong("zone")}
            onChange={(e) => set({ zone: e.currentTarget.value })}
          />
          <datalist id={list}>
            {(zones.data?.items ?? []).map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </div>
        <Preview cron={form.cron} zone={form.zone.trim()} />
      </div>
    </Card>
  );
}

/** What becomes of slots that passed, and of those that come too early. */
export function Rules({ form, set, wrong }: Fields) {
  const { t } = useTranslation();
  return (
    <Card title={t("schedules.rules")}>
      <div className={css.choices}>
        <Radio.Group
          label={t("schedules.catchUp")}
          description={t("schedules.catchUpRule")}
          value={form.catchUp}
          onChange={(catchUp) => set({ catchUp })}
        >
          <div className="stack" style={{ gap: 8, marginTop: 8 }}>
            {catchUps.map((value) => (
              <Radio
                key={value}
                size="xs"
                value={value}
                label={t(`schedules.catchUps.${value}`)}
                description={t(`schedules.catchUpMeans.${value}`)}
              />
            ))}
          </div>
        </Radio.Group>
        <Radio.Group
          label={t("schedules.overlap")}
          description={t("schedules.overlapRule")}
          value={form.overlap}
          onChange={(overlap) => set({ overlap })}
        >
          <div className="stack" style={{ gap: 8, marginTop: 8 }}>
            {overlaps.map((value) => (
              <Radio
                key={value}
                size="xs"
                value={value}
                label={t(`schedules.overlaps.${value}`)}
                description={t(`schedules.overlapMeans.${value}`)}
              />
            ))}
          </div>
        </Radio.Group>
        {form.catchUp !== "skip" && (
          <NumberInput
            label={t("schedules.window")}
            description={t("schedules.windowRule")}
            min={0}
            max={744}
            value={form.window}
            error={wrong("window")}
            onChange={(v) => set({ window: String(v) })}
          />
        )}
        <NumberInput
          label={t("schedules.pauseAfter")}
          description={t("schedules.pauseAfterRule")}
          min={0}
          max={100}
          allowDecimal={false}
          value={form.pauseAfter}
          error={wrong("pause_after")}
          onChange={(v) => set({ pauseAfter: String(v) })}
        />
      </div>
    </Card>
  );
}

/** What its release check goes by. */
export function Check({ form, set, wrong }: Fields) {
  const { t } = useTranslation();
  return (
    <Card title={t("schedules.check")}>
      <div className={css.choices}>
        <LimitFields limits={form.limits} set={(limits) => set({ limits })} wrong={wrong} />
      </div>
    </Card>
  );
}

/** What it may cost. */
export function Spending({ form, choices, set, wrong }: Fields) {
  const { t } = useTranslation();
  return (
    <Card title={t("schedules.spending")}>
      <div className={css.choices}>
        <BudgetField
          label={t("schedules.budget")}
          rule={t("schedules.budgetRule")}
          value={form.budget}
          currency={choices.currency}
          error={wrong("budget")}
          onChange={(budget) => set({ budget })}
        />
        <BudgetField
          label={t("schedules.monthly")}
          rule={t("schedules.monthlyRule")}
          value={form.monthly}
          currency={choices.currency}
          error={wrong("monthly")}
          onChange={(monthly) => set({ monthly })}
        />
      </div>
      {form.budget.amount.trim() === "" && form.monthly.amount.trim() === "" && <p className="soft small">{t("schedules.unbounded")}</p>}
    </Card>
  );
}

function BudgetField({
  label,
  rule,
  value,
  currency,
  error,
  onChange,
}: {
  label: string;
  rule: string;
  value: BudgetText;
  currency: string;
  error: string | undefined;
  onChange: (b: BudgetText) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={css.budget}>
      <TextInput
        label={label}
        description={rule}
        inputMode="decimal"
        value={value.amount}
        error={error}
        onChange={(e) => onChange({ ...value, amount: e.currentTarget.value })}
      />
      <NativeSelect
        aria-label={t("schedules.unitOf", { name: label })}
        data={[
          { value: "money", label: currency || t("schedules.money") },
          { value: "calls", label: t("schedules.calls") },
        ]}
        value={value.unit}
        onChange={(e) => onChange({ ...value, unit: e.currentTarget.value as BudgetText["unit"] })}
      />
    </div>
  );
}

/** Who hears of it. */
export function Messages({ form, set, wrong }: Fields) {
  const { t } = useTranslation();
  const query = useGet<{ items: ChannelRow[] }>("/notices/channels");
  return (
    <Card title={t("schedules.messages")}>
      <Await query={query} rows={2}>
        {({ items }) => {
          const names = [...new Set([...items.map((c) => c.name), ...form.notify, form.ping].filter(Boolean))];
          const named = (name: string) => {
            const c = items.find((i) => i.name === name);
            return c
              ? `${name} (${t(`schedules.channelKinds.${c.kind}`, { defaultValue: c.kind })})`
              : t("schedules.channelGone", { name });
          };
          if (names.length === 0) return <p className="soft">{t("schedules.noChannels")}</p>;
          return (
            <div className={css.choices}>
              <Checkbox.Group
                label={t("schedules.notify")}
                description={t("schedules.notifyRule")}
                value={form.notify}
                error={wrong("notify") ?? wrong("channel")}
                onChange={(notify) => set({ notify })}
              >
                <div className="stack" style={{ gap: 8, marginTop: 8 }}>
                  {names.map((name) => (
                    <Checkbox key={name} size="xs" value={name} label={named(name)} />
                  ))}
                </div>
              </Checkbox.Group>
              <NativeSelect
                label={t("schedules.ping")}
                description={t("schedules.pingRule")}
                data={[{ value: "", label: t("schedules.noPing") }, ...names.map((value) => ({ value, label: named(value) }))]}
                value={form.ping}
                error={wrong("ping")}
                onChange={(e) => set({ ping: e.currentTarget.value })}
              />
            </div>
          );
        }}
      </Await>
    </Card>
  );
}
