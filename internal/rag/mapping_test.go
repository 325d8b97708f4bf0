package rag

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

// shelf is an existing index that holds the chunks of one of ours, and counts what it is asked.
type shelf struct {
	own     *Index
	rows    []MappedRow
	scanned int
}

// newShelf cuts the rig's corpus and shelves the chunks; the mapping names all fields.
func newShelf(t *testing.T, r *rig) (*shelf, IndexMapping) {
	t.Helper()
	s := &shelf{own: r.open(t, func(c *Config) {
		c.Chunk.Size, c.Retrieve.BM25, c.Retrieve.Mode = 30, search.DefaultBM25(), "hybrid"
	}).index}
	for i, c := range s.own.chunks {
		s.rows = append(s.rows, MappedRow{ID: fmt.Sprintf("row-%d", i), DocID: c.DocID, Text: r.corpus.Text(c.Span),
			Start: c.Start, End: c.End})
	}
	m := IndexMapping{Engine: "weaviate", Table: "Kb", Offset: OffsetsFields,
		Dimensions: s.own.vectors.dense.(*search.Vectors).Dimensions(),
		Fields:     MappedFields{Text: "body", DocID: "doc", Start: "from", End: "to"}}
	return s, m.Normalised()
}

func (s *shelf) Facts(context.Context) (MappedFacts, error) {
	return MappedFacts{Rows: len(s.rows)}, nil
}

