package intake

import (
	"cmp"

	"github.com/rag-workbench/workbench/internal/text"
)

// fieldNames are what people call the fields of a question sheet.
var fieldNames = map[string]text.Said{
	FieldID: {EN: "id", JA: "ID"}, FieldQuestion: {EN: "question", JA: "質問"}, FieldReference: {EN: "right answer", JA: "正解"},
	fieldReferences: {EN: "other right answers", JA: "別の正解"}, fieldMetadata: {EN: "kept beside", JA: "参考として保存"},
	FieldIgnore: {EN: "ignored", JA: "読み取らない"}, fieldEvidence: {EN: "evidence", JA: "根拠"},
	fieldEvidenceDoc: {EN: "document of the evidence", JA: "根拠の文書"}, fieldURLs: {EN: "addresses of the source", JA: "根拠のURL"},
	fieldLang: {EN: "language", JA: "言語"}, fieldAnswerable: {EN: "answerable: yes or no", JA: "回答の可否"},
	FieldCritical: {EN: "critical: yes or no", JA: "重要かどうか"}, FieldTags: {EN: "tags", JA: "タグ"}, fieldTag: {EN: "tag", JA: "タグ"},
	FieldTheme: {EN: "theme", JA: "テーマ"}, FieldCategory: {EN: "category", JA: "カテゴリ"},
	FieldAnswer: {EN: "answer", JA: "回答"}, FieldContexts: {EN: "contexts", JA: "参照箇所"},
}

// FieldName is what people call a field that a column is read as; the field itself where they have no word for it.
func FieldName(field string) text.Said {
	return cmp.Or(fieldNames[field], text.Said{EN: field, JA: field})
}

// fieldSpoken is the field that people call so, in either language; the word itself where it is no such name.
func fieldSpoken(word string) string {
	for _, field := range append(Fields(), fieldMetadata, FieldIgnore) {
		if name := fieldNames[field]; word == name.EN || word == name.JA {
			return field
		}
	}
	return word
}

// kindWords say why a column of a kind is only kept.
var kindWords = map[string]text.Said{
	kindSystem:  {EN: "what a system answered, not the right answer", JA: "システムの回答（正解ではない）"},
	kindSource:  {EN: "names the source", JA: "出典を示す列"},
	kindScore:   {EN: "a score of answers", JA: "回答の採点"},
	kindContext: {EN: "what was retrieved for an answer", JA: "検索された参照箇所"},
	kindRemark:  {EN: "a remark", JA: "備考（内容は保持）"}, kindWording: {EN: "another wording", JA: "質問の別の言い方"},
}

// readFrom says that another column is read as a field.
func readFrom(field, column string) text.Said {
	return text.Say("because column %s is read as %s", "列「%s」を%sとして読み取るため", column, FieldName(field))
}

// keptBecause says that a column is kept, and why.
func keptBecause(column string, why text.Said) text.Said {
	return text.Say("column %s: kept as metadata, %s", "列「%s」：参考として保存します（%s）", column, why)
}
