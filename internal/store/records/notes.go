package records

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.NoteStore = (*RunTables)(nil)

// NoteRow is what people wrote beside a run, as it is stored.
type NoteRow struct {
	RunID   string    `gorm:"column:run_id;primaryKey"`
	Note    string    `gorm:"column:note"`
	MadeBy  string    `gorm:"column:made_by"`
	Changed time.Time `gorm:"column:changed_at"`
}

// TableName tells gorm where the rows are.
func (NoteRow) TableName() string { return "run_notes" }

// TagRow is a tag of a run, as it is stored.
type TagRow struct {
	RunID   string    `gorm:"column:run_id;primaryKey"`
	Tag     string    `gorm:"column:tag;primaryKey"`
	MadeBy  string    `gorm:"column:made_by"`
	Changed time.Time `gorm:"column:changed_at"`
}

// TableName tells gorm where the rows are.
func (TagRow) TableName() string { return "run_tags" }

// ViewRow is a list of runs that people keep, as it is stored.
type ViewRow struct {
	Name    string     `gorm:"column:name;primaryKey"`
	Query   string     `gorm:"column:query"`
	MadeBy  string     `gorm:"column:made_by"`
	Saved   time.Time  `gorm:"column:saved_at"`
	Removed *time.Time `gorm:"column:removed_at"`
}

// TableName tells gorm where the rows are.
func (ViewRow) TableName() string { return "run_views" }

func fromViewRow(r ViewRow) experiments.RunView {
	return experiments.RunView{Name: r.Name, Query: r.Query, MadeBy: r.MadeBy, SavedAt: r.Saved.UTC()}
}

// Notes implements [experiments.NoteStore].
func (s *RunTables) Notes(ctx context.Context, runs []string) (map[string]experiments.Notes, error) {
	out := map[string]experiments.Notes{}
	for some := range slices.Chunk(runs, 500) { // what one statement of every engine takes
		if err := s.notesOf(s.Read(ctx), some, out); err != nil {
			return nil, sqldb.Wrap("read notes", err)
		}
	}
	return out, nil
}

// notesOf adds what stands beside some runs to out.
func (s *RunTables) notesOf(tx *gorm.DB, runs []string, out map[string]experiments.Notes) error {
	var notes []NoteRow
	if err := tx.Where("run_id IN ?", runs).Find(&notes).Error; err != nil {
		return err
	}
	for _, r := range notes {
		out[r.RunID] = experiments.Notes{Note: r.Note}
	}
	var tags []TagRow
	if err := tx.Where("run_id IN ?", runs).Order(s.Bytewise("tag")).Find(&tags).Error; err != nil {
		return err
	}
	for _, r := range tags {
		n := out[r.RunID]
		n.Tags = append(n.Tags, r.Tag)
		out[r.RunID] = n
	}
	return nil
}

// ChangeNotes implements [experiments.NoteStore].
func (s *RunTables) ChangeNotes(ctx context.Context, run string, c experiments.NoteChange, by string, at time.Time) (before,
	after experiments.Notes, err error) {
	by = sqldb.CleanText(by)
	err = s.Write(ctx, "change what stands beside run "+run, func(tx *gorm.DB) error {
		if _, err := lockRun(tx, run, sqldb.ForUpdate); err != nil {
			return err
		}
		all := map[string]experiments.Notes{}
		if err := s.notesOf(tx, []string{run}, all); err != nil {
			return err
		}
		before = all[run]
		if err := changeNote(tx, run, c.Note, by, at); err != nil {
			return err
		}
		if len(c.Remove) > 0 {
			if err := dropBeside(tx, &TagRow{}, "run_id = ? AND tag IN ?", run, c.Remove); err != nil {
				return err
			}
		}
		for _, tag := range c.Add {
			row := TagRow{RunID: run, Tag: sqldb.CleanText(tag), MadeBy: by, Changed: at}
			if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
				return err
			}
		}
		clear(all)
		if err := s.notesOf(tx, []string{run}, all); err != nil {
			return err
		}
		if after = all[run]; len(after.Tags) > experiments.MostTags {
			return problem.New(problem.Invalid, "many_tags", "run %s would have %d tags", run, len(after.Tags)).With("field", "tags").
				WithHint("a run has at most %d tags", experiments.MostTags)
		}
		return nil
	})
	return before, after, err
}

