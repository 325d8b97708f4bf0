package intake

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// The fields a column can be.
const (
	FieldID           = "question_id"
	FieldQuestion     = "question"
	FieldReference    = "reference"
	fieldReferences   = "references"
	fieldLang         = "lang"
	fieldAnswerable   = "answerable"
	FieldCritical     = "critical"
	fieldEvidence     = "evidence"
	fieldEvidenceDoc  = "evidence_doc_id"
	fieldURLs         = "expected_urls"
	FieldTags         = "tags"
	FieldTheme        = "theme"
	FieldCategory     = "category"
	fieldConversation = "conversation"
	fieldTag          = "tag" // any number of columns: each value becomes the tag "<column>:<value>"
	fieldMetadata     = "metadata"
	FieldIgnore       = "ignore"
)

// Fields returns the names a column can be mapped to, besides "metadata" and "ignore".
func Fields() []string {
	names := make([]string, len(aliases))
	for i, a := range aliases {
		names[i] = a.field
	}
	return names
}

// ColumnKey is the spelling in which column names are compared: NFKC, lower case, spaces and hyphens as underscores.
func ColumnKey(name string) string {
	key := strings.ToLower(strings.TrimSpace(norm.NFKC.String(name)))
	return strings.Join(strings.FieldsFunc(key, func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_' &&
			!strings.HasPrefix(key, "_")
	}), "_")
}

// FieldNamed is the field that a column has by its name alone: that of an alias, else the one that names like it mostly have; "" for none.
func FieldNamed(column string) string {
	key := ColumnKey(column)
	for _, a := range aliases {
		if slices.Contains(a.names, key) {
			return a.field
		}
	}
	if field, strength := guessName(column); strength >= likely {
		return field
	}
	return ""
}

// ColumnMap says which column holds which field.
type ColumnMap struct {
	fields []string          // by column
	column map[string]int    // by field
	why    map[int]text.Said // why a column is kept as metadata
	holds  []contents        // by column; of sheets only

	more []int // further columns with right answers: 正解2 beside 正解1

	number    int  // the column that numbers the rows of a sheet, also where its values repeat too often to be ids; -1: none
	rank      int  // the column of tags whose highest rank makes a question critical; -1: none
	inverted  bool // the column of fieldAnswerable says of which questions the documents hold no answer
	guessedID bool // the ids are in a column whose values repeat, which its name alone makes them

	given   map[int]bool // columns of which people said what they are
	lenient bool         // evidence that cannot be found is kept as a remark
	hints   []int        // columns that name documents of the corpus
	unclear []string     // columns of which one may be the right answer
}

// at is the column of a field, or -1.
func (m ColumnMap) at(field string) int {
	if i, ok := m.column[field]; ok {
		return i
	}
	return -1
}

// counted is the column that tells rows apart: their ids, else what numbers them; -1 for none.
func (m ColumnMap) counted() int {
	if i := m.at(FieldID); i >= 0 {
		return i
	}
	return m.number
}

func (m ColumnMap) uses(columns []string) []ColumnUse {
	uses := make([]ColumnUse, len(columns))
	for i, name := range columns {
		uses[i] = ColumnUse{Source: name, Field: cmp.Or(m.fields[i], fieldMetadata), Why: m.why[i]}
		if i < len(m.holds) {
			uses[i].Samples = m.holds[i].samples
		}
	}
	return uses
}

func (m ColumnMap) set(column int, field string) {
	m.fields[column] = field
	if field != fieldMetadata && field != FieldIgnore && field != fieldConversation && field != fieldTag {
		m.column[field] = column
	}
}

