package metrics

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestReplicatesArePerturbed: replicate 0 is the shipped prompt with everything in its order; others have wording r mod 3 and an
// order of their own, the same for the same question and replicate; and what the judge says still lands in the right cells.
func TestReplicatesArePerturbed(t *testing.T) {
	t.Parallel()
	sample := longSample(6)
	orders := map[string]bool{}
	var first map[string]Score
	for replicate := range 5 {
		ask := func() (*scripted, map[string]Score) {
			judge := carefulJudge()
			ctx := llm.WithScope(t.Context(), llm.Scope{Replicate: replicate})
			scores, err := suiteOf(t, judge, newKept(), judgeConfig(""), "trust", "faithfulness", "context_recall", "context_precision").
				Score(ctx, sample)
			if err != nil {
				t.Fatal(err)
			}
			return judge, byMetric(scores)
		}
		judge, scores := ask()
		again, _ := ask()
		if diff := cmp.Diff(judge.requests(), again.requests(), cmpopts.IgnoreUnexported(llm.Request{})); diff != "" {
			t.Errorf("replicate %d asks otherwise the second time:\n%s", replicate, diff)
		}
		for _, req := range judge.asked {
			want := wording(req.Purpose, "en", replicate)
			if explained[req.Purpose] {
				want += explainIn["en"]
			}
			if req.Instruction != want {
				t.Errorf("replicate %d of %s says %q", replicate, req.Purpose, req.Instruction)
			}
			if req.Purpose != PurposeTrust {
				continue
			}
			var shown []string
			for _, c := range decode[trustData](req).Contexts {
				shown = append(shown, c.Text)
			}
			orders[encoded(shown)] = true
			if in := slices.Equal(shown, texts(sample.Contexts)); in != (replicate == 0) {
				t.Errorf("replicate %d shows the contexts in their order: %v", replicate, in)
			}
		}
		if first == nil {
			first = scores
		}
		for metric, s := range scores {
			if s.State != Scored || s.Value != first[metric].Value {
				t.Errorf("replicate %d: %s is %+v, at first %g", replicate, metric, s, first[metric].Value)
			}
		}
	}
	if len(orders) != 5 {
		t.Errorf("%d orders of the contexts in five replicates", len(orders))
	}
}

func TestWordings(t *testing.T) {
	t.Parallel()
	for purpose, languages := range paraphrases {
		for _, lang := range []string{"en", "ja"} {
			all := []string{instructions[purpose][lang], languages[lang][0], languages[lang][1]}
			for r := range 2 * wordings {
				if got := wording(purpose, lang, r); got != all[r%wordings] {
					t.Errorf("wording %d of %s in %s is %q", r, purpose, lang, got)
				}
			}
			slices.Sort(all)
			if len(slices.Compact(all)) != wordings || slices.ContainsFunc(all, func(s string) bool { return text.Language(s) != lang }) {
				t.Errorf("%s in %s has not three wordings of its own", purpose, lang)
			}
		}
	}
	own := JudgeConfig{Prompts: map[string]string{"trust": "Mine."}}
	if got := own.instruction(PurposeTrust, "ja", 2); got != "Mine." {
		t.Errorf("a prompt of an experiment file was reworded: %q", got)
	}
	if own.PromptVersion() == (JudgeConfig{}).PromptVersion() {
		t.Error("another prompt has the same version")
	}
}

// TestVerdictsOfAnAudit asks for single verdicts in every replicate.
func TestVerdictsOfAnAudit(t *testing.T) {
	t.Parallel()
	sample := longSample(0)
	passages := texts(longSample(9).Contexts)
	claims := []string{"One claim.", "Another claim, longer.", "The third of them."}
	for replicate := range 4 {
		suite := suiteOf(t, carefulJudge(), newKept(), judgeConfig(""), "context_recall")
		got, err := suite.Verdicts(llm.WithScope(t.Context(), llm.Scope{Replicate: replicate}), sample, claims, passages)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range got {
			for k, verdict := range row {
				want := neither
				if (len(claims[i])+len(passages[k]))%3 == 0 {
					want = supported
				}
				if verdict != want {
					t.Errorf("replicate %d: claim %d, passage %d is %s, want %s", replicate, i, k, verdict, want)
				}
			}
		}
	}
	key, err := suiteOf(t, carefulJudge(), newKept(), judgeConfig(""), "context_recall").KeyClaims(t.Context(), sample)
	if err != nil || len(key) != 2 {
		t.Errorf("key claims %q, %v", key, err)
	}
	judge := judgeOf(nil, nil)
	judge.replies[PurposeVerify] = failing(llm.CauseSchema)
	if _, err := suiteOf(t, judge, newKept(), judgeConfig(""), "context_recall").
		Verdicts(t.Context(), sample, claims, passages); llm.CauseOf(err) != llm.CauseSchema {
		t.Errorf("a judge that fails: %v", err)
	}
}
