package intake

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// guesser decides what the columns of a sheet are that no exact name decides: by what their names are made of, and by what they hold.
type guesser struct {
	t      *Table
	m      *ColumnMap
	corpus *rag.Corpus
	names  []string // by column: the field or kind that the name speaks of
	sure   []float64
	holds  []contents
	notes  []text.Said
}

func (t *Table) isSheet() bool { return t.format == "csv" || t.format == "tsv" || t.format == "xlsx" }

// guess maps the columns that are still free.
func (t *Table) guess(m *ColumnMap, corpus *rag.Corpus) []text.Said {
	g := &guesser{t: t, m: m, corpus: corpus, names: make([]string, len(t.Columns)), sure: make([]float64, len(t.Columns)),
		holds: make([]contents, len(t.Columns))}
	for i, name := range t.Columns {
		g.names[i], g.sure[i] = guessName(name)
		g.holds[i] = t.contents(i)
		if g.sure[i] < exactly && g.holds[i].numbers >= 0.9 && IsGrade(name) { // a Note of words is a remark
			g.names[i], g.sure[i] = kindScore, likely
		}
		if g.names[i] == kindSystem && MayReply(name) && g.holds[i].judged >= 0.9 { // pass and fail
			g.names[i], g.sure[i] = kindScore, likely
		}
		if g.holds[i].cells == 0 && m.fields[i] == "" && g.sure[i] < exactly {
			g.keep(i, text.Say("it is empty", "空の列"))
		}
	}
	g.sources()
	g.one(FieldQuestion, func(c contents) bool { return c.numbers < 0.5 })
	g.oneByContents()
	g.one(FieldReference, func(c contents) bool { return c.urls+c.files < 0.5 })
	g.onlyReferences()
	g.referenceByContents()
	g.quotesByContents()
	g.askedByNumber()
	idLike := func(c contents) bool { return c.length <= 40 && 2*c.cells > min(sampledRows, len(t.Rows)) }
	g.one(FieldID, func(c contents) bool { return c.distinct == 1 && idLike(c) })
	g.numbering(func(c contents) bool { return c.distinct > 0.5 && idLike(c) })
	yesNo := func(c contents) bool { return c.yesNo >= 0.9 }
	g.one(fieldAnswerable, func(c contents) bool { return c.answers >= 0.9 })
	g.unanswerable()
	g.one(FieldCritical, yesNo)
	g.ranks()
	g.one(fieldLang, func(c contents) bool { return c.length <= 12 })
	g.one(fieldReferences, func(contents) bool { return true })
	g.one(FieldTags, func(c contents) bool { return c.length <= 80 })
	g.one(FieldCategory, isLabel)
	g.one(FieldTheme, isLabel)
	g.rest()
	return g.notes
}

// isLabel reports whether a column sorts the questions: short values.
func isLabel(c contents) bool { return c.length <= 40 }

func (g *guesser) free(i int) bool { return g.m.fields[i] == "" }

func (g *guesser) keep(i int, why text.Said) {
	g.m.set(i, fieldMetadata)
	g.m.why[i] = why
}

// one gives a field to the free column whose name speaks of it most surely and that holds what it should.
func (g *guesser) one(field string, suits func(contents) bool) {
	if g.m.at(field) >= 0 {
		return
	}
	best := -1
	for i := range g.names {
		if !g.free(i) || g.names[i] != field || g.sure[i] == unsaid || !suits(g.holds[i]) || g.m.outshone(g.t, i, field) {
			continue
		}
		if field == FieldQuestion && g.sure[i] == perhaps && g.holds[i].asks < 0.3 && !slices.Contains(g.names, FieldReference) &&
			g.m.at(FieldReference) < 0 {
			continue // a text beside no answer asks nothing
		}
		if field == FieldReference && g.sure[i] == perhaps && g.hasContexts() {
			continue // beside retrieved contexts an answer is the system's
		}
		if field == FieldReference && g.judgedBeside(i) {
			continue
		}
		if best < 0 || cmp.Or(cmp.Compare(g.sure[i], g.sure[best]), g.better(field, i, best)) > 0 {
			best = i
		}
	}
	if best >= 0 {
		g.m.set(best, field)
	}
}

// askedByNumber takes a column 問 that holds numbers for one that numbers the questions, which another column holds.
func (g *guesser) askedByNumber() {
	for i, name := range g.t.Columns {
		if g.free(i) && plainName(name) == "問" && g.holds[i].numbers >= 0.9 && g.m.at(FieldQuestion) >= 0 {
			g.names[i], g.sure[i] = FieldID, likely
		}
	}
}

