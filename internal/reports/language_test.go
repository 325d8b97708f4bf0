package reports

import (
	"bytes"
	"io"
	"testing"

	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// TestOneLanguageIsEnough: every format but JSON lines is the same without the words on causes in the language that it is not in, and of a
// report in both languages nothing is let go.
func TestOneLanguageIsEnough(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja", wording.Both} {
		whole, one := analysed(sample(lang)), analysed(sample(lang))
		one.OneLanguage()
		told := one.Causes.Diagnoses[0].Rationale
		if (told.EN == "") != (lang == "ja") || (told.JA == "") != (lang == "en") {
			t.Errorf("in %s there is %+v", lang, told)
		}
		for i, write := range []func(Report, io.Writer) error{Report.WriteXLSX, Report.WriteHTML, Report.WriteMarkdown, Report.WriteCSV} {
			var want, got bytes.Buffer
			if err := write(whole, &want); err != nil {
				t.Fatal(err)
			}
			if err := write(one, &got); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want.Bytes(), got.Bytes()) {
				t.Errorf("format %d in %s needs the other language", i, lang)
			}
		}
	}
	alone := sample("en")
	alone.OneLanguage() // of a run without causes
}
