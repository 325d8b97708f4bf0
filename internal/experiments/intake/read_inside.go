package intake

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// Where an object that a tool exported as a question or a right answer keeps its text, and what a check of promptfoo begins with that holds
// the right answer behind its name; the others hold rules.
var (
	askedInside = []string{"question", "query", "user_input", "input", "prompt", "text", "content"}
	rightInside = []string{"answer", "response", "output", "reference", "expected", "expected_response",
		"expected_output", "text", "content"}
	checkedAnswer = text.Lazy(`^(?:equals|i?contains|starts-with|similar(?:\([0-9.]+\))?|levenshtein(?:\([0-9]+\))?|` +
		`factuality|rouge-n(?:\([0-9.]+\))?|bleu)\s*:\s*`)
	checkedRule = text.Lazy(`^(?:not-)?(?:llm-rubric|grade|g-eval|javascript|python|fn|eval|file|regex|is-json|contains-json|is-valid-[a-z-]+|` +
		`is-[a-z-]+|contains-(?:any|all)|icontains-(?:any|all)|answer-relevance|context-[a-z]+|moderation|` +
		`latency|cost|webhook|classifier|not-[a-z-]+)(?:\([^)]*\))?\s*(?::|$)`)
)

// AskedInside is the question in a cell that holds an object, in JSON or as Python writes it; any other cell is itself.
func AskedInside(v any) any {
	v, _ = textInside(v, askedInside)
	return v
}

// AnswerInside is the same of an answer.
func AnswerInside(v any) any {
	v, _ = textInside(v, rightInside)
	return v
}

// textInside counts what was taken out of objects.
func (r *rowReader) textInside(v any, names []string) any {
	v, found := textInside(v, names)
	if found {
		r.b.inside++
	}
	return v
}

// textInside is the text of a cell that holds an object under one of the names; any other cell is itself, and found is false.
func textInside(v any, names []string) (inside any, found bool) {
	object, isObject := v.(map[string]any)
	if s, isText := v.(string); isText && strings.HasPrefix(strings.TrimSpace(s), "{") {
		if json.Unmarshal([]byte(s), &object) != nil {
			parsed, _ := ParsePython(strings.TrimSpace(s))
			object, _ = parsed.(map[string]any)
		}
		isObject = object != nil
	}
	if !isObject {
		return v, false
	}
	for _, name := range names {
		if s, is := object[name].(string); is && strings.TrimSpace(s) != "" {
			return s, true
		}
	}
	return v, false
}

// unquote takes the quotation marks off the texts of columns that a program wrote as JSON, each cell for itself: all of them are texts in
// quotation marks, objects or lists.
func (t *Table) unquote() {
	for column, name := range t.Columns {
		quoted, whole := 0, true
		for _, row := range t.Rows {
			s, isText := row.Cell(column).(string)
			if s = strings.TrimSpace(s); isText && strings.HasPrefix(s, `"`) {
				whole = whole && json.Valid([]byte(s))
				quoted++
				continue
			}
			whole = whole && (s == "" || s == "null" || looksStructured(s))
		}
		if !whole || quoted < 2 {
			continue
		}
		for _, row := range t.Rows {
			var text string
			if s, isText := row.Cell(column).(string); isText && json.Unmarshal([]byte(s), &text) == nil && column < len(row.cells) {
				row.cells[column] = text
			}
		}
		t.usual(text.Say("column %s: each cell stands in quotation marks, which are not read as part of it",
			"列「%s」：各セルを囲む引用符は、内容の一部として読み取りませんでした", name))
	}
}

// checked is the right answer in a check of promptfoo; nil where the check holds a rule.
func (r *rowReader) checked(v any, column int) any {
	s, isText := v.(string)
	if !isText || column < 0 || !slices.Contains([]string{"__expected", "__expected1"}, ColumnKey(r.b.table.Columns[column])) {
		return v
	}
	s = strings.TrimSpace(s)
	switch {
	case checkedRule.MatchString(s):
		r.b.ruled++
		return nil
	case checkedAnswer.MatchString(s):
		r.b.inside++
		return strings.TrimPrefix(s, checkedAnswer.FindString(s))
	}
	return v
}

// insideNotes say what was taken out of objects and checks.
func (b *questionBuilder) insideNotes() (notes []text.Said) {
	if b.inside > 0 {
		notes = append(notes, text.Say("%s hold an object or a check with the text in it: the text was read", "オブジェクトまたはチェックの中の文章を読み取りました：%s",
			text.Count(b.inside, "cell", "セル")))
	}
	if b.ruled > 0 {
		notes = append(notes, text.Say("%s hold a rule for checking and no right answer, and were not read as one", "確認の規則であり正解ではないため、読み取りませんでした：%s",
			text.Count(b.ruled, "cell", "セル")))
	}
	return notes
}