// mapColumns decides what each column is: first by override, then by name; and in a sheet, which people name as they like, also by what
// names are made of and what the columns hold.
func mapColumns(file string, t *Table, override map[string]string, corpus *rag.Corpus) (ColumnMap, []text.Said, error) {
	columns := t.Columns
	m := ColumnMap{fields: make([]string, len(columns)), column: map[string]int{}, why: map[int]text.Said{}, given: map[int]bool{},
		number: -1, rank: -1}
	if err := m.override(file, t, override); err != nil {
		return m, nil, err
	}
	keys := make([]string, len(columns))
	for i, name := range columns {
		keys[i] = ColumnKey(name)
	}
	notes := m.exactNames(t, keys)
	m.goldenNames(keys)
	if len(t.together) > 0 && m.fields[t.tabColumn] == "" {
		m.set(t.tabColumn, fieldMetadata)
	}
	for _, i := range t.reviewed {
		if m.fields[i] == "" {
			m.set(i, FieldIgnore)
			m.why[i] = text.Say("the review of this sheet, which was followed", "このシートの確認結果（反映済み）")
		}
	}
	m.unanswerableNames(t, keys)
	for i, key := range keys {
		if m.fields[i] == "" && slices.Contains(conversationNames, key) {
			m.set(i, fieldConversation)
		}
	}
	if t.isSheet() {
		notes = append(notes, t.guess(&m, corpus)...)
		m.holds = make([]contents, len(columns))
		for i := range columns {
			m.holds[i] = t.contents(i)
		}
	}
	notes = append(notes, m.numberedAnswers(t)...)
	m.nameTabs(t)
	for i := range keys {
		if m.fields[i] != "" {
			continue
		}
		m.set(i, fieldMetadata)
		if IsAnswer(columns[i]) && m.at(FieldReference) < 0 {
			notes = append(notes,
				text.Say("column %s: kept as metadata, because it may be the answer of a system; if it is the right answer, say so: --map \"%s=reference\"",
					"列「%s」：参考として保存します（システムの回答かもしれないため）。正解の場合は --map \"%s=reference\"", columns[i], columns[i]))
		}
	}
	if m.at(FieldQuestion) < 0 {
		return m, nil, problem.New(problem.Invalid, "dataset_column_missing", "%s has no column with the questions; its columns are: %s",
			file, strings.Join(columns, ", ")).
			With("file", file).With("field", FieldQuestion).With("columns", columns).
			WithHint("name the column \"question\", or say which one it is: --map \"COLUMN=question\"")
	}
	if m.at(FieldReference) < 0 && len(m.unclear) > 1 {
		return m, nil, unclearAnswer(file, m.unclear)
	}
	return m, notes, nil
}

// numberedName is the name of a column that is one of several of its kind.
var numberedName = text.Lazy(`^(.*?[^0-9０-９①-⑨])[ _]*([0-9０-９]|[①-⑨])$`)

// numberedAnswers takes the columns that are called as that of the right answers is but for their number: each holds a right answer.
func (m *ColumnMap) numberedAnswers(t *Table) (notes []text.Said) {
	first := m.at(FieldReference)
	if first < 0 || !t.isSheet() {
		return nil
	}
	own := numberedName.FindStringSubmatch(t.Columns[first])
	if _, sure := guessName(t.Columns[first]); own == nil || sure < likely {
		return nil
	}
	for i, name := range t.Columns {
		other := numberedName.FindStringSubmatch(name)
		if i == first || m.given[i] || other == nil || ColumnKey(other[1]) != ColumnKey(own[1]) ||
			m.fields[i] != "" && m.fields[i] != fieldMetadata {
			continue
		}
		m.more = append(m.more, i)
		m.fields[i] = fieldReferences
		delete(m.why, i)
		notes = append(notes, text.Say("column %s: each is one more right answer beside column %s; if a right answer needs both: --map \"%s=metadata\"",
			"列「%s」：列「%s」とは別の正解として読み取りました。"+
				"両方が必要な場合は --map \"%s=metadata\"", name, t.Columns[first], name))
	}
	return notes
}

