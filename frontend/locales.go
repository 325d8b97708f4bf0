package frontend

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

//go:embed src/locales/ja.json
var japanese []byte

//go:embed src/locales/en.json
var english []byte

// problemTitles are the titles of problems by language and code, as the pages show them.
var problemTitles = sync.OnceValue(func() map[string]map[string]string {
	titles := map[string]map[string]string{}
	for lang, raw := range map[string][]byte{"en": english, "ja": japanese} {
		var words struct {
			Problem map[string]struct{ Title string }
		}
		if err := json.Unmarshal(raw, &words); err != nil {
			panic(err) // the files are part of the program, and a test reads them
		}
		titles[lang] = map[string]string{}
		for code, p := range words.Problem {
			titles[lang][code] = p.Title
		}
	}
	return titles
})

// ProblemTitle is what the pages call a problem, in a language ("en" or "ja") and with its parameters filled in; "" where they have no
// words for its code or a parameter is missing.
func ProblemTitle(lang, code string, params map[string]any) string {
	title := problemTitles()[lang][code]
	for name, value := range params {
		title = strings.ReplaceAll(title, "{{"+name+"}}", fmt.Sprint(value))
	}
	if strings.Contains(title, "{{") {
		return ""
	}
	return title
}
