package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
)

// TestCausesAskOnlyForWhatIsMissing: in each state of the causes of two runs the workbook asks to diagnose, for the causes before and
// after, the runs that were not diagnosed, and no others.
func TestCausesAskOnlyForWhatIsMissing(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, was := range []causes.CauseMethod{"", causes.Tested, causes.Observed} {
		for _, is := range []causes.CauseMethod{"", causes.Tested, causes.Observed} {
			for _, lang := range []string{"en", "ja"} {
				r := analysed(sample(lang))
				r.CauseChanges, r.CauseMoves = nil, nil
				if r.Causes.Method = is; is == "" {
					r.Causes = nil
				}
				if r.BaselineCauses.Method = was; was == "" {
					r.BaselineCauses = nil
				}
				f, line := open(t, r), ""
				for _, sheet := range f.GetSheetList() {
					rows := rowsOf(t, f, sheet)
					at := slices.IndexFunc(rows, func(row []string) bool {
						return slices.Contains(row, map[string]string{"en": "Causes before and after", "ja": "変更前後の原因の内訳"}[lang])
					})
					if at >= 0 && at+1 < len(rows) {
						line += strings.Join(rows[at+1], " ")
					}
				}
				said[line] = true
				for id, known := range map[string]bool{r.Baseline.Run.ID: was != "", r.Candidate.Run.ID: is != ""} {
					if strings.Contains(line, "workbench diagnose "+id) == known {
						t.Errorf("%q, %q, %s: %q", was, is, lang, line)
					}
				}
			}
		}
	}
	if len(said) < 2*5 {
		t.Errorf("states are told alike: %v", said)
	}
}
