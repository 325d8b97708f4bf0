import type { DatasetQuestion } from "../../api/types_library";

/** The tag of questions that a model wrote and nobody has reviewed. */
export const draftTag = "draft";

/** What changes of a question; what is absent stays. */
export interface Edit {
  question?: string;
  reference?: string;
  tags?: string[];
  critical?: boolean;
  answerable?: boolean;
}

/** The fields of the form. */
export interface Form {
  question: string;
  reference: string;
  tags: string;
  critical: boolean;
  answerable: boolean;
}

/** The form as it begins. */
export function editOf(q: DatasetQuestion): Form {
  return {
    question: q.question,
    reference: q.reference ?? "",
    tags: (q.tags ?? []).join(", "),
    critical: q.critical ?? false,
    answerable: q.answerable,
  };
}

/** What the form changes. An edit of nothing is empty, so that no version is made for it. */
export function changesOf(q: DatasetQuestion, form: Form): Edit {
  const edit: Edit = {};
  const tags = form.tags
    .split(/[,、，]/)
    .map((tag) => tag.trim())
    .filter(Boolean);
  if (form.question !== q.question) edit.question = form.question;
  if (form.reference !== (q.reference ?? "")) edit.reference = form.reference;
  if (tags.join("\n") !== (q.tags ?? []).join("\n")) edit.tags = tags;
  if (form.critical !== (q.critical ?? false)) edit.critical = form.critical;
  if (form.answerable !== q.answerable) edit.answerable = form.answerable;
  return edit;
}

/** The corpus that the evidence of a dataset is probably of: the one with its name, or the only one there is. */
export function corpusFor(dataset: string, corpora: string[]): string {
  if (corpora.includes(dataset)) return dataset;
  return corpora.length === 1 ? (corpora[0] ?? "") : "";
}
