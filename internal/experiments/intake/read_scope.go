package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	// testedName matches columns that say which rows are part of the test.
	testedName = text.Lazy(`^(?:評価|テスト|試験|検証|測定|実施|出題|採用)(?:の)?(?:対象|要否|有無|可否)(?:か(?:どうか)?` +
		`|フラグ)?$|^対象(?:フラグ|か(?:どうか)?)?$|` +
		`^(?:使用|利用)(?:対象|フラグ)$|^(?:to )?(?:be )?(?:(?:include|use|active|enable|evaluate)d?|(?:test|run) (?:this|row|question|flag))` +
		`(?: (?:this|row|question|flag))?(?: (?:in|for) (?:the )?(?:test|eval(?:uation)?|set|dataset|run|benchmark)s?)?$|` +
		`^in (?:the )?(?:test|eval(?:uation)?|set|dataset|benchmark)$`)
	// skippedName matches columns whose yes takes a row out of the test.
	skippedName = text.Lazy(`^(?:(?:評価|テスト|試験|検証|測定)対象外|除外|スキップ)(?:フラグ|対象)?$|^(?:skip|exclude` +
		`|ignore)(?:d|ped)?(?: (?:flag|row|question))?$`)
	// statusName matches columns that say what became of a row.
	statusName = text.Lazy(`(?:^|\b)(?:status|state)$|(?:ステータス|状態|進捗)$`)

	// outOfTest is what a status says of a row that is not part of the test any more.
	outOfTest = text.Lazy(`(?i)^(?:(?:評価|テスト|試験)?対象外|範囲外|スコープ外|除外|廃止|欠番|不採用|ボツ|使用しない` +
		`|out of scope|oos|excluded?|` +
		`skip(?:ped)?|do not use)(?:です|済み?)?[。.]?$`)
	// perhapsOut is what it says of such a row, or of what the question is about: a cancelled order, a retired product.
	perhapsOut = text.Lazy(`(?i)^(?:削除|取消|取り?下げ|無効|該当なし|使用(?:不可|停止)|obsolete|deprecated|retired|removed|deleted` +
		`|withdrawn|cancell?ed|rejected|` +
		`invalid|n/?a|not applicable)(?:です|済み?)?[。.]?$`)
	// noAnswer is what a status or the kind of a question says where the documents hold no answer.
	noAnswer = text.Lazy(`(?i)^(?:回答(?:対象外|不可能?|不能|できない)|(?:文書|資料|マニュアル)(?:に)?(?:記載)?(?:なし|無し` +
		`|外)|未記載|unanswerable|not answerable|` +
		`no answer(?: in (?:the )?(?:docs|documents|manual|kb))?|cannot be answered|not in (?:the )?(?:docs|documents|manual|kb))(?:質問|の質問| questions?)?$`)
	// otherKind is what the kind of a question says of one about something else than the documents.
	otherKind = text.Lazy(`(?i)^(?:(?:対象|範囲|スコープ|ドメイン|領域)外|out of (?:scope|domain)|oos|ood)(?:質問|の質問| questions?)?$`)

	testedWords  = []string{"対象", "する", "要", "実施", "採用", "使用", "include", "included", "use", "active", "on", "in"}
	skippedWords = []string{"対象外", "評価対象外", "テスト対象外", "しない", "不要", "否", "除外", "不採用", "未使用",
		"未実施", "exclude", "excluded", "skip", "skipped",
		"inactive", "off", "out", "out of scope", "n/a", "該当なし"}
)

// word is a cell as the words above are written.
func word(s string) string {
	s = strings.ToLower(strings.TrimSpace(norm.NFKC.String(s)))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), " ")
}

// tested reads whether a row is part of the test; known is false for a blank cell and for other words.
func tested(s string) (yes, known bool) {
	switch w := word(s); {
	case s == "":
		return false, false
	case slices.Contains(testedWords, w):
		return true, true
	case slices.Contains(skippedWords, w):
		return false, true
	}
	yes, err := CellBool(s, true)
	return yes, err == nil
}

