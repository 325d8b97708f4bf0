package wording

import (
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Both is the language of a report for a team that reads Japanese and English. The workbook then has two first pages, one
// in each language, and one set of the other sheets with headings in both: a question has one row to filter, to review and to
// speak about, whoever reads it. Documents come in both languages one after the other.
const Both = "both"

// Languages lists what the language of a report may be.
func Languages() []string { return []string{"en", "ja", Both} }

// Single are the languages that a text of the report is written in, in reading order.
func Single(lang string) []string {
	if lang == Both {
		return []string{"en", "ja"}
	}
	return []string{lang}
}

// UnknownLanguage refuses a language that is none of [Languages].
func UnknownLanguage(lang string) error {
	return problem.New(problem.Invalid, "report_lang", "the report language is %q", lang).With("lang", lang).WithHint("use en, ja or both")
}

// bilingual joins the catalogues: names of sheets with a space, words and headings with a stroke, sentences on two lines.
func bilingual(en, ja Catalogue) Catalogue {
	both := maps.Clone(ja) // its font shows both
	both["footer"] = en["footer"]
	for key, text := range en {
		switch {
		case key == "font" || key == "footer" || text == ja[key]:
		case key == "word.colon" || key == "word.aside": // signs around texts that are in both languages already
			both[key] = text
		case strings.HasPrefix(key, "sheet."):
			both[key] = text + " " + ja[key]
		default:
			both[key] = Joined(text, ja[key])
		}
	}
	return both
}

// Joined puts a text in two languages together: short ones with a stroke, sentences on two lines.
func Joined(en, ja string) string {
	const short = 48 // bytes of English that still stand in one line with the Japanese
	switch {
	case ja == en, en == "":
		return ja
	case ja == "":
		return en
	case len(en) > short, strings.HasSuffix(en, "."), strings.Contains(ja, "\n"):
		return en + "\n" + ja
	default:
		return en + " / " + ja
	}
}

// Worded is a text in "en", "ja" or "both".
func Worded(en, ja, lang string) string {
	switch {
	case lang == "ja":
		return ja
	case lang == "both" && en != ja:
		return en + " / " + ja
	}
	return en
}
