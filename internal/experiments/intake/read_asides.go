package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// What people write into a sheet that is no question, where nothing answers it.
var (
	// demands are what a row below the column names says of how they are filled in.
	demands = text.Lazy(`(?i)^[（(【\[<]?(?:必須|任意|必須項目|任意項目|入力必須|自動入力|自由記述|選択式?|プルダウン|required|optional|mandatory|free text|drop-?down)[)）】\]>]?$`)
	// examples begin a row that shows how to fill the sheet in.
	examples = text.Lazy(`(?i)^(?:[（(【\[<]\s*(?:記入例|入力例|記載例|例|サンプル|example|sample|e\.g\.)[^)）】\]>]{0,10}[)）】\]>]|(?:記入例|入力例|記載例|` +
		`example|sample)\s*[:：]|(?:記入例|入力例|記載例|example)$)`)
	// closings stand below the last question of any sheet: the end itself, footnotes, how confidential it is.
	closings = text.Lazy(`(?i)^(?:[-—―ー－=＝*\s]*(?:以上(?:です)?|end|eof|end of (?:file|list|sheet|document))[-—―ー－=＝*\s。.]*$|` +
		`[*※†‡]|[（(【\[]?(?:社外秘|部外秘|関係者外秘|関係者限り|取扱注意|confidential|internal use only)[)）】\]]?$)`)
	// endings stand there too: remarks and who made it. Where nothing has a right answer, they may be what people search for.
	endings = text.Lazy(`(?i)^(?:注\s*[0-9]*\s*[)）:：.]|[（(【\[](?:備考|注記?|注意|補足|参考|凡例|メモ|note|remarks?)[0-9]*[)）】\]]|` +
		`(?:備考|注記|注意事項?|補足|参考|凡例|メモ|notes?|remarks?|legend)\s*(?:[:：]|$)|` +
		`(?:作成|承認|確認|検印|査閲|更新|改訂|改定|発行|文責|作成部署|担当|prepared by|approved by|reviewed by|created by|author|last updated|version|版|` +
		`バージョン|日付)(?:者|日|日時|部署)?\s*(?:[:：].*)?$)`)
	// totals count what stands above them.
	totals = text.Lazy(`(?i)^(?:合計|総合計|総計|小計|計|集計|総数|件数|質問数|(?:全体|総合|総)?平均|` +
		`[○◯△×✓]の?(?:数|個数|件数|割合|率)|` +
		`(?:正解|正答|合格|不合格|未確認)(?:の)?(?:数|件数|率)|(?:平均|合計)(?:点|値)|total|sub-?total|grand total|sum|count|` +
		`(?:(?:overall|total|macro|micro|weighted) )?(?:average|mean|avg\.?)|pass rate|mittelwert|durchschnitt|summe|zwischensumme|gesamt|` +
		`moyenne|médiane|somme|promedio|media|mediana|suma|合计|总计|小计|平均(?:分|值)|평균|합계|총계|소계)` +
		`\s*[:：]?\s*` + howMany + `$`)
	// subtotals are the totals that stand behind the name of their part; "count" there may be a kind of question.
	subtotals = text.Lazy(`(?i)^(?:合計|総計|小計|sub-?total|grand total|zwischensumme)\s*[:：]?\s*` + howMany + `$`)
	counts    = text.Lazy(`(?i)^[0-9][0-9,.]*\s*(?:件|問|個|行|%|点|questions?|rows?|items?|points?)?$`)
)

// howMany is how many rows a total sums up: 5件, (n=5).
const howMany = `[(（]?(?:(?:n\s*=\s*)?[0-9][0-9,.]*\s*(?:件|問|個|行|%|questions?|rows?|items?)?)?[)）]?`

// setAside takes out of the rows those at the edges of a sheet that are clearly no questions, to be named: below the column names what says
// how they are filled in, and below the last row that asks and answers its remarks and totals. In doubt a row stays.
func (b *questionBuilder) setAside() {
	var kept []TableRow
	for _, rows := range byTab(b.table.Rows) {
		kept = append(kept, b.withoutEdges(rows)...)
	}
	b.table.Rows = kept
}

