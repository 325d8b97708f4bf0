package intake

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// questionBuilder turns rows into questions and gathers what is wrong and what was assumed.
type questionBuilder struct {
	table       *Table
	columns     ColumnMap
	corpus      *rag.Corpus // nil: spans stay unverified
	places      *quoteFinder
	faults      *RowFaults
	needsCorpus int // the first row whose quotes need a corpus that is not there; 0: none

	modes                                         map[int]map[string]int // column → how lists were read → rows
	unknownLangs                                  map[string]int
	generated, nans, promoted, joined, unverified int
	inside, ruled                                 int // cells whose text stood in an object or a check; checks that hold a rule
	moved                                         int // evidence whose quote was found only after normalisation
	omitting                                      int // quotes that leave something out, whose parts were found

	found      int         // evidence of a lenient column that was found in the corpus
	remarked   []text.Said // evidence of one that was not, kept as a remark, as "row 7 (\"Fees\")"
	renamed    []text.Said // evidence whose document the corpus lacks, found in another, as "row 7 (\"fees.pdf\", found in \"fees.md\")"
	onlyPlaces []text.Said // evidence that names a document or a place and quotes nothing, as "row 7 (\"fees.pdf p.3\")"
	denied     int         // questions of which a column says that the documents hold no answer
	deniedRows []text.Said // questions of which another column says so, as "row 7 (type: \"out of scope\")"
	scoped     []text.Said // right answers that are such a word because the question asks for it, as "row 7 (\"n/a\")"
	followUps  []text.Said // questions that go on with others, as sentences
	leftOut    []text.Said // what columns took out of the test, as sentences
	several    []text.Said // right answers that may be several, kept as one, as "row 7 (\"A / B\")"
	refused    []text.Said // right answers that say that there is none
	awaiting   []text.Said // those that say that nobody has written them yet, as "row 7 (\"TBD\")"
	chose      []text.Said // those that named a choice by its letter, as "row 7"
	nones      []text.Said // those of them that may be the answer itself, as "row 7 (\"none\")"
	continued  []text.Said // rows that go on with the question above them, as "row 7"
	passed     []text.Said // rows that ask nothing, as "row 7 (\"Fees\")"
	banner     string      // what the heading above the questions says, where that is their theme
	banners    []text.Said // the rows with these headings
	unfilled   []text.Said // rows with a number and neither question nor answer, as "row 7"
	dittoed    int         // cells that say "as above"
	again      []text.Said // their rows, as "row 7"
	tabbed     bool        // ids got the name of their sheet
	ranked     int         // questions that are critical by their rank
	numbered   func() bool // whether ids hold numbers
}

func newQuestionBuilder(t *Table, m ColumnMap, corpus *rag.Corpus, f *RowFaults) *questionBuilder {
	b := &questionBuilder{table: t, columns: m, corpus: corpus, faults: f, modes: map[int]map[string]int{},
		unknownLangs: map[string]int{},
		passed:       slices.Clone(t.asides)}
	b.numbered = sync.OnceValue(b.numberedIDs)
	if corpus != nil {
		b.places = newQuoteFinder(corpus)
	}
	return b
}

// rowReader reads the cells of one row and reports what is wrong with them under its number.
type rowReader struct {
	b   *questionBuilder
	row TableRow
	id  string

	remarks []string // evidence that was not found
}

func (r *rowReader) fault(field string, format string, args ...any) {
	r.b.faults.Add(RowProblem{Row: r.row.Number, QuestionID: r.id, Field: field, Message: fmt.Sprintf(format, args...)})
}

func (r *rowReader) value(field string) any { return r.row.Cell(r.b.columns.at(field)) }

// text is a field with one text.
func (r *rowReader) text(field string) string {
	s, err := CellText(r.value(field))
	if err != nil {
		r.fault(field, "%v", err)
	}
	return s
}

func (r *rowReader) bool(field string, missing bool) bool {
	v, err := CellBool(r.value(field), missing)
	if err != nil {
		r.fault(r.named(field), "%v", err)
	}
	return v
}

// named is what the file calls the column of a field.
func (r *rowReader) named(field string) string {
	if i := r.b.columns.at(field); i >= 0 {
		return r.b.table.Columns[i]
	}
	return field
}

// list is a field with several values. The way it was read is remembered for the notes.
func (r *rowReader) list(field, splitMode string, split func(string) []string) []any {
	items, mode, err := CellList(r.value(field), splitMode, split)
	if err != nil {
		r.fault(field, "%v", err)
	}
	r.b.remember(r.b.columns.at(field), mode)
	return items
}

