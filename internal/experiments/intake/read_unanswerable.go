package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// FieldUnanswerable is what a column can be mapped to whose yes means that the documents hold no answer: it is answerable, turned round.
const FieldUnanswerable = "unanswerable"

// unanswerableNames are what teams call such a column, as [plainName] writes names.
const unanswerableNames = `^(?:is )?(?:un|not |non )answerable$|^is impossible$|^(?:has )?no answer$|^(?:is )?out of (?:scope|domain)$|` +
	`^(?:is )?not (?:in|covered by|found in|answered by|part of) (?:the |our )?(?:manual|docs?|documents?|documentation|handbook|guide|faq|text|source|` +
	`knowledge base|kb|scope)$|` +
	`^(?:回答|解答|応答)(?:が)?(?:不可能?|不能|できない)(?:質問)?$|^(?:回答|解答|答え|正解)(?:が)?(?:なし|無し|ない|無い)$|` +
	`^(?:文書|資料|マニュアル|ドキュメント)(?:に|には)(?:記載|答え|回答)?(?:が|は)?(?:ない|無い|なし|無し)(?:質問)?$|` +
	`^(?:記載|該当)(?:なし|無し)$|^(?:回答|解答)?(?:対象|範囲)外$`

var unanswerableName = text.Lazy(unanswerableNames)

// Words that say by themselves whether there is an answer, in whatever column they stand.
var (
	answerableWords = []string{"可", "可能", "回答可", "回答可能", "回答できる", "答えあり", "対象", "対象内", "範囲内",
		"answerable", "in scope"}
	deniedWords = []string{"不可", "不可能", "不能", "回答不可", "回答不能", "回答不可能", "回答できない", "答えなし",
		"対象外", "範囲外", "回答対象外", "スコープ外", "該当なし", "記載なし",
		"unanswerable", "not answerable", "no answer", "out of scope", "out-of-scope", "oos", "n/a", "not in the documents"}
)

// answers reads whether the documents answer a question. inverted is a column whose yes means that they do not; a blank cell of either
// kind is an answer.
func answers(v any, inverted bool) (bool, error) {
	if s, err := CellText(v); err == nil && s != "" {
		switch word := strings.ToLower(norm.NFKC.String(s)); {
		case slices.Contains(answerableWords, word):
			return true, nil
		case slices.Contains(deniedWords, word):
			return false, nil
		}
	}
	yes, err := CellBool(v, !inverted)
	return yes != inverted, err
}

func (r *rowReader) answerable() bool {
	yes, err := answers(r.value(fieldAnswerable), r.b.columns.inverted)
	if err != nil {
		r.fault(r.named(fieldAnswerable), "%v", err)
	}
	if !yes {
		r.b.denied++
	}
	return yes
}

// unanswerable takes the column that says of which questions the documents hold no answer, where none says of which they do.
func (g *guesser) unanswerable() {
	for i, kind := range g.names {
		if kind == kindUnanswerable && g.m.at(fieldAnswerable) < 0 && g.free(i) && g.t.answersAll(i) {
			g.m.set(i, fieldAnswerable)
			g.m.inverted = true
		}
	}
}

// answersAll reports whether every cell of a column says whether there is an answer, and some cell that there is none: where all that are
// filled hold ×, nobody knows whether that marks the question or denies what the column is called.
func (t *Table) answersAll(column int) bool {
	said := false
	for _, row := range t.Rows {
		if s, err := CellText(row.Cell(column)); err == nil && s == "" {
			continue
		}
		yes, err := answers(row.Cell(column), true)
		if err != nil {
			return false
		}
		said = said || !yes
	}
	return said
}

// unanswerableNames takes such a column of a file whose columns programs name.
func (m *ColumnMap) unanswerableNames(t *Table, keys []string) {
	for i := range keys {
		if !t.isSheet() && m.at(fieldAnswerable) < 0 && m.fields[i] == "" && unanswerableName.MatchString(plainName(t.Columns[i])) &&
			t.answersAll(i) {
			m.set(i, fieldAnswerable)
			m.inverted = true
		}
	}
}