// withoutEdges is [questionBuilder.setAside] of the rows of one sheet.
func (b *questionBuilder) withoutEdges(rows []TableRow) []TableRow {
	const hints = 3 // rows below the column names that may say how to fill the sheet in
	shown := 0
	for shown <= min(hints, len(rows)-1) && b.showsHow(rows[shown]) {
		shown++
	}
	if shown > hints { // so are all questions of this sheet written
		shown = 0
	}
	for _, r := range rows[:shown] {
		b.pass(r)
	}
	rows = rows[shown:]
	end := len(rows)
	for end > 0 && !b.complete(rows[end-1]) {
		end--
	}
	var kept []TableRow
	for _, r := range rows[:end] {
		if b.adds(r) && b.cell(r, b.columns.at(FieldReference)) == "" &&
			(b.cell(r, b.columns.at(FieldQuestion)) != said(r)[0] || b.unnumbered(r)) {
			b.pass(r) // a sum between the questions of two parts
			continue
		}
		kept = append(kept, r)
	}
	for _, r := range rows[end:] {
		if b.closes(r) {
			b.pass(r)
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// unnumbered reports whether a row that holds figures beside its words lacks the number that nearly all others have.
func (b *questionBuilder) unnumbered(row TableRow) bool {
	at := b.columns.counted()
	if at < 0 || b.cell(row, at) != "" || len(said(row)) < 2 {
		return false
	}
	numbered, others := 0, 0
	for _, r := range b.table.Rows {
		switch {
		case b.cell(r, at) != "":
			numbered++
		case !b.adds(r):
			others++
		}
	}
	return numbered > 2*others
}

// pass names a row that is not read.
func (b *questionBuilder) pass(row TableRow) {
	b.passed = append(b.passed, text.Say("%s (%s)", "%s（%s）", b.table.place(row.Number),
		quoted([]gridRow{{number: row.Number, cells: rowTexts(row)}})))
}

// said is what the cells of a row hold that hold anything.
func said(row TableRow) []string {
	var list []string
	for _, s := range rowTexts(row) {
		if s = strings.TrimSpace(norm.NFKC.String(s)); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// figures are what else stands below scores: what is drawn from all of them.
var figures = text.Lazy(`(?i)^(?:overall|all|median|std\.? ?(?:dev(?:iation)?\.?|ev)?|s\.?d\.?|` +
	`standard deviation|écart[- ]type|min(?:imum)?|max(?:imum)?|variance|中央値|標準偏差|偏差|分散|最頻値|` +
	`最[小大高低](?:値|点|得点|スコア)?|全体|総合(?:評価|点)?|standardabweichung|std\.? ?abw\.?|anzahl)$`)

// SetSumsAside takes the rows out of a sheet that only sum up those above, at its end and between its parts, and the remarks at its end,
// and names them: an average is no question.
func (t *Table) SetSumsAside() {
	if !t.isSheet() {
		return
	}
	end := len(t.Rows)
	for end > 1 && (sumsUp(t.Rows[end-1]) || remarks(t.Rows[end-1])) {
		end--
	}
	var sums, said []text.Said
	kept := make([]TableRow, 0, end)
	for i, r := range t.Rows[:end] {
		if i == 0 || !sumsPart(r) {
			kept = append(kept, r)
			continue
		}
		sums = append(sums, text.Say("%s (%s)", "%s（%s）", t.place(r.Number), quoted([]gridRow{{number: r.Number, cells: rowTexts(r)}})))
	}
	for _, r := range t.Rows[end:] {
		place := text.Say("%s (%s)", "%s（%s）", t.place(r.Number), quoted([]gridRow{{number: r.Number, cells: rowTexts(r)}}))
		if remarks(r) {
			said = append(said, place)
			continue
		}
		sums = append(sums, place)
	}
	t.Rows = kept
	if len(sums) > 0 {
		t.Notes = append(t.Notes, text.Say("not read, because it only sums up the rows above: %s",
			"上の行の集計であるため読み取っていない行：%s", listedFew(sums)))
	}
	if len(said) > 0 {
		t.Notes = append(t.Notes, text.Say("not read, as remarks below the table: %s", "表の下の注記であるため読み取っていない行：%s",
			listedFew(said)))
	}
}

// sumsUp reports whether a row draws a figure from those above it.
func sumsUp(row TableRow) bool {
	cells := said(row)
	alone := len(cells) == 1 && totals.MatchString(cells[0]) // its formulas were stored without their values
	return alone || sumsPart(row) || len(cells) > 1 && figures.MatchString(cells[0]) && onlyFigures(cells[1:])
}

// sumsPart reports whether a row sums up a part of the table, with or without the name of the part before.
func sumsPart(row TableRow) bool {
	cells := said(row)
	return len(cells) > 1 && totals.MatchString(cells[0]) && onlyFigures(cells[1:]) ||
		len(cells) > 2 && subtotals.MatchString(cells[1]) && !counts.MatchString(cells[0]) && onlyFigures(cells[2:])
}

// onlyFigures reports whether cells hold nothing but figures.
func onlyFigures(cells []string) bool {
	return !slices.ContainsFunc(cells, func(s string) bool { return !counts.MatchString(s) })
}

// remarks reports whether a row holds nothing but a remark such as stands below tables.
func remarks(row TableRow) bool {
	cells := said(row)
	return len(cells) == 1 && (closings.MatchString(cells[0]) || endings.MatchString(cells[0]))
}

// showsHow reports whether a row says how to fill the sheet in: only what is required, or an example that says to be one.
func (b *questionBuilder) showsHow(row TableRow) bool {
	cells := said(row)
	if len(cells) == 0 {
		return false
	}
	return !slices.ContainsFunc(cells, func(s string) bool { return !demands.MatchString(s) }) ||
		examples.MatchString(cells[0]) || examples.MatchString(norm.NFKC.String(b.cell(row, b.columns.at(FieldQuestion))))
}

// complete reports whether a row asks something and answers it, or is surely a question.
func (b *questionBuilder) complete(row TableRow) bool {
	asked := b.cell(row, b.columns.at(FieldQuestion))
	answered := b.cell(row, b.columns.at(FieldReference)) != "" || b.cell(row, b.columns.at(fieldReferences)) != "" ||
		b.cell(row, b.columns.at(fieldAnswerable)) != ""
	return asked != "" && (answered || asksSomething(asked)) && !b.adds(row)
}

// hasAnswers reports whether the sheet has a column with right answers.
func (b *questionBuilder) hasAnswers() bool {
	return b.columns.at(FieldReference) >= 0 || b.columns.at(fieldReferences) >= 0
}

// adds reports whether a row only counts what stands above it.
func (b *questionBuilder) adds(row TableRow) bool {
	cells := said(row)
	if len(cells) > 1 && figures.MatchString(cells[0]) && onlyFigures(cells[1:]) {
		return true
	}
	return len(cells) > 0 && totals.MatchString(cells[0]) &&
		(b.hasAnswers() || strings.ContainsAny(strings.Join(cells, ""), "0123456789")) &&
		!slices.ContainsFunc(cells[1:], func(s string) bool { return !counts.MatchString(s) })
}

// closes reports whether a row below the last question is none: it has a form that says so and answers nothing, or counts what stands
// above, or is a sentence where the others have their number.
func (b *questionBuilder) closes(row TableRow) bool {
	cells := said(row)
	if b.adds(row) {
		return true
	}
	if b.cell(row, b.columns.at(FieldReference)) != "" || b.cell(row, b.columns.at(fieldReferences)) != "" || len(cells) == 0 {
		return false
	}
	if closings.MatchString(cells[0]) || b.hasAnswers() && endings.MatchString(cells[0]) {
		return true
	}
	return len(cells) == 1 && b.cell(row, b.columns.at(FieldQuestion)) == "" && len([]rune(cells[0])) > longestName
}

// cell is the text of a cell; "" where it has none.
func (b *questionBuilder) cell(row TableRow, column int) string {
	s, err := CellText(row.Cell(column))
	if err != nil {
		return ""
	}
	return s
}
