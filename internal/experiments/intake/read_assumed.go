package intake

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// report is what was assumed, as sentences.
func (b *questionBuilder) report() []text.Said {
	var notes []text.Said
	say := func(n int, en, ja string, args ...any) {
		if n > 0 {
			notes = append(notes, text.Say(en, ja, args...))
		}
	}
	rows := func(n int) text.Said { return text.Count(n, "row", "行") }
	say(b.generated, "%s without an id got one by place, such as q0001", "IDのない質問%sに、q0001のように順番のIDを付けました",
		text.Count(b.generated, "question", "件"))
	if b.tabbed {
		say(1, "several sheets use the same ids: the name of its sheet was put before each id",
			"複数のシートに同じIDがあるため、IDの前にシート名を付けました")
	}
	for _, column := range slices.Sorted(maps.Keys(b.modes)) {
		if modes := b.modes[column]; len(modes) > 1 || modes[asOneValue] == 0 { // single values throughout need no word
			say(1, "column %s: read as %s", "列「%s」：%sとして読み取りました", b.table.Columns[column], counted(modes))
		}
	}
	notes = append(notes, b.leftOut...)
	notes = append(notes, b.followUps...)
	say(len(b.refused), "the right answer says that there is none in %s: read as questions that the documents do not answer: %s",
		"正解に「該当なし」などとある%sは、文書に答えのない質問として読み取りました：%s",
		rows(len(b.refused)), listedFew(b.refused))
	say(len(b.deniedRows), "a column says that the documents do not answer the question in %s, and so they were read: %s",
		"列の値により、%sは文書に答えのない質問として読み取りました：%s", rows(len(b.deniedRows)), listedFew(b.deniedRows))
	say(len(b.scoped), "kept as right answers, because the question asks whether something applies: %s; if the documents do not answer it, say so in a "+
		"column answerable", "質問が対象や適用を尋ねているため、次は正解として読み取りました：%s。"+
		"文書に答えがない場合は「回答可否」の列で不可としてください", listedFew(b.scoped))
	say(len(b.nones), "if such a word is the right answer itself, write it as a sentence, or say in a column answerable that there is one: %s",
		"その語が正解そのものである場合は、文で書くか、「回答可否」の列で可としてください：%s", listedFew(b.nones))
	say(len(b.awaiting), "the right answer says that it is still to be written in %s: read as questions without one: %s; if the word is the right answer, "+
		"write it as a sentence", "正解に「未確認」などとある%sは、正解のない質問として読み取りました：%s。"+
		"その語が正解の場合は文で書いてください", rows(len(b.awaiting)), listedFew(b.awaiting))
	say(len(b.chose), "the right answer names a choice in %s: what that choice says was taken: %s",
		"正解が選択肢の記号である%sは、その選択肢の文を正解としました：%s", rows(len(b.chose)), listedFew(b.chose))
	say(len(b.several), "right answers that may be several of which each is right, or parts of one, were read as one: %s; write answers of which each is "+
		"right into a column \"accepted answers\", one a line",
		"1つの正解か、どれでもよい複数の正解か判断できないため、1つの正解として読み取りました：%s。"+
			"どれでもよい場合は「別解」の列に1行に1つずつ書いてください", listedFew(b.several))
	say(len(b.continued), "%s without a question of their own, or with the one above: their answers and evidence were added to the question above; give "+
		"them a question or remove them if that is wrong: %s",
		"質問がない、または上と同じ%sは、正解や根拠を上の質問に追加しました。"+
			"違う場合は、質問を書くか行を削除してください：%s", rows(len(b.continued)), listedFew(b.continued))
	say(len(b.again), "%s such as ditto read as what stands above, or in the row of the number that they name: %s",
		"「同上」などの%sは、上の行（番号があればその行）の内容として読み取りました：%s", text.Count(b.dittoed, "cell", "件"), listedFew(b.again))
	if i := b.columns.rank; b.ranked > 0 {
		say(b.ranked, "column %[2]s makes %[1]s critical: they must never get worse; to keep it as tags alone: --map \"%[2]s=tag\"",
			"列「%[2]s」により、%[1]sを重要な質問（悪化を許さない質問）としました。タグとしてだけ読み取る場合は --map \"%[2]s=tag\"",
			text.Count(b.ranked, "question", "件"), b.table.Columns[i])
	}
	say(len(b.banners), "headings between the questions are the theme of those below them: %s",
		"質問の間の見出しは、その下の質問のテーマとしました：%s",
		listedFew(b.banners))
	say(len(b.passed), "not read, because nothing is asked there: %s", "質問がないため読み取っていない行：%s", listedFew(b.passed))
	say(len(b.unfilled), "%s with a number hold neither a question nor an answer and were passed over: %s",
		"番号だけで質問も正解もない%sを飛ばしました：%s", rows(len(b.unfilled)), listedFew(b.unfilled))
	b.sayEvidence(say, rows)
	if i := b.columns.at(fieldAnswerable); b.columns.inverted && i >= 0 {
		say(b.denied, "column %s: yes means that the documents hold no answer; so of %s", "列「%s」：「はい」などは文書に答えがないという意味に読み取りました（%s）",
			b.table.Columns[i], text.Count(b.denied, "question", "件"))
	}
	say(b.nans, "NaN as reference in %s: read as no reference", "正解がNaNの%sは、正解なしとして読み取りました", rows(b.nans))
	say(b.promoted, "no reference of its own in %s: the first of references was taken", "正解の列が空の%sは、別の正解の最初のものを正解としました", rows(b.promoted))
	say(b.joined, "a list of facts as reference in %s: joined, one fact per line", "正解が事実の一覧である%sは、1行に1つの事実としてまとめました", rows(b.joined))
	say(b.omitting, "%s with something left out (…): each part is evidence of its own, found behind the one before it",
		"省略（…）のある引用%sは、各部分を順に探し、それぞれを根拠としました", text.Count(b.omitting, "quote", "件"))
	say(b.moved, "%s found only without regard to white space and Unicode variants",
		"引用%sは、空白や表記（全角・半角など）の違いを無視して一致しました",
		text.Count(b.moved, "quote", "件"))
	say(b.unverified, "%s of evidence not verified, because no corpus was given", "コーパスの指定がないため、根拠%sは確認していません",
		text.Count(b.unverified, "piece", "件"))
	for _, lang := range slices.Sorted(maps.Keys(b.unknownLangs)) {
		say(1, "language %q in %s is neither English nor Japanese: judges are asked in one of these, as the letters of the question say",
			"%[2]sの言語「%[1]s」は英語でも日本語でもないため、質問の文字に応じて英語か日本語で評価します", lang, rows(b.unknownLangs[lang]))
	}
	return notes
}

