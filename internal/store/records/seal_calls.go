package records

import (
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// sealedColumns are what the seal of a call covers, and what else its end depends on; [CallRow.sealed] takes them in this order.
const sealedColumns = `id, run_id, sweep_id, question_id, stage, purpose, provider, origin, model, cache_key, replicate, attempt, state, sent_at,
	done_at, http_status, estimate_micros, cost_micros, cost_kind, prompt_tokens, completion_tokens, model_seen, request, reply, reply_sha256,
	cause, pruned`

func (r *CallRow) sealed() []any {
	return []any{
		&r.ID, &r.RunID, &r.SweepID, &r.QuestionID, &r.Stage, &r.Purpose, &r.Provider, &r.Origin, &r.Model, &r.Key,
		&r.Replicate, &r.Attempt, &r.State, &r.SentAt, &r.DoneAt, &r.HTTPStatus, &r.EstimateMicros, &r.CostMicros,
		&r.CostKind, &r.PromptTokens, &r.CompletionTokens, &r.ModelSeen, &r.Request, &r.Reply, &r.ReplySHA256, &r.Cause,
		&r.Pruned,
	}
}

// sealCall seals a call that was changed by a statement written by hand.
func sealCall(tx sqldb.Statements, id string) error {
	var c CallRow
	found, err := tx.Row(c.sealed(), "SELECT "+sealedColumns+" FROM calls WHERE id = ?", id)
	if err != nil || !found {
		return err
	}
	return c.seal(tx)
}

// seal seals a call as it stands in the row, by statements written by hand: it happens once for each call.
func (r *CallRow) seal(tx sqldb.Statements) error {
	if !callRule.Settled(r.State) { // a reply that came late
		_, err := tx.Exec("DELETE FROM seals WHERE kind = 'calls' AND key = ?", r.ID)
		return err
	}
	digest, err := r.digest()
	if err != nil {
		return err
	}
	return putSeal(tx, sealOf(r.ID, digest))
}

// sealOf is the seal of a call.
func sealOf(id string, d integrity.Digest) seals.Row {
	return seals.Row{Kind: callRule.Kind, Key: id, Digest: d[:]}
}

// digest is what the seal of the row holds.
func (r *CallRow) digest() (d integrity.Digest, err error) {
	value, err := seals.ColumnsOf(r)
	if err == nil {
		_, d = callRule.Seal(integrity.NewHasher(), value)
	}
	return d, err
}

// putSeal writes a seal of a kind that nobody counts.
func putSeal(tx sqldb.Statements, s seals.Row) error {
	var mark []byte
	if m := tx.Marker(); m != nil {
		mark = m.Mark(s.Kind, s.Key, s.Digest)
	}
	_, err := tx.Exec(`INSERT INTO seals (kind, key, digest, mark) VALUES (?, ?, ?, ?)
		ON CONFLICT (kind, key) DO UPDATE SET digest = excluded.digest, mark = excluded.mark`, s.Kind, s.Key, s.Digest, mark)
	return err
}

var callRule = integrity.Of("calls")[0]

// sealCalls seals calls again whose rows were changed together.
func sealCalls(tx *gorm.DB, ids []string) error {
	for chunk := range slices.Chunk(ids, sqldb.BatchRows) {
		var rows []CallRow
		if err := tx.Where("id IN ?", chunk).Find(&rows).Error; err != nil {
			return err
		}
		if err := seals.Write(tx, "calls", &rows); err != nil {
			return err
		}
	}
	return nil
}
