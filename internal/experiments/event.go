package experiments

import (
	"encoding/json"
	"time"
)

// Event is one thing that happened to a run. Stored events are a run's history and what a watcher replays.
type Event struct {
	RunID string          `json:"run_id"`
	Seq   int64           `json:"seq"` // from 1, without gaps
	Kind  EventKind       `json:"kind"`
	At    time.Time       `json:"at"`
	Body  json.RawMessage `json:"body"` // one JSON object; its fields depend on Kind
}

// EventKind names what happened.
type EventKind string

// The kinds of events, with the fields of their bodies.
const (
	EventCreated   EventKind = "created"    // questions
	EventStarted   EventKind = "started"    // owner: a process began or went on with the run
	EventProgress  EventKind = "progress"   // done, total, errors
	EventWaiting   EventKind = "waiting"    // provider, cause, seconds: calls are held back
	EventPaused    EventKind = "paused"     // cause, message
	EventTakenOver EventKind = "taken_over" // from, owner, questions: a silent worker's batch was given to another
	EventCancelled EventKind = "cancelled"  // cause
	EventFailed    EventKind = "failed"     // cause, message
	EventFinished  EventKind = "finished"   // totals
)
