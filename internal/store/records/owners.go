package records

import (
	"context"
	"database/sql"
	"errors"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// One call with a key is under way at a time: an index sees to it that two rows in state 'sent' never have the same key. A row keeps its
// key until its reply is read, and its beat grows while its owner is alive. Rows from before there were beats have beat 0 and hold nothing.

// underWay finds who holds a key.
const underWay = `SELECT id, owner, beat FROM calls WHERE cache_key = ? AND beat > 0 AND (state = 'sent' OR state = 'banked' AND owner <> '')
	AND id <> ? ORDER BY id LIMIT 1`

// claimed asks in one query what [free] then looks at one by one: whether somebody else holds a key, or has its reply.
const claimed = `SELECT EXISTS (SELECT 1 FROM cache WHERE key = ?)
	OR EXISTS (SELECT 1 FROM calls WHERE cache_key = ? AND state IN ('sent', 'banked') AND id <> ?)`

// free returns nil when a call that is being booked may be sent: its row is in, and no equal one was answered meanwhile.
func free(tx sqldb.Statements, c llm.Call, in bool) error {
	if c.Key == "" {
		return nil
	}
	if in { // almost every call is the first of its key
		var taken bool
		if _, err := tx.Row([]any{&taken}, claimed, string(c.Key), string(c.Key), c.ID); err != nil || !taken {
			return err
		}
	}
	var h llm.Held
	held, err := tx.Row([]any{&h.CallID, &h.Owner, &h.Beat}, underWay, string(c.Key), c.ID)
	switch {
	case err != nil:
		return err
	case held:
		return &h
	case !in:
		var known string
		if known, err := tx.Row([]any{&known}, "SELECT id FROM calls WHERE id = ?", c.ID); err != nil || !known {
			return errors.Join(err, &llm.Held{}) // whose it was has just ended
		}
		return problem.New(problem.Conflict, "call_known", "call %s was booked before", c.ID).With("call", c.ID)
	}
	var answered sql.NullString
	_, err = tx.Row([]any{&answered}, lookUpCall, string(c.Key), string(c.Key))
	if err == nil && answered.Valid && answered.String != c.Despite {
		return &llm.Held{}
	}
	return err
}

// UnderWay implements [llm.Owners].
func (s *LedgerTables) UnderWay(ctx context.Context, key llm.Key) (*llm.Held, error) {
	var h llm.Held
	found, err := s.First(ctx, []any{&h.CallID, &h.Owner, &h.Beat}, underWay, string(key), "")
	if err != nil || !found {
		return nil, sqldb.Wrap("look for a call under way", err)
	}
	return &h, nil
}

// Beat implements [llm.Owners].
func (s *LedgerTables) Beat(ctx context.Context, owner string) error {
	return s.WriteSQL(ctx, "keep the calls of "+owner, func(tx sqldb.Statements) error {
		_, err := tx.Exec("UPDATE calls SET beat = beat + 1 WHERE owner = ? AND state = 'sent' AND beat > 0", owner)
		return err
	})
}

// Overtake implements [llm.Owners].
func (s *LedgerTables) Overtake(ctx context.Context, h llm.Held) error {
	return s.WriteSQL(ctx, "take call "+h.CallID+" for lost", func(tx sqldb.Statements) error {
		before, err := openCall(tx, h.CallID, func(llm.CallState) bool { return true })
		if err != nil {
			return err
		}
		if before.state == string(llm.CallBanked) { // it was paid: whoever comes next reads the reply
			_, err := tx.Exec("UPDATE calls SET owner = '' WHERE id = ? AND state = 'banked' AND owner = ? AND beat = ?", h.CallID,
				h.Owner, h.Beat)
			return err
		}
		n, err := tx.Exec("UPDATE calls SET state = 'unknown' WHERE id = ? AND state = 'sent' AND owner = ? AND beat = ?", h.CallID,
			h.Owner, h.Beat)
		if err != nil || n == 0 {
			return err
		}
		now := before
		now.state = string(llm.CallUnknown)
		if err := sealCall(tx, h.CallID); err != nil {
			return err
		}
		return adjustGuard(tx, before, now)
	})
}

var _ llm.Owners = (*LedgerTables)(nil)
