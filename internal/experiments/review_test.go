package experiments

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestReviewSays changes every field of a review in turn: what somebody said must not be equal then. Who, when and which answer are
// told apart by the key instead.
func TestReviewSays(t *testing.T) {
	t.Parallel()
	four, five := 4, 5
	r := Review{Shown: "s", Verdict: CorrectAnswer, Correctness: &four, Trust: &four, Cause: "c", CorrectedReference: "r", Action: "a",
		Priority: LowPriority, Comment: "x"}
	byKey := map[string]bool{"RunID": true, "QuestionID": true, "Reviewer": true, "Revision": true, "At": true,
		"Dealt": true, "Turn": true, "Later": true} // where it stands in a queue is nothing that was said
	typ := reflect.TypeFor[Review]()
	for i := range typ.NumField() {
		other := r
		switch f := reflect.ValueOf(&other).Elem().Field(i); f.Interface().(type) {
		case *int:
			f.Set(reflect.ValueOf(&five))
		case int:
			f.SetInt(7)
		case bool:
			f.SetBool(true)
		case time.Time:
			f.Set(reflect.ValueOf(time.Unix(1, 0)))
		default:
			f.SetString("other")
		}
		name := typ.Field(i).Name
		if r.Says(other) != byKey[name] || other.Says(r) != byKey[name] {
			t.Errorf("with another %s Says is %v", name, r.Says(other))
		}
		merged, fits := r.With(other)
		if fits != byKey[name] {
			t.Errorf("with another %s With fits: %v", name, fits)
		}
		if fits && !merged.Says(r) {
			t.Errorf("with another %s together they say %+v", name, merged)
		}
		blank := r
		reflect.ValueOf(&blank).Elem().Field(i).SetZero()
		for _, pair := range [][2]Review{{r, blank}, {blank, r}} {
			merged, fits := pair[0].With(pair[1])
			if !fits || !merged.Says(r) {
				t.Errorf("without %s together they say %+v, %v", name, merged, fits)
			}
		}
	}
	if r.Empty() || !(Review{RunID: "r", QuestionID: "q", Reviewer: "me", Shown: "s", Revision: 1, At: time.Unix(1, 0)}).Empty() {
		t.Error("a review is empty exactly when nobody said anything")
	}
}

func TestShownDigest(t *testing.T) {
	t.Parallel()
	q := Question{ID: "q1", Text: "text", Reference: "reference"}
	answer := func(text string, places ...rag.Span) Result {
		a := &rag.Answer{Generation: rag.Generation{Text: text}}
		for _, p := range places {
			a.Hits = append(a.Hits, rag.Hit{Span: p, Score: .5, Text: "filled in"})
		}
		return Result{QuestionID: "q1", Answer: a}
	}
	seen := map[string]string{}
	for name, got := range map[string]string{
		"as it is":       ShownDigest(q, answer("said", rag.Span{DocID: "d", End: 3})),
		"other place":    ShownDigest(q, answer("said", rag.Span{DocID: "d", End: 4})),
		"no place":       ShownDigest(q, answer("said")),
		"other answer":   ShownDigest(q, answer("say", rag.Span{DocID: "d", End: 3})),
		"empty answer":   ShownDigest(q, answer("")),
		"no answer":      ShownDigest(q, Result{QuestionID: "q1"}),
		"other text":     ShownDigest(Question{Text: "texts", Reference: "reference"}, answer("said", rag.Span{DocID: "d", End: 3})),
		"other ref":      ShownDigest(Question{Text: "text", Reference: "other"}, answer("said", rag.Span{DocID: "d", End: 3})),
		"moved a border": ShownDigest(Question{Text: "textr", Reference: "eference"}, answer("said", rag.Span{DocID: "d", End: 3})),
	} {
		if len(got) != 16 {
			t.Errorf("%s: the digest is %q", name, got)
		}
		if other, twice := seen[got]; twice {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[got] = name
	}
	// Scores, the rank of a hit and its text do not change what is shown of places.
	bare := answer("said", rag.Span{DocID: "d", End: 3})
	bare.Answer.Hits[0].Score, bare.Answer.Hits[0].Text = .1, ""
	if diff := cmp.Diff(ShownDigest(q, answer("said", rag.Span{DocID: "d", End: 3})), ShownDigest(q, bare)); diff != "" {
		t.Error(diff)
	}
}
