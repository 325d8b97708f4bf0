package findings

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// Text is something that is said, in both languages, under a code that stays the same for programs.
type Text struct {
	Code string `json:"code"`
	EN   string `json:"en"`
	JA   string `json:"ja"`
}

// In returns the text in a language: "ja", or else English.
func (t Text) In(lang string) string {
	if lang == "ja" {
		return t.JA
	}
	return t.EN
}

// Texts are several texts in one language.
func Texts(list []Text, lang string) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.In(lang)
	}
	return out
}

//go:embed catalogue/*.json
var catalogueFiles embed.FS

// catalogues are read when something is said: most commands say nothing of a comparison.
var catalogues = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{"en": loadCatalogue("en"), "ja": loadCatalogue("ja")}
})

func loadCatalogue(lang string) map[string]string {
	body, err := catalogueFiles.ReadFile("catalogue/" + lang + ".json")
	if err != nil {
		panic(err) // embedded at build time: cannot be missing in a program that starts
	}
	var c map[string]string
	if err := json.Unmarshal(body, &c); err != nil {
		panic(fmt.Sprintf("catalogue/%s.json: %v", lang, err))
	}
	return c
}

// Word is what people read for a code of the catalogue, such as "verdict.worse", in "ja" or else English; the code itself where it
// has no word.
func Word(lang, code string) string {
	if lang != "ja" {
		lang = "en"
	}
	if word, ok := catalogues()[lang][code]; ok {
		return word
	}
	return code
}

// placeholder matches {name}, and {name?singular|plural} for words that follow a count.
var placeholder = text.Lazy(`\{([a-z_]+)(?:\?([^|{}]*)\|([^|{}]*))?\}`)

// say makes the text of a code; args are pairs of name and value. A value that is a Text is put in in its language.
func say(code string, args ...any) Text {
	values := make(map[string]any, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		values[args[i].(string)] = args[i+1]
	}
	return Text{Code: code, EN: filled(Word("en", code), "en", values), JA: filled(Word("ja", code), "ja", values)}
}

func filled(phrase, lang string, values map[string]any) string {
	return placeholder.ReplaceAllStringFunc(phrase, func(m string) string {
		parts := placeholder.FindStringSubmatch(m)
		value, ok := values[parts[1]]
		if !ok {
			return m
		}
		words := written(value, lang)
		switch {
		case !strings.Contains(m, "?"):
			return words
		case words == "1":
			return parts[2]
		}
		return parts[3]
	})
}

// written is a value as people read it: numbers with at most two decimals.
func written(value any, lang string) string {
	switch v := value.(type) {
	case Text:
		return v.In(lang)
	case share:
		return stats.PerCent(float64(v), 1)
	case []Text:
		separator := ", "
		if lang == "ja" {
			separator = "、"
		}
		return strings.Join(Texts(v, lang), separator)
	case float64:
		return decimal(v, 2)
	}
	return fmt.Sprint(value)
}

// decimal writes a number with at most so many decimals.
func decimal(v float64, decimals int) string { return brief(stats.Fixed(v, decimals)) }

// brief is a number without zeros at its end.
func brief(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// share is a share of one, which is told in per cent.
type share float64

// plain is a name or a number that is the same in both languages.
func plain(s string) Text { return Text{EN: s, JA: s} }

// Sentences are texts in both languages, a list each.
type Sentences struct {
	EN []string `json:"en"`
	JA []string `json:"ja"`
}

// Said are the sentences of the findings in both languages.
func (f Findings) Said() Sentences {
	return Sentences{EN: Texts(f.Sentences, "en"), JA: Texts(f.Sentences, "ja")}
}

// choice is a value of a field in words; the value itself where it has none.
func choice(field, value string) Text {
	code := field + "." + value
	if Word("en", code) == code {
		return plain(value)
	}
	return say(code)
}
