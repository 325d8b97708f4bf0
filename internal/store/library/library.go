// Package library keeps what runs are made of: corpora, datasets, logs, experiments, taxonomies, endpoints, agreements, judge cards and
// indexes. Versions are insert only; it knows no run.
package library

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// VersionRow is one version of a corpus or dataset, in table corpora or datasets.
type VersionRow struct {
	Name    string    `gorm:"column:name"`
	Version int       `gorm:"column:version"`
	Digest  string    `gorm:"column:digest"`
	Items   int       `gorm:"column:items"`
	Chars   int       `gorm:"column:chars"`
	Created time.Time `gorm:"column:created_at"`
}

func (r VersionRow) ref() experiments.Ref {
	return experiments.Ref{Name: r.Name, Version: r.Version, Digest: r.Digest}
}

func (r VersionRow) listing() experiments.Listing {
	return experiments.Listing{Ref: r.ref(), Items: r.Items, Chars: r.Chars, CreatedAt: r.Created.UTC()}
}

// DocumentRow is a document of a version of a corpus, as it is stored.
type DocumentRow struct {
	Corpus   string `gorm:"column:corpus"`
	Version  int    `gorm:"column:version"`
	Position int    `gorm:"column:position"`
	DocID    string `gorm:"column:doc_id"`
	Title    string `gorm:"column:title"`
	Text     string `gorm:"column:text"`
	Lang     string `gorm:"column:lang"`
	Source   string `gorm:"column:source"`
	Metadata string `gorm:"column:metadata"`
}

// TableName tells gorm where the rows are.
func (DocumentRow) TableName() string { return "documents" }

func toDocumentRow(corpus string, position int, d rag.Document) (DocumentRow, error) {
	metadata, err := sqldb.EncodeJSON(d.Metadata)
	return DocumentRow{
		Corpus: corpus, Position: position, DocID: sqldb.CleanText(d.ID), Title: sqldb.CleanText(d.Title), Text: sqldb.CleanText(d.Text),
		Lang: sqldb.CleanText(d.Lang), Source: sqldb.CleanText(d.Source), Metadata: metadata,
	}, err
}

// FromDocumentRow reads a document.
func FromDocumentRow(r DocumentRow) (rag.Document, error) {
	metadata, err := sqldb.DecodeJSON[map[string]string]("document metadata", r.Metadata)
	return rag.Document{ID: r.DocID, Title: r.Title, Text: r.Text, Lang: r.Lang, Source: r.Source, Metadata: metadata}, err
}

// QuestionRow is a question of a version of a dataset, as it is stored.
type QuestionRow struct {
	Dataset    string `gorm:"column:dataset"`
	Version    int    `gorm:"column:version"`
	Position   int    `gorm:"column:position"`
	QuestionID string `gorm:"column:question_id"`
	Body       string `gorm:"column:body"`
}

// TableName tells gorm where the rows are.
func (QuestionRow) TableName() string { return "questions" }

func toQuestionRow(dataset string, position int, q experiments.Question) (QuestionRow, error) {
	body, err := sqldb.EncodeJSON(q)
	return QuestionRow{Dataset: dataset, Position: position, QuestionID: sqldb.CleanText(q.ID), Body: body}, err
}

