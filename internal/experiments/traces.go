package experiments

import (
	"context"
	"time"
)

// TraceSpan is one span of a trace as it is kept until the trace is complete. Personal data is masked in it already.
type TraceSpan struct {
	Trace string // id, 32 hexadecimal digits
	ID    string // 16 hexadecimal digits
	Root  bool   // it has no parent: with it the trace has ended
	Body  []byte
}

// OpenTrace is a trace that is ready to be read.
type OpenTrace struct {
	ID        string
	ArrivedAt time.Time // of its first span
	SeenAt    time.Time // of its newest span
	Spans     []TraceSpan
}

// AskedTrace is what was asked in a trace.
type AskedTrace struct {
	ID        string
	ArrivedAt time.Time
	Item      []byte
}

// TraceLimits bound what is kept of traces that are not complete.
type TraceLimits struct {
	Spans    int   // of all open traces together
	Bytes    int64 // of these
	PerTrace int   // spans of one trace
}

// TraceIntake says what became of spans that arrived.
type TraceIntake struct {
	Stored int  // new
	Known  int  // were there already, or their trace was read before they came: a request that is sent twice changes nothing
	Over   int  // more than one trace may have
	Full   bool // nothing was stored: there is no room until open traces have been read
}

// TraceCount counts the traces of one outcome.
type TraceCount struct {
	Outcome string // "" of those that are open
	Traces  int
	Recent  int // of Traces: arrived since the time that was asked about
	Spans   int
	Bytes   int64
	First   time.Time // arrival
	Last    time.Time
}

// TraceStore keeps traces that programs send. What is committed survives the death of the process.
type TraceStore interface {
	// AddSpans keeps spans, and the traces they belong to, in one transaction.
	AddSpans(ctx context.Context, spans []TraceSpan, limits TraceLimits, now time.Time) (TraceIntake, error)
	// DueTraces are open traces, oldest first, that ended and had no new span since quiet, or whose first span arrived before opened.
	DueTraces(ctx context.Context, quiet, opened time.Time, limit int) ([]OpenTrace, error)
	// SettleTrace ends an open trace, unless a span came since it was read: false then. Its spans are taken away.
	SettleTrace(ctx context.Context, t OpenTrace, outcome string, item []byte) (bool, error)
	// AskedTraces are the traces with this outcome that arrived from a moment until before another one, oldest first.
	AskedTraces(ctx context.Context, outcome string, from, to time.Time) ([]AskedTrace, error)
	// CountTraces counts them by outcome, and of them those that arrived since a time.
	CountTraces(ctx context.Context, since time.Time) ([]TraceCount, error)
	// PruneTraces takes away traces that arrived before a moment, and of those that were read the oldest until at most keep of them with
	// so many bytes are left.
	PruneTraces(ctx context.Context, before time.Time, keep int, bytes int64) (int, error)
}
