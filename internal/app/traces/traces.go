package traces

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
)

// What is kept at most. A trace that has ended is read when nothing came of it for quietFor; one that does not end is read as it is
// after openFor.
const (
	quietFor    = 30 * time.Second
	openFor     = 10 * time.Minute
	mostSpans   = 100_000   // of all open traces
	mostBytes   = 256 << 20 // of these
	mostInTrace = 2_000     // spans
	mostKept    = 20_000    // traces that were read
	mostKeptIn  = 1 << 30   // bytes of these
	settleAtOne = 200       // traces that are read at a time
)

// MaxRequestSpans bounds the spans of one request.
const MaxRequestSpans = 8_192

// Intake takes traces that arrive. It is safe for concurrent use.
type Intake struct {
	w      *app.Workbench
	reader *foreign.Traces
}

// NewIntake takes traces by the rules of the configuration.
func NewIntake(w *app.Workbench) (*Intake, error) {
	reader, err := w.Config.Traces.Reader()
	return &Intake{w, reader}, err
}

// Received says what became of a request.
type Received struct {
	Stored   int    // spans that are new
	Rejected int    // spans that can never be taken
	Why      string // of the first one rejected
}

// Accept keeps the spans of one ExportTraceServiceRequest, as JSON or protobuf. Problems: traces_unreadable, traces_many (both Invalid),
// and traces_full (Unavailable): send it again later.
func (i *Intake) Accept(ctx context.Context, body []byte, protobuf bool) (Received, error) {
	spans, rejected, why, err := i.reader.ReadSpans(body, protobuf)
	if err != nil {
		return Received{}, err
	}
	if len(spans) > MaxRequestSpans {
		return Received{}, problem.New(problem.Invalid, "traces_many", "the request holds %d spans; %d are taken at once", len(spans),
			MaxRequestSpans).WithHint("send smaller batches: OTEL_BSP_MAX_EXPORT_BATCH_SIZE=512")
	}
	got := Received{Rejected: rejected, Why: why}
	if len(spans) == 0 {
		return got, nil
	}
	kept := make([]experiments.TraceSpan, len(spans))
	for n, s := range spans {
		kept[n] = experiments.TraceSpan{Trace: s.Trace, ID: s.ID, Root: s.Parent == ""}
		if kept[n].Body, err = foreign.MarshalSpan(s); err != nil {
			return Received{}, err
		}
	}
	limits := experiments.TraceLimits{Spans: mostSpans, Bytes: mostBytes, PerTrace: mostInTrace}
	stored, err := i.w.Whole.AddSpans(ctx, kept, limits, i.w.Options.Now())
	if err != nil {
		return Received{}, err
	}
	if stored.Full {
		return Received{}, problem.New(problem.Unavailable, "traces_full", "more than %d spans wait for the rest of their traces",
			mostSpans).WithHint("send the request again in a minute; lower traces.sample in workbench.yaml if this goes on")
	}
	got.Stored = stored.Stored
	if got.Rejected += stored.Over; stored.Over > 0 && got.Why == "" {
		got.Why = fmt.Sprintf("a trace has more than %d spans", mostInTrace)
	}
	return got, nil
}

// Settle reads the traces that are complete and returns how many it read. Whoever needs what was asked calls it first; servers also call
// it every minute.
func Settle(ctx context.Context, w *app.Workbench) (int, error) {
	reader, err := w.Config.Traces.Reader()
	if err != nil {
		return 0, err
	}
	now, n := w.Options.Now(), 0
	for {
		due, err := w.Whole.DueTraces(ctx, now.Add(-quietFor), now.Add(-openFor), settleAtOne)
		if err != nil || len(due) == 0 {
			return n, err
		}
		settled := 0
		for _, t := range due {
			ok, err := settle(ctx, w, reader, t)
			if err != nil {
				return n, err
			}
			if ok {
				settled++
			}
		}
		if n += settled; settled == 0 {
			return n, nil // others are at it, or spans keep coming
		}
	}
}

func settle(ctx context.Context, w *app.Workbench, reader *foreign.Traces, t experiments.OpenTrace) (bool, error) {
	spans := make([]foreign.Span, len(t.Spans))
	for i, s := range t.Spans {
		var err error
		if spans[i], err = foreign.UnmarshalSpan(s.Trace, s.ID, s.Body); err != nil {
			return false, fmt.Errorf("span %s of trace %s: %w", s.ID, t.ID, err)
		}
	}
	item, outcome := reader.Item(spans)
	var body []byte
	if outcome == foreign.TraceAsked {
		var err error
		if body, err = json.Marshal(item); err != nil {
			return false, err
		}
	}
	return w.Whole.SettleTrace(ctx, t, outcome, body)
}