func (s *shelf) Scan(_ context.Context, visit func(MappedRow) error) error {
	s.scanned++
	for _, r := range slices.Backward(s.rows) { // in any order
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

func (s *shelf) of(found []search.Ranked, err error) ([]MappedRow, error) {
	out := make([]MappedRow, len(found))
	for i, f := range found {
		out[i] = s.rows[f.Chunk]
		out[i].Score = f.Score
	}
	return out, err
}

func (s *shelf) Nearest(_ context.Context, vector []float32, n int, _ map[string]any) ([]MappedRow, error) {
	return s.of(s.own.vectors.dense.Search(context.Background(), vector, nil, n))
}

func (s *shelf) Words(ctx context.Context, query string, n int, _ map[string]any) ([]MappedRow, error) {
	return s.of(s.own.words.Find(ctx, query, search.DefaultBM25(), nil, n))
}

// shelved are providers that know a shelf.
type shelved struct {
	namedProviders
	shelf *shelf
}

func (p shelved) Mapped(ctx context.Context, corpus *Corpus, m IndexMapping) (MappedIndex, *MappedRows, error) {
	rows, err := ScanMapped(ctx, corpus, m, p.shelf)
	return p.shelf, rows, err
}

// mappedSystem opens a system over the shelf.
func mappedSystem(t *testing.T, r *rig, s *shelf, m IndexMapping, change func(*Config)) (*System, error) {
	t.Helper()
	c := DefaultConfig()
	c.Embedding.Name = "ngram"
	if change != nil {
		change(&c)
	}
	c, err := m.In(c)
	if err != nil {
		return nil, err
	}
	system, err := Open(t.Context(), c, r.corpus, shelved{r.providers, s}, r.indexes, r.stages)
	if err == nil {
		t.Cleanup(system.Close)
	}
	return system, err
}

func mustMap(t *testing.T, r *rig, s *shelf, m IndexMapping, change func(*Config)) *System {
	t.Helper()
	system, err := mappedSystem(t, r, s, m, change)
	if err != nil {
		t.Fatal(err)
	}
	return system
}

// spansOf are the places of what is found for a question.
func spansOf(t *testing.T, s *System, question string) (spans []Span, hidden string) {
	t.Helper()
	found, _, err := s.Retrieve(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		spans = append(spans, h.Span)
	}
	return spans, found.Hidden
}

// TestMappedFindsWhatOurIndexFinds is row 17: over the same chunks the same places are found, however a row's place is known; without
// places the documents are, and nothing is said of the rest.
func TestMappedFindsWhatOurIndexFinds(t *testing.T) {
	t.Parallel()
	questions := []string{"医療費控除の領収書は何年保存しますか", "How long does the warranty last?", "住宅ローン控除", "Which vouchers?"}
	ways := map[string]func(*Config){
		"dense": nil, "bm25": func(c *Config) { c.Retrieve.Mode = "bm25" }, "hybrid": func(c *Config) { c.Retrieve.Mode = "hybrid" },
		"reranked":     func(c *Config) { c.Rerank = Rerank{Mode: "lexical", Depth: 8} },
		"per document": func(c *Config) { c.Retrieve.PerDocument = 1 },
		"rewritten":    func(c *Config) { c.Rewrite = Rewrite{Mode: prompts.MultiQuery, Model: Model{"offline", "m"}} },
	}
	for name, change := range ways {
		r := newRig(manual()...)
		s, m := newShelf(t, r)
		own := r.open(t, func(c *Config) {
			if change != nil {
				change(c)
			}
			c.Chunk.Size, c.Retrieve.BM25 = 30, search.DefaultBM25()
		})
		for _, offsets := range []string{OffsetsFields, OffsetsLocate, OffsetsNone} {
			m.Offset = offsets
			mapped := mustMap(t, r, s, m, change)
			for _, q := range questions {
				want, _ := spansOf(t, own, q)
				got, hidden := spansOf(t, mapped, q)
				if offsets == OffsetsNone {
					for i := range want {
						want[i].Start, want[i].End = 0, 0
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s, offsets %s, %s (-ours +mapped):\n%s", name, offsets, q, d)
				}
				if (hidden == NoSpans) != (offsets == OffsetsNone) {
					t.Errorf("%s, offsets %s: hidden is %q", name, offsets, hidden)
				}
			}
		}
	}
}

func TestMappedRowsThatStandNowhere(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	s, m := newShelf(t, r)
	for i := range s.rows {
		s.rows[i].Start += 5
	}
	system := mustMap(t, r, s, m, nil)
	spans, hidden := spansOf(t, system, "How long does the warranty last?")
	if hidden != NoSpans || spans[0].End != 0 {
		t.Errorf("fields that are off are taken: %v, hidden %q", spans, hidden)
	}
	s.rows[3].DocID = "unknown"
	m.Offset = OffsetsNone
	rows, err := ScanMapped(t.Context(), r.corpus, m, s)
	if err != nil {
		t.Fatal(err)
	}
	check := rows.Sample(r.corpus, m, 1)
	if check.Found != check.Sample-1 || !check.Warns() || check.Refusal(m) != nil {
		t.Errorf("one unknown document of %d: %+v", check.Sample, check)
	}
	m.Offset = OffsetsFields
	rows, err = ScanMapped(t.Context(), r.corpus, m, s)
	if err != nil {
		t.Fatal(err)
	}
	if check := rows.Sample(r.corpus, m, 1); check.Found != 0 || problem.CodeOf(check.Refusal(m)) != "index_sample" {
		t.Errorf("no row has its place: %+v", check)
	}
}

func TestSampleBounds(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64][2]bool{1: {}, .99: {}, .985: {true, false}, .5: {true, false}, .495: {true, true}} {
		c := MappingCheck{Rows: 1000, Sample: 200, Found: int(200 * share), Share: share}
		if got := [2]bool{c.Warns(), c.Refusal(IndexMapping{}) != nil}; got != want {
			t.Errorf("%v: warns and refuses %v, want %v", share, got, want)
		}
	}
}

func TestOffsetUnits(t *testing.T) {
	t.Parallel()
	text := "a😀税x"
	for unit, ends := range map[string][][3]int{
		"":        {{0, 1, 1}, {1, 2, 2}, {2, 4, 4}},
		UnitUTF16: {{0, 1, 1}, {1, 3, 2}, {3, 5, 4}},
		UnitByte:  {{0, 1, 1}, {1, 5, 2}, {5, 9, 4}},
	} {
		for _, e := range ends {
			if _, to, ok := inCodePoints(text, e[0], e[1], unit); !ok || to != e[2] {
				t.Errorf("%q [%d, %d) ends at %d, %v; want %d", unit, e[0], e[1], to, ok, e[2])
			}
		}
	}
	if _, _, ok := inCodePoints(text, 2, 5, UnitByte); ok {
		t.Error("a place within a character is taken")
	}
	if _, _, ok := inCodePoints(text, 1, 99, ""); ok {
		t.Error("a place beyond the text is taken")
	}
}

// TestLocateRepeatedText: what stands twice in a document is told apart by the order of ids, and otherwise has no place.
func TestLocateRepeatedText(t *testing.T) {
	t.Parallel()
	corpus := NewCorpus("c", []Document{{ID: "d", Text: "Note. Alpha beta. Note. Gamma delta. Note."}})
	row := func(id, text string) MappedRow { return MappedRow{ID: id, DocID: "d", Text: text} }
	for name, c := range map[string]struct {
		rows []MappedRow
		want map[string]int // start of each row; -1 is unknown
	}{
		"all there": {[]MappedRow{row("1", "Note."), row("2", "Alpha beta."), row("9", "Note."), row("10", "Gamma  delta."),
			row("11", "Note.")},
			map[string]int{"1": 0, "2": 6, "9": 18, "10": 24, "11": 37}},
		"one between": {[]MappedRow{row("2", "Alpha beta."), row("9", "Note."), row("10", "Gamma delta.")},
			map[string]int{"2": 6, "9": 18, "10": 24}},
		"two of three": {[]MappedRow{row("1", "Note."), row("2", "Note.")}, map[string]int{"1": -1, "2": -1}},
		"ids say nothing": {[]MappedRow{row("a", "Gamma delta."), row("b", "Note."), row("c", "Alpha beta.")},
			map[string]int{"a": 24, "b": -1, "c": 6}},
		"not there": {[]MappedRow{row("1", "Omega.")}, map[string]int{"1": -1}},
	} {
		m := IndexMapping{Engine: "chroma", Table: "t", Offset: OffsetsLocate, Fields: MappedFields{DocID: "doc"}}
		rows, err := ScanMapped(t.Context(), corpus, m, &shelf{rows: c.rows})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for id, n := range rows.at {
			got[id] = rows.chunks[n].Start
			if rows.chunks[n].End == 0 {
				got[id] = -1
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestMappedKeys: every search parameter and the contents are part of the key, and what has no effect is not.
func TestMappedKeys(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	s, m := newShelf(t, r)
	keyOf := func(change func(*Config), describe func(*IndexMapping)) string {
		described := m
		if describe != nil {
			describe(&described)
		}
		rows, err := ScanMapped(t.Context(), r.corpus, described, s)
		if err != nil {
			t.Fatal(err)
		}
		described.Identity = rows.Identity
		_, key, err := mustMap(t, r, s, described, change).Retrieve(t.Context(), "warranty")
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	base := keyOf(nil, nil)
	if keyOf(func(c *Config) { c.Chunk.Size = 99 }, nil) != base || keyOf(func(c *Config) { c.Retrieve.BM25.K1 = 2 }, nil) != base {
		t.Error("what has no effect on an existing index is part of the key")
	}
	qdrant := func(m *IndexMapping) { m.Engine = "qdrant" }
	seen := map[string]string{base: "base"}
	for name, key := range map[string]string{
		"k":         keyOf(func(c *Config) { c.Retrieve.K = 5 }, nil),
		"mode":      keyOf(func(c *Config) { c.Retrieve.Mode = "hybrid" }, nil),
		"offsets":   keyOf(nil, func(m *IndexMapping) { m.Offset = OffsetsLocate }),
		"distance":  keyOf(nil, func(m *IndexMapping) { m.Distance = DistanceDot }),
		"engine":    keyOf(nil, qdrant),
		"ef 100":    keyOf(func(c *Config) { c.Retrieve.Params = map[string]any{"hnsw_ef": 100} }, qdrant),
		"ef 200":    keyOf(func(c *Config) { c.Retrieve.Params = map[string]any{"hnsw_ef": 200} }, qdrant),
		"version 1": keyOf(nil, func(m *IndexMapping) { m.Version = "1" }),
		"version 2": keyOf(nil, func(m *IndexMapping) { m.Version = "2" }),
	} {
		if other, twice := seen[key]; twice {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[key] = name
	}
	s.rows[0].ID = "another"
	changed := keyOf(nil, nil)
	if changed == base {
		t.Error("a changed id leaves the key")
	}
	s.rows[0].Text += " more"
	if keyOf(nil, nil) == changed {
		t.Error("a changed text leaves the key")
	}
}

// TestMappedContentsChange: what the index says after the run was planned is never mixed with what it said before.
func TestMappedContentsChange(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	s, m := newShelf(t, r)
	rows, err := ScanMapped(t.Context(), r.corpus, m, s)
	if err != nil {
		t.Fatal(err)
	}
	m.Identity = rows.Identity
	system := mustMap(t, r, s, m, nil)
	for i := range s.rows {
		s.rows[i].Text = strings.ToUpper(s.rows[i].Text) + "!"
	}
	if _, _, err := system.Retrieve(t.Context(), "warranty"); problem.CodeOf(err) != "index_changed" {
		t.Errorf("while the run goes on: %v", err)
	}
	r.indexes = NewIndexes(0)
	if _, err := mappedSystem(t, r, s, m, nil); problem.CodeOf(err) != "index_changed" {
		t.Errorf("when the run goes on later: %v", err)
	}
}

func TestMappedRefusals(t *testing.T) {
	t.Parallel()
	r := newRig(manual()...)
	s, m := newShelf(t, r)
	for name, c := range map[string]struct {
		change   func(*Config)
		describe func(*IndexMapping)
		want     []string // in the message
	}{
		"dimensions": {func(c *Config) { c.Embedding.Name = "ngram" }, func(m *IndexMapping) { m.Dimensions = 384 },
			[]string{fmt.Sprint(s.own.vectors.dense.(*search.Vectors).Dimensions()), "384"}},
		"said dimensions": {func(c *Config) { c.Embedding.Dimensions = 99 }, nil, []string{"99", fmt.Sprint(m.Dimensions)}},
		"words": {func(c *Config) { c.Retrieve.Mode = "bm25" }, func(m *IndexMapping) { m.Engine = "chroma" },
			[]string{"bm25", "chroma does not rank"}},
		"filter": {func(c *Config) { c.Retrieve.Filter = Filter{"lang": "ja"} }, nil, []string{"retrieve.filter"}},
		"mmr":    {func(c *Config) { c.Retrieve.MMR = search.MMR{Lambda: .5, FetchK: 20} }, nil, []string{"retrieve.mmr"}},
		"neighbours": {func(c *Config) { c.Retrieve.Neighbours = 1 }, func(m *IndexMapping) { m.Offset = OffsetsNone },
			[]string{"neighbours is 1"}},
		"unknown param": {func(c *Config) { c.Retrieve.Params = map[string]any{"ef": 3} }, nil,
			[]string{"retrieve.params.ef is 3", "takes no parameters"}},
		"param of another": {nil, func(m *IndexMapping) { m.Engine, m.Params = "qdrant", map[string]any{"ef_search": 3} },
			[]string{"hnsw_ef"}},
		"param out of range": {nil, func(m *IndexMapping) { m.Engine, m.Params = "qdrant", map[string]any{"hnsw_ef": 0} },
			[]string{"hnsw_ef is 0", "from 1 to"}},
	} {
		described := m
		if c.describe != nil {
			c.describe(&described)
		}
		_, err := mappedSystem(t, r, s, described, c.change)
		if !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", name, err, part)
			}
		}
	}
}

func TestIndexSourceIsChecked(t *testing.T) {
	t.Parallel()
	good := IndexSource{IndexMapping: IndexMapping{Engine: "chroma", Table: "kb", Fields: MappedFields{DocID: "source"}}.Normalised(),
		Connection: "http://chroma.example:8000", Headers: map[string]string{"X-Chroma-Token": "${CHROMA_TOKEN}"}}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for field, change := range map[string]func(*IndexSource){
		"engine":       func(s *IndexSource) { s.Engine = "oracle" },
		"table":        func(s *IndexSource) { s.Table = "kb; drop table kb" },
		"space":        func(s *IndexSource) { s.Space = "a/../b" },
		"fields.text":  func(s *IndexSource) { s.Engine = "qdrant" },
		"doc_id":       func(s *IndexSource) { s.Fields.DocID = "" },
		"fields.start": func(s *IndexSource) { s.Offset = OffsetsFields },
		"fields.title": func(s *IndexSource) { s.Fields.Title = "a b" },
		"offsets":      func(s *IndexSource) { s.Offset = "guess" },
		"offset_unit":  func(s *IndexSource) { s.Unit = "word" },
		"distance":     func(s *IndexSource) { s.Distance = "far" },
		"params":       func(s *IndexSource) { s.Params = map[string]any{"ef": 3} },
		"connection":   func(s *IndexSource) { s.Connection = "http://user:hunter2@chroma.example" },
		"header":       func(s *IndexSource) { s.Headers = map[string]string{"X-Key": "hunter2"} },
	} {
		s := good
		change(&s)
		err := s.Validate()
		if err == nil || !strings.Contains(err.Error(), field) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, _, err := good.Resolve(func(string) string { return "" }); problem.CodeOf(err) != "index_key" {
		t.Errorf("without the key: %v", err)
	}
	_, headers, err := good.Resolve(func(string) string { return "secret" })
	if err != nil || headers["X-Chroma-Token"] != "secret" {
		t.Errorf("%v, %v", headers, err)
	}
}
