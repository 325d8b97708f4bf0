// Package notebooks keeps what notebooks said before, and what people say about them. Their files are not its concern.
package notebooks

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.NotebookStore = (*HistoryTables)(nil)

// NotebookVersionRow is a version of a notebook without its text, as it is stored.
type NotebookVersionRow struct {
	Notebook  string    `gorm:"column:notebook;primaryKey"`
	Number    int       `gorm:"column:number;primaryKey;autoIncrement:false"`
	Digest    string    `gorm:"column:digest"`
	Lock      string    `gorm:"column:lock"`
	MadeBy    string    `gorm:"column:made_by"`
	MadeAt    time.Time `gorm:"column:made_at"`
	ChangedAt time.Time `gorm:"column:changed_at"`
	Origin    string    `gorm:"column:origin"`
	Name      string    `gorm:"column:name"`
	Params    string    `gorm:"column:params"` // a JSON array
	Ran       bool      `gorm:"column:ran"`
}

// TableName tells gorm where the rows are.
func (NotebookVersionRow) TableName() string { return "notebook_versions" }

// NotebookTextRow is a text that versions of a notebook share, as it is stored.
type NotebookTextRow struct {
	Notebook string `gorm:"column:notebook;primaryKey"`
	Digest   string `gorm:"column:digest;primaryKey"`
	Base     string `gorm:"column:base"` // digest of the text that the body refers back to; "" for none
	Body     []byte `gorm:"column:body"` // DEFLATE
}

// TableName tells gorm where the rows are.
func (NotebookTextRow) TableName() string { return "notebook_texts" }

// RemovedRow is a notebook that somebody removed, as it is stored.
type RemovedRow struct {
	Notebook  string    `gorm:"column:notebook;primaryKey"`
	ID        string    `gorm:"column:id;primaryKey"`
	Cell      string    `gorm:"column:cell"`
	Type      string    `gorm:"column:type"`
	Text      string    `gorm:"column:text"`
	Entry     string    `gorm:"column:entry"`
	Behind    string    `gorm:"column:behind"`
	MadeBy    string    `gorm:"column:made_by"`
	RemovedAt time.Time `gorm:"column:removed_at"`
	ExpiresAt time.Time `gorm:"column:expires_at"`
}

// TableName tells gorm where the rows are.
func (RemovedRow) TableName() string { return "notebook_removed" }

// ToNotebookVersion is the row of a version.
func ToNotebookVersion(notebook string, v experiments.NotebookVersion) (NotebookVersionRow, error) {
	params, err := sqldb.EncodeJSON(append([]string{}, v.Params...))
	return NotebookVersionRow{Notebook: notebook, Number: v.Number, Digest: v.Digest, Lock: v.Lock, MadeBy: sqldb.CleanText(v.By),
		MadeAt:    v.At,
		ChangedAt: v.ChangedAt, Origin: v.Origin, Name: sqldb.CleanText(v.Name), Params: params, Ran: v.Ran}, err
}

func fromNotebookVersion(r NotebookVersionRow) (experiments.NotebookVersion, error) {
	params, err := sqldb.DecodeJSON[[]string]("parameters of a version of "+r.Notebook, r.Params)
	if len(params) == 0 {
		params = nil
	}
	return experiments.NotebookVersion{Number: r.Number, Digest: r.Digest, Lock: r.Lock, By: r.MadeBy, At: r.MadeAt.UTC(),
		ChangedAt: r.ChangedAt.UTC(), Origin: r.Origin, Name: r.Name, Params: params, Ran: r.Ran}, err
}

// PutVersion implements [experiments.NotebookStore].
func (s *HistoryTables) PutVersion(ctx context.Context, notebook string, v experiments.NotebookVersion, text, lock []byte,
) (out experiments.NotebookVersion, changed bool, err error) {
	notebook = sqldb.CleanText(notebook)
	err = s.Write(ctx, "keep a version of "+notebook, func(tx *gorm.DB) error {
		newest, err := s.newestVersion(tx, notebook)
		if err != nil {
			return err
		}
		at := v.ChangedAt
		if out, changed = v.Behind(newest); !changed {
			return nil
		}
		if newest == nil {
			newest = &experiments.NotebookVersion{}
		}
		err = keepText(tx, notebook, out.Digest, newest.Digest, text)
		if err == nil {
			err = keepText(tx, notebook, out.Lock, newest.Lock, lock)
		}
		if err != nil {
			return err
		}
		row, err := ToNotebookVersion(notebook, out)
		if err != nil {
			return err
		}
		replace := clause.OnConflict{Columns: []clause.Column{{Name: "notebook"}, {Name: "number"}}, UpdateAll: true}
		err = changeVersion(tx, notebook, out.Number, func(tx *gorm.DB) error { return tx.Clauses(replace).Create(&row).Error })
		if err != nil {
			return err
		}
		return forgetVersions(tx, notebook, out.Number, at)
	})
	return out, changed, err
}

