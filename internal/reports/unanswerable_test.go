package reports

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
)

// TestWordsSayWhatIsNotAnswerableWhereItOccurs: the glossary explains the category, and lists name it, only where questions are in it.
func TestWordsSayWhatIsNotAnswerableWhereItOccurs(t *testing.T) {
	t.Parallel()
	for lang, name := range map[string]string{"en": "ot answerable from the documents", "ja": "文書からは答えられない"} {
		for _, none := range []bool{false, true} {
			r := analysed(sample(lang))
			first := r.Candidate.Questions[0]
			if none {
				first.Answerable = false
				r.Questions.Questions[0] = questions.Registered(r.Questions.Questions[0], first)
			}
			f, err := r.content()
			if err != nil {
				t.Fatal(err)
			}
			said := false
			for _, term := range f.terms() {
				said = said || strings.Contains(term[1], name)
			}
			if said != none || strings.Contains(f.causeText().categoryOf(&first), name) != none {
				t.Errorf("%s: a question without an answer %t, said %t: %s", lang, none, said, f.causeText().categoryOf(&first))
			}
		}
	}
}