// sayEvidence says what became of evidence that was not found as it stands.
func (b *questionBuilder) sayEvidence(say func(n int, en, ja string, args ...any), rows func(n int) text.Said) {
	remarked := text.Count(len(b.remarked), "piece", "件")
	if b.corpus == nil {
		say(len(b.remarked), "%s of evidence kept beside the question, not as its evidence, because no documents were given to find them in: "+
			"--corpus NAME",
			"根拠の記述%sは、照合する文書の指定がないため根拠とせず、参考として質問に添えました。文書の指定："+
				"--corpus 名前", remarked)
	} else {
		say(len(b.remarked), "%s of evidence kept beside the question, not as its evidence, because the documents do not hold the text word for word, "+
			"or hold it in several places; found: %d; not found: %s",
			"根拠の記述%sは、文書に同じ文がないか、複数箇所にあるため根拠とせず、参考として質問に添えました。"+
				"文書で見つかった根拠：%d件。見つからないもの：%s",
			remarked, b.found, listedFew(b.remarked))
	}
	say(len(b.renamed), "the documents that are named as the source of %s are not among those given; the quote was found elsewhere: %s",
		"出典に書かれた文書が見つからない根拠%sは、同じ文のある別の文書で見つけました：%s",
		text.Count(len(b.renamed), "quote", "件"), listedFew(b.renamed))
	say(len(b.onlyPlaces), "evidence that names a document or a place and quotes nothing is kept beside the question, in %s: %s",
		"文書名や箇所だけで引用のない%sの根拠は、参考として質問に添えました：%s", rows(len(b.onlyPlaces)), listedFew(b.onlyPlaces))
}

