import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWords } from "../../parts/words";
import css from "./agreement.module.css";
import type { FormPart } from "./editor";
import { CategoryField, RemoveRow, ThemeField } from "./groupfields";
import { type DraftTarget, lowScoreShare } from "./form";
import { useAgreementNames } from "./names";

interface TargetFieldsProps {
  n: number;
  part: FormPart;
  target: DraftTarget;
  onChange: (change: Partial<DraftTarget>) => void;
  onRemove: () => void;
}

/** One target: of which questions, which metric, how far, who, until when. */
export function TargetFields({ n, part, target, onChange, onRemove }: TargetFieldsProps) {
  const { t } = useTranslation();
  const words = useWords();
  const names = useAgreementNames();
  const at = `targets[${n}]`;
  const share = target.metric === lowScoreShare;
  const ids = [lowScoreShare, ...words.metrics.map((m) => m.id)];
  const metrics = (ids.includes(target.metric) ? ids : [target.metric, ...ids]).map((id) => ({ value: id, label: names.metric(id) }));
  return (
    <fieldset className={css.entry} aria-label={t("agreement.targetNo", { n: n + 1 })}>
      {part.error(at) && (
        <p role="alert" className={css.faulty}>
          {part.error(at)}
        </p>
      )}
      <div className={css.targetFields}>
        <ThemeField
          n={n}
          list={`target-themes-${n}`}
          themes={part.view.themes}
          value={target.theme}
          onChange={(theme) => onChange({ theme })}
        />
        <CategoryField known={part.view.categories} value={target.category} onChange={(category) => onChange({ category })} />
        <NativeSelect
          size="xs"
          label={t("agreement.metric")}
          data={metrics}
          value={target.metric}
          error={part.error(`${at}.metric`)}
          onChange={(e) => onChange({ metric: e.currentTarget.value })}
        />
        <NumberInput
          size="xs"
          label={share ? t("agreement.atMostPercent") : t("agreement.target")}
          value={target.target}
          suffix={share ? "%" : ""}
          error={part.error(`${at}.target`)}
          onChange={(v) => onChange({ target: v === "" ? "" : Number(v) })}
        />
        <TextInput
          size="xs"
          label={t("agreement.owner")}
          value={target.owner}
          onChange={(e) => onChange({ owner: e.currentTarget.value })}
        />
        <TextInput
          size="xs"
          type="date"
          label={t("agreement.due")}
          value={target.due}
          error={part.error(`${at}.due`)}
          onChange={(e) => onChange({ due: e.currentTarget.value })}
        />
        <RemoveRow label={t("agreement.removeTarget", { n: n + 1 })} onClick={onRemove} />
      </div>
    </fieldset>
  );
}
