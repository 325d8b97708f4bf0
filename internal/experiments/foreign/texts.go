package foreign

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/text"
)

// textFields are the fields of an answer that are texts, in the order in which they are told.
var textFields = []string{intake.FieldQuestion, intake.FieldAnswer, intake.FieldContexts, intake.FieldReference}

// fieldsOf tells which columns of a table hold which field, by what people said, else by the names of Ragas, else by the names that people
// give them. Of two columns of one field the first counts. cells are those of a column, by its place: a column called "correct" that holds
// yes and no judges, and is no right answer. answers are several columns that may hold the answers, where nobody said which.
func (o ForeignOptions) fieldsOf(columns []string, cells func(int) iter.Seq[any]) (fields map[string]string, answers []string) {
	fields = map[string]string{}
	known := map[string]bool{}
	take := func(name, field string) {
		if fields[name] == "" && (field == intake.FieldIgnore || field != "" && !known[field]) {
			fields[name], known[field] = field, true
		}
	}
	for _, name := range columns {
		take(name, o.Columns[name])
	}
	if one := o.oneAnswer(columns, cells); one != "" && !known[intake.FieldAnswer] {
		take(one, intake.FieldAnswer)
	}
	for _, name := range columns {
		take(name, ragasFields[intake.ColumnKey(name)])
	}
	if at := intake.QuestionAmong(columns); at >= 0 {
		take(columns[at], intake.FieldQuestion)
	}
	for _, field := range []string{intake.FieldQuestion, intake.FieldReference} {
		for i, name := range columns {
			if intake.FieldNamed(name) == field && (field != intake.FieldReference || !judges(name, cells(i))) {
				take(name, field)
			}
		}
	}
	for _, name := range columns {
		if intake.IsContexts(name) {
			take(name, intake.FieldContexts)
		}
	}
	for i, name := range columns {
		take(name, groupField(name, cells(i)))
	}
	if known[intake.FieldAnswer] {
		if either := maybeRight(columns, fields); len(either) == 1 { // beside the answer of a system it is the right one
			take(either[0], intake.FieldReference)
		}
		return fields, nil
	}
	for _, name := range columns {
		if intake.IsAnswer(name) {
			take(name, intake.FieldAnswer)
			if fields[name] == intake.FieldAnswer {
				return fields, nil
			}
		}
	}
	answers = slices.DeleteFunc(intake.SystemAnswers(columns), func(c string) bool {
		is, _ := numeric(cells(slices.Index(columns, c)))
		return fields[c] != "" || is && len(intake.SystemAnswers([]string{c})) == 0 // scores of a system called A
	})
	if len(answers) == 1 {
		take(answers[0], intake.FieldAnswer)
		return fields, nil
	}
	return fields, answers
}

// oneAnswer is the one column whose name leaves no doubt that a system's answers stand in it, where another one is called as answers
// too: of "Model answer" and "Bot response" the second; "" for none.
func (o ForeignOptions) oneAnswer(columns []string, cells func(int) iter.Seq[any]) string {
	sure := slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		system := intake.SurelyAnswered(name) && (intake.IsAnswer(name) || len(intake.SystemAnswers([]string{name})) > 0)
		return !system || o.Columns[name] != ""
	})
	if len(sure) == 0 {
		for i, name := range columns {
			if intake.MayReply(name) && o.Columns[name] == "" && holdsTexts(cells(i)) {
				sure = append(sure, name)
			}
		}
	}
	if len(sure) != 1 || len(maybeRight(columns, o.Columns)) == 0 {
		return ""
	}
	return sure[0]
}

// holdsTexts reports whether most of what a column holds are texts of several words or of some length, and neither numbers nor marks.
func holdsTexts(cells iter.Seq[any]) bool {
	texts, filled := 0, 0
	for v := range cells {
		if _, state := cellScore(v); state == scoreNone {
			continue
		}
		filled++
		if s, isText := v.(string); isText && marks[markText(s)] == "" && !slices.Contains(between, markText(s)) {
			if _, state := cellScore(v); state == scoreWrong && utf8.RuneCountInString(s) >= shortestText {
				texts++
			}
		}
	}
	return texts > 0 && 2*texts >= filled
}

// shortestText is how long an answer is at least that is told from a word such as incorrect.
const shortestText = 12

// maybeRight are the columns without a field that hold answers, of which their names do not say whose they are.
func maybeRight(columns []string, fields map[string]string) []string {
	return slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		return fields[name] != "" || !intake.MayBeRight(name) || !intake.IsAnswer(name) && len(intake.SystemAnswers([]string{name})) == 0
	})
}

