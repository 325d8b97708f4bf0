package reporting

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
)

func TestReport(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, apptest.Offline)
	w.Worked(t, "name: closed\nbase: {retrieve: {mode: bm25, k: 2}, generate: {provider: offline, model: closed-book}}\n")
	alone, err := Report(t.Context(), w.Workbench, "", "closed", "en", "test", GateAsked{})
	if err != nil || alone.Comparison != nil {
		t.Fatalf("without a baseline: %+v, %v", alone.Comparison, err)
	}
	both, err := Report(t.Context(), w.Workbench, "offline", "closed", "ja", "test", GateAsked{})
	if err != nil || both.Comparison == nil || both.Baseline == nil {
		t.Fatal(err)
	}
	whole, full, err := w.Compare(t.Context(), "offline", "closed")
	if err != nil {
		t.Fatal(err)
	}
	short, lean, err := app.CompareInShort(t.Context(), w.Workbench, "offline", "closed")
	if err != nil || len(lean[1].Results) == 0 {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, short); diff != "" {
		t.Errorf("a comparison in short says something else (-whole +short):\n%s", diff)
	}
	var xlsx, md bytes.Buffer
	if err := both.WriteXLSX(&xlsx); err != nil {
		t.Fatal(err)
	}
	if err := both.WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	unpared := both
	unpared.Baseline, unpared.Candidate = &full[0], full[1]
	for i, all := range written(t, unpared) {
		if lean := written(t, both)[i]; lean != all {
			t.Errorf("of runs that were read in short %d bytes are written, of whole ones %d others", len(lean), len(all))
		}
	}
	if !bytes.HasPrefix(xlsx.Bytes(), []byte("PK")) || !strings.Contains(md.String(), "悪化") {
		t.Errorf("report: %d bytes, %s", xlsx.Len(), md.String())
	}
}
