package rag

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

// writer replies with these texts to every request for rewrites, and counts the requests.
type writer struct {
	llm.Provider
	texts []string
	asked int
}

func (w *writer) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if req.Purpose != prompts.PurposeRewrites {
		return w.Provider.Complete(ctx, req)
	}
	w.asked++
	body, err := json.Marshal(prompts.RewritesReply{Queries: w.texts})
	return llm.Reply{Text: string(body)}, err
}

func rewriting(r *rig, mode string, change func(*Config), texts ...string) (*writer, func(*Config)) {
	w := &writer{Provider: offlineProvider(), texts: texts}
	r.providers["writer"] = w
	return w, func(c *Config) {
		c.Rewrite = Rewrite{Mode: mode, Model: Model{"writer", "m"}}
		c.Retrieve.K = 4
		if change != nil {
			change(c)
		}
	}
}

const multiHop = "Which documents does the housing deduction need, and how long is the warranty?"

// Each part of a question keeps its share of the hits, which fusion by rank would not give it.
func TestDecomposeKeepsAShareForEachPart(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	_, change := rewriting(r, prompts.Decompose, func(c *Config) { no := false; c.Rewrite.IncludeOriginal = &no },
		"住宅ローン控除の添付書類", "How long is the warranty?")
	got := r.found(t, multiHop, change)
	if got[0] != "ja-housing" || got[1] != "en-warranty" {
		t.Errorf("found %v", got)
	}
	// The best two of four are the best two.
	if two := r.found(t, multiHop, func(c *Config) { change(c); c.Retrieve.K = 2 }); !cmp.Equal(two, got[:2]) {
		t.Errorf("found %v of %v", two, got)
	}
}

func TestRewritesAreFusedByRank(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	w, change := rewriting(r, prompts.MultiQuery, nil, "医療費控除の条件", " ", askJA, "医療費控除の条件")
	s := r.open(t, change)
	got, _, err := s.Retrieve(t.Context(), askJA)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{askJA, "医療費控除の条件"}, strings.Split(got.Query, "\n")); diff != "" {
		t.Errorf("searched (-want +got):\n%s", diff)
	}
	list := func(query string) []Hit {
		found, err := s.index.search(t.Context(), query, fusedDepth)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	want := fuseHits([][]Hit{list(askJA), list("医療費控除の条件")})[:4]
	if diff := cmp.Diff(want, withoutTexts(got.Hits)); diff != "" {
		t.Errorf("fused (-want +got):\n%s", diff)
	}
	// Another k asks nobody: the rewrites are stored, and so is what each of them finds.
	if r.found(t, askJA, func(c *Config) { change(c); c.Retrieve.K = 2 }); w.asked != 1 {
		t.Errorf("the model is asked %d times", w.asked)
	}
}

func withoutTexts(hits []Hit) []Hit {
	out := slices.Clone(hits)
	for i := range out {
		out[i].Text = ""
	}
	return out
}

// The vector of a hypothetical passage is averaged with the question's, and words are searched by the question.
func TestHyDE(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	_, change := rewriting(r, prompts.HyDE, nil, "保証は二年間で、水による損傷は除きます。 warranty two years defects water")
	got := r.found(t, "How long?", change)
	if got[0] != "en-warranty" {
		t.Errorf("found %v", got)
	}
	s := r.open(t, change)
	hits, _, err := s.index.searchAverage(t.Context(), askJA, []string{askJA, askJA}, 3)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := s.index.search(t.Context(), askJA, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plain {
		if hits[i].Span != plain[i].Span || hits[i].Score-plain[i].Score > 1e-6 || plain[i].Score-hits[i].Score > 1e-6 {
			t.Errorf("the mean of twice the same is another search: %v, %v", hits[i], plain[i])
		}
	}
}

func TestRewritesThatSayNothing(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	no := false
	_, change := rewriting(r, prompts.StepBack, func(c *Config) { c.Rewrite.IncludeOriginal = &no }, " ", "")
	if _, _, err := r.open(t, change).Retrieve(t.Context(), askJA); llm.CauseOf(err) != llm.CauseEmpty ||
		!strings.Contains(err.Error(), "rewrite empty") {
		t.Errorf("nothing to search for: %v", err)
	}
	_, change = rewriting(r, prompts.StepBack, nil, " ")
	if got := r.found(t, askJA, change); !cmp.Equal(got, r.found(t, askJA, func(c *Config) { c.Retrieve.K = 4 })) {
		t.Errorf("with the question alone: %v", got)
	}
}

func TestOfflineRewrites(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	for _, mode := range []string{prompts.MultiQuery, prompts.HyDE, prompts.Decompose, prompts.StepBack} {
		c := func(c *Config) { c.Rewrite = Rewrite{Mode: mode, Model: Model{"offline", "m"}} }
		if got := r.found(t, askEN, c); len(got) != 3 {
			t.Errorf("%s found %v", mode, got)
		}
	}
}
