package schedules

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

type noticeRow struct {
	ID       string    `gorm:"column:id;primaryKey"`
	Channel  string    `gorm:"column:channel"`
	Kind     string    `gorm:"column:kind"`
	Schedule string    `gorm:"column:schedule"`
	State    string    `gorm:"column:state"`
	Owner    string    `gorm:"column:owner"`
	NextAt   time.Time `gorm:"column:next_at"`
	Created  time.Time `gorm:"column:created_at"`
	Body     string    `gorm:"column:body"`
}

func (noticeRow) TableName() string { return "notices" }

type attemptRow struct {
	NoticeID string    `gorm:"column:notice_id;primaryKey"`
	Nth      int       `gorm:"column:nth;primaryKey;autoIncrement:false"`
	At       time.Time `gorm:"column:at"`
	Outcome  string    `gorm:"column:outcome"`
	TookMS   int64     `gorm:"column:took_ms"`
}

func (attemptRow) TableName() string { return "notice_attempts" }

// noticeBody is what of a message never changes and nothing is looked up by.
type noticeBody struct {
	About   string                     `json:"about"`
	Reasons []experiments.NoticeReason `json:"reasons"`
	Facts   experiments.NoticeFacts    `json:"facts"`
}

func toNoticeRow(n experiments.Notice) (noticeRow, error) {
	body, err := sqldb.EncodeJSON(noticeBody{About: n.About, Reasons: n.Reasons, Facts: n.Facts})
	return noticeRow{
		ID: n.ID, Channel: sqldb.CleanText(n.Channel), Kind: string(n.Kind), Schedule: sqldb.CleanText(n.Schedule), State: string(n.State),
		NextAt:  n.NextAt,
		Created: n.CreatedAt, Body: body,
	}, err
}

func fromNoticeRow(r noticeRow, attempts []attemptRow) (experiments.Notice, error) {
	body, err := sqldb.DecodeJSON[noticeBody]("message "+r.ID, r.Body)
	n := experiments.Notice{
		ID: r.ID, About: body.About, Channel: r.Channel, Kind: experiments.NoticeKind(r.Kind), Reasons: body.Reasons, Schedule: r.Schedule,
		Facts: body.Facts,
		State: experiments.NoticeState(r.State), NextAt: r.NextAt.UTC(), CreatedAt: r.Created.UTC(), Attempts: []experiments.Attempt{},
	}
	for _, a := range attempts {
		n.Attempts = append(n.Attempts, experiments.Attempt{At: a.At.UTC(), Outcome: a.Outcome, TookMS: a.TookMS})
	}
	return n, err
}

var _ experiments.NoticeStore = (*Tables)(nil)

// AddNotices implements [experiments.NoticeStore].
func (s *Tables) AddNotices(ctx context.Context, notices []experiments.Notice) (int, error) {
	if len(notices) == 0 {
		return 0, nil
	}
	rows := make([]noticeRow, len(notices))
	for i, n := range notices {
		var err error
		n.State = experiments.NoticeWaiting
		if rows[i], err = toNoticeRow(n); err != nil {
			return 0, err
		}
	}
	added := 0
	err := s.Write(ctx, "store messages", func(tx *gorm.DB) error {
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&rows)
		added = int(res.RowsAffected)
		return res.Error
	})
	return added, err
}

// HasNotices implements [experiments.NoticeStore].
func (s *Tables) HasNotices(ctx context.Context, ids []string) ([]string, error) {
	known := []string{}
	err := s.Read(ctx).Model(&noticeRow{}).Where("id IN ?", ids).Order("id").Pluck("id", &known).Error
	return known, sqldb.Wrap("look for messages", err)
}

// ClaimNotice implements [experiments.NoticeStore]. Of several workers that see the same message, the update lets one pass.
func (s *Tables) ClaimNotice(ctx context.Context, id, worker string, now, until time.Time) (experiments.Notice, bool, error) {
	var out experiments.Notice
	found := false
	err := s.Write(ctx, "claim a message", func(tx *gorm.DB) error {
		found = false
		open := []experiments.NoticeState{experiments.NoticeWaiting, experiments.NoticeSending}
		query := tx.Where("state IN ? AND next_at <= ?", open, now)
		if id != "" {
			query = query.Where("id = ?", id)
		}
		var row noticeRow
		res := query.Order("next_at, id").Limit(1).Find(&row)
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		res = tx.Model(&noticeRow{}).Where("id = ? AND state IN ? AND next_at <= ?", row.ID, open, now).
			Updates(map[string]any{"state": experiments.NoticeSending, "owner": worker, "next_at": until})
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		attempts, err := claimAttempt(tx, row.ID, now)
		if err != nil {
			return err
		}
		row.State, row.NextAt = string(experiments.NoticeSending), sqldb.StoredTime(until)
		out, err = fromNoticeRow(row, attempts)
		found = err == nil
		return err
	})
	return out, found, err
}

