package intake

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestOtherLanguagesAreTold: who brings questions in a language without prompts is told in which one judges are asked, and nobody else is.
func TestOtherLanguagesAreTold(t *testing.T) {
	t.Parallel()
	german, english := "Wie lange habe ich Zeit für eine Rückgabe?", "How long do I have to return an item?"
	for name, c := range map[string]struct {
		questions []string
		en, ja    string // "" says nothing
	}{
		"all": {[]string{german, german}, "2 questions of 2 look German: judges are asked about them in English",
			"質問2件のうち2件はドイツ語のようです"},
		"some":          {[]string{german, english, english}, "1 question of 3 looks German", "英語で行われ"},
		"hardly any":    {append([]string{german}, strings.Split(strings.Repeat("|"+english, 10), "|")[1:]...), "", ""},
		"none":          {[]string{english, "返品の期限はいつまでですか。"}, "", ""},
		"in no letters": {[]string{"我怎么取消订阅？"}, "looks Chinese: judges are asked about them in Japanese", "日本語で行われ"},
		"unnamed": {[]string{"Как отменить подписку?"}, "looks to be in another language than English or Japanese",
			"英語でも日本語でもない言語"},
	} {
		questions := make([]experiments.Question, len(c.questions))
		for i, q := range c.questions {
			questions[i] = experiments.Question{Text: q, Lang: text.Language(q)}
		}
		told, is := OtherLanguages(questions)
		if is != (c.en != "") || !strings.Contains(told.EN, c.en) || !strings.Contains(told.JA, c.ja) {
			t.Errorf("%s: %+v", name, told)
		}
	}
}