// leaveOut takes out the rows of which a column says that they are no part of the test, and names them. A column counts where it says so of
// some rows and not of all, and where people did not say otherwise what it is.
func (b *questionBuilder) leaveOut() {
	for i, name := range b.table.Columns {
		field := b.columns.fields[i]
		if b.columns.given[i] || field != fieldMetadata && field != fieldTag {
			continue
		}
		out, unsure := b.untested(i, plainName(name))
		if len(unsure) > 0 {
			b.leftOut = append(b.leftOut, text.Say("column %s may say that these rows are no part of the test; they were read all the same, so remove them if "+
				"they are not: %s", "列「%s」は次の行を評価から除外している可能性がありますが、読み取りました。"+
				"評価しない場合は行を削除してください：%s", name, listedFew(unsure)))
		}
		if len(out) == 0 || len(out) == len(b.table.Rows) {
			continue
		}
		b.columns.fields[i] = fieldMetadata // what is left says the same of every row
		var places []text.Said
		b.table.Rows = slices.DeleteFunc(slices.Clone(b.table.Rows), func(r TableRow) bool {
			if out[r.Number] {
				places = append(places, text.Say("%s (%q)", "%s（「%s」）", b.table.place(r.Number), Shortened(b.cell(r, i))))
			}
			return out[r.Number]
		})
		b.leftOut = append(b.leftOut, text.Say(
			"%s left out, because column %s says that they are no part of the test: %s; to read them all the same: --map \"%s=metadata\"",
			"%sは、列「%s」で評価からの除外が指定されているため除きました：%s。読み取る場合は --map \"%s=metadata\"",
			text.Count(len(places), "row", "行"), name,
			listedFew(places), name))
	}
}

// untested are the numbers of the rows that a column takes out of the test, and the rows of which nobody knows whether it does.
func (b *questionBuilder) untested(column int, name string) (out map[int]bool, unsure []text.Said) {
	out = map[int]bool{}
	says, skips := testedName.MatchString(name), skippedName.MatchString(name)
	if !says && !skips && !statusName.MatchString(name) {
		return nil, nil
	}
	marked := 0
	for _, r := range b.table.Rows {
		s := b.cell(r, column)
		switch {
		case says || skips:
			yes, known := tested(s)
			if s != "" && !known {
				return nil, nil
			}
			if says && !known {
				unsure = append(unsure, b.table.place(r.Number))
			}
			if known {
				marked++
			}
			out[r.Number] = known && yes == skips && !(skips && slices.Contains(testedWords, word(s)))
		case perhapsOut.MatchString(word(s)):
			unsure = append(unsure, text.Say("%s (%q)", "%s（「%s」）", b.table.place(r.Number), Shortened(s)))
		case outOfTest.MatchString(word(s)):
			out[r.Number] = !saysUnanswerable(b.cell(r, b.columns.at(FieldReference)))
		}
	}
	for number, is := range out {
		if !is {
			delete(out, number)
		}
	}
	if says && (marked == 0 || len(out) > 0) { // where some are marked with no, a blank cell is no mark
		unsure = nil
	}
	return out, unsure
}

// deniedBy is the column, of those that sort the questions or say what became of them, that says that the documents do not answer one; -1
// for none.
func (b *questionBuilder) deniedBy(row TableRow) int {
	for i, field := range b.columns.fields {
		status := field == fieldMetadata && statusName.MatchString(plainName(b.table.Columns[i]))
		sorts := field == fieldTag || field == FieldTags || field == FieldCategory || field == FieldTheme
		if !status && !sorts || b.columns.given[i] && field != fieldTag {
			continue
		}
		s := word(b.cell(row, i))
		if noAnswer.MatchString(s) || sorts && otherKind.MatchString(s) {
			return i
		}
	}
	return -1
}

// denied makes a question one that the documents do not answer, where a column besides the one for that says so.
func (b *questionBuilder) deny(row TableRow) bool {
	if said := b.cell(row, b.columns.at(fieldAnswerable)); !b.table.isSheet() || said != "" {
		return false
	}
	i := b.deniedBy(row)
	if i < 0 {
		return false
	}
	b.deniedRows = append(b.deniedRows, text.Say("%s (%s: %q)", "%s（%s：「%s」）", b.table.place(row.Number), b.table.Columns[i],
		Shortened(b.cell(row, i))))
	return true
}

var (
	// scopeWord is a right answer that says that the documents do not answer, unless the question asks whom or what a rule applies to.
	scopeWord = text.Lazy(`(?i)^(?:対象外|範囲外|該当(?:なし|無し|せず)|not applicable|out of scope|n/?a)[。.]?$`)
	// asksScope is a question to which such a word is an answer.
	asksScope = text.Lazy(`(?i)対象|適用|該当|範囲|含まれ|\b(?:eligib|appl(?:y|ies|icable)|in scope|covered|included?)`)
)

// asksForScope reports whether a word that mostly says that there is no answer is the answer to this question.
func asksForScope(question, reference string) bool {
	s := strings.TrimSpace(norm.NFKC.String(reference))
	return scopeWord.MatchString(s) && asksScope.MatchString(norm.NFKC.String(question))
}
