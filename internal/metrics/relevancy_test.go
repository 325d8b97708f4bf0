package metrics

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRelevanceOfSayingNothing: where the documents hold no answer, the answer that says so is relevant, and talk of other things
// is not.
func TestRelevanceOfSayingNothing(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]float64{
		`{"parts":[{"part":"what","given":"no"}],"off":[]}`:  1,
		`{"parts":[{"part":"what","given":"no"}],"off":[1]}`: 0,
		`{"parts":[{"part":"what","given":"yes"}],"off":[]}`: 1,
	} {
		judge := fullJudge()
		judge.replies[PurposeParts] = saying(reply)
		sample := exampleSample("c1")
		sample.Answerable, sample.Reference = false, ""
		wantValue(t, scoresOf(t, judge, sample, "answer_relevancy"), "answer_relevancy", want)
	}
}

// TestOfflineParts: the offline judge cuts a question where it asks for another thing, and tells a full answer from a thin one.
func TestOfflineParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question string
		answer   []string
		given    []string
		off      []int
	}{
		{"Who directed the film Oppenheimer and who stars as J. Robert Oppenheimer in it?",
			[]string{"Christopher Nolan directed the film Oppenheimer.", "Cillian Murphy stars as J. Robert Oppenheimer."},
			[]string{"yes", "yes"}, []int{}},
		{"Who directed the film Oppenheimer and who stars as J. Robert Oppenheimer in it?",
			[]string{"The film Oppenheimer was directed by Christopher Nolan.", "Its budget was large."}, []string{"yes", "no"}, []int{2}},
		{"When was the bridge opened, and how long is it?", []string{"The bridge was opened in 1932.", "It is quite long."},
			[]string{"yes", "partly"}, []int{}},
		{"特急券はいつまで変更できますか。", []string{"特急券は出発の5分前まで変更できます。"}, []string{"yes"}, []int{}},
		{"特急券はいつまで変更できますか。", []string{"特急券は窓口で変更できます。"}, []string{"partly"}, []int{}},
		{"What does error E21 mean on the KL-40?", []string{"red, steady: Meaning sensor fault", "Display: KL-40 EUR 110"},
			[]string{"partly"}, []int{}},
		{"What does error E21 mean on the KL-40?", []string{"E21: the battery of the KL-40 is too cold."}, []string{"yes"}, []int{}},
		{"How high is the fee?", []string{"The documents do not say how high the fee is."}, []string{"no"}, []int{}},
	} {
		reply := offlineParts(partsData{Question: c.question, Sentences: number(c.answer)})
		var given []string
		for _, p := range reply.Parts {
			given = append(given, p.Given)
		}
		if diff := cmp.Diff(c.given, given); diff != "" {
			t.Errorf("%q, %q: given (-want +got):\n%s", c.question, c.answer, diff)
		}
		if diff := cmp.Diff(c.off, reply.Off); diff != "" {
			t.Errorf("%q, %q: beside the point (-want +got):\n%s", c.question, c.answer, diff)
		}
	}
}
