package server

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestACorpusSaysWhatItIsSearchedIn: engine, mapping and what a sample showed, but not where the index is reached, until it is detached.
func TestACorpusSaysWhatItIsSearchedIn(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w, TempDir: t.TempDir()})
	const path = "/api/v1/corpora/airline-en"
	source := rag.IndexSource{Corpus: "airline-en", Connection: "http://inside.example:8000",
		Check: rag.MappingCheck{Rows: 9, Sample: 8, Found: 6,
			Share: 0.75}, IndexMapping: rag.IndexMapping{Engine: "chroma", Table: "handbook", Offset: rag.OffsetsLocate,
			Distance: rag.DistanceDot,
			Fields:   rag.MappedFields{DocID: "source"}, Version: "november"}}
	if err := w.Store.PutIndex(t.Context(), source, testNow); err != nil {
		t.Fatal(err)
	}
	var got views.CorpusVersions
	c.get("/corpora/airline-en", &got)
	want := views.CorpusIndex{Engine: "chroma", Table: "handbook", Fields: source.Fields, Offsets: rag.OffsetsLocate,
		Distance: rag.DistanceDot,
		Version:  "november", Check: source.Check}
	if len(got.Items) == 0 || got.Index == nil || *got.Index != want {
		t.Errorf("%d versions, index %+v", len(got.Items), got.Index)
	}
	if _, _, body := c.do("GET", path, ""); strings.Contains(body, "inside.example") {
		t.Errorf("the address is shown: %s", body)
	}
	c.send("DELETE", "/corpora/airline-en/index", "", 204, nil)
	var after views.CorpusVersions
	if c.get("/corpora/airline-en", &after); after.Index != nil {
		t.Errorf("a detached index is shown: %+v", after.Index)
	}
	if p := c.refused("DELETE", "/corpora/airline-en/index", "", 404); p.Code != "index_none" {
		t.Errorf("detached once more: %s", p.Code)
	}
}