// texts is a list of which every item is a text.
func (r *rowReader) texts(field, splitMode string, split func(string) []string) []string {
	var texts []string
	for _, item := range r.list(field, splitMode, split) {
		s, err := CellText(item)
		if err != nil {
			r.fault(field, "%v", err)
		}
		if s != "" {
			texts = append(texts, s)
		}
	}
	return texts
}

func (b *questionBuilder) remember(column int, mode string) {
	if mode == asItself {
		return
	}
	if b.modes[column] == nil {
		b.modes[column] = map[string]int{}
	}
	b.modes[column][mode]++
}

func (b *questionBuilder) question(row TableRow) experiments.Question {
	r := &rowReader{b: b, row: row}
	r.id = r.text(FieldID)
	q := experiments.Question{ID: r.id, Answerable: r.answerable(), Critical: r.critical()}
	if !r.conversation() {
		q.Text = r.questionText()
	}
	q.Reference, q.References = r.references()
	said, _ := CellText(r.value(fieldAnswerable))
	switch unsaid := b.table.isSheet() && said == "" && saysUnanswerable(q.Reference); {
	case unsaid && asksForScope(q.Text, q.Reference):
		b.scoped = append(b.scoped, text.Say("%s (%q)", "%s（「%s」）", b.table.place(row.Number), q.Reference))
	case unsaid:
		if onlyNone.MatchString(strings.TrimSpace(norm.NFKC.String(q.Reference))) {
			b.nones = append(b.nones, text.Say("%s (%q)", "%s（「%s」）", b.table.place(row.Number), q.Reference))
		}
		q.Reference, q.Answerable = "", false
		b.refused = append(b.refused, b.table.place(row.Number))
	case b.table.isSheet() && isAwaited(q.Reference):
		b.awaiting = append(b.awaiting, text.Say("%s (%q)", "%s（「%s」）", b.table.place(row.Number), q.Reference))
		q.Reference = ""
	case q.Answerable && b.deny(row):
		q.Answerable = false
	}
	q.Tags = r.tags()
	if row.draft && !slices.Contains(q.Tags, experiments.DraftTag) {
		q.Tags = append(q.Tags, experiments.DraftTag)
	}
	q.ExpectedURLs = r.texts(fieldURLs, asWords, strings.Fields)
	q.Evidence = r.evidence()
	q.Metadata = r.metadata()
	if len(r.remarks) > 0 {
		if q.Metadata == nil {
			q.Metadata = map[string]string{}
		}
		q.Metadata[b.table.Columns[b.columns.at(fieldEvidence)]] = strings.Join(r.remarks, "\n")
	}
	q.Lang = r.lang(&q)
	return q
}

func (r *rowReader) questionText() string {
	s, err := CellText(r.textInside(r.value(FieldQuestion), askedInside))
	switch {
	case err != nil:
		r.fault(FieldQuestion, "%v", err)
	case s == "":
		r.fault(FieldQuestion, "the question is empty")
	}
	return s
}

// conversation refuses rows with the turns of a conversation, and reports whether this is one.
func (r *rowReader) conversation() bool {
	var turns string
	if list, ok := r.value(FieldQuestion).([]any); ok && len(list) > 0 {
		turns = r.b.table.Columns[r.b.columns.at(FieldQuestion)]
	}
	for i, field := range r.b.columns.fields {
		if field != fieldConversation {
			continue
		}
		if items, _, _ := CellList(r.row.Cell(i), "", nil); len(items) > 0 {
			turns = r.b.table.Columns[i]
		}
	}
	if turns == "" {
		return false
	}
	r.fault(turns,
		"holds a conversation; a question with several turns is not supported, because each answer would depend on the ones before: "+
			"give every turn that can stand alone its own row")
	return true
}