// PutCorpus implements [experiments.Library]. The digest is computed over the documents as they are stored. A newest version that holds
// the same texts and was read before the places of headings were kept stays the newest, so that what was computed of it counts.
func (s *Tables) PutCorpus(ctx context.Context, c *rag.Corpus, now time.Time) (experiments.Ref, bool, error) {
	rows := make([]DocumentRow, len(c.Documents))
	docs := make([]rag.Document, len(c.Documents))
	ids := make(map[string]bool, len(rows))
	version := VersionRow{Name: sqldb.CleanText(c.Name), Items: len(rows), Created: now}
	for i, d := range c.Documents {
		row, err := toDocumentRow(version.Name, i, d)
		if err != nil {
			return experiments.Ref{}, false, err
		}
		if ids[row.DocID] {
			return experiments.Ref{}, false, Twice("corpus", c.Name, "document", row.DocID)
		}
		ids[row.DocID] = true
		if docs[i], err = FromDocumentRow(row); err != nil {
			return experiments.Ref{}, false, err
		}
		rows[i] = row
		version.Chars += utf8.RuneCountInString(row.Text)
	}
	version.Digest = rag.NewCorpus(version.Name, docs).Digest
	for i := range docs {
		docs[i] = docs[i].Plain()
	}
	fill := func(tx *gorm.DB, n int) error {
		for i := range rows {
			rows[i].Version = n
		}
		return sqldb.Insert(tx, rows)
	}
	return s.putVersion(ctx, "corpora", version, fill, rag.NewCorpus(version.Name, docs).Digest)
}

// PutDataset implements [experiments.Library]. The digest is computed over the questions as they are stored.
func (s *Tables) PutDataset(ctx context.Context, d *experiments.Dataset, now time.Time) (experiments.Ref, bool, error) {
	rows := make([]QuestionRow, len(d.Questions))
	questions := make([]experiments.Question, len(d.Questions))
	ids := make(map[string]bool, len(rows))
	version := VersionRow{Name: sqldb.CleanText(d.Name), Items: len(rows), Created: now}
	for i, q := range d.Questions {
		row, err := toQuestionRow(version.Name, i, q)
		if err != nil {
			return experiments.Ref{}, false, err
		}
		if ids[row.QuestionID] {
			return experiments.Ref{}, false, Twice("dataset", d.Name, "question", row.QuestionID)
		}
		ids[row.QuestionID] = true
		if questions[i], err = FromQuestionRow(row); err != nil {
			return experiments.Ref{}, false, err
		}
		rows[i] = row
		version.Chars += utf8.RuneCountInString(questions[i].Text)
	}
	version.Digest = experiments.NewDataset(version.Name, questions).Digest
	return s.putVersion(ctx, "datasets", version, func(tx *gorm.DB, n int) error {
		for i := range rows {
			rows[i].Version = n
		}
		return sqldb.Insert(tx, rows)
	})
}

// Twice refuses what a name or an id stands for twice.
func Twice(where, name, what, id string) *problem.Problem {
	return problem.New(problem.Invalid, what+"_twice", "%s %q has two %ss with the id %q", where, name, what, id).
		With("name", name).With("id", id).
		WithHint("give each %s its own id", what)
}

// putVersion stores v as the next version in table, with what fill adds to it, unless the newest has the same digest.
func (s *Tables) putVersion(ctx context.Context, table string, v VersionRow, fill func(tx *gorm.DB, version int) error,
	same ...string) (ref experiments.Ref, created bool, err error) {
	if v.Name == "" || strings.Contains(v.Name, "@") {
		return ref, false, problem.New(problem.Invalid, "name_invalid", "%q cannot be a name: it must not be empty or contain @", v.Name).
			With("name", v.Name).WithHint("@ separates a name from its version, as in faq@2")
	}
	err = s.Write(ctx, "store "+v.Name+" in "+table, func(tx *gorm.DB) error {
		for {
			newest, found, err := newestVersion(tx, table, v.Name)
			if err != nil {
				return err
			}
			if found && (newest.Digest == v.Digest || slices.Contains(same, newest.Digest)) {
				ref, created = newest.ref(), false
				return nil
			}
			v.Version = newest.Version + 1
			added := tx.Table(table).Clauses(clause.OnConflict{DoNothing: true}).Create(&v)
			if added.Error != nil {
				return added.Error
			}
			if added.RowsAffected == 1 {
				ref, created = v.ref(), true
				return fill(tx, v.Version)
			} // somebody else stored this version first: look again
		}
	})
	return ref, created, err
}

