package records

import (
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

const sealCallRow = `SELECT id, run_id, sweep_id, question_id, stage, purpose, provider, origin, model, cache_key, replicate, attempt, state, sent_at, done_at,
	http_status, estimate_micros, cost_micros, cost_kind, prompt_tokens, completion_tokens, model_seen, request, reply, reply_sha256, cause, pruned
	FROM calls WHERE id = ?`

// sealCall seals a call that has just been settled, by statements written by hand: it happens once for each call.
func sealCall(tx sqldb.Statements, id string) error {
	var c CallRow
	found, err := tx.Row([]any{
		&c.ID, &c.RunID, &c.SweepID, &c.QuestionID, &c.Stage, &c.Purpose, &c.Provider, &c.Origin, &c.Model, &c.Key, &c.Replicate,
		&c.Attempt, &c.State, &c.SentAt,
		&c.DoneAt, &c.HTTPStatus, &c.EstimateMicros, &c.CostMicros, &c.CostKind, &c.PromptTokens, &c.CompletionTokens, &c.ModelSeen,
		&c.Request, &c.Reply,
		&c.ReplySHA256, &c.Cause, &c.Pruned,
	}, sealCallRow, id)
	if err != nil || !found {
		return err
	}
	if !callRule.Settled(c.State) { // a reply that came late
		_, err := tx.Exec("DELETE FROM seals WHERE kind = 'calls' AND key = ?", id)
		return err
	}
	value, err := seals.ColumnsOf(&c)
	if err != nil {
		return err
	}
	key, digest := callRule.Seal(integrity.NewHasher(), value)
	_,
		err = tx.Exec("INSERT INTO seals (kind, key, digest) VALUES ('calls', ?, ?) ON CONFLICT (kind, key) DO UPDATE SET digest = excluded.digest", key, digest[:])
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