// numbering takes a column whose name says that it numbers the questions as their ids though some values repeat: [identify] tells which,
// where numbers of our own in the place of those in the file would hide that a row was numbered twice.
func (g *guesser) numbering(suits func(contents) bool) {
	for i := range g.names {
		if g.m.at(FieldID) >= 0 || !g.free(i) || g.names[i] != FieldID || g.sure[i] < likely {
			continue
		}
		g.m.number = i
		if suits(g.holds[i]) {
			g.m.set(i, FieldID)
			g.m.guessedID = true
		}
	}
}

// better settles between two names that are as sure.
func (g *guesser) better(field string, i, best int) int {
	switch field {
	case FieldQuestion:
		return cmp.Compare(g.holds[i].asks, g.holds[best].asks+0.5)
	case FieldReference:
		return cmp.Compare(g.holds[i].length, 3*g.holds[best].length)
	}
	return 0
}

// hasContexts reports whether the sheet holds what a system retrieved.
func (g *guesser) hasContexts() bool {
	return slices.ContainsFunc(g.t.Columns, func(c string) bool {
		field := FieldNamed(c) // evidence and sources stand beside right answers too
		return IsContexts(c) && field != fieldEvidence && field != kindSource
	})
}

// MayJudge reports whether a column's name means the right answer, or else that the answer is right: correct, 正解.
func MayJudge(name string) bool { return says(alsoJudges, name) }

// judgedBeside reports whether a column that may hold the right answers does not, because it is the judgement on an answer beside it, or
// the answer that a score beside it judges; people are told of the second.
func (g *guesser) judgedBeside(i int) bool {
	name := g.t.Columns[i]
	for k, other := range g.t.Columns {
		switch {
		case k == i:
		case MayJudge(name):
			answers := g.names[k] == kindSystem || g.names[k] == FieldReference || IsAnswer(other)
			if answers && g.holds[i].yesNo == 1 && g.holds[k].yesNo < 0.5 && g.holds[k].cells > 0 {
				return true
			}
		case g.sure[i] < likely && !g.referred() && !g.answeredBeside(i) && g.scores(k) && g.holds[i].judged < 0.5:
			g.keep(i, text.Say("it may be the answer of a system, because %[2]s stands beside it; if it is the right answer, say so: --map \"%[1]s=reference\"",
				"「%[2]s」の列があるため、システムの回答の可能性があります。正解であれば --map \"%[1]s=reference\" "+
					"と指定してください", name, other))
			g.notes = append(g.notes, keptBecause(name, g.m.why[i]))
			return true
		}
	}
	return false
}

// referred reports whether another column holds the right answers by its name.
func (g *guesser) referred() bool {
	for i, field := range g.names {
		if field == FieldReference && g.sure[i] >= likely && g.holds[i].cells > 0 && !MayJudge(g.t.Columns[i]) {
			return true
		}
	}
	return g.m.at(FieldReference) >= 0
}

// answeredBeside reports whether another column holds what a system answered, so that scores judge that.
func (g *guesser) answeredBeside(column int) bool {
	for i, kind := range g.names {
		if i != column && kind == kindSystem && g.holds[i].cells > 0 && says(alsoAnswer, g.t.Columns[i]) {
			return true
		}
	}
	return false
}

// scores reports whether a column says how good answers were: by its name and what it holds; by the scale that its name tells; or, where
// its name says nothing, by shares of 1.
func (g *guesser) scores(column int) bool {
	name, c := g.t.Columns[column], g.holds[column]
	switch {
	case c.cells == 0 || !g.free(column):
		return false
	case MayJudge(name):
		return c.judged >= 0.9 && c.numbers < 0.9 || c.yesNo == 1
	case g.names[column] == kindScore:
		return c.judged >= 0.9 || g.sure[column] >= likely && (c.words || c.marks)
	}
	return g.sure[column] == unsaid && c.numbers >= 0.9 && (c.shares || onScale.MatchString(norm.NFKC.String(name)))
}

// onScale is a name that tells the scale of its scores: (0-10), /5, 5段階.
var onScale = text.Lazy(`\b[01]\s*[-–~〜]\s*(?:1|5|7|10|100)\b|/\s*(?:5|10|100)\b|[0-9]段階|[0-9]点満点`)

