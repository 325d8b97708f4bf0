package reports

import (
	"bytes"
	"strings"
	"testing"
)

// TestARunByItselfHasNoAnswerAfterAChange: on no page of a run without a baseline is an answer told as one before or after anything.
func TestARunByItselfHasNoAnswerAfterAChange(t *testing.T) {
	t.Parallel()
	for lang, titles := range map[string][2]string{"en": {"Answer before", "Answer after"}, "ja": {"変更前の回答", "変更後の回答"}} {
		for _, alone := range []bool{false, true} {
			r := analysed(sample(lang))
			if alone {
				r.Baseline, r.Comparison, r.Gate, r.BaselineCauses, r.CauseChanges, r.CauseMoves = nil, nil, nil, nil, nil, nil
			}
			var page, text bytes.Buffer
			if err := r.WriteHTML(&page); err != nil {
				t.Fatal(err)
			}
			if err := r.WriteMarkdown(&text); err != nil {
				t.Fatal(err)
			}
			f := open(t, r)
			first := ""
			for _, row := range rowsOf(t, f, f.GetSheetName(0)) {
				first += strings.Join(row, " ") + "\n"
			}
			for name, said := range map[string]string{"page": page.String(), "markdown": text.String(), "workbook": first} {
				for _, title := range titles {
					if strings.Contains(said, title) == alone {
						t.Errorf("%s, %s, alone %v: %q", lang, name, alone, title)
					}
				}
			}
		}
	}
}