// claimAttempt adds an attempt, after one that was never settled has become interrupted.
func claimAttempt(tx *gorm.DB, id string, now time.Time) ([]attemptRow, error) {
	err := tx.Model(&attemptRow{}).Where("notice_id = ? AND outcome = ?", id, experiments.AttemptSending).
		Update("outcome", experiments.AttemptInterrupted).Error
	if err != nil {
		return nil, err
	}
	var attempts []attemptRow
	if err := tx.Where("notice_id = ?", id).Order("nth").Find(&attempts).Error; err != nil {
		return nil, err
	}
	next := attemptRow{NoticeID: id, Nth: len(attempts) + 1, At: sqldb.StoredTime(now), Outcome: experiments.AttemptSending}
	return append(attempts, next), tx.Create(&next).Error
}

// SettleNotice implements [experiments.NoticeStore].
func (s *Tables) SettleNotice(ctx context.Context, id, worker string, a experiments.Attempt, state experiments.NoticeState,
	next time.Time) error {
	return s.Write(ctx, "settle message "+id, func(tx *gorm.DB) error {
		res := tx.Model(&noticeRow{}).Where("id = ? AND state = ? AND owner = ?", id, experiments.NoticeSending, worker).
			Updates(map[string]any{"state": state, "next_at": next, "owner": ""})
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return problem.New(problem.Conflict, "notice_lost", "message %s has been taken over by another server", id).With("notice", id)
		}
		return tx.Model(&attemptRow{}).Where("notice_id = ? AND outcome = ?", id, experiments.AttemptSending).
			Updates(map[string]any{"outcome": a.Outcome, "took_ms": a.TookMS}).Error
	})
}

// noticeSorts are what messages can be sorted by.
var noticeSorts = map[string]sqldb.SortedBy{"created_at": {Expression: "created_at", Holds: sqldb.WholeTime},
	"channel": {Expression: "channel", Holds: sqldb.Text}, "state": {Expression: "state", Holds: sqldb.Text}}

// Notices implements [experiments.NoticeStore].
func (s *Tables) Notices(ctx context.Context, f experiments.NoticeFilter, p experiments.Part) ([]experiments.Notice, int, error) {
	matching := s.Read(ctx).Model(&noticeRow{})
	for column, value := range map[string]string{"channel": f.Channel, "schedule": f.Schedule, "state": string(f.State)} {
		if value != "" {
			matching = matching.Where(clause.Eq{Column: column, Value: value})
		}
	}
	matching = matching.Session(&gorm.Session{}) // shared by the two statements
	var total int64
	if err := matching.Count(&total).Error; err != nil {
		return nil, 0, sqldb.Wrap("count messages", err)
	}
	query, err := s.Keyset(matching, noticeSorts, "id", p)
	if err != nil {
		return nil, 0, err
	}
	var rows []noticeRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, 0, sqldb.Wrap("list messages", err)
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	attempts, err := s.attemptsOf(ctx, ids)
	if err != nil {
		return nil, 0, err
	}
	out := make([]experiments.Notice, len(rows))
	for i, r := range rows {
		if out[i], err = fromNoticeRow(r, attempts[r.ID]); err != nil {
			return nil, 0, err
		}
	}
	return out, int(total), nil
}

// attemptsPerQuery bounds the ids in one query: databases take only so many arguments.
const attemptsPerQuery = 500

func (s *Tables) attemptsOf(ctx context.Context, ids []string) (map[string][]attemptRow, error) {
	out := map[string][]attemptRow{}
	for from := 0; from < len(ids); from += attemptsPerQuery {
		var rows []attemptRow
		some := ids[from:min(len(ids), from+attemptsPerQuery)]
		if err := s.Read(ctx).Where("notice_id IN ?", some).Order("notice_id, nth").Find(&rows).Error; err != nil {
			return nil, sqldb.Wrap("list attempts", err)
		}
		for _, r := range rows {
			out[r.NoticeID] = append(out[r.NoticeID], r)
		}
	}
	return out, nil
}

// NextNotice implements [experiments.NoticeStore].
func (s *Tables) NextNotice(ctx context.Context) (time.Time, bool, error) {
	var row noticeRow
	open := []experiments.NoticeState{experiments.NoticeWaiting, experiments.NoticeSending}
	res := s.Read(ctx).Where("state IN ?", open).Order("next_at").Limit(1).Find(&row)
	return row.NextAt.UTC(), res.RowsAffected > 0, sqldb.Wrap("look for the next message", res.Error)
}
