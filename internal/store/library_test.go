package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

func corpus(name, text string) *rag.Corpus {
	return rag.NewCorpus(name, []rag.Document{{ID: "d1", Text: text}})
}

func TestCorpusVersions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		put := func(text string, version int, created bool) {
			t.Helper()
			ref, made, err := s.PutCorpus(ctx, corpus("manual", text), at(0))
			ok(t, err)
			if ref.Version != version || made != created || ref.Digest != corpus("manual", text).Digest {
				t.Errorf("stored %v, created %v; want version %d, created %v", ref, made, version, created)
			}
		}
		put("one", 1, true)
		put("one", 1, false)
		put("two", 2, true)
		put("one", 3, true) // like version 1, but the newest is version 2
		// The same with the places of its headings, which earlier versions did not keep, is no new version: what was computed of it counts.
		marked := corpus("manual", "one")
		marked.Documents[0] = marked.Documents[0].WithHeadings([][2]int{{0, 1}, {0, 2}})
		same, made, err := s.PutCorpus(ctx, marked, at(0))
		ok(t, err)
		if made || same.Version != 3 {
			t.Errorf("headings alone made %v", same)
		}
		for ref, want := range map[string]string{"manual": "one", "manual@1": "one", "manual@2": "two", "manual@3": "one"} {
			if c := must[*rag.Corpus](t)(s.Corpus(ctx, ref)); c.Documents[0].Text != want {
				t.Errorf("%s says %q; want %q", ref, c.Documents[0].Text, want)
			}
		}
		for _, ref := range []string{"manual@4", "manual@0", "manual@x", "manual@", "other", ""} {
			_, err := s.Corpus(ctx, ref)
			wantProblem(t, err, problem.NotFound, "corpus_unknown")
			_, err = s.Dataset(ctx, ref)
			wantProblem(t, err, problem.NotFound, "dataset_unknown")
		}
		for _, name := range []string{"", "a@1"} {
			_, _, err := s.PutCorpus(ctx, corpus(name, "x"), at(0))
			wantProblem(t, err, problem.Invalid, "name_invalid")
		}
		_, _, err = s.PutCorpus(ctx, rag.NewCorpus("c", []rag.Document{{ID: "d"}, {ID: "d"}}), at(0))
		wantProblem(t, err, problem.Invalid, "document_twice")
		_, _, err = s.PutDataset(ctx, experiments.NewDataset("c", []experiments.Question{{ID: "q"}, {ID: "q"}}), at(0))
		wantProblem(t, err, problem.Invalid, "question_twice")
	})
}

func TestListingsAreSortedByCodePoint(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		for _, name := range []string{"あ", "b", "B", "a"} {
			_, _, err := s.PutCorpus(t.Context(), corpus(name, "x"), at(0))
			ok(t, err)
		}
		var got []string
		for _, l := range must[[]experiments.Listing](t)(s.Corpora(t.Context())) {
			got = append(got, l.Name)
		}
		diff(t, []string{"B", "a", "b", "あ"}, got)
	})
}

// TestManyRows crosses the border of one INSERT batch.
func TestManyRows(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		var questions []experiments.Question
		for i := range 2*sqldb.BatchRows + 1 {
			questions = append(questions, experiments.Question{ID: fmt.Sprint("q", i), Text: "質問"})
		}
		want := experiments.NewDataset("many", questions)
		_, _, err := s.PutDataset(t.Context(), want, at(0))
		ok(t, err)
		want.Version = 1
		diff(t, want, must[*experiments.Dataset](t)(s.Dataset(t.Context(), "many")))
	})
}

// TestConcurrentVersions lets two stores on one database store different corpora under one name at the same time: every
// one gets a version of its own.
func TestConcurrentVersions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		const n = 10
		stores := []*Store{d.open(t), d.open(t)}
		versions := make([]int, n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				ref, created, err := stores[i%2].PutCorpus(t.Context(), corpus("manual", fmt.Sprint("text ", i)), at(0))
				if err != nil || !created {
					t.Errorf("corpus %d: created %v, %v", i, created, err)
				}
				versions[i] = ref.Version
			})
		}
		wg.Wait()
		seen := map[int]bool{}
		for _, v := range versions {
			seen[v] = true
		}
		for v := 1; v <= n; v++ {
			if !seen[v] {
				t.Errorf("nobody got version %d: %v", v, versions)
			}
		}
	})
}

// hard is text that one database or the other treats specially, and what both keep of it.
var hard = []struct{ in, out string }{
	{"nul \x00 here", "nul ␀ here"},
	{"𠮷野家", "𠮷野家"},
	{"か\u3099 e\u0301", "か\u3099 e\u0301"}, // combining marks are not composed
	{"bad \xff\xfe bytes", "bad \ufffd\ufffd bytes"},
	{`back \u0000 slash \\u0000`, `back \u0000 slash \\u0000`}, // plain characters, no NUL
	{"\u2028 \r\n\t \u200d 👩‍👩‍👧 '\";--", "\u2028 \r\n\t \u200d 👩‍👩‍👧 '\";--"},
}

// TestText stores hard text as a column, inside JSON and as a name, and expects the same from both databases.
func TestText(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		for i, h := range hard {
			name := h.in + "-c"
			_, _, err := s.PutCorpus(ctx, corpus(name, h.in), at(0))
			ok(t, err)
			c := must[*rag.Corpus](t)(s.Corpus(ctx, name))
			if c.Documents[0].Text != h.out || c.Name != h.out+"-c" {
				t.Errorf("document %q in corpus %q; want %q", c.Documents[0].Text, c.Name, h.out)
			}
			if again := rag.NewCorpus(c.Name, c.Documents).Digest; again != c.Digest {
				t.Errorf("%q: the stored digest is not that of the stored documents", h.in)
			}
			if _, created, err := s.PutCorpus(ctx, corpus(name, h.in), at(0)); err != nil || created {
				t.Errorf("%q: the same corpus made another version (%v)", h.in, err)
			}
			q := experiments.Question{ID: h.in, Text: h.in, Metadata: map[string]string{h.in: h.in}}
			_, _, err = s.PutDataset(ctx, experiments.NewDataset(fmt.Sprint("set", i), []experiments.Question{q}), at(0))
			ok(t, err)
			ds := must[*experiments.Dataset](t)(s.Dataset(ctx, fmt.Sprint("set", i)))
			diff(t, []experiments.Question{{ID: h.out, Text: h.out, Metadata: map[string]string{h.out: h.out}}}, ds.Questions)
		}
	})
}