// Prune takes away what is older than it may be, and the oldest where there is too much.
func Prune(ctx context.Context, w *app.Workbench) error {
	before := w.Options.Now().Add(-time.Duration(w.Config.Traces.Days()) * 24 * time.Hour)
	_, err := w.Whole.PruneTraces(ctx, before, mostKept, mostKeptIn)
	return err
}

// Status is what there is of traces.
type Status struct {
	Accept        bool       `json:"accept" doc:"false: POST /v1/traces takes nothing"`
	Sample        float64    `json:"sample" doc:"share of all traces that is kept"`
	KeepDays      int        `json:"keep_days" doc:"until what was asked is forgotten"`
	Open          int        `json:"open" doc:"traces that wait for their other spans"`
	Questions     int        `json:"questions" doc:"traces that hold one question"`
	Week          int        `json:"week" doc:"of questions: arrived in the last seven days"`
	Silent        int        `json:"silent" doc:"traces without a question"`
	Conversations int        `json:"conversations" doc:"traces with earlier turns of a conversation, which are not read"`
	Bytes         int64      `json:"bytes" doc:"that all of this takes"`
	First         *time.Time `json:"first,omitempty" doc:"arrival of the oldest question"`
	Last          *time.Time `json:"last,omitempty" doc:"arrival of the newest question"`
}

// StatusOf says what there is of traces, after reading what is complete.
func StatusOf(ctx context.Context, w *app.Workbench) (Status, error) {
	c := w.Config.Traces
	s := Status{Accept: c.Accept, Sample: c.Sample, KeepDays: c.Days()}
	if s.Sample == 0 {
		s.Sample = 1
	}
	if _, err := Settle(ctx, w); err != nil {
		return s, err
	}
	counts, err := w.Whole.CountTraces(ctx, w.Options.Now().Add(-7*24*time.Hour))
	for _, one := range counts {
		s.Bytes += one.Bytes
		switch one.Outcome {
		case "":
			s.Open = one.Traces
		case foreign.TraceAsked:
			s.Questions, s.Week, s.First, s.Last = one.Traces, one.Recent, &one.First, &one.Last
		case foreign.TraceConversation:
			s.Conversations = one.Traces
		default:
			s.Silent += one.Traces
		}
	}
	return s, err
}

// Window says which of the questions that were asked are taken.
type Window struct {
	Last int       // so many questions at most, drawn by their wording
	Days int       // that arrived in the last so many days
	Seed string    // of the draw
	Now  time.Time // the end of these days
}

// The bounds of a [Window].
const (
	MostLast = 5_000
	MostDays = 366
)

// Validate returns a Problem for a window that cannot be.
func (o Window) Validate() error {
	wrong := func(field string, value, most int) error {
		return problem.New(problem.Invalid, "traces_window", "%s %d cannot be used", field, value).With("field", field).
			WithHint("write 1 to %d", most)
	}
	switch {
	case o.Last < 1 || o.Last > MostLast:
		return wrong("last", o.Last, MostLast)
	case o.Days < 1 || o.Days > MostDays:
		return wrong("days", o.Days, MostDays)
	}
	return nil
}

// Asked are the questions of a window, each once with its newest answer. A NotFound Problem says that none were asked.
func Asked(ctx context.Context, w *app.Workbench, o Window) (*foreign.Foreign, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if _, err := Settle(ctx, w); err != nil {
		return nil, err
	}
	from := o.Now.Add(-time.Duration(o.Days) * 24 * time.Hour)
	list, err := w.Whole.AskedTraces(ctx, foreign.TraceAsked, from, o.Now)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, problem.New(problem.NotFound, "traces_none", "no question arrived in the %d days before %s", o.Days,
			o.Now.UTC().Format(time.RFC3339)).
			WithHint("`workbench traces status` says what arrived; docs/imports.md shows how programs send traces")
	}
	items := make([]foreign.ForeignItem, len(list))
	for i, one := range list {
		if err := json.Unmarshal(one.Item, &items[i]); err != nil {
			return nil, fmt.Errorf("what was asked in trace %s: %w", one.ID, err)
		}
	}
	results, err := foreign.OfTraces(items, foreign.ForeignOptions{Sample: o.Last, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	results.Notes = append([]string{fmt.Sprintf("%s arrived in %s", intake.Plural(len(list), "question"), intake.Plural(o.Days, "day"))},
		results.Notes...)
	return results, nil
}

// Take makes a dataset, a log and the experiment that replays it of the questions of a window, as an import of a file does.
func Take(ctx context.Context, w *app.Workbench, o Window, results app.ResultsOptions) (app.ImportedResults, error) {
	if err := experiments.ValidName("taken traces", results.Name); err != nil {
		return app.ImportedResults{}, err
	}
	asked, err := Asked(ctx, w, o)
	if err != nil {
		return app.ImportedResults{}, err
	}
	return w.KeepResults(ctx, asked, results.Name, results)
}