// doubts is what the questions themselves leave open: those that contradict each other, and those that nothing can be compared with.
func (b *questionBuilder) doubts(questions []experiments.Question) (notes []text.Said) {
	if told, other := OtherLanguages(questions); other && len(b.unknownLangs) == 0 {
		notes = append(notes, told)
	}
	type asked struct {
		at        []int           // places of the questions
		different map[string]bool // their right answers
	}
	same := map[string]*asked{}
	var without, held []text.Said
	var order []*asked
	for i, q := range questions {
		key := text.Fold(q.Text)
		a := same[key]
		if a == nil {
			a = &asked{different: map[string]bool{}}
			same[key] = a
			order = append(order, a)
		}
		a.at = append(a.at, i)
		if q.Reference != "" {
			a.different[text.Fold(q.Reference)] = true
		} else if !q.Answerable {
			a.different[""] = true
		}
		if q.Answerable && strings.TrimSpace(q.Reference) == "" {
			without = append(without, b.table.place(b.table.Rows[i].Number))
		}
		if !q.Answerable && len(q.Evidence) > 0 {
			held = append(held, b.table.place(b.table.Rows[i].Number))
		}
	}
	var twice, again []text.Said
	for _, a := range order {
		if len(a.at) > 1 {
			var rows []text.Said
			for _, i := range a.at {
				rows = append(rows, b.table.place(b.table.Rows[i].Number))
			}
			list := &twice
			if len(a.different) < 2 {
				list = &again
			}
			*list = append(*list, text.Say("%q (%s)", "「%s」（%s）", Shortened(questions[a.at[0]].Text), listedFew(rows)))
		}
	}
	if len(held) > 0 {
		notes = append(notes, text.Say("the documents are said to hold no answer, and evidence is named all the same; correct one of the two: %s",
			"文書に答えがないとされているのに、根拠が指定されています。どちらかを直してください：%s", listedFew(held)))
	}
	if len(twice) > 0 {
		notes = append(notes, text.Say("the same question has different right answers; correct them, or say in the question what differs: %s",
			"同じ質問に異なる正解があります。正解を直すか、違いを質問に書いてください：%s", listedFew(twice)))
	}
	if len(again) > 0 {
		notes = append(notes, text.Say("the same question stands in several rows and counts as often in every figure; remove all but one: %s",
			"同じ質問が複数の行にあり、どの数値にもその回数だけ数えられます。1行だけ残してください：%s", listedFew(again)))
	}
	if n := len(without); n > 0 {
		all := text.Count(len(questions), "question", "件")
		said := text.Say("no right answer for %d of %s: correctness is not measured for them",
			"%[2]sの質問のうち%[1]d件に正解がないため、その正確性は測定しません", n, all)
		if n < len(questions) {
			said = text.Say("%s: %s", "%s：%s", said, listedFew(without))
		}
		notes = append(notes, said)
	}
	return notes
}

// listedFew lists the first and counts the others.
func listedFew(list []text.Said) text.Said {
	const most = 5
	parts := joinedWith(list[:min(most, len(list))])
	if len(list) > most {
		return text.Say("%s and %d more", "%s、ほか%d行", parts, len(list)-most)
	}
	return parts
}

// joinedWith lists all.
func joinedWith(list []text.Said) (parts text.Said) {
	for i, s := range list {
		if i == 0 {
			parts = s
			continue
		}
		parts = text.Say("%s, %s", "%s、%s", parts, s)
	}
	return parts
}

// modeWords are the ways of reading a cell with several values.
var modeWords = map[string]text.Said{
	asJSON: {EN: asJSON, JA: "JSONのリスト"}, asPython: {EN: asPython, JA: "Pythonのリスト"}, asLines: {EN: asLines, JA: "改行で区切った文字列"},
	AsSplit: {EN: AsSplit, JA: "; または , で区切った文字列"}, asWords: {EN: asWords, JA: "空白で区切った文字列"}, asOneValue: {EN: asOneValue, JA: "1つの値"},
}

// counted lists ways of reading with their rows: "a JSON list in 3 rows, as newline-separated text in 2".
func counted(modes map[string]int) text.Said {
	names := slices.Sorted(maps.Keys(modes))
	slices.SortStableFunc(names, func(a, b string) int { return modes[b] - modes[a] })
	var all text.Said
	for i, name := range names {
		if i == 0 {
			all = text.Say("%s in %s", "%s（%s）", modeWords[name], text.Count(modes[name], "row", "行"))
			continue
		}
		all = text.Say("%s, as %s in %d", "%s、%s（%d行）", all, modeWords[name], modes[name])
	}
	return all
}

// Plural is "1 row" or "2 rows".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
