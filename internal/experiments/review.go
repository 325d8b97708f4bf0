package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/rag-workbench/workbench/internal/rag"
)

// Verdict is what a person says about an answer.
type Verdict string

// The verdicts.
const (
	CorrectAnswer   Verdict = "correct"
	IncorrectAnswer Verdict = "incorrect"
	UnsureVerdict   Verdict = "unsure" // the person cannot tell; counts for no figure
)

// Verdicts lists the verdicts.
func Verdicts() []Verdict { return []Verdict{CorrectAnswer, IncorrectAnswer, UnsureVerdict} }

// Review is what one person says about one answer of a run. It stands beside the judge's scores and never replaces them. A
// person's changed mind is the next revision; earlier ones are kept.
type Review struct {
	RunID      string `json:"run_id"`
	QuestionID string `json:"question_id"`
	Reviewer   string `json:"reviewer"` // a name as people typed it
	Revision   int    `json:"revision"` // 1, 2, …; 0 before it is stored
	Shown      string `json:"shown"`    // [ShownDigest] of what the person saw

	Verdict            Verdict  `json:"verdict,omitempty"`
	Correctness        *int     `json:"correctness,omitempty"`         // 1–5, as the judge's
	Trust              *int     `json:"trust,omitempty"`               // 1–5, as the judge's
	Cause              string   `json:"cause,omitempty"`               // component-level cause
	CorrectedReference string   `json:"corrected_reference,omitempty"` // the right answer, where the dataset's is wrong
	Action             string   `json:"action,omitempty"`              //
	Priority           Priority `json:"priority,omitempty"`            //
	Comment            string   `json:"comment,omitempty"`             //

	// Of a review queue. An answer that was dealt to a reviewer and is not decided yet is a review that says nothing.
	Dealt int  `json:"dealt,omitempty"` // its place in the reviewer's queue, from 1; 0: not of a queue
	Turn  int  `json:"turn,omitempty"`  // counts what the reviewer did in the queue, so that a withdrawn word can be said again
	Later bool `json:"later,omitempty"` // passed over for now

	At time.Time `json:"at"` // when it was said or imported
}

// Empty reports whether the review says nothing: it was dealt and waits, or what was said was withdrawn.
func (r Review) Empty() bool {
	return r.Verdict == "" && r.Correctness == nil && r.Trust == nil && r.Cause == "" && r.CorrectedReference == "" && r.Action == "" &&
		r.Priority == "" && r.Comment == ""
}

// Says reports whether two reviews say the same of the same answer, whoever said it and when.
func (r Review) Says(other Review) bool {
	same := func(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return r.Shown == other.Shown && r.Verdict == other.Verdict && same(r.Correctness, other.Correctness) && same(r.Trust, other.Trust) &&
		r.Cause == other.Cause && r.CorrectedReference == other.CorrectedReference && r.Action == other.Action &&
		r.Priority == other.Priority && r.Comment == other.Comment
}

// With returns what two reviews say together, and whether they contradict each other in nothing. What only one of them says counts.
func (r Review) With(other Review) (Review, bool) {
	fits := true
	texts := func(a *string, b string) {
		fits = fits && (*a == "" || b == "" || *a == b)
		if *a == "" {
			*a = b
		}
	}
	levels := func(a **int, b *int) {
		fits = fits && (*a == nil || b == nil || **a == *b)
		if *a == nil {
			*a = b
		}
	}
	texts(&r.Shown, other.Shown)
	texts((*string)(&r.Verdict), string(other.Verdict))
	levels(&r.Correctness, other.Correctness)
	levels(&r.Trust, other.Trust)
	texts(&r.Cause, other.Cause)
	texts(&r.CorrectedReference, other.CorrectedReference)
	texts(&r.Action, other.Action)
	texts((*string)(&r.Priority), string(other.Priority))
	texts(&r.Comment, other.Comment)
	return r, fits
}

// ShownDigest identifies what a reviewer is shown of one question: question, reference, answer and the places of the contexts. It
// is the first 16 hexadecimal digits of a SHA-256. A review whose digest is not that of the stored result was made of something
// else, for example before an error was retried.
func ShownDigest(q Question, r Result) string {
	shown := struct {
		Question, Reference string
		Answered            bool
		Answer              string
		Places              []rag.Span
	}{Question: q.Text, Reference: q.Reference, Answered: r.Answer != nil}
	if r.Answer != nil {
		shown.Answer = r.Answer.Text
		for _, h := range r.Answer.Hits {
			shown.Places = append(shown.Places, h.Span)
		}
	}
	body, err := json.Marshal(shown)
	if err != nil {
		panic("texts and places are not JSON: " + err.Error()) // both always are
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

// ReviewStore keeps reviews. They outlive their run: a run made again has the same id.
type ReviewStore interface {
	// PutReviews stores each review as its reviewer's next revision, in one transaction. One that says what the same reviewer said in
	// any revision before is not stored again. It returns those that were stored, with their revisions.
	PutReviews(ctx context.Context, reviews []Review) ([]Review, error)
	// Reviews returns the newest revision of every reviewer's review of a run's answers, by question and reviewer. Those that say
	// nothing are left out.
	Reviews(ctx context.Context, runID string) ([]Review, error)
	// ReviewHistory returns every revision of a run's reviews, by question, reviewer and revision.
	ReviewHistory(ctx context.Context, runID string) ([]Review, error)
}
