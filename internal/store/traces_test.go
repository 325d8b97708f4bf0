package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

func spansOf(trace string, root bool, ids ...string) (out []experiments.TraceSpan) {
	for i, id := range ids {
		out = append(out, experiments.TraceSpan{Trace: trace, ID: id, Root: root && i == 0, Body: []byte(id + "!")})
	}
	return out
}

// TestTraces: spans of one trace that come in several requests are one trace, whoever asks again changes nothing, and what is kept
// stays within its bounds.
func TestTraces(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		limits := experiments.TraceLimits{Spans: 8, Bytes: 1000, PerTrace: 3}
		add := func(want experiments.TraceIntake, seconds int, spans ...experiments.TraceSpan) {
			t.Helper()
			diff(t, want, must[experiments.TraceIntake](t)(s.AddSpans(ctx, spans, limits, at(seconds))))
		}
		due := func(quiet, opened int) []experiments.OpenTrace {
			t.Helper()
			return must[[]experiments.OpenTrace](t)(s.DueTraces(ctx, at(quiet), at(opened), 10))
		}
		add(experiments.TraceIntake{Stored: 3}, 10, append(spansOf("a", false, "a2", "a3"), spansOf("b", true, "b1")...)...)
		if list := due(9, 9); len(list) != 0 {
			t.Errorf("due before anything was quiet: %+v", list)
		}
		add(experiments.TraceIntake{Stored: 1, Known: 1, Over: 1}, 20, spansOf("a", true, "a1", "a2", "a4")...)
		list := due(20, 9)
		if len(list) != 2 || list[0].ID != "a" || len(list[0].Spans) != 3 || string(list[0].Spans[0].Body) != "a1!" ||
			list[0].ArrivedAt != at(10) || list[0].SeenAt != at(20) || list[1].ID != "b" {
			t.Fatalf("%+v", list)
		}
		if list := due(19, 9); len(list) != 1 || list[0].ID != "b" {
			t.Errorf("what was quiet: %+v", list)
		}
		add(experiments.TraceIntake{Stored: 1}, 30, spansOf("b", false, "b2")...)
		settle := func(one experiments.OpenTrace, item string) bool {
			t.Helper()
			return must[bool](t)(s.SettleTrace(ctx, one, "question", []byte(item)))
		}
		if settle(list[1], "B") {
			t.Error("a trace is settled although a span came meanwhile")
		}
		if !settle(list[0], "A") || settle(list[0], "A") {
			t.Error("a trace is settled once")
		}
		add(experiments.TraceIntake{Known: 2}, 40, spansOf("a", true, "a1", "late")...)
		add(experiments.TraceIntake{Full: true}, 40, spansOf("c", true, "1", "2", "3", "4", "5", "6", "7")...)
		asked := must[[]experiments.AskedTrace](t)(s.AskedTraces(ctx, "question", at(10), at(11)))
		diff(t, []experiments.AskedTrace{{ID: "a", ArrivedAt: at(10), Item: []byte("A")}}, asked)
		if list := must[[]experiments.AskedTrace](t)(s.AskedTraces(ctx, "question", at(11), at(99))); len(list) != 0 {
			t.Errorf("outside of the time: %+v", list)
		}
		diff(t, []experiments.TraceCount{{Traces: 1, Recent: 1, Spans: 2, Bytes: 6, First: at(10), Last: at(10)},
			{Outcome: "question", Traces: 1, Recent: 1, Spans: 3, Bytes: 1, First: at(10), Last: at(10)}},
			must[[]experiments.TraceCount](t)(s.CountTraces(ctx, at(10))))
		if later := must[[]experiments.TraceCount](t)(s.CountTraces(ctx, at(11))); later[0].Recent+later[1].Recent != 0 {
			t.Errorf("since a time after all: %+v", later)
		}
		for i, c := range []struct{ before, keep, bytes, gone int }{{9, 1, 1, 0}, {9, 1, 0, 1}, {11, 9, 99, 1}} {
			if gone := must[int](t)(s.PruneTraces(ctx, at(c.before), c.keep, int64(c.bytes))); gone != c.gone {
				t.Errorf("%d: %d traces gone", i, gone)
			}
		}
		var left int
		ok(t, s.Orm.Raw("SELECT (SELECT COUNT(*) FROM traces) + (SELECT COUNT(*) FROM trace_spans)").Scan(&left).Error)
		if left != 0 {
			t.Errorf("%d rows are left", left)
		}
	})
}
