package doctor

import (
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// repeats compares the columns of a row that repeat what its body says, or follow from it, with the body. It needs no seal: whoever changed
// one and sealed the row again changed the other too, or is found.
func (c *checking) repeats() error {
	for _, one := range []func() error{c.reviewBodies, c.agreementBodies, c.cardBodies, c.fireBodies} {
		if err := one(); err != nil {
			return err
		}
	}
	for _, row := range c.runs {
		run, err := records.FromRunRow(row)
		if err != nil {
			continue // told of elsewhere
		}
		if run.Setup.Analysis != nil && run.Setup.Analysis.Of != row.ParentID {
			c.add("body", "run "+row.ID, "it looks into run %q, but belongs to run %q", run.Setup.Analysis.Of, row.ParentID)
		}
		if odd := run.OddParams(); len(odd) > 0 {
			c.add("body", "run "+row.ID, "it is shown with %s, but its setup has another value", experiments.Describe(odd))
		}
	}
	return nil
}

// otherBody says of a row that its body is not the one it was stored with.
func (c *checking) otherBody(subject string) {
	c.add("body", subject, "what it says is not what its other columns were stored with")
}

func (c *checking) reviewBodies() error {
	var rows []records.ReviewRow
	if err := c.tx.Order("run_id, question_id").Order("reviewer, revision").Find(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		said, err := sqldb.DecodeJSON[experiments.Review]("review", r.Body)
		if err != nil || library.DigestOf(r.Body) != r.Digest || said.RunID != r.RunID || said.QuestionID != r.QuestionID ||
			said.Reviewer != r.Reviewer {
			c.otherBody("review " + r.RunID + "/" + r.QuestionID + "/" + r.Reviewer)
		}
	}
	return nil
}

func (c *checking) agreementBodies() error {
	var rows []library.AgreementRow
	if err := c.tx.Order("dataset, version").Find(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		said, err := sqldb.DecodeJSON[experiments.Agreement]("agreement", r.Body)
		if err != nil || library.DigestOf(r.Body) != r.Digest || said.Dataset != r.Dataset {
			c.otherBody("agreement " + r.Dataset)
		}
	}
	return nil
}

func (c *checking) cardBodies() error {
	var rows []library.JudgeCardRow
	if err := c.tx.Order("judge, prompt_version").Order("measured_at").Find(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		said, err := sqldb.DecodeJSON[validation.JudgeCard]("judge card", r.Body)
		if err != nil || string(said.Status) != r.Status || sqldb.CleanText(said.Judge) != r.Judge ||
			said.PromptVersion != r.PromptVersion || !said.MeasuredAt.Truncate(time.Microsecond).Equal(r.MeasuredAt) {
			c.otherBody("judge " + r.Judge)
		}
	}
	return nil
}

// fireBodies compares the columns of fires with what they say, and their ids with the slots that these follow from: runs name the id.
func (c *checking) fireBodies() error {
	rows, err := c.tx.Raw("SELECT id, schedule, nominal_at, state, run_id, body FROM fires ORDER BY nominal_at, id").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, schedule, state, run, body string
		var nominal time.Time
		if err := rows.Scan(&id, &schedule, &nominal, &state, &run, &body); err != nil {
			return err
		}
		said, err := sqldb.DecodeJSON[experiments.Fire]("fire "+id, body)
		if err != nil {
			continue // V8 tells
		}
		if said.ID != id || sqldb.CleanText(said.Schedule) != schedule || !sqldb.StoredTime(said.NominalAt).Equal(nominal) ||
			string(said.State) != state || said.RunID != run {
			c.otherBody("fire " + id)
		}
		if timetable.FireID(said.Schedule, said.NominalAt) != said.ID {
			c.add("body", "fire "+id, "its id is not that of slot %s of schedule %s", said.NominalAt.UTC().Format(time.RFC3339), schedule)
		}
	}
	return rows.Err()
}