// references reads the reference and the other accepted wordings. A list as reference gives both.
func (r *rowReader) references() (reference string, others []string) {
	column := r.b.columns.at(FieldReference)
	v := r.checked(r.textInside(r.row.Cell(column), rightInside), column)
	if s, ok := v.(string); ok {
		if list, mode, ok := ListLiteral(strings.TrimSpace(s)); ok && strings.HasPrefix(strings.TrimSpace(s), "[") {
			r.b.remember(column, mode)
			v = list
		} else if s = strings.TrimSpace(s); s == "NaN" || s == "nan" {
			r.b.nans++
			v = nil
		}
	}
	if list, ok := v.([]any); ok {
		for _, item := range list {
			s, err := CellText(item)
			if err != nil {
				r.fault(FieldReference, "%v", err)
			}
			others = append(others, s)
		}
		if strings.HasSuffix(ColumnKey(r.b.table.Columns[column]), "expected_facts") { // every fact is needed, so they are one reference
			r.b.joined++
			others = []string{strings.Join(others, "\n")}
		}
	} else {
		s, err := CellText(v)
		if err != nil {
			r.fault(FieldReference, "%v", err)
		}
		others = []string{s}
		if r.b.table.isSheet() && column >= 0 {
			others = r.alternatives(s, column)
		}
	}
	others = slices.DeleteFunc(others, func(s string) bool { return s == "" })
	named := len(others) > 0
	more := r.texts(fieldReferences, "", nil)
	if r.b.table.isSheet() && len(more) > 0 && ColumnKey(r.named(fieldReferences)) != fieldReferences {
		more = accepted(strings.Join(more, "\n"))
	}
	for _, column := range r.b.columns.more {
		if s := r.b.cell(r.row, column); s != "" {
			others = append(others, s)
		}
	}
	others = append(others, more...)
	others = distinct(others)
	if len(others) == 0 {
		return "", nil
	}
	if !named {
		r.b.promoted++
	}
	if len(others) == 1 {
		return others[0], nil
	}
	return others[0], others[1:]
}

func (r *rowReader) tags() []string {
	tags := r.texts(FieldTags, AsSplit, SplitTags)
	if r.b.banner != "" {
		tags = append(tags, FieldTheme+":"+r.b.banner)
	}
	for _, field := range []string{FieldTheme, FieldCategory} {
		for _, value := range r.texts(field, "", nil) {
			tags = append(tags, field+":"+value)
		}
	}
	for i, field := range r.b.columns.fields {
		if field != fieldTag {
			continue
		}
		s, err := CellText(r.row.Cell(i))
		if err != nil {
			r.fault(r.b.table.Columns[i], "%v", err)
		}
		if s != "" {
			tags = append(tags, r.b.table.Columns[i]+":"+s)
		}
	}
	return distinct(tags)
}

// distinct drops repeated strings and keeps the order; nil for none.
func distinct(list []string) []string {
	var out []string
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// metadata keeps the columns nobody knows. Empty values are left out; "metadata." before a name is dropped.
func (r *rowReader) metadata() map[string]string {
	var m map[string]string
	for i, field := range r.b.columns.fields {
		if field != fieldMetadata {
			continue
		}
		s, err := metadataText(r.row.Figure(i))
		name := strings.TrimPrefix(r.b.table.Columns[i], "metadata.")
		if err != nil {
			r.fault(name, "%v", err)
		}
		if s == "" {
			continue
		}
		if err := experiments.CheckText(name); err != nil {
			r.fault(fieldMetadata, "the name of a column %v", err)
		}
		if m == nil {
			m = map[string]string{}
		}
		m[name] = s
	}
	return m
}

// lang is the language the row names, else that of the question. A name of another language is kept as metadata.
func (r *rowReader) lang(q *experiments.Question) string {
	named := r.text(fieldLang)
	if lang, ok := text.LanguageTag(named); ok {
		return lang
	}
	if named != "" {
		r.b.unknownLangs[named]++
		if q.Metadata == nil {
			q.Metadata = map[string]string{}
		}
		q.Metadata[r.b.table.Columns[r.b.columns.at(fieldLang)]] = named
	}
	return text.Language(q.Text)
}

// identify gives ids to questions without one and reports those that two questions share.
func (b *questionBuilder) identify(questions []experiments.Question) {
	first := map[string]int{} // id → row number
	for i, q := range questions {
		if q.ID == "" {
			continue
		}
		row := b.table.Rows[i].Number
		if other, found := first[q.ID]; found {
			message := fmt.Sprintf("%s %d has the same id", b.table.Unit, other%tabStride)
			if b.columns.guessedID {
				message += fmt.Sprintf("; if the column is no id: --map \"%s=metadata\"", b.table.Columns[b.columns.at(FieldID)])
			}
			b.faults.Add(RowProblem{Row: row, QuestionID: q.ID, Field: FieldID, Message: message})
			continue
		}
		first[q.ID] = row
	}
	for i := range questions {
		if questions[i].ID != "" {
			continue
		}
		id := fmt.Sprintf("q%04d", i+1)
		for n := 2; first[id] != 0; n++ {
			id = fmt.Sprintf("q%04d-%d", i+1, n)
		}
		questions[i].ID = id
		first[id] = b.table.Rows[i].Number
		b.generated++
	}
}