// sources takes the columns with evidence: one with quotes, and others that only name where something stands.
func (g *guesser) sources() {
	for i := range g.names {
		if !g.free(i) {
			continue
		}
		switch g.names[i] {
		case fieldEvidence:
			if g.m.at(fieldEvidence) < 0 && (!g.holds[i].sourceLike() || g.corpus != nil && g.quotes(i)) {
				g.m.set(i, fieldEvidence)
				g.m.lenient = true
			}
		case FieldReference:
			if g.holds[i].sourceLike() {
				g.names[i] = kindSource
			}
		case kindSource:
			if g.m.at(fieldEvidence) < 0 && g.corpus != nil && g.quotes(i) {
				g.m.set(i, fieldEvidence)
				g.m.lenient = true
			}
		case fieldURLs:
			if g.m.at(fieldURLs) < 0 && g.holds[i].urls >= 0.5 && g.named(i) > 0 {
				g.m.set(i, fieldURLs)
			}
		}
	}
}

// quotes reports whether some cells of a column stand in the corpus word for word.
func (g *guesser) quotes(column int) bool {
	finder, found := newQuoteFinder(g.corpus), 0
	for _, row := range g.t.Rows[:min(sampledRows, len(g.t.Rows))] {
		s, err := CellText(row.Cell(column))
		if err != nil || len([]rune(s)) < 10 {
			continue
		}
		if places, _ := finder.find(s, ""); len(places) > 0 && documentNamed(g.corpus, s) == "" {
			found++
			continue
		}
		for _, p := range passages(g.corpus, s) {
			if places, _ := finder.find(p.quote, ""); len(places) > 0 {
				found++
				break
			}
		}
	}
	return 4*found >= g.holds[column].cells && found > 0
}

// named is how many cells of a column name a document of the corpus.
func (g *guesser) named(column int) int {
	n := 0
	for _, row := range g.t.Rows {
		if s, err := CellText(row.Cell(column)); g.corpus != nil && err == nil && s != "" && documentNamed(g.corpus, s) != "" {
			n++
		}
	}
	return n
}

// documentNamed is the id of the document that a text names by id, file name, title or address; "" for none. Spaces, the number of a
// chapter and what stands before the last point of a file name do not count.
func documentNamed(c *rag.Corpus, s string) string {
	s = nameOf(s)
	for _, d := range c.Documents {
		stem := strings.TrimSuffix(path.Base(d.ID), path.Ext(d.ID))
		for _, name := range []string{d.ID, path.Base(d.ID), stem, strings.TrimPrefix(path.Ext(stem), "."), d.Title,
			chapterNumber.ReplaceAllString(d.Title, ""), d.Source, d.Metadata["url"]} {
			if name = nameOf(name); name != "" &&
				(s == name || len([]rune(name)) >= 4 && strings.HasPrefix(s, name) && !strings.ContainsAny(s[len(name):], "。.?!")) {
				return d.ID
			}
		}
	}
	return ""
}

var chapterNumber = text.Lazy(`^[0-9A-Z]{1,3}(?:\.[0-9]+)*\.?\s+`)

// nameOf is a name as names of documents are compared.
func nameOf(s string) string { return strings.Join(strings.Fields(text.Fold(s)), "") }

// oneByContents takes the column whose cells ask most as the question, where no name speaks of one.
func (g *guesser) oneByContents() {
	if g.m.at(FieldQuestion) >= 0 {
		return
	}
	best := -1
	for i, c := range g.holds {
		if g.sure[i] < likely && c.asks >= 0.3 && c.distinct >= 0.5 && g.free(i) &&
			(best < 0 || c.asks > g.holds[best].asks) {
			best = i
		}
	}
	if best < 0 { // a column Name or Title whose cells all ask
		best = slices.IndexFunc(g.holds, func(c contents) bool { return c.asks >= 0.8 && c.distinct >= 0.5 && c.cells > 1 })
		if best >= 0 && (!g.free(best) || g.names[best] == kindWording) {
			best = -1
		}
	}
	if best >= 0 {
		g.m.set(best, FieldQuestion)
		g.notes = append(g.notes, text.Say("column %s: read as question, because its cells ask something",
			"列「%s」：質問として読み取りました（内容が質問の形のため）", g.t.Columns[best]))
	}
}

// onlyReferences takes a column of accepted answers as the right answer where there is no other one.
func (g *guesser) onlyReferences() {
	if i := slices.Index(g.names, fieldReferences); i >= 0 && g.free(i) && g.m.at(FieldReference) < 0 {
		g.m.set(i, FieldReference)
	}
}

