package notebooks

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestADatasetSaysHowManyOfHowMany limits a dataset of twelve questions: prose, reading mode and the exported page say what runs use.
func TestADatasetSaysHowManyOfHowMany(t *testing.T) {
	t.Parallel()
	text := "---\nragnb: 1\n---\n\n# Counts\n\n{{ qa.size }}, {{ qa.count }} and {{ qa.total }}; {{ pages.size }}.\n\n```rag corpus pages\nsource: manual\n```\n\n" +
		"```rag dataset qa\nsource: faq\nlimit: 3\n```\n"
	n := opened(t, newBench(), text)
	v, err := n.Evaluate(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string][]string{
		"en": {">3 of 12 questions<", ">3<", ">12<", ">12 documents<", "Asked: 3 of 12 questions of faq@1"},
		"ja": {">12問中3問<", ">12件の文書<", "使用した質問：faq@1 の12問中3問"},
	} {
		var page bytes.Buffer
		if err := n.WriteHTML(v, lang, &page); err != nil {
			t.Fatal(err)
		}
		for _, s := range want {
			if !strings.Contains(page.String(), s) {
				t.Errorf("the page in %s lacks %q:\n%s", lang, s, page.String())
			}
		}
	}
}

// TestLocksThatWereWrittenBeforeStillFit pins what the identity of a dataset is made of: a new field would make every study stale.
func TestLocksThatWereWrittenBeforeStillFit(t *testing.T) {
	t.Parallel()
	w := Wanted{Kind: "dataset", Limit: 3, Filter: []string{"critical"}}
	const want = `{"ref":"faq@1","name":"faq","digest":"d","count":12,"limit":3,"filter":["critical"]}`
	got, err := json.Marshal(NewSource(w, "faq@1", "faq", "d", 3, 12).Identity())
	if err != nil || string(got) != want {
		t.Errorf("the identity is %s, want %s (%v)", got, want, err)
	}
}
