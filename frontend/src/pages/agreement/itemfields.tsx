import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWords } from "../../parts/words";
import css from "./agreement.module.css";
import type { FormPart } from "./editor";
import { CategoryField, RemoveRow, ThemeField } from "./groupfields";
import type { DraftItem } from "./form";

interface ItemFieldsProps {
  n: number;
  part: FormPart;
  item: DraftItem;
  onChange: (change: Partial<DraftItem>) => void;
  onRemove: () => void;
}

const priorities = ["high", "medium", "low"];

/** One item: which low-score answers, and what is done about them, or why nothing is. */
export function ItemFields({ n, part, item, onChange, onRemove }: ItemFieldsProps) {
  const { t } = useTranslation();
  const words = useWords();
  const at = `items[${n}]`;
  const kept = [item.data && words.data(item.data), item.param].filter(Boolean).join(" · ");
  return (
    <fieldset className={css.entry} aria-label={t("agreement.itemNo", { n: n + 1 })}>
      {part.error(at) && (
        <p role="alert" className={css.faulty}>
          {part.error(at)}
        </p>
      )}
      <div className={css.groupFields}>
        <NativeSelect
          size="xs"
          label={t("run.cause")}
          data={[{ value: "", label: t("agreement.anyCause") }, ...part.view.components.map((c) => ({ value: c, label: words.cause(c) }))]}
          value={item.component}
          error={part.error(`${at}.component`)}
          onChange={(e) => onChange({ component: e.currentTarget.value })}
        />
        <ThemeField
          n={n}
          list={`item-themes-${n}`}
          themes={part.view.themes}
          value={item.theme}
          onChange={(theme) => onChange({ theme })}
        />
        <CategoryField known={part.view.categories} value={item.category} onChange={(category) => onChange({ category })} />
        <TextInput
          size="xs"
          label={t("agreement.questionsWord")}
          placeholder={t("agreement.idsBetweenCommas")}
          value={item.questions}
          error={part.error(`${at}.questions`)}
          onChange={(e) => onChange({ questions: e.currentTarget.value })}
        />
        <RemoveRow label={t("agreement.removeItem", { n: n + 1 })} onClick={onRemove} />
      </div>
      {kept && <p className="soft small">{kept}</p>}
      <div className={css.itemFields}>
        {item.out_of_scope ? (
          <TextInput
            size="xs"
            label={t("agreement.why")}
            required
            value={item.why}
            error={part.error(`${at}.why`)}
            onChange={(e) => onChange({ why: e.currentTarget.value })}
          />
        ) : (
          <TextInput
            size="xs"
            label={t("agreement.action")}
            required
            value={item.action}
            error={part.error(`${at}.action`)}
            onChange={(e) => onChange({ action: e.currentTarget.value })}
          />
        )}
        <NativeSelect
          size="xs"
          label={t("agreement.priorityWord")}
          data={[{ value: "", label: "–" }, ...priorities.map((p) => ({ value: p, label: words.word("priority", p) }))]}
          value={item.priority}
          onChange={(e) => onChange({ priority: e.currentTarget.value })}
        />
        <TextInput size="xs" label={t("agreement.owner")} value={item.owner} onChange={(e) => onChange({ owner: e.currentTarget.value })} />
        <TextInput
          size="xs"
          type="date"
          label={t("agreement.due")}
          value={item.due}
          error={part.error(`${at}.due`)}
          onChange={(e) => onChange({ due: e.currentTarget.value })}
        />
        <Checkbox
          size="xs"
          className={css.scope ?? ""}
          label={t("agreement.state.out_of_scope")}
          checked={item.out_of_scope}
          onChange={(e) => onChange({ out_of_scope: e.currentTarget.checked })}
        />
      </div>
    </fieldset>
  );
}