// judges reports whether a column whose name may mean the right answer says instead whether the answer is right: every filled cell is a
// mark, or true or false; yes or no where it is called "correct".
func judges(name string, cells iter.Seq[any]) bool {
	if !intake.MayJudge(name) {
		return false
	}
	filled, words := false, text.Language(name) != "ja"
	for v := range cells {
		if _, isBool := v.(bool); isBool {
			filled = true
			continue
		}
		s := markText(wordsOf(v))
		if s == "" || s == "nan" {
			continue
		}
		known := marks[s] != "" || slices.Contains(between, s) || s == "true" || s == "false"
		if !known || !words && slices.Contains(yesNoWords, s) {
			return false
		}
		filled = true
	}
	return filled
}

// columnOf is the place of the column of a field; -1 without one.
func columnOf(field string, columns []string, fields map[string]string) int {
	return slices.IndexFunc(columns, func(c string) bool { return fields[c] == field })
}

// surelyAnswered reports whether the answers of a table are those of a system, and cannot be the right ones: their name says so, or right
// answers or contexts stand beside them. Only then do equal ones in two files say that nothing changed.
func surelyAnswered(columns []string, fields map[string]string) bool {
	at := columnOf(intake.FieldAnswer, columns, fields)
	return at >= 0 && (intake.SurelyAnswered(columns[at]) || columnOf(intake.FieldReference, columns, fields) >= 0 ||
		columnOf(intake.FieldContexts, columns, fields) >= 0)
}

// textsRead tells which columns are columns read besides the scores, and as what; false where none is but the questions.
func textsRead(columns []string, fields map[string]string) (text.Said, bool) {
	var en, ja string
	kept := 0
	for _, field := range slices.Concat(textFields, groupFields) {
		i := columnOf(field, columns, fields)
		if i < 0 {
			continue
		}
		if field != intake.FieldQuestion {
			kept++
		}
		name := intake.FieldName(field)
		one := text.Say("%s (%s)", "%s（%s）", columns[i], name)
		if strings.EqualFold(columns[i], name.EN) || intake.ColumnKey(columns[i]) == field { // the column says itself what it is
			one.EN = columns[i]
		}
		if columns[i] == name.JA {
			one.JA = columns[i]
		}
		if en != "" {
			en, ja = en+", ", ja+"、"
		}
		en, ja = en+one.EN, ja+one.JA
	}
	told := text.Say("columns read besides the scores: %s", "スコアのほかに読み取った列：%s", text.Said{EN: en, JA: ja})
	return told, kept > 0
}

// readContexts reads the contexts of an answer out of a cell: a list, a text that is one in JSON or Python, or one text. cut is whether
// some were left out, and unread the first that is no text.
func readContexts(v any) (contexts []rag.LoggedContext, cut bool, unread int, err error) {
	list, _, err := intake.CellList(v, "", nil)
	if err != nil {
		return nil, false, 0, err
	}
	cut = len(list) > remote.MaxContexts
	contexts = make([]rag.LoggedContext, 0, len(list))
	for i, one := range list[:min(len(list), remote.MaxContexts)] {
		c, short, ok := rag.ReadContext(one)
		if !ok {
			return nil, false, i + 1, nil
		}
		cut = cut || short
		contexts = append(contexts, c)
	}
	return contexts, cut, 0, nil
}

// contextsOf reads the contexts of an item: a list, or a text that is one in JSON or Python, or one text. nil stays "not logged".
func (r *foreignReader) contextsOf(item *ForeignItem, field string, v any) {
	if s, ok := v.(string); v == nil || ok && (strings.TrimSpace(s) == "" || strings.EqualFold(strings.TrimSpace(s), "nan")) {
		return
	}
	if s, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "[") && strings.HasSuffix(strings.TrimSpace(s), "]") {
		if _, _, isList := intake.ListLiteral(strings.TrimSpace(s)); !isList {
			r.fault(item, field, "%q looks like a list but is not one in JSON or Python", intake.Shortened(s))
			return
		}
	}
	contexts, cut, unread, err := readContexts(v)
	switch {
	case err != nil:
		r.fault(item, field, "%v", err)
		return
	case unread > 0:
		r.fault(item, field, "item %d is neither a text nor an object with a text", unread)
		return
	}
	for i, c := range contexts {
		if err := experiments.CheckText(c.Text); err != nil {
			r.fault(item, field, "item %d %v", i+1, err)
		}
	}
	item.Contexts = contexts
	if cut {
		r.cut++
		item.Notes = []string{remote.NoteContextsCapped}
	}
}
