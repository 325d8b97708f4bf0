package text

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                                 "",
		" 。、!? ":                           "",
		"Running dogs don't run.":          "run dog don't' run",
		"犬が座っています":                         "犬 が' 座 っています'",
		"白色洗面台のサーバー":                       "白色洗面台 の' サーバー",
		"1,000円":                           "1000 円",
		"ｶﾞｽ代":                             "ガス 代",
		"The plan of Alice. Bob paid IBM.": "the' plan of' alic* | bob paid ibm*",
		"Skylark, Inc. and NASA":           "skylark | inc* | and' nasa*",
		"NASA paid":                        "nasa* paid",
		"b2b covid19":                      "b2b covid19",
		"non-refundable 8 kg":              "non refund 8 kg",
	} {
		var got []string
		for _, w := range Words(s) {
			word := w.Text
			if w.Class == Function {
				word += "'"
			}
			if w.Name {
				word += "*"
			}
			if w.Break {
				word = "| " + word
			}
			got = append(got, word)
		}
		if joined := strings.Join(got, " "); joined != want {
			t.Errorf("%q is %q, want %q", s, joined, want)
		}
	}
}

// TestWordsAgreeWithTerms: English words are the terms, so that what matches without order also matches in order.
func TestWordsAgreeWithTerms(t *testing.T) {
	t.Parallel()
	s := "The Flex fare includes 2 bags of 23.5 kg; don’t exceed 1,000 cm. IBM Cloud’s users pay U.S. dollars."
	terms, words := Terms(s), Words(s)
	if len(terms) != len(words) {
		t.Fatalf("%d terms, %d words", len(terms), len(words))
	}
	for i := range terms {
		if terms[i].Text != words[i].Text || terms[i].Class != words[i].Class {
			t.Errorf("term %+v, word %+v", terms[i], words[i])
		}
	}
}