// newestVersion is the version with the highest number, locked against others who save at the same time; nil without any.
func (s *HistoryTables) newestVersion(tx *gorm.DB, notebook string) (*experiments.NotebookVersion, error) {
	var rows []NotebookVersionRow
	if s.Engine() == sqldb.PostgresEngine {
		tx = tx.Clauses(clause.Locking{Strength: "UPDATE"})
	}
	if err := tx.Where("notebook = ?", notebook).Order("number DESC").Limit(1).Find(&rows).Error; err != nil || len(rows) == 0 {
		return nil, err
	}
	v, err := fromNotebookVersion(rows[0])
	return &v, err
}

// keepText stores a text under its digest, once; "" is no text. Versions differ in a few lines, so a text is written as what is new beside
// the base of the text before it, or by itself where that saves less than half.
func keepText(tx *gorm.DB, notebook, digest, before string, body []byte) error {
	if digest == "" {
		return nil
	}
	alone, err := Deflated(body, nil)
	row := NotebookTextRow{Notebook: notebook, Digest: digest, Body: alone}
	if err == nil && before != "" {
		err = row.beside(tx, before, body)
	}
	if err != nil {
		return err
	}
	return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
}

// beside makes the row refer back to the base of a text that is there.
func (r *NotebookTextRow) beside(tx *gorm.DB, before string, body []byte) error {
	var last NotebookTextRow
	if err := tx.Select("digest", "base").Where("notebook = ? AND digest = ?", r.Notebook, before).Take(&last).Error; err != nil {
		return err
	}
	base := cmp.Or(last.Base, last.Digest)
	dictionary, err := keptText(tx, r.Notebook, base)
	if err != nil {
		return err
	}
	short, err := Deflated(body, dictionary)
	if err == nil && base != r.Digest && len(short) < len(r.Body)/2 {
		r.Base, r.Body = base, short
	}
	return err
}

