package evaltest

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

var (
	// asWritten stays as it is in every language: data in quotation marks, commands and flags, what stands before an equals sign or is no
	// word (paths, ids, versions, places), and words in capitals.
	asWritten = regexp.MustCompile("\"(?:\\\\.|[^\"\\\\])*\"|「[^」]*」|`[^`]*`|workbench [^（）。]*|--[a-z-]+|" +
		`[A-Za-z]*[0-9_./@\[\]{}=+-][A-Za-z0-9_./@\[\]{}=:+-]*|\b[A-Z][A-Za-z]*[A-Z]\b|\b[A-Z]\b`)
	latin = regexp.MustCompile(`[A-Za-z]{2,}`)
)

// namesOfFields are words of a file's own: names of columns, of fields and of values, programs and units.
var namesOfFields = strings.Fields(`
	id question reference answer evidence critical category answerable tags contexts messages metadata note score trust start end
	text quote yes no true false user input response replicate theme faithfulness questions results data examples goldens
	tests JSON CSV Excel Python Markdown Office KiB MiB UTF ragas promptfoo deepeval langfuse mlflow openinference traces
	Unicode accepted ragchecker otel phoenix langsmith table auto ignore OpenTelemetry protobuf name ask content body
	ocrmypdf MacRoman Word PowerPoint gzip PNG JPEG SQLite`)

// EnglishIn are the English words of a text in Japanese that are no quoted data, no flag and no name of a file, a field or one of names.
func EnglishIn(japanese string, names ...string) (found []string) {
	for _, word := range latin.FindAllString(asWritten.ReplaceAllString(japanese, " "), -1) {
		if !slices.Contains(namesOfFields, word) && !slices.Contains(names, word) {
			found = append(found, word)
		}
	}
	return found
}

// InJapanese fails where a problem, one of its rows, its hint or its cause is not said in Japanese.
func InJapanese(t testing.TB, err error, names ...string) {
	t.Helper()
	p := problem.From(err)
	said := []string{problem.Said("ja", err), p.In("ja").Hint}
	if rows := reflect.ValueOf(p.Params["problems"]); rows.IsValid() && rows.Kind() == reflect.Slice {
		for i := range rows.Len() {
			if row, ok := rows.Index(i).Interface().(interface{ In(lang string) string }); ok {
				said = append(said, row.In("ja"))
			}
		}
	}
	for _, text := range said {
		if english := EnglishIn(text, names...); len(english) > 0 {
			t.Errorf("English in Japanese (%s): %s\nof: %v", strings.Join(english, " "), text, err)
		}
	}
}
