package reports

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
)

// TestNumbersByAnotherThresholdSaySo: where the agreement counts low scores by another threshold than the run, every line on page 1 that
// counts by the agreement names its threshold, and the sentence about it names both; else none needs to.
func TestNumbersByAnotherThresholdSaySo(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		for _, agreed := range []float64{1, 2, 3, 4} {
			r := analysed(sample(lang))
			run := r.Candidate.Run.Setup.LowScore
			a := agreementOf(r.Candidate, lowIDs(r.Candidate))
			a.LowScore = agreed
			p := progress.ProgressOf(a, r.Candidate, r.Causes, r.Questions)
			r.Agreement = &p
			f := open(t, r)
			first := ""
			for _, row := range rowsOf(t, f, f.GetSheetName(0)) {
				first += strings.Join(row, " ") + "\n"
			}
			var out bytes.Buffer
			if err := r.WriteMarkdown(&out); err != nil {
				t.Fatal(err)
			}
			at := map[string]string{"en": "%v or less, as agreed)", "ja": "合意した%v以下）"}[lang]
			for name, text := range map[string]string{"workbook": first, "markdown": out.String()} {
				said := strings.Count(text, fmt.Sprintf(at, agreed))
				want := 0
				if agreed != run {
					want = 2 // the target and the counts beside actions
					if len(p.Open) > 0 {
						want++
					}
				}
				if said < want || want == 0 && said > 0 {
					t.Errorf("%s, %s, agreed %v, run %v: said %d times, want %d:\n%s", lang, name, agreed, run, said, want, text)
				}
				if both := regexp.MustCompile(map[string]string{
					"en": fmt.Sprintf(`count correctness or trust of %v or less .* by %v or less`, agreed, run),
					"ja": fmt.Sprintf(`正確性または信頼性が%v以下を低スコアとします.*（%v以下）`, agreed, run),
				}[lang]).MatchString(text); both != (agreed != run) {
					t.Errorf("%s, %s, agreed %v, run %v: both are named: %v", lang, name, agreed, run, both)
				}
			}
		}
	}
}
