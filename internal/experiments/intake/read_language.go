package intake

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// fewestOtherwise is the share of questions in other languages from which on people are told, one in so many.
const fewestOtherwise = 10

// OtherLanguages says what follows for questions that are neither in English nor in Japanese, which are the languages that judges are
// asked in; false where there are hardly any.
func OtherLanguages(questions []experiments.Question) (text.Said, bool) {
	texts := make([]string, len(questions))
	asked := map[string]int{}
	for i, q := range questions {
		texts[i] = q.Text
		if _, other := text.Otherwise(q.Text); other {
			asked[q.Lang]++
		}
	}
	most, n := text.OtherLanguages(texts)
	if n == 0 || fewestOtherwise*n < len(questions) {
		return text.Said{}, false
	}
	in := text.Said{EN: "English", JA: "英語"}
	if asked["ja"] > asked["en"] { // Chinese is written in the letters of Japanese
		in = text.Said{EN: "Japanese", JA: "日本語"}
	}
	look := "look"
	if n == 1 {
		look = "looks"
	}
	return text.Say("%[1]s of %[2]d %[5]s %[3]s: judges are asked about them in %[4]s, and the offline provider compares their words by its rules, so "+
		"that its scores are rough", "質問%[2]d件のうち%[1]sは%[3]sのようです。これらの質問の評価は%[4]sで行われ、"+
		"オフラインの評価は%[4]sの規則で語を比べるため、そのスコアは目安です", text.Count(n, "question", "件"), len(questions), most.Name(), in, look), true
}