// exactNames takes the columns that are named as a field is. In a sheet, what a column holds can speak against its name.
func (m *ColumnMap) exactNames(t *Table, keys []string) (notes []text.Said) {
	for _, a := range aliases {
		for _, name := range a.names {
			i := slices.Index(keys, name)
			switch {
			case i < 0 || m.fields[i] != "" || m.outshone(t, i, a.field):
			case t.isSheet() && m.at(a.field) < 0 && (!suits(name, a.field, t.contents(i)) || a.field == FieldReference && t.judges(i)):
			case m.at(a.field) < 0:
				m.set(i, a.field)
				m.lenient = m.lenient || a.field == fieldEvidence && (name == "根拠" || name == "context")
			case a.field == FieldTheme || a.field == FieldCategory:
				m.set(i, fieldTag)
			default:
				m.set(i, fieldMetadata)
				m.why[i] = readFrom(a.field, t.Columns[m.at(a.field)])
				notes = append(notes, keptBecause(t.Columns[i], m.why[i]))
			}
		}
	}
	return notes
}

// judges reports whether a column that may be called after the right answers says instead whether what a system answered was right.
func (t *Table) judges(column int) bool {
	if !MayJudge(t.Columns[column]) || t.contents(column).yesNo < 1 {
		return false
	}
	return slices.ContainsFunc(SystemAnswers(t.Columns), func(name string) bool {
		answered := t.contents(slices.Index(t.Columns, name))
		return SurelyAnswered(name) && answered.cells > 0 && answered.yesNo < 0.5
	})
}

// suits reports whether a column holds what its name promises, as far as that can be told.
func suits(name, field string, c contents) bool {
	switch field {
	case FieldReference, fieldReferences, fieldEvidence:
		return c.structured || !c.sourceLike()
	case FieldCritical:
		return name != "重要" || c.cells == 0 || c.yesNo >= 0.5
	}
	return true
}

// goldenNames takes the column "name" as the id in the one export that uses it so, which pairs it with "input".
func (m ColumnMap) goldenNames(keys []string) {
	if i := slices.Index(keys, "name"); i >= 0 && m.fields[i] == "" && m.at(FieldID) < 0 && slices.Contains(keys, "input") &&
		slices.Contains(keys, "expected_output") {
		m.set(i, FieldID)
	}
}

func (m *ColumnMap) override(file string, t *Table, override map[string]string) error {
	columns := t.Columns
	sources := make([]string, 0, len(override))
	for source := range override {
		sources = append(sources, source)
	}
	slices.Sort(sources)
	for _, source := range sources {
		field := fieldSpoken(strings.TrimSpace(override[source]))
		switch field {
		case "id":
			field = FieldID
		case FieldUnanswerable:
			field, m.inverted = fieldAnswerable, true
		}
		if !slices.Contains(Fields(), field) && field != fieldMetadata && field != FieldIgnore && field != fieldTag {
			return problem.New(problem.Invalid, "dataset_field_unknown", "column %s cannot be mapped to %q, which is no field",
				source, field).
				With("column", source).With("field", field).
				WithHint("the fields are %s, tag, metadata and ignore", strings.Join(append(Fields(), FieldUnanswerable), ", "))
		}
		i := slices.Index(columns, source)
		if i < 0 {
			i = slices.IndexFunc(columns, func(c string) bool { return ColumnKey(c) == ColumnKey(source) })
		}
		if i < 0 {
			return problem.New(problem.Invalid, "dataset_column_unknown", "%s has no column %q to map to %s", file, source, field).
				With("file", file).With("column", source).WithHint("its columns%s are: %s", t.inHeader(), strings.Join(columns, ", "))
		}
		if other := m.at(field); other >= 0 || m.fields[i] != "" {
			return problem.New(problem.Invalid, "dataset_column_twice", "column %s or the field %s is mapped twice", source, field).
				With("column", source).With("field", field).WithHint("map every column and every field once")
		}
		m.set(i, field)
		m.given[i] = true
	}
	return nil
}
