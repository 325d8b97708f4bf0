package doctor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// callStates finds calls whose row does not fit their state, and replies that are not the ones that were banked.
func (c *checking) callStates() error {
	for _, q := range []struct{ message, where string }{
		{"its state is %q, which the ledger does not know", "state NOT IN ('sent', 'banked', 'usable', 'unusable', 'failed', 'unknown')"},
		{"it is %s, but no reply was banked", "state IN ('banked', 'usable') AND (done_at IS NULL OR reply_sha256 = '')"},
		{"it is %s, but has a cost already", "state IN ('sent', 'banked', 'unknown') AND cost_micros <> 0"},
		{"it is %s with a negative amount", "(cost_micros < 0 OR estimate_micros < 0)"},
	} {
		if err := c.addEach("V1", "call", q.message, "SELECT id, state FROM calls WHERE "+q.where+" ORDER BY id"); err != nil {
			return err
		}
	}
	return c.replies()
}

// replies compares every stored reply with its digest.
func (c *checking) replies() error {
	rows, err := c.tx.Raw("SELECT id, reply, reply_sha256 FROM calls WHERE reply_sha256 <> '' AND NOT pruned ORDER BY id").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, digest string
		var reply []byte
		if err := rows.Scan(&id, &reply, &digest); err != nil {
			return err
		}
		if sum := sha256.Sum256(reply); hex.EncodeToString(sum[:]) != digest {
			c.add("V1", "call "+id, "its stored reply is not the one that was banked")
		}
	}
	return rows.Err()
}

// scoredCells follows every scored cell to its stage outputs and their calls, run by run, and every answer to its stages.
func (c *checking) scoredCells() error {
	for _, run := range c.runs {
		used, err := c.evidence(run.ID)
		if err != nil {
			return err
		}
		keys := map[string]bool{}
		for _, e := range used {
			for _, key := range e.stages {
				keys[key] = true
			}
		}
		wrong, err := c.wrongStages(slices.Sorted(maps.Keys(keys)))
		if err != nil {
			return err
		}
		for _, e := range used {
			for _, key := range e.stages {
				if why := wrong[key]; why != "" {
					c.add("V2", e.subject, "%s", why)
				}
			}
		}
	}
	return nil
}

// evidence is a scored cell or an answer with the stage outputs it names.
type evidence struct {
	subject string
	stages  []string
}

// evidence reads what a run's scored cells and answers name.
func (c *checking) evidence(run string) ([]evidence, error) {
	var out []evidence
	rows, err := c.tx.Raw(`SELECT 'cell ' || run_id || '/' || question_id || '/' || metric, stages, '' FROM cells
			WHERE run_id = ? AND state = 'scored' AND stages <> 'null'
		UNION ALL SELECT 'answer ' || run_id || '/' || question_id, retrieval_key, generation_key FROM answers WHERE run_id = ? AND state = ?
		ORDER BY 1`, run, run, records.Answered).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e evidence
		var first, second string
		if err := rows.Scan(&e.subject, &first, &second); err != nil {
			return nil, err
		}
		if second != "" { // an answer
			e.stages = slices.DeleteFunc([]string{first, second}, func(key string) bool { return key == "" })
		} else if e.stages, err = records.KeyList(first); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

// wrongStages says what is wrong with those stage outputs that do not exist or lead to a call that is not usable.
func (c *checking) wrongStages(keys []string) (map[string]string, error) {
	wrong := map[string]string{}
	stages := map[string][]string{} // by call
	for chunk := range slices.Chunk(keys, sqldb.BatchRows) {
		var rows []records.StageRow
		if err := c.tx.Select("key", "calls").Where("key IN ?", chunk).Find(&rows).Error; err != nil {
			return nil, err
		}
		for _, key := range chunk {
			wrong[key] = fmt.Sprintf("its stage %s does not exist", key)
		}
		for _, r := range rows {
			delete(wrong, r.Key)
			calls, err := records.KeyList(r.Calls)
			if err != nil {
				return nil, err
			}
			for _, call := range calls {
				stages[call] = append(stages[call], r.Key)
			}
		}
	}
	states, err := c.callStatesOf(slices.Sorted(maps.Keys(stages)))
	if err != nil {
		return nil, err
	}
	for _, call := range slices.Sorted(maps.Keys(stages)) {
		state, exists := states[call]
		if !exists {
			state = "not in the ledger"
		}
		if state == "usable" {
			continue
		}
		for _, key := range stages[call] {
			wrong[key] = fmt.Sprintf("call %s, from which its stage %s was computed, is %s", call, key, state)
		}
	}
	return wrong, nil
}

// callStatesOf returns the states of calls by id.
func (c *checking) callStatesOf(ids []string) (map[string]string, error) {
	states := make(map[string]string, len(ids))
	for chunk := range slices.Chunk(ids, sqldb.BatchRows) {
		var rows []records.CallRow
		if err := c.tx.Select("id", "state").Where("id IN ?", chunk).Find(&rows).Error; err != nil {
			return nil, err
		}
		for _, r := range rows {
			states[r.ID] = r.State
		}
	}
	return states, nil
}
