// Package wording holds the texts that reports say: catalogue/en.json and catalogue/ja.json have each under the same key, and a report
// in both languages says both. It knows nothing of what is reported.
package wording

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/text"
)

//go:embed catalogue/*.json
var catalogueFiles embed.FS

// Catalogue holds the texts of one language by key.
type Catalogue map[string]string

// Catalogues are read when a report is made: most commands make none.
var Catalogues = sync.OnceValue(func() map[string]Catalogue {
	en, ja := loadCatalogue("en"), loadCatalogue("ja")
	return map[string]Catalogue{"en": en, "ja": ja, Both: bilingual(en, ja)}
})

// placeholder matches {name}, and {name?singular|plural} for words that follow a count.
var placeholder = text.Lazy(`\{([a-z_]+)(?:\?([^|{}]*)\|([^|{}]*))?\}`)

func loadCatalogue(lang string) Catalogue {
	body, err := catalogueFiles.ReadFile("catalogue/" + lang + ".json")
	if err != nil {
		panic(err) // embedded at build time: cannot be missing in a program that starts
	}
	var c Catalogue
	if err := json.Unmarshal(body, &c); err != nil {
		panic(fmt.Sprintf("catalogue/%s.json: %v", lang, err))
	}
	return c
}

// Say returns the text of key with its placeholders filled in. args are pairs of name and value.
func (c Catalogue) Say(key string, args ...any) string {
	text, ok := c[key]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	values := make(map[string]string, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		values[args[i].(string)] = fmt.Sprint(args[i+1])
	}
	return placeholder.ReplaceAllStringFunc(text, func(m string) string {
		parts := placeholder.FindStringSubmatch(m)
		value, ok := values[parts[1]]
		switch {
		case !ok:
			return m
		case !strings.Contains(m, "?"):
			return value
		case value == "1":
			return parts[2]
		default:
			return parts[3]
		}
	})
}
