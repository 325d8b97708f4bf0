package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

type callRow struct {
	ID               string     `gorm:"column:id;primaryKey"`
	RunID            string     `gorm:"column:run_id"`
	QuestionID       string     `gorm:"column:question_id"`
	Stage            string     `gorm:"column:stage"`
	Purpose          string     `gorm:"column:purpose"`
	Provider         string     `gorm:"column:provider"`
	Origin           string     `gorm:"column:origin"`
	Model            string     `gorm:"column:model"`
	Key              string     `gorm:"column:cache_key"`
	Replicate        int        `gorm:"column:replicate"`
	Attempt          int        `gorm:"column:attempt"`
	State            string     `gorm:"column:state"`
	Owner            string     `gorm:"column:owner"`
	SentAt           time.Time  `gorm:"column:sent_at"`
	DoneAt           *time.Time `gorm:"column:done_at"`
	HTTPStatus       int        `gorm:"column:http_status"`
	EstimateMicros   int64      `gorm:"column:estimate_micros"`
	CostMicros       int64      `gorm:"column:cost_micros"`
	CostKind         string     `gorm:"column:cost_kind"`
	PromptTokens     int        `gorm:"column:prompt_tokens"`
	CompletionTokens int        `gorm:"column:completion_tokens"`
	ModelSeen        string     `gorm:"column:model_seen"`
	Request          []byte     `gorm:"column:request"`
	Reply            []byte     `gorm:"column:reply"`
	ReplySHA256      string     `gorm:"column:reply_sha256"`
	Cause            string     `gorm:"column:cause"`
}

func (callRow) TableName() string { return "calls" }

func toCallRow(c llm.Call) callRow {
	return callRow{
		ID: c.ID, RunID: c.RunID, QuestionID: c.QuestionID, Stage: c.Stage, Purpose: c.Purpose, Provider: c.Provider, Origin: c.Origin,
		Model: c.Model, Key: string(c.Key), Replicate: c.Replicate, Attempt: c.Attempt, State: string(c.State), Owner: c.Owner, SentAt: c.SentAt,
		DoneAt: c.DoneAt, HTTPStatus: c.HTTPStatus, EstimateMicros: c.EstimateMicros, CostMicros: c.CostMicros, CostKind: c.CostKind,
		PromptTokens: c.PromptTokens, CompletionTokens: c.CompletionTokens, ModelSeen: c.ModelSeen, Request: c.Request, Reply: c.Reply,
		ReplySHA256: c.ReplySHA256, Cause: c.Cause,
	}
}

func fromCallRow(r callRow) llm.Call {
	return llm.Call{
		ID: r.ID, RunID: r.RunID, QuestionID: r.QuestionID, Stage: r.Stage, Purpose: r.Purpose, Provider: r.Provider, Origin: r.Origin,
		Model: r.Model, Key: llm.Key(r.Key), Replicate: r.Replicate, Attempt: r.Attempt, State: llm.CallState(r.State), Owner: r.Owner,
		SentAt: r.SentAt.UTC(), DoneAt: utc(r.DoneAt), HTTPStatus: r.HTTPStatus, EstimateMicros: r.EstimateMicros, CostMicros: r.CostMicros,
		CostKind: r.CostKind, PromptTokens: r.PromptTokens, CompletionTokens: r.CompletionTokens, ModelSeen: r.ModelSeen,
		Request: filled(r.Request), Reply: filled(r.Reply), ReplySHA256: r.ReplySHA256, Cause: r.Cause,
	}
}

