package reports

import (
	"bytes"
	"html"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
)

// TestTroublesAreInEveryReport: what went wrong with the calls stands on the page, in the Markdown summary and in the workbook's notes,
// in the words of the server or of the model, in each language.
func TestTroublesAreInEveryReport(t *testing.T) {
	t.Parallel()
	troubles := []experiments.Trouble{
		{Provider: "gate", Model: "judge-1", Cause: llm.CauseSchema, Calls: 20, Reply: "I would give it a four"},
		{Provider: "gate", Model: "judge-1", Cause: llm.CauseRequest, Calls: 2, HTTPStatus: 400, Server: "Invalid model name passed in"},
	}
	said := findings.TroublesOf(troubles)
	for _, lang := range []string{"en", "ja"} {
		r := analysed(sample(lang))
		r.Troubles = troubles
		var md bytes.Buffer
		if err := r.WriteMarkdown(&md); err != nil {
			t.Fatal(err)
		}
		f := open(t, r)
		var notes strings.Builder
		for _, name := range f.GetSheetList() {
			for _, row := range rowsOf(t, f, name) {
				notes.WriteString(strings.Join(row, " ") + "\n")
			}
		}
		for name, shown := range map[string]string{
			"page": html.UnescapeString(page(t, r)), "summary": md.String(), "workbook": notes.String(),
		} {
			if first := said[0].Text.In(lang); !strings.Contains(shown, first) {
				t.Errorf("the %s in %s does not say %q", name, lang, first)
			}
		}
		if second := said[1].Text.In(lang); !strings.Contains(notes.String(), second) {
			t.Errorf("the workbook in %s does not say %q", lang, second)
		}
	}
}
