import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";
import type { QueueItem, ReviewerProgress, Turn, Waiting } from "../../api/types_reviews";
import { useShortcuts } from "../../app/keys";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import css from "./reviews.module.css";

interface QueueProps {
  run: string;
  reviewer: string;
  /** People sign in: the server knows whose review it is. */
  signedIn: boolean;
}

type Step = { path: "decisions" | "skip" | "undo"; body: Record<string, unknown> };

/** One answer after the other: what the judge says is shown once the person has decided. */
export function Queue({ run, reviewer, signedIn }: QueueProps) {
  const query = useGet<Waiting>(`/runs/${run}/review-queue/next`, signedIn ? {} : { reviewer });
  return <Await query={query}>{(first) => <InTurn run={run} reviewer={signedIn ? "" : reviewer} first={first} />}</Await>;
}

function InTurn({ run, reviewer, first }: { run: string; reviewer: string; first: Waiting }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [turn, setTurn] = useState<Turn | null>(null);
  const [extras, setExtras] = useState({ correctness: "", trust: "", comment: "" });
  const item = turn ? turn.next : first.next;
  const at = turn?.reviewer ?? first.reviewer;
  const busy = useRef(false);
  const step = useMutation({
    mutationFn: ({ path, body }: Step) =>
      send<Turn>("POST", `/runs/${run}/review-queue/${path}`, { ...(reviewer ? { reviewer } : {}), ...body }),
    onError: () => {
      busy.current = false;
    },
    onSuccess: (next) => {
      busy.current = false; // with what is shown next: a key that is pressed then counts
      setTurn(next);
      setExtras({ correctness: "", trust: "", comment: "" });
      void client.invalidateQueries({ queryKey: [`/runs/${run}/review-queue`] });
    },
  });
  const go = (s: Step) => {
    if (busy.current) return;
    busy.current = true;
    step.mutate(s);
  };
  const decide = (verdict: string) =>
    item &&
    go({
      path: "decisions",
      body: {
        question_id: item.question_id,
        shown: item.shown,
        verdict,
        ...(extras.correctness ? { correctness: Number(extras.correctness) } : {}),
        ...(extras.trust ? { trust: Number(extras.trust) } : {}),
        ...(extras.comment.trim() ? { comment: extras.comment.trim() } : {}),
      },
    });
  const skip = () => item && go({ path: "skip", body: { question_id: item.question_id } });
  const undo = () => go({ path: "undo", body: {} });
  useShortcuts([
    { press: "c", label: "reviews.sayCorrect", run: () => decide("correct") },
    { press: "i", label: "reviews.sayIncorrect", run: () => decide("incorrect") },
    { press: "u", label: "reviews.sayUnsure", run: () => decide("unsure") },
    { press: "s", label: "reviews.skip", run: skip },
    { press: "z", label: "reviews.undo", run: undo },
  ]);
  const back = (
    <Button variant="default" className={css.back ?? ""} onClick={undo}>
      {t("reviews.undo")} <kbd>Z</kbd>
    </Button>
  );
  return (
    <Card title={t("reviews.queue")} aside={<Progress at={at} />}>
      <div className="stack">
        <Revealed turn={turn} />
        {item ? (
          <Item key={item.question_id} item={item}>
            <Extras value={extras} onChange={setExtras} />
            <div className={css.keys}>
              <Button loading={step.isPending} onClick={() => decide("correct")}>
                {t("reviews.sayCorrect")} <kbd>C</kbd>
              </Button>
              <Button loading={step.isPending} onClick={() => decide("incorrect")}>
                {t("reviews.sayIncorrect")} <kbd>I</kbd>
              </Button>
              <Button variant="default" onClick={() => decide("unsure")}>
                {t("reviews.sayUnsure")} <kbd>U</kbd>
              </Button>
              <Button variant="default" onClick={skip}>
                {t("reviews.skip")} <kbd>S</kbd>
              </Button>
              {at.done > 0 && back}
            </div>
          </Item>
        ) : (
          <div className="row">
            <p role="status">{t("reviews.allDone")}</p>
            {at.done > 0 && back}
          </div>
        )}
        {step.error && <ProblemLine error={step.error} />}
      </div>
    </Card>
  );
}

function Progress({ at }: { at: ReviewerProgress }) {
  const { t } = useTranslation();
  return (
    <span className="row soft small">
      <span>{t("reviews.progress", { name: at.name, done: at.done, of: at.dealt })}</span>
      <progress aria-label={t("reviews.done")} value={at.done} max={Math.max(1, at.dealt)} />
    </span>
  );
}

/** What the judge says of the answer that was decided last. */
function Revealed({ turn }: { turn: Turn | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = turn?.judge;
  return (
    <p role="status" className={css.revealed}>
      {said && (
        <>
          {t("reviews.judgeSaid", {
            question: turn.question_id,
            correctness: format.mean(said.correctness),
            trust: format.mean(said.trust),
          })}{" "}
          {turn.differs && <Badge tone="needs_check">{t("reviews.differs")}</Badge>}
        </>
      )}
    </p>
  );
}

function Item({ item, children }: { item: QueueItem; children: ReactNode }) {
  const { t } = useTranslation();
  const words = useWords();
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <div className={css.item}>
      <div className="stack">
        <section>
          <h3 ref={top} tabIndex={-1}>
            {t("reviews.question")} <span className="soft small mono">{item.question_id}</span>
          </h3>
          <p className="text">{item.question}</p>
        </section>
        <section>
          <h3>{t("reviews.answer")}</h3>
          <p className={`text ${css.answer}`}>{item.answer || <span className="soft">{t("reviews.noAnswer")}</span>}</p>
        </section>
        <section>
          <h3>{t("reviews.reference")}</h3>
          <p className="text">
            {item.answerable ? item.reference || <span className="soft">{t("reviews.noReference")}</span> : t("reviews.unanswerable")}
          </p>
        </section>
        {item.before?.verdict && (
          <p className="soft small">{t("reviews.before", { verdict: words.word("review_verdict", item.before.verdict) })}</p>
        )}
        {children}
      </div>
      <section className={css.contexts}>
        <h3>{t("reviews.contexts", { n: item.contexts.length })}</h3>
        {item.contexts.length === 0 && <p className="soft">{t("reviews.noContexts")}</p>}
        {item.contexts.map((c, i) => (
          <details key={i} open={i < 2}>
            <summary>
              {i + 1}. {c.document}
            </summary>
            <p className="text small">{c.text}</p>
          </details>
        ))}
      </section>
    </div>
  );
}

interface ExtrasProps {
  value: { correctness: string; trust: string; comment: string };
  onChange: (value: ExtrasProps["value"]) => void;
}

/** What may be said besides the verdict. */
function Extras({ value, onChange }: ExtrasProps) {
  const { t } = useTranslation();
  const words = useWords();
  const levels = [{ value: "", label: absent }, ...["1", "2", "3", "4", "5"].map((v) => ({ value: v, label: v }))];
  return (
    <div className={css.extras}>
      {(["correctness", "trust"] as const).map((what) => (
        <NativeSelect
          key={what}
          size="xs"
          label={words.metric(what)}
          data={levels}
          value={value[what]}
          onChange={(e) => onChange({ ...value, [what]: e.currentTarget.value })}
        />
      ))}
      <TextInput
        size="xs"
        label={t("agreement.comment")}
        value={value.comment}
        onChange={(e) => onChange({ ...value, comment: e.currentTarget.value })}
      />
    </div>
  );
}