// filled is nil for no bytes: the databases differ in whether empty bytes come back as nil.
func filled(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

type cacheRow struct {
	Key     string    `gorm:"column:key;primaryKey"`
	CallID  string    `gorm:"column:call_id"`
	Created time.Time `gorm:"column:created_at"`
	Pinned  bool      `gorm:"column:pinned"` // kept when the cache is trimmed
}

func (cacheRow) TableName() string { return "cache" }

// Lookup implements [llm.Ledger].
func (s *Store) Lookup(ctx context.Context, key llm.Key) (*llm.Call, error) {
	var row callRow
	res := s.read(ctx).Raw("SELECT calls.* FROM cache JOIN calls ON calls.id = cache.call_id WHERE cache.key = ?", string(key)).Scan(&row)
	if res.Error != nil {
		return nil, wrap("look up a call", res.Error)
	}
	if res.RowsAffected == 0 { // perhaps it was paid by a process that died before it could parse the reply
		res = s.read(ctx).Raw("SELECT * FROM calls WHERE cache_key = ? AND state = ? AND owner = '' ORDER BY id LIMIT 1", string(key), llm.CallBanked).Scan(&row)
		if res.Error != nil || res.RowsAffected == 0 {
			return nil, wrap("look up a banked call", res.Error)
		}
	}
	c := fromCallRow(row)
	return &c, nil
}

// Begin implements [llm.Ledger]. A call without a run is not checked against any budget. Besides "budget_spent" it refuses
// with "run_cancelled" when somebody cancelled the run.
func (s *Store) Begin(ctx context.Context, c llm.Call) error {
	if c.ID == "" || c.EstimateMicros < 0 {
		return problem.New(problem.Internal, "call_incomplete", "a call needs an id and an estimate of 0 or more")
	}
	c.State = llm.CallSent
	row := toCallRow(c)
	return s.write(ctx, "book call "+c.ID, func(tx *gorm.DB) error {
		if c.RunID != "" {
			if err := reserve(tx, c.RunID, c.EstimateMicros); err != nil {
				return err
			}
		}
		err := tx.Create(&row).Error
		if duplicate(err) {
			return problem.New(problem.Conflict, "call_known", "call %s was booked before", c.ID).With("call", c.ID).Because(err)
		}
		return err
	})
}

// settled names the states that a call does not leave.
var settled = map[llm.CallState]bool{llm.CallUsable: true, llm.CallUnusable: true, llm.CallFailed: true}

// change updates an open call and its run's guard. A call whose owner was taken for dead is still open: a late reply is
// always worth keeping.
func (s *Store) change(ctx context.Context, id, doing string, allowed func(callRow) bool, set map[string]any, after func(*gorm.DB, callRow) error) error {
	return s.write(ctx, doing+" call "+id, func(tx *gorm.DB) error {
		var before, now callRow
		columns := []string{"id", "run_id", "cache_key", "state", "done_at", "estimate_micros", "cost_micros", "cost_kind"}
		res := tx.Clauses(forUpdate).Select(columns).Where("id = ?", id).Limit(1).Find(&before)
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return unknown("call", id)
		}
		if !allowed(before) {
			return problem.New(problem.Conflict, "call_state", "call %s is %s already", id, before.State).With("call", id).With("state", before.State)
		}
		if err := tx.Model(&callRow{}).Where("id = ?", id).Updates(set).Error; err != nil {
			return err
		}
		if err := tx.Select(columns).Where("id = ?", id).Take(&now).Error; err != nil {
			return err
		}
		if err := adjustGuard(tx, before, now); err != nil || after == nil {
			return err
		}
		return after(tx, now)
	})
}

// Bank implements [llm.Ledger]. Conflict when a reply was stored before.
func (s *Store) Bank(ctx context.Context, id string, raw llm.Raw) error {
	sum := sha256.Sum256(raw.Body)
	open := func(c callRow) bool {
		return c.State == string(llm.CallSent) || c.State == string(llm.CallUnknown)
	}
	return s.change(ctx, id, "bank", open, map[string]any{
		"state": llm.CallBanked, "http_status": raw.Status, "reply": body(raw.Body), "reply_sha256": hex.EncodeToString(sum[:]), "done_at": raw.At,
	}, nil)
}

// Settle implements [llm.Ledger]. Only a call with a banked reply can become usable; Conflict when it is closed already.
// It also takes [llm.CallUnknown], for a call that may have been answered although no reply arrived.
func (s *Store) Settle(ctx context.Context, id string, o llm.Outcome) error {
	if !settled[o.State] && o.State != llm.CallUnknown {
		return problem.New(problem.Internal, "call_outcome", "a call cannot end as %q", o.State).With("state", o.State)
	}
	open := func(c callRow) bool {
		return c.State == string(llm.CallBanked) || o.State != llm.CallUsable && !settled[llm.CallState(c.State)]
	}
	return s.change(ctx, id, "settle", open, map[string]any{
		"state": o.State, "cause": o.Cause, "cost_micros": o.CostMicros, "cost_kind": o.CostKind,
		"prompt_tokens": o.PromptTokens, "completion_tokens": o.CompletionTokens, "model_seen": o.ModelSeen,
	}, func(tx *gorm.DB, c callRow) error {
		if o.State != llm.CallUsable {
			return nil
		}
		row := cacheRow{Key: c.Key, CallID: c.ID, Created: *c.DoneAt}
		return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
	})
}

// Spent implements [experiments.RunStore]. A reply that is banked but not settled counts as possible: its cost is not
// known yet. The bill of a deleted run can still be read.
func (s *Store) Spent(ctx context.Context, id string) (experiments.Spending, error) {
	var out experiments.Spending
	err := s.read(ctx).Raw(`SELECT count(*),
			CAST(COALESCE(SUM(cost_micros), 0) AS BIGINT),
			CAST(COALESCE(SUM(CASE WHEN state IN ('sent', 'banked', 'unknown') THEN estimate_micros ELSE 0 END), 0) AS BIGINT),
			CAST(COALESCE(SUM(CASE WHEN state IN ('usable', 'unusable') AND cost_kind = 'unknown' THEN 1 ELSE 0 END), 0) AS BIGINT)
		FROM calls WHERE run_id = ?`, id).Row().Scan(&out.Calls, &out.ConfirmedMicros, &out.PossibleMicros, &out.UnknownPrice)
	if err != nil || out.Calls > 0 {
		return out, wrap("sum the calls of run "+id, err)
	}
	_, err = findRun(s.read(ctx), id)
	return out, wrap("sum the calls of run "+id, err)
}
