package reviews

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Decision is what a reviewer says of an answer of the queue.
type Decision struct {
	Reviewer    string // "" where there is one only
	QuestionID  string // "" for the one that waits first
	Shown       string // digest of what was looked at; "" for what the run holds
	Verdict     experiments.Verdict
	Correctness *int // 1–5
	Trust       *int // 1–5
	Comment     string
}

// Turn is what came of one step in a queue: what the judge says of the answer that was decided, and what waits next.
type Turn struct {
	RunID      string                 `json:"run_id"`
	QuestionID string                 `json:"question_id"`     // of the answer that the step was about
	Judge      *progress.JudgedAnswer `json:"judge,omitempty"` // after a decision; nobody sees it before
	Differs    bool                   `json:"differs"`         // the judge says the contrary
	Reviewer   ReviewerProgress       `json:"reviewer"`
	Next       *QueueItem             `json:"next,omitempty"` // nil where nothing waits
}

// Decide stores what a reviewer says of an answer that was dealt to them, and only then tells what the judge says. To say something else
// of an answer that is decided, it has to be taken back first.
func Decide(ctx context.Context, w *app.Workbench, run string, d Decision) (Turn, error) {
	if !slices.Contains(experiments.Verdicts(), d.Verdict) {
		return Turn{}, problem.New(problem.Invalid, "queue_verdict", "%q is no verdict", d.Verdict).With("field", "verdict").
			WithHint("use correct, incorrect or unsure")
	}
	for field, level := range map[string]*int{"correctness": d.Correctness, "trust": d.Trust} {
		if level != nil && (*level < 1 || *level > 5) {
			return Turn{}, problem.New(problem.Invalid, "queue_level", "%s is %d", field, *level).With("field", field).
				WithHint("use 1 to 5")
		}
	}
	return step(ctx, w, run, d.Reviewer, func(q *queue, name string) (experiments.Review, bool, error) {
		question := d.QuestionID
		if question == "" {
			question = q.next(name)
		}
		r, err := q.open(name, question, d.Shown)
		r.Verdict, r.Correctness, r.Trust, r.Comment = d.Verdict, d.Correctness, d.Trust, d.Comment
		return r, true, err
	})
}

// Skip passes an answer over: it comes again after all others. question "" stands for the one that waits first.
func Skip(ctx context.Context, w *app.Workbench, run, reviewer, question string) (Turn, error) {
	return step(ctx, w, run, reviewer, func(q *queue, name string) (experiments.Review, bool, error) {
		if question == "" {
			question = q.next(name)
		}
		r, err := q.open(name, question, "")
		r.Later = true
		return r, false, err
	})
}

// Undo withdraws the newest decision that a reviewer made in the queue, and shows that answer again. What was said stays in the history.
func Undo(ctx context.Context, w *app.Workbench, run, reviewer string) (Turn, error) {
	return step(ctx, w, run, reviewer, func(q *queue, name string) (experiments.Review, bool, error) {
		var newest experiments.Review
		for _, revisions := range q.said[name] {
			if last := revisions[len(revisions)-1]; !last.Empty() && last.Turn > newest.Turn {
				newest = last
			}
		}
		if newest.Turn == 0 {
			return newest, false, problem.New(problem.Conflict, "queue_undo",
				"%s has decided nothing in this queue that could be taken back", name).
				With("name", name).WithHint("what a workbook says is changed in the workbook")
		}
		return experiments.Review{RunID: newest.RunID, QuestionID: newest.QuestionID, Reviewer: name, Shown: newest.Shown,
			Dealt: newest.Dealt}, false, nil
	})
}

// open is an empty review of an answer that waits for the reviewer.
func (q *queue) open(name, question, shown string) (experiments.Review, error) {
	if question == "" {
		return experiments.Review{}, problem.New(problem.Conflict, "queue_done", "nothing waits for %s in this queue", name).
			With("name", name).
			WithHint("workbench reviews show %s says what came of it; undo takes the newest decision back", q.evaluation.Run.ID)
	}
	revisions := q.said[name][question]
	r := experiments.Review{RunID: q.evaluation.Run.ID, QuestionID: question, Reviewer: name, Dealt: placeOf(revisions)}
	switch {
	case r.Dealt == 0:
		return r, problem.New(problem.NotFound, "queue_question", "question %s was not dealt to %s", question, name).
			With("question", question).
			With("name", name).WithHint("decide what the queue shows; any other answer is reviewed on its own page or in the workbook")
	case !revisions[len(revisions)-1].Empty():
		return r, problem.New(problem.Conflict, "queue_decided", "%s has decided on question %s already", name, question).
			With("question", question).With("name", name).WithHint("undo takes the newest decision back")
	}
	if r.Shown = q.shown(question); shown != "" && shown != r.Shown {
		return r, problem.New(problem.Conflict, "queue_changed", "the answer to question %s is not the one that was looked at", question).
			With("question", question).WithHint("load the page again and look at the answer that the run holds now")
	}
	return r, nil
}

// step stores one turn of a reviewer and says what comes next.
func step(ctx context.Context, w *app.Workbench, run, reviewer string,
	turn func(*queue, string) (experiments.Review, bool, error)) (Turn, error) {
	q, err := queueOf(ctx, w, run)
	if err != nil {
		return Turn{}, err
	}
	name, err := q.reviewer(reviewer)
	if err != nil {
		return Turn{}, err
	}
	r, decided, err := turn(q, name)
	if err != nil {
		return Turn{}, err
	}
	for _, revisions := range q.said[name] {
		for _, before := range revisions {
			r.Turn = max(r.Turn, before.Turn)
		}
	}
	r.Turn++
	r.At = w.Options.Now()
	if _, err := w.Whole.PutReviews(ctx, []experiments.Review{r}); err != nil {
		return Turn{}, err
	}
	q.note(r)
	out := Turn{RunID: r.RunID, QuestionID: r.QuestionID, Reviewer: q.progress(name)}
	if decided {
		said, differs := progress.JudgedBeside(q.evaluation.Results[q.at[r.QuestionID]], q.evaluation.Run.Setup, r)
		out.Judge, out.Differs = &said, differs
	}
	out.Next, err = q.item(ctx, name, q.next(name))
	return out, err
}
