package notebooks

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestEveryColumnHasAName: no column of the tables is shown by its bare name alone in Japanese.
func TestEveryColumnHasAName(t *testing.T) {
	t.Parallel()
	bare := map[string]bool{"k": true, "start_at": true, "end_at": true, "failure": true, "name": true, "number": true, "version": true,
		"name_en": true, "name_ja": true, "high": true, "higher_is_better": true, "purpose": true, "provider": true,
		"prompt_tokens": true, "completion_tokens": true, "score": true} // columns of the plumbing: the same word in both languages
	for _, table := range document.QueryTables() {
		for _, c := range table.Columns {
			if title := document.ColumnTitle(c.Name); title.JA == "" && !bare[c.Name] {
				t.Errorf("%s.%s has no name in Japanese", table.Name, c.Name)
			}
		}
	}
	if got := document.ColumnTitle("chunk_overlap"); got.EN != "Overlap of chunks" {
		t.Errorf("chunk_overlap is %q: settings have the words of the catalogue", got.EN)
	}
}
