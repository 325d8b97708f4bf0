package reviews

import (
	"fmt"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// dealt is a world with a run whose answers are dealt to two people.
func dealt(t *testing.T, o QueueOrder) (*apptest.World, Queue) {
	t.Helper()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, "name: flat")
	q, err := DealQueue(t.Context(), w.Workbench, run.ID, o)
	if err != nil {
		t.Fatal(err)
	}
	return w, q
}

func next(w *apptest.World, t *testing.T, run, reviewer string) *QueueItem {
	t.Helper()
	item, _, err := NextItem(t.Context(), w.Workbench, run, reviewer)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// TestQueue goes through a queue as two people do: decide, pass over, take back, and come to the end.
func TestQueue(t *testing.T) {
	t.Parallel()
	w, q := dealt(t, QueueOrder{Reviewers: []string{"Ann", " Ben ", "Ann"}, Answers: 6, Twice: 2, Seed: 3})
	ctx, run := t.Context(), q.RunID
	if q.Answers != 6 || q.Twice != 2 || fmt.Sprint(q.Reviewers) != "[{Ann 4 0 0} {Ben 4 0 0}]" {
		t.Fatalf("dealt %+v", q)
	}
	if f, err := ReviewFigures(ctx, w.Workbench, run); err != nil || f.Reviews != 0 {
		t.Errorf("what nobody said yet counts as %d reviews, %v", f.Reviews, err)
	}
	first := next(w, t, run, "Ann")
	if first.Question == "" || first.Answer == "" || len(first.Contexts) == 0 || first.Contexts[0].Text == "" ||
		first.Reviewer.Left() != 4 {
		t.Fatalf("it shows %+v", first)
	}
	turn, err := Skip(ctx, w.Workbench, run, "Ann", "")
	if err != nil || turn.Judge != nil || turn.Next.QuestionID == first.QuestionID || turn.Reviewer.Later != 1 {
		t.Fatalf("passed over: %+v, %v", turn, err)
	}
	second := turn.Next
	decide := func(v experiments.Verdict) Turn {
		t.Helper()
		turn, err := Decide(ctx, w.Workbench, run,
			Decision{Reviewer: "Ann", QuestionID: second.QuestionID, Shown: second.Shown, Verdict: v})
		if err != nil || turn.Judge == nil || turn.Judge.Correctness == nil {
			t.Fatalf("decided: %+v, %v", turn, err)
		}
		return turn
	}
	if turn = decide(experiments.CorrectAnswer); turn.Reviewer.Done != 1 || turn.Next.QuestionID == second.QuestionID {
		t.Errorf("after a decision: %+v", turn)
	}
	if turn.Differs != (*turn.Judge.Correctness <= 2) {
		t.Errorf("the judge says %v, differs: %t", *turn.Judge.Correctness, turn.Differs)
	}
	if _, err := Decide(ctx, w.Workbench, run, Decision{Reviewer: "Ann", QuestionID: second.QuestionID,
		Verdict: experiments.CorrectAnswer}); problem.CodeOf(err) != "queue_decided" {
		t.Errorf("a second decision: %v", err)
	}
	turn, err = Undo(ctx, w.Workbench, run, "Ann")
	if err != nil || turn.Next.QuestionID != second.QuestionID || turn.Next.Before.Verdict != experiments.CorrectAnswer ||
		turn.Reviewer.Done != 0 {
		t.Fatalf("taken back: %+v, %v", turn, err)
	}
	decide(experiments.CorrectAnswer) // the same word again, which an import would call known
	if f, err := ReviewFigures(ctx, w.Workbench, run); err != nil || f.Reviews != 1 || f.Labels[0].Verdict != experiments.CorrectAnswer {
		t.Errorf("figures %+v, %v", f, err)
	}
	for range 2 {
		if turn, err = Decide(ctx, w.Workbench, run, Decision{Reviewer: "Ann", Verdict: experiments.UnsureVerdict}); err != nil {
			t.Fatal(err)
		}
	}
	if turn.Next == nil || turn.Next.QuestionID != first.QuestionID {
		t.Errorf("what was passed over comes last, not %+v", turn.Next)
	}
	turn, err = Decide(ctx, w.Workbench, run, Decision{Reviewer: "Ann", Verdict: experiments.IncorrectAnswer, Trust: new(2)})
	if err != nil || turn.Next != nil || turn.Reviewer.Left() != 0 {
		t.Errorf("at the end: %+v, %v", turn, err)
	}
	if _, err := Skip(ctx, w.Workbench, run, "Ann", ""); problem.CodeOf(err) != "queue_done" {
		t.Errorf("after the end: %v", err)
	}
}

// TestQueueRefuses names what is wrong.
func TestQueueRefuses(t *testing.T) {
	t.Parallel()
	w, q := dealt(t, QueueOrder{Reviewers: []string{"Ann", "Ben"}, Answers: 4, Twice: -1, Seed: 3})
	ctx, run := t.Context(), q.RunID
	if q.Twice != 0 {
		t.Errorf("%d answers were dealt twice", q.Twice)
	}
	ann := next(w, t, run, "Ann")
	for want, d := range map[string]Decision{
		"queue_reviewer": {Verdict: experiments.CorrectAnswer}, "queue_nobody": {Reviewer: "Zoe", Verdict: experiments.CorrectAnswer},
		"queue_verdict":  {Reviewer: "Ann", Verdict: "good"},
		"queue_level":    {Reviewer: "Ann", Verdict: experiments.CorrectAnswer, Trust: new(9)},
		"queue_question": {Reviewer: "Ben", QuestionID: ann.QuestionID, Verdict: experiments.CorrectAnswer},
		"queue_changed":  {Reviewer: "Ann", QuestionID: ann.QuestionID, Shown: "another", Verdict: experiments.CorrectAnswer},
	} {
		if _, err := Decide(ctx, w.Workbench, run, d); problem.CodeOf(err) != want {
			t.Errorf("want %s: %v", want, err)
		}
	}
	if _, err := Undo(ctx, w.Workbench, run, "Ann"); problem.CodeOf(err) != "queue_undo" {
		t.Error(err)
	}
	if _, err := DealQueue(ctx, w.Workbench, run, QueueOrder{Answers: -1}); problem.CodeOf(err) != "queue_size" {
		t.Error(err)
	}
	for range 20 { // deals what is left, and then says that nothing is
		if _, err := DealQueue(ctx, w.Workbench, run, QueueOrder{Answers: 4}); err != nil {
			if problem.CodeOf(err) != "queue_nothing" {
				t.Error(err)
			}
			return
		}
	}
	t.Error("it deals without end")
}

// TestQueueAndWorkbook: a dealt answer that a workbook decides is decided, and nobody counts twice.
func TestQueueAndWorkbook(t *testing.T) {
	t.Parallel()
	w, q := dealt(t, QueueOrder{Answers: 3, Seed: 1})
	if fmt.Sprint(q.Reviewers) != "[{reviewer 3 0 0}]" {
		t.Fatalf("without names: %+v", q)
	}
	item := next(w, t, q.RunID, "")
	wantTally(t, merge(w, t, sheet(w, t, q.RunID).row(item.QuestionID, saysOf(experiments.CorrectAnswer)),
		ReviewImport{Reviewer: OnePerson, Apply: true}), "1 new, 0 changed, 0 known, 0 left out: ")
	if now, err := QueueOf(t.Context(), w.Workbench, q.RunID); err != nil || now.Reviewers[0].Done != 1 {
		t.Errorf("%+v, %v", now, err)
	}
	if again := next(w, t, q.RunID, ""); again.QuestionID == item.QuestionID {
		t.Error("a decided answer waits")
	}
}
