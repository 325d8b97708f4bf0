package records

import (
	"context"
	"database/sql"
	"time"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// CallRow is one attempt at a model, as it is stored.
type CallRow struct {
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
	SweepID          string     `gorm:"column:sweep_id"` // of the run, which may be deleted
	Pruned           bool       `gorm:"column:pruned"`   // request and reply were dropped
	Beat             int64      `gorm:"column:beat"`     // grows while the owner is alive; 0 holds nothing
	Repair           string     `gorm:"column:repair"`
	CachedTokens     int        `gorm:"column:cached_tokens"`
}

// TableName tells gorm where the rows are.
func (CallRow) TableName() string { return "calls" }

func fromCallRow(r CallRow) llm.Call {
	return llm.Call{
		ID: r.ID, RunID: r.RunID, QuestionID: r.QuestionID, Stage: r.Stage, Purpose: r.Purpose, Provider: r.Provider, Origin: r.Origin,
		Model: r.Model, Key: llm.Key(r.Key), Replicate: r.Replicate, Attempt: r.Attempt, State: llm.CallState(r.State), Owner: r.Owner,
		SentAt: r.SentAt.UTC(), DoneAt: sqldb.UTC(r.DoneAt), HTTPStatus: r.HTTPStatus, EstimateMicros: r.EstimateMicros,
		CostMicros: r.CostMicros,
		CostKind:   r.CostKind, PromptTokens: r.PromptTokens, CompletionTokens: r.CompletionTokens, ModelSeen: r.ModelSeen,
		Request: filled(r.Request), Reply: filled(r.Reply), ReplySHA256: r.ReplySHA256, Cause: r.Cause,
		Repair: r.Repair, CachedTokens: r.CachedTokens,
	}
}

// filled is nil for no bytes: the databases differ in whether empty bytes come back as nil.
func filled(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// CacheRow names the usable call of a key.
type CacheRow struct {
	Key     string    `gorm:"column:key;primaryKey"`
	CallID  string    `gorm:"column:call_id"`
	Created time.Time `gorm:"column:created_at"`
	Pinned  bool      `gorm:"column:pinned"` // kept when the cache is trimmed
}

// TableName tells gorm where the rows are.
func (CacheRow) TableName() string { return "cache" }

// lookUpCall finds the call that the cache serves or, without one, a reply that was paid by a process that died before it could
// parse it.
const lookUpCall = `SELECT COALESCE((SELECT call_id FROM cache WHERE key = ?),
	(SELECT MIN(id) FROM calls WHERE cache_key = ? AND state = 'banked' AND owner = ''))`

// Lookup implements [llm.Ledger].
func (s *LedgerTables) Lookup(ctx context.Context, key llm.Key) (*llm.Call, error) {
	var id sql.NullString
	if _, err := s.First(ctx, []any{&id}, lookUpCall, string(key), string(key)); err != nil || !id.Valid {
		return nil, sqldb.Wrap("look up a call", err)
	}
	c, err := s.Call(ctx, id.String)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// The statements of the ledger are written by hand, because a run spends most of its own time in them.
const (
	insertCall = `INSERT INTO calls (id, run_id, sweep_id, question_id, stage, purpose, provider, origin, model, cache_key, replicate, attempt,
		state, owner, sent_at, http_status, estimate_micros, cost_micros, cost_kind, prompt_tokens, completion_tokens, model_seen, request,
		reply_sha256, cause, beat)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sent', ?, ?, 0, ?, 0, ?, 0, 0, '', ?, '', '', 1) ON CONFLICT DO NOTHING`

	bankCall = `UPDATE calls SET state = 'banked', http_status = ?, reply = ?, reply_sha256 = ?, done_at = ? WHERE id = ?`

	settleCall = `UPDATE calls SET state = ?, cause = ?, cost_micros = ?, cost_kind = ?, prompt_tokens = ?, completion_tokens = ?, model_seen = ?,
		repair = ?, cached_tokens = ? WHERE id = ?`

	settleBanked = settleCall + ` AND state = 'banked' AND reply_sha256 = ?`

	cacheCall = `INSERT INTO cache (key, call_id, created_at, pinned) SELECT cache_key, id, done_at, FALSE FROM calls WHERE id = ?
		ON CONFLICT (key) DO NOTHING`
)

// Begin implements [llm.Ledger]. A call without a run is not checked against any budget. Besides "budget_spent" it refuses
// with "price_unknown" when the budget is one of money and the call's CostKind is neither "estimated" nor "reported", and
// with "run_cancelled" when somebody cancelled the run or its sweep.
func (s *LedgerTables) Begin(ctx context.Context, c llm.Call) error {
	if c.ID == "" || c.EstimateMicros < 0 {
		return problem.New(problem.Internal, "call_incomplete", "a call needs an id and an estimate of 0 or more")
	}
	r := begun(c)
	err := s.WriteSQL(ctx, "book call "+c.ID, func(tx sqldb.Statements) (err error) {
		if c.RunID != "" {
			if r.SweepID, err = reserve(tx, c); err != nil {
				return err
			}
		}
		n, err := tx.Exec(insertCall, r.ID, r.RunID, r.SweepID, r.QuestionID, r.Stage, r.Purpose, r.Provider, r.Origin, r.Model, r.Key,
			r.Replicate, r.Attempt, r.Owner, r.SentAt, r.EstimateMicros, r.CostKind, r.Request)
		if err != nil {
			return err
		}
		err = free(tx, c, n == 1)
		if m := tx.Marker(); err == nil && n == 1 && c.RunID == "" && m != nil {
			return m.CountBy(tx, seals.Alone, 1)
		}
		return err
	})
	if err == nil {
		s.open.keep(r)
	}
	return err
}

// settled names the states that a call does not leave.
var settled = map[llm.CallState]bool{llm.CallUsable: true, llm.CallUnusable: true, llm.CallFailed: true}

// openCall returns what a change of a call depends on, and keeps others from changing it.
func openCall(tx sqldb.Statements, id string, allowed func(llm.CallState) bool) (guarded, error) {
	var c guarded
	found, err := tx.Row([]any{&c.run, &c.sweep, &c.state, &c.costKind, &c.estimate, &c.cost},
		"SELECT run_id, sweep_id, state, cost_kind, estimate_micros, cost_micros FROM calls WHERE id = ?"+tx.Locking(), id)
	switch {
	case err != nil:
		return c, err
	case !found:
		return c, sqldb.Unknown("call", id)
	case !allowed(llm.CallState(c.state)):
		return c, problem.New(problem.Conflict, "call_state", "call %s is %s already", id, c.state).With("call", id).With("state", c.state)
	}
	return c, nil
}

// Bank implements [llm.Ledger]. Conflict when a reply was stored before. A call whose owner was taken for dead is still
// open: a late reply is always worth keeping.
func (s *LedgerTables) Bank(ctx context.Context, id string, raw llm.Raw) error {
	r, known := s.open.take(id)
	r.bank(raw)
	reply := []any{r.HTTPStatus, r.Reply, r.ReplySHA256, r.DoneAt, id}
	open := func(state llm.CallState) bool { return state == llm.CallSent || state == llm.CallUnknown }
	err := s.WriteSQL(ctx, "bank call "+id, func(tx sqldb.Statements) error {
		// Almost every call comes this way, and its guard stays as it is.
		if n, err := tx.Exec(bankCall+" AND state = 'sent'", reply...); err != nil || n == 1 {
			return err
		}
		before, err := openCall(tx, id, open)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(bankCall, reply...); err != nil {
			return err
		}
		now := before
		now.state = string(llm.CallBanked)
		if err := sealCall(tx, id); err != nil {
			return err
		}
		return adjustGuard(tx, before, now)
	})
	if err == nil && known {
		s.open.keep(r)
	}
	return err
}

// Settle implements [llm.Ledger]. Only a call with a banked reply can become usable; Conflict when it is closed already.
// It also takes [llm.CallUnknown], for a call that may have been billed although no whole reply arrived: its estimate is
// possibly spent then, and the outcome's cost is not looked at.
func (s *LedgerTables) Settle(ctx context.Context, id string, o llm.Outcome) error {
	if !settled[o.State] && o.State != llm.CallUnknown {
		return problem.New(problem.Internal, "call_outcome", "a call cannot end as %q", o.State).With("state", o.State)
	}
	if o.State == llm.CallUnknown {
		o.CostMicros = 0
	}
	open := func(state llm.CallState) bool {
		return state == llm.CallBanked || o.State != llm.CallUsable && !settled[state]
	}
	r, _ := s.open.take(id)
	r.settle(o)
	seal, err := r.digest() // before the turn of this call, so that nobody waits for it
	if err != nil {
		return err
	}
	outcome := []any{r.State, r.Cause, r.CostMicros, r.CostKind, r.PromptTokens, r.CompletionTokens, r.ModelSeen, r.Repair,
		r.CachedTokens, id}
	return s.WriteSQL(ctx, "settle call "+id, func(tx sqldb.Statements) error {
		before, mine, err := settleMine(tx, r, outcome, seal)
		if err == nil && !mine {
			before, err = settleOpen(tx, id, open, outcome)
		}
		if err != nil {
			return err
		}
		now := before
		now.state, now.cost, now.costKind = r.State, r.CostMicros, r.CostKind
		if err := adjustGuard(tx, before, now); err != nil || o.State != llm.CallUsable {
			return err
		}
		_, err = tx.Exec(cacheCall, id)
		return err
	})
}

// settleMine settles a call that this process has banked, as almost every call is, and returns what it was before. It leaves one that is
// not any more as it was banked then.
func settleMine(tx sqldb.Statements, r CallRow, outcome []any, seal integrity.Digest) (before guarded, mine bool, err error) {
	if r.ReplySHA256 == "" {
		return before, false, nil
	}
	n, err := tx.Exec(settleBanked, append(outcome, r.ReplySHA256)...)
	if err != nil || n == 0 {
		return before, false, err
	}
	before = guarded{run: r.RunID, sweep: r.SweepID, state: string(llm.CallBanked), estimate: r.EstimateMicros}
	return before, true, putSeal(tx, sealOf(r.ID, seal))
}

// settleOpen settles any other call and returns what it was before.
func settleOpen(tx sqldb.Statements, id string, open func(llm.CallState) bool, outcome []any) (before guarded, err error) {
	if before, err = openCall(tx, id, open); err != nil {
		return before, err
	}
	if _, err = tx.Exec(settleCall, outcome...); err != nil {
		return before, err
	}
	return before, sealCall(tx, id)
}

// Interrupted implements [llm.InterruptedCalls]. A call that a living process has in flight counts too.
func (s *LedgerTables) Interrupted(ctx context.Context, key llm.Key) (*llm.Call, error) {
	var row CallRow
	res := s.Read(ctx).Where("cache_key = ? AND state IN ?", string(key), []llm.CallState{llm.CallSent, llm.CallUnknown}).
		Order("sent_at DESC, id DESC").Limit(1).Find(&row)
	if res.Error != nil || res.RowsAffected == 0 {
		return nil, sqldb.Wrap("look for an interrupted call", res.Error)
	}
	c := fromCallRow(row)
	return &c, nil
}

// LedgerTables are calls, their bill, the budgets that they are counted against, and what was computed of their replies.
type LedgerTables struct {
	*sqldb.DB
	open openCalls
}
