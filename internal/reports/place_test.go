package reports

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// TestAContextWithoutAPlaceNamesItsDocument: no place is made up where an index knows the document only.
func TestAContextWithoutAPlaceNamesItsDocument(t *testing.T) {
	t.Parallel()
	r := experiments.Result{Answer: &rag.Answer{Retrieval: rag.Retrieval{Hits: []rag.Hit{
		{Span: rag.Span{DocID: "manual", Start: 3, End: 9}}, {Span: rag.Span{DocID: "manual"}, Text: "Flex"}}}}}
	for lang, want := range map[string]string{
		"en": "[1] manual[3:9]\n[2] manual (place unknown)\nFlex",
		"ja": "[1] manual[3:9]\n[2] manual （位置は不明）\nFlex",
	} {
		if got := (&content{words: wording.Catalogues()[lang]}).contexts(&r); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}
