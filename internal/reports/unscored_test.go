package reports

import (
	"strings"
	"testing"
)

// TestNothingIsCorrectedThatNobodyMeasured: the sheet of the method has no figure of a judge for a metric that has no score, whoever
// reviewed how many answers.
func TestNothingIsCorrectedThatNobodyMeasured(t *testing.T) {
	t.Parallel()
	for lang, said := range map[string]string{"en": "not measured in this run", "ja": "この実行では測定していない"} {
		for n := range 4 {
			r := analysed(sample(lang))
			reviews := *r.Reviews
			reviews.Corrected = append(reviews.Corrected[:0:0], reviews.Corrected...)
			for i := range reviews.Corrected {
				reviews.Corrected[i].N = 14
				if i < n {
					m := &reviews.Corrected[i]
					m.N, m.Labels, m.Judge, m.Estimate = 0, 0, 0, nil
				}
			}
			r.Reviews = &reviews
			f := open(t, r)
			got, zero := 0, 0
			for _, sheet := range f.GetSheetList() {
				for _, row := range rowsOf(t, f, sheet) {
					line := strings.Join(row, " ")
					got += strings.Count(line, said)
					if strings.Contains(line, " 0.00") && (strings.Contains(line, "評価モデル 0.00") || strings.Contains(line, "judge 0.00")) {
						zero++
					}
				}
			}
			if want := min(n, len(reviews.Corrected)); got != want || zero > 0 {
				t.Errorf("%s: %d of %d are told as not measured, %d as 0.00", lang, got, want, zero)
			}
		}
	}
}
