package records

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
)

// mostOpen bounds the calls that are remembered. A process has far fewer under way; those that it never settled are forgotten with the
// others, and whoever is forgotten is read back.
const mostOpen = 4096

// openCalls are the rows that this process has committed and not settled yet. A call is sealed as it ends, and to read its request and
// reply back for that, which are most of the row, takes longer than to write its end.
type openCalls struct {
	mutex sync.Mutex
	rows  map[string]CallRow
}

// keep remembers a row as it was committed.
func (o *openCalls) keep(r CallRow) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.rows == nil || len(o.rows) >= mostOpen {
		o.rows = map[string]CallRow{}
	}
	o.rows[r.ID] = r
}

// take forgets a row and returns it, where it was known.
func (o *openCalls) take(id string) (r CallRow, known bool) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	r, known = o.rows[id]
	delete(o.rows, id)
	return r, known
}

// begun is the row of a call that is about to be sent.
func begun(c llm.Call) CallRow {
	return CallRow{
		ID: c.ID, RunID: c.RunID, QuestionID: c.QuestionID, Stage: c.Stage, Purpose: c.Purpose, Provider: c.Provider, Origin: c.Origin,
		Model: c.Model, Key: string(c.Key), Replicate: c.Replicate, Attempt: c.Attempt, State: string(llm.CallSent), Owner: c.Owner,
		SentAt: c.SentAt, EstimateMicros: c.EstimateMicros, CostKind: c.CostKind, Request: filled(c.Request), Beat: 1,
	}
}

// bank puts a reply into the row.
func (r *CallRow) bank(raw llm.Raw) {
	sum := sha256.Sum256(raw.Body)
	r.State, r.HTTPStatus, r.Reply, r.DoneAt = string(llm.CallBanked), raw.Status, body(raw.Body), &raw.At
	r.ReplySHA256 = hex.EncodeToString(sum[:])
}

// settle closes the row.
func (r *CallRow) settle(o llm.Outcome) {
	r.State, r.Cause, r.CostMicros, r.CostKind = string(o.State), o.Cause, o.CostMicros, o.CostKind
	r.PromptTokens, r.CompletionTokens, r.ModelSeen = o.PromptTokens, o.CompletionTokens, o.ModelSeen
	r.Repair, r.CachedTokens = o.Repair, o.CachedTokens
}