// changeNote writes the note of a run; nil leaves it as it is, and "" takes it away.
func changeNote(tx *gorm.DB, run string, note *string, by string, at time.Time) error {
	switch {
	case note == nil:
		return nil
	case *note == "":
		return dropBeside(tx, &NoteRow{}, "run_id = ?", run)
	}
	row := NoteRow{RunID: run, Note: sqldb.CleanText(*note), MadeBy: by, Changed: at}
	replace := clause.OnConflict{Columns: []clause.Column{{Name: "run_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"note", "made_by", "changed_at"})}
	return tx.Clauses(replace).Create(&row).Error
}

// dropBeside takes notes or tags away with their seals.
func dropBeside(tx *gorm.DB, row any, which string, args ...any) error {
	return seals.Change(tx, row, func(tx *gorm.DB) error { return tx.Where(which, args...).Delete(row).Error }, which, args...)
}

// RunTags implements [experiments.NoteStore].
func (s *RunTables) RunTags(ctx context.Context) ([]experiments.TagCount, error) {
	out := []experiments.TagCount{}
	err := s.Read(ctx).Model(&TagRow{}).Select("tag, COUNT(*) AS runs").Group("tag").Order(s.Bytewise("tag")).Scan(&out).Error
	return out, sqldb.Wrap("list tags", err)
}

// RunViews implements [experiments.NoteStore].
func (s *RunTables) RunViews(ctx context.Context) ([]experiments.RunView, error) {
	var rows []ViewRow
	if err := s.Read(ctx).Where("removed_at IS NULL").Order(s.Bytewise("name")).Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list saved views", err)
	}
	out := make([]experiments.RunView, len(rows))
	for i, r := range rows {
		out[i] = fromViewRow(r)
	}
	return out, nil
}

// RunView implements [experiments.NoteStore].
func (s *RunTables) RunView(ctx context.Context, name string) (experiments.RunView, error) {
	var row ViewRow
	res := s.Read(ctx).Where("name = ? AND removed_at IS NULL", name).Limit(1).Find(&row)
	if res.Error != nil || res.RowsAffected == 0 {
		return experiments.RunView{}, viewProblem(name, res.Error)
	}
	return fromViewRow(row), nil
}

// PutRunView implements [experiments.NoteStore].
func (s *RunTables) PutRunView(ctx context.Context, v experiments.RunView) error {
	row := ViewRow{Name: sqldb.CleanText(v.Name), Query: sqldb.CleanText(v.Query), MadeBy: sqldb.CleanText(v.MadeBy), Saved: v.SavedAt}
	replace := clause.OnConflict{Columns: []clause.Column{{Name: "name"}},
		DoUpdates: clause.AssignmentColumns([]string{"query", "made_by", "saved_at", "removed_at"})}
	return s.Write(ctx, "save view "+row.Name, func(tx *gorm.DB) error { return tx.Clauses(replace).Create(&row).Error })
}

// RemoveRunView implements [experiments.NoteStore].
func (s *RunTables) RemoveRunView(ctx context.Context, name string, at time.Time) error {
	return s.markView(ctx, name, "removed_at IS NULL", &at)
}

// RestoreRunView implements [experiments.NoteStore].
func (s *RunTables) RestoreRunView(ctx context.Context, name string) (experiments.RunView, error) {
	if err := s.markView(ctx, name, "removed_at IS NOT NULL", nil); err != nil {
		return experiments.RunView{}, err
	}
	return s.RunView(ctx, name)
}

// markView sets when a view was removed, where it is as which says.
func (s *RunTables) markView(ctx context.Context, name, which string, removed *time.Time) error {
	return s.Write(ctx, "change view "+name, func(tx *gorm.DB) error {
		res := tx.Model(&ViewRow{}).Where("name = ? AND "+which, name).Update("removed_at", removed)
		if res.Error != nil || res.RowsAffected == 0 {
			return viewProblem(name, res.Error)
		}
		return nil
	})
}

// viewProblem is why a view was not found.
func viewProblem(name string, err error) error {
	if err != nil {
		return sqldb.Wrap("find view "+name, err)
	}
	return problem.New(problem.NotFound, "view_unknown", "there is no saved view %q", name).With("name", name).
		WithHint("`workbench runs views` shows what there is")
}
