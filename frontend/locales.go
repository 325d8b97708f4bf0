package frontend

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

//go:embed src/locales/ja.json
var japanese []byte

//go:embed src/locales/en.json
var english []byte

// pageWords are all words of the pages by language, in their groups.
var pageWords = sync.OnceValue(func() map[string]map[string]any {
	all := map[string]map[string]any{}
	for lang, raw := range map[string][]byte{"en": english, "ja": japanese} {
		var words map[string]any
		if err := json.Unmarshal(raw, &words); err != nil {
			panic(err) // the files are part of the program, and a test reads them
		}
		all[lang] = words
	}
	return all
})

// Words are what the pages say at a path, such as schedules.states.ran, in a language ("en" or "ja"); the path where they say nothing.
func Words(lang, path string) string {
	var at any = pageWords()[lang]
	for name := range strings.SplitSeq(path, ".") {
		group, _ := at.(map[string]any)
		at = group[name]
	}
	if said, ok := at.(string); ok {
		return said
	}
	return path
}

// problemWords are the titles and hints of problems by language and code, as the pages show them.
var problemWords = sync.OnceValue(func() map[string]map[string]struct{ Title, Hint string } {
	all := map[string]map[string]struct{ Title, Hint string }{}
	for lang, raw := range map[string][]byte{"en": english, "ja": japanese} {
		var words struct {
			Problem map[string]struct{ Title, Hint string }
		}
		if err := json.Unmarshal(raw, &words); err != nil {
			panic(err) // the files are part of the program, and a test reads them
		}
		all[lang] = words.Problem
	}
	return all
})

// ProblemTitle is what the pages call a problem, in a language ("en" or "ja") and with its parameters filled in; "" where they have no
// words for its code or a parameter is missing.
func ProblemTitle(lang, code string, params map[string]any) string {
	title, _ := ProblemWords(lang, code, params)
	return title
}

// ProblemWords are the title and the hint that the pages have for a problem, without the detail that they put behind the hint; "" where a
// parameter is missing. A code may have other words for each kind of mistake, and a parameter its own in each language.
func ProblemWords(lang, code string, params map[string]any) (title, hint string) {
	words, known := problemWords()[lang][fmt.Sprintf("%s_%v", code, params["mistake"])]
	if !known {
		words = problemWords()[lang][code]
	}
	title, hint = words.Title, detail.ReplaceAllString(words.Hint, "")
	for name, value := range params {
		if both, is := value.(interface{ In(lang string) string }); is {
			value = both.In(lang)
		}
		title = strings.ReplaceAll(title, "{{"+name+"}}", fmt.Sprint(value))
		hint = strings.ReplaceAll(hint, "{{"+name+"}}", fmt.Sprint(value))
	}
	if strings.Contains(title, "{{") {
		title = ""
	}
	if title == "" || strings.Contains(hint, "{{") {
		hint = ""
	}
	return title, hint
}

var detail = regexp.MustCompile(` ?[(（]\{\{detail\}\}[)）]`)