// quotesByContents takes the column whose cells stand in the corpus word for word as evidence, whatever it is called.
func (g *guesser) quotesByContents() {
	for i, kind := range g.names {
		if g.m.at(fieldEvidence) < 0 && g.corpus != nil && g.free(i) && (kind == "" || kind == kindRemark) && g.quotes(i) {
			g.m.set(i, fieldEvidence)
			g.m.lenient = true
		}
	}
}

// referenceByContents takes the one long text that nothing names as the right answer.
func (g *guesser) referenceByContents() {
	if g.m.at(FieldReference) >= 0 || g.m.at(fieldReferences) >= 0 || g.hasContexts() {
		return
	}
	var texts []int
	for i, c := range g.holds {
		long := 15.0
		if c.cells > 0 && text.Language(strings.Join(c.samples, " ")) == "ja" {
			long = 8
		}
		if g.free(i) && g.sure[i] == unsaid && c.cells > 0 && c.length >= long && c.distinct >= 0.5 && c.asks < 0.3 &&
			c.prose >= 0.5 && !c.sourceLike() {
			texts = append(texts, i)
		}
	}
	if len(texts) != 1 {
		for _, i := range texts {
			g.m.unclear = append(g.m.unclear, g.t.Columns[i])
		}
		return
	}
	if g.judgedBeside(texts[0]) {
		return
	}
	g.m.set(texts[0], FieldReference)
	g.notes = append(g.notes,
		text.Say("column %s: read as right answer, because it holds the only longer texts beside the question; if it is something else: --map \"%s=metadata\"",
			"列「%s」：正解として読み取りました（質問のほかに文章がある唯一の列のため）。違う場合は --map \"%s=metadata\"", g.t.Columns[texts[0]], g.t.Columns[texts[0]]))
}

// rest says of every other column why it is kept as it is.
func (g *guesser) rest() {
	for i, kind := range g.names {
		if !g.free(i) {
			continue
		}
		c := g.holds[i]
		switch {
		case kind == FieldQuestion || kind == FieldReference:
			other := g.m.at(kind)
			if other < 0 {
				continue // what [mapColumns] says of answers
			}
			g.keep(i, readFrom(kind, g.t.Columns[other]))
			g.notes = append(g.notes, keptBecause(g.t.Columns[i], g.m.why[i]))
		case kind == kindSource || kind == fieldEvidence || kind == fieldURLs, kind == "" && (c.sourceLike() || g.named(i) > 0):
			why := kindWords[kindSource]
			if n := g.named(i); n > 0 {
				why = text.Say("names the source; %d of %d name a document of the corpus", "出典を示す列（%[2]d件中%[1]d件がコーパスの文書名）", n, c.cells)
				g.m.hints = append(g.m.hints, i)
			}
			g.keep(i, why)
		case kind == FieldID:
			g.keep(i, text.Say("no id, because its values repeat or are missing", "値の重複または欠落があり、IDではない"))
		case kind == kindUnanswerable && g.m.at(fieldAnswerable) >= 0:
			g.keep(i, readFrom(fieldAnswerable, g.t.Columns[g.m.at(fieldAnswerable)]))
		case kind == kindUnanswerable:
			g.keep(i, text.Say("no cell says yes, or some say neither yes nor no", "「はい」や○の値がないか、「はい」「いいえ」以外の値があるため"))
		case (kind == fieldTag || kind == FieldCategory || kind == FieldTheme || kind == FieldCritical || kind == fieldAnswerable) &&
			isLabel(c):
			g.m.set(i, fieldTag)
		case kind == "":
			g.keep(i, text.Say("its name says nothing that is known", "列名からは判断できない"))
		case kind == kindSystem || kind == kindRemark || kind == kindWording || kind == kindScore || kind == kindContext:
			g.keep(i, kindWords[kind])
		default:
			g.keep(i, text.Said{})
		}
	}
}

// unclearAnswer asks which of several columns holds the right answer.
func unclearAnswer(file string, columns []string) *problem.Problem {
	return problem.New(problem.Invalid, "dataset_answer_unclear", "%s: which column holds the right answer is unclear; it may be %s", file,
		strings.Join(columns, " or ")).
		With("file", file).With("columns", columns).
		WithHint("say which: --map \"%s=reference\"; where none does: --map \"%s=metadata\" for each", columns[0], columns[0])
}