// Deflated compresses a text that shares much with another one.
func Deflated(body, dictionary []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriterDict(&out, flate.BestCompression, dictionary)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

// forgetVersions takes away what is too old or too much, but never the newest, and the texts that no version has any more.
func forgetVersions(tx *gorm.DB, notebook string, newest int, now time.Time) error {
	which := "notebook = ? AND number < ? AND (number <= ? OR changed_at < ?)"
	old := []any{notebook, newest, newest - experiments.MostVersions, now.Add(-experiments.VersionsLast)}
	err := seals.Change(tx, &NotebookVersionRow{}, func(tx *gorm.DB) error {
		return tx.Where(which, old...).Delete(&NotebookVersionRow{}).Error
	}, which, old...)
	if err != nil {
		return err
	}
	return tx.Exec(`DELETE FROM notebook_texts WHERE notebook = ?
		AND digest NOT IN (SELECT digest FROM notebook_versions WHERE notebook = ?)
		AND digest NOT IN (SELECT lock FROM notebook_versions WHERE notebook = ?)
		AND digest NOT IN (SELECT base FROM notebook_texts t JOIN notebook_versions v ON v.notebook = t.notebook
			AND (v.digest = t.digest OR v.lock = t.digest) WHERE t.notebook = ?)`, notebook, notebook, notebook, notebook).Error
}

// LockVersion implements [experiments.NotebookStore].
func (s *HistoryTables) LockVersion(ctx context.Context, notebook string, number int, digest string, lock []byte) error {
	notebook = sqldb.CleanText(notebook)
	return s.Write(ctx, "keep the lock of "+notebook, func(tx *gorm.DB) error {
		if err := keepText(tx, notebook, digest, "", lock); err != nil {
			return err
		}
		return setVersion(tx, notebook, number, "lock", digest)
	})
}

// changeVersion changes a version, whose seal follows.
func changeVersion(tx *gorm.DB, notebook string, number int, do func(tx *gorm.DB) error) error {
	return seals.Change(tx, &NotebookVersionRow{}, do, "notebook = ? AND number = ?", notebook, number)
}

// setVersion sets one column of a version.
func setVersion(tx *gorm.DB, notebook string, number int, column, value string) error {
	return changeVersion(tx, notebook, number, func(tx *gorm.DB) error {
		res := tx.Model(&NotebookVersionRow{}).Where("notebook = ? AND number = ?", notebook, number).Update(column, value)
		if res.Error != nil || res.RowsAffected == 0 {
			return versionProblem(number, res.Error)
		}
		return nil
	})
}

// Versions implements [experiments.NotebookStore].
func (s *HistoryTables) Versions(ctx context.Context, notebook string) ([]experiments.NotebookVersion, error) {
	var rows []NotebookVersionRow
	if err := s.Read(ctx).Where("notebook = ?", sqldb.CleanText(notebook)).Order("number DESC").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list versions of "+notebook, err)
	}
	out := make([]experiments.NotebookVersion, len(rows))
	var err error
	for i, r := range rows {
		if out[i], err = fromNotebookVersion(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Version implements [experiments.NotebookStore].
func (s *HistoryTables) Version(ctx context.Context, notebook string, number int) (v experiments.NotebookVersion, text, lock []byte,
	err error) {
	var rows []NotebookVersionRow
	notebook = sqldb.CleanText(notebook)
	err = s.Snapshot(ctx, "read a version of "+notebook, func(tx *gorm.DB) error {
		if err := tx.Where("notebook = ? AND number = ?", notebook, number).Limit(1).Find(&rows).Error; err != nil || len(rows) == 0 {
			return versionProblem(number, err)
		}
		if v, err = fromNotebookVersion(rows[0]); err != nil {
			return err
		}
		if text, err = keptText(tx, notebook, v.Digest); err == nil {
			lock, err = keptText(tx, notebook, v.Lock)
		}
		return err
	})
	return v, text, lock, err
}

// keptText is the text of a digest; nil for "". A text that is not the one of its digest is refused.
func keptText(tx *gorm.DB, notebook, digest string) ([]byte, error) {
	if digest == "" {
		return nil, nil
	}
	var row NotebookTextRow
	if err := tx.Where("notebook = ? AND digest = ?", notebook, digest).Take(&row).Error; err != nil {
		return nil, fmt.Errorf("the text %s: %w", digest, err)
	}
	dictionary, err := keptText(tx, notebook, row.Base)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(row.Body), dictionary))
	if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != digest {
		return nil, problem.New(problem.Unavailable, "version_damaged", "the kept text of this version of %s is not what was saved", notebook).
			WithHint("somebody changed it in the database, or it is damaged: look at another version, or take the file from a backup")
	}
	return text, nil
}

// NameVersion implements [experiments.NotebookStore].
func (s *HistoryTables) NameVersion(ctx context.Context, notebook string, number int, name string) (v experiments.NotebookVersion,
	err error) {
	err = s.Write(ctx, "name a version of "+notebook, func(tx *gorm.DB) error {
		if err := setVersion(tx, sqldb.CleanText(notebook), number, "name", sqldb.CleanText(name)); err != nil {
			return err
		}
		var row NotebookVersionRow
		if err := tx.Where("notebook = ? AND number = ?", sqldb.CleanText(notebook), number).Take(&row).Error; err != nil {
			return err
		}
		v, err = fromNotebookVersion(row)
		return err
	})
	return v, err
}

// MoveNotebook implements [experiments.NotebookStore].
func (s *HistoryTables) MoveNotebook(ctx context.Context, from, to string) error {
	from, to = sqldb.CleanText(from), sqldb.CleanText(to)
	const of = "notebook = ?"
	return s.Write(ctx, "move what is kept of "+from, func(tx *gorm.DB) error { // what is there is of one that was deleted
		for _, row := range []any{&NotebookTextRow{}, &RemovedRow{}} {
			if err := forget(tx, row, to); err != nil {
				return err
			}
			if err := rename(tx, row, from, to); err != nil {
				return err
			}
		}
		for _, row := range []any{&NotebookVersionRow{}, &commentRow{}} {
			err := seals.Change(tx, row, func(tx *gorm.DB) error { return forget(tx, row, to) }, of, to)
			if err == nil {
				err = seals.Rekey(tx, row, renamedTo(to), func(tx *gorm.DB) error { return rename(tx, row, from, to) }, of, from)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// forget takes away what is kept of a notebook in a table.
func forget(tx *gorm.DB, row any, notebook string) error {
	return tx.Where("notebook = ?", notebook).Delete(row).Error
}

// rename gives what is kept of a notebook in a table another one's name.
func rename(tx *gorm.DB, row any, from, to string) error {
	return tx.Model(row).Where("notebook = ?", from).Update("notebook", to).Error
}

// renamedTo does that to a row.
func renamedTo(to string) func(row any) {
	return func(row any) {
		switch r := row.(type) {
		case *NotebookVersionRow:
			r.Notebook = to
		case *commentRow:
			r.Notebook = to
		}
	}
}

// PutRemoved implements [experiments.NotebookStore].
func (s *HistoryTables) PutRemoved(ctx context.Context, notebook string, cells []experiments.RemovedCell, now time.Time) error {
	return s.Write(ctx, "keep removed cells of "+notebook, func(tx *gorm.DB) error {
		for _, c := range cells {
			row := RemovedRow{Notebook: sqldb.CleanText(notebook), ID: c.ID, Cell: c.Cell, Type: c.Type, Text: sqldb.CleanText(c.Text),
				Entry: sqldb.CleanText(c.Entry), Behind: c.Behind, MadeBy: sqldb.CleanText(c.By), RemovedAt: c.At, ExpiresAt: c.Expires}
			if err := tx.Create(&row).Error; err != nil {
				return err
			}
		}
		return tx.Where("expires_at <= ?", now).Delete(&RemovedRow{}).Error
	})
}

// Removed implements [experiments.NotebookStore].
func (s *HistoryTables) Removed(ctx context.Context, notebook string, now time.Time) ([]experiments.RemovedCell, error) {
	var rows []RemovedRow
	which := s.Read(ctx).Where("notebook = ? AND expires_at > ?", sqldb.CleanText(notebook), now)
	if err := which.Order("removed_at DESC, " + s.Bytewise("id")).Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list removed cells of "+notebook, err)
	}
	out := make([]experiments.RemovedCell, len(rows))
	for i, r := range rows {
		out[i] = fromRemovedRow(r)
	}
	return out, nil
}

func fromRemovedRow(r RemovedRow) experiments.RemovedCell {
	return experiments.RemovedCell{ID: r.ID, Cell: r.Cell, Type: r.Type, Text: r.Text, Entry: r.Entry, Behind: r.Behind, By: r.MadeBy,
		At: r.RemovedAt.UTC(), Expires: r.ExpiresAt.UTC()}
}

// ForgetRemoved implements [experiments.NotebookStore].
func (s *HistoryTables) ForgetRemoved(ctx context.Context, notebook, id string, now time.Time) (c experiments.RemovedCell, err error) {
	err = s.Write(ctx, "take a removed cell of "+notebook, func(tx *gorm.DB) error {
		var row RemovedRow
		which := "notebook = ? AND id = ? AND expires_at > ?"
		err := tx.Where(which, sqldb.CleanText(notebook), id, now).Take(&row).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return problem.New(problem.NotFound, "removed_unknown", "there is no removed cell %q", id).With("cell", id).
				WithHint("removed cells can be put back for 30 days; the history has older texts")
		}
		if err != nil {
			return err
		}
		c = fromRemovedRow(row)
		return tx.Where(which, sqldb.CleanText(notebook), id, now).Delete(&RemovedRow{}).Error
	})
	return c, err
}

// versionProblem is why a version was not found.
func versionProblem(number int, err error) error {
	if err != nil {
		return err
	}
	return problem.New(problem.NotFound, "version_unknown", "there is no version %d of the notebook", number).
		With("version", strconv.Itoa(number)).WithHint("the history lists the versions; `workbench notebook log FILE` does too")
}

// HistoryTables are what notebooks said before.
type HistoryTables struct{ *sqldb.DB }

// DamagedTexts are the kept texts that are not those of their digests, each as NOTEBOOK/DIGEST, and those that a version names and that are
// not there.
func DamagedTexts(tx *gorm.DB) (out []string, err error) {
	var rows []NotebookTextRow
	if err := tx.Select("notebook", "digest", "base").Order("notebook, digest").Find(&rows).Error; err != nil {
		return nil, err
	}
	bases, there := map[string]string{}, map[string]bool{"": true}
	for _, r := range rows {
		bases[r.Notebook+"/"+r.Digest], there[r.Notebook+"/"+r.Digest] = r.Base, true
	}
	for _, r := range rows {
		if r.Base != "" && bases[r.Notebook+"/"+r.Base] != "" { // a base has none itself
			out = append(out, r.Notebook+"/"+r.Digest)
		} else if _, err := keptText(tx, r.Notebook, r.Digest); err != nil {
			out = append(out, r.Notebook+"/"+r.Digest)
		}
	}
	var versions []NotebookVersionRow
	if err := tx.Select("notebook", "number", "digest", "lock").Order("notebook, number").Find(&versions).Error; err != nil {
		return nil, err
	}
	for _, v := range versions {
		for _, digest := range []string{v.Digest, v.Lock} {
			if name := v.Notebook + "/" + digest; digest != "" && !there[name] {
				there[name], out = true, append(out, name)
			}
		}
	}
	return out, nil
}
