package requests

import (
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

const languageHeader = "Accept-Language"

// LanguageOf is the first of our languages, "en" or "ja", that an Accept-Language header likes; English where it likes neither.
func LanguageOf(accepted string) string {
	best, most := "en", 0.0
	for _, part := range strings.Split(accepted, ",") {
		tag, rest, _ := strings.Cut(strings.TrimSpace(part), ";")
		lang, _, _ := strings.Cut(strings.ToLower(tag), "-")
		likes := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(rest), "q="); ok {
			likes, _ = strconv.ParseFloat(q, 64) // 0 where it is no number: not liked
		}
		if (lang == "en" || lang == "ja") && likes > most {
			best, most = lang, likes
		}
	}
	return best
}

// speaking says problems in the language of whoever asked, at the moment that a reply is sent. Everywhere before they are English: what is
// kept, compared or hashed never depends on who asked.
func speaking(ctx huma.Context, _ string, reply any) (any, error) {
	return problem.Spoken(LanguageOf(ctx.Header(languageHeader)), reply), nil
}