func newestVersion(tx *gorm.DB, table, name string) (row VersionRow, found bool, err error) {
	res := tx.Table(table).Where("name = ?", name).Order("version DESC").Limit(1).Find(&row)
	return row, res.RowsAffected == 1, res.Error
}

// mostNear bounds the names among which a mistyped one is looked for.
const mostNear = 1000

// version finds the row that a reference, name or name@version, means.
func (s *Tables) version(ctx context.Context, table, what, ref string) (VersionRow, error) {
	name, at, numbered := strings.Cut(ref, "@")
	n, err := strconv.Atoi(at)
	if numbered && (err != nil || n < 1) {
		return VersionRow{}, sqldb.Unknown(what, ref).WithHint("write name, or name@version as in faq@2")
	}
	tx := s.Read(ctx)
	newest, found, err := newestVersion(tx, table, name)
	switch {
	case err != nil:
		return VersionRow{}, sqldb.Wrap("find "+what+" "+ref, err)
	case !found:
		var names []string // where they cannot be read, none is near
		tx.Table(table).Distinct("name").Order("name").Limit(mostNear).Pluck("name", &names)
		return VersionRow{}, sqldb.UnknownAmong(what, name, names).With("name", ref).
			WithHint("`workbench %s list` shows what there is", what)
	case !numbered || newest.Version == n:
		return newest, nil
	}
	var row VersionRow
	res := tx.Table(table).Where("name = ? AND version = ?", name, n).Find(&row)
	if res.Error != nil {
		return VersionRow{}, sqldb.Wrap("find "+what+" "+ref, res.Error)
	}
	if res.RowsAffected == 0 {
		return VersionRow{}, sqldb.Unknown(what, ref).WithHint("the newest version is %s@%d", name, newest.Version)
	}
	return row, nil
}

func (s *Tables) versions(ctx context.Context, table string) ([]experiments.Listing, error) {
	var rows []VersionRow
	if err := s.Read(ctx).Table(table).Order("name, version").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list "+table, err)
	}
	out := make([]experiments.Listing, len(rows))
	for i, r := range rows {
		out[i] = r.listing()
	}
	return out, nil
}

// Corpora implements [experiments.Library]: all versions, by name and version.
func (s *Tables) Corpora(ctx context.Context) ([]experiments.Listing, error) {
	return s.versions(ctx, "corpora")
}

// Datasets implements [experiments.Library]: all versions, by name and version.
func (s *Tables) Datasets(ctx context.Context) ([]experiments.Listing, error) {
	return s.versions(ctx, "datasets")
}

// Corpus implements [experiments.Library].
func (s *Tables) Corpus(ctx context.Context, ref string) (*rag.Corpus, error) {
	v, err := s.version(ctx, "corpora", "corpus", ref)
	if err != nil {
		return nil, err
	}
	var rows []DocumentRow
	if err := s.Read(ctx).Where("corpus = ? AND version = ?", v.Name, v.Version).Order("position").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("read corpus "+ref, err)
	}
	c := &rag.Corpus{Name: v.Name, Version: v.Version, Digest: v.Digest, Documents: make([]rag.Document, len(rows))}
	for i, r := range rows {
		if c.Documents[i], err = FromDocumentRow(r); err != nil {
			return nil, sqldb.Wrap("read corpus "+ref, err)
		}
	}
	return c, nil
}

// Dataset implements [experiments.Library].
func (s *Tables) Dataset(ctx context.Context, ref string) (*experiments.Dataset, error) {
	v, err := s.version(ctx, "datasets", "dataset", ref)
	if err != nil {
		return nil, err
	}
	d := &experiments.Dataset{Name: v.Name, Version: v.Version, Digest: v.Digest}
	if d.Questions, err = s.questions(ctx, v); err != nil {
		return nil, sqldb.Wrap("read dataset "+ref, err)
	}
	return d, nil
}

// Tables are what runs are made of: corpora, datasets, logs, experiments, taxonomies, endpoints, agreements, judge cards.
type Tables struct{ *sqldb.DB }
