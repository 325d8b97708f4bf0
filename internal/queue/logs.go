package queue

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// logs is a handler that passes errors on.
type logs struct {
	log func(message string, args ...any)
}

// Enabled lets errors pass.
func (logs) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// Handle passes the record on.
func (l logs) Handle(_ context.Context, r slog.Record) error {
	var args []any
	r.Attrs(func(a slog.Attr) bool {
		args = append(args, a.Key, a.Value.String())
		return true
	})
	l.log("queue: "+r.Message, args...)
	return nil
}

// WithAttrs leaves attributes out.
func (l logs) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup leaves groups out.
func (l logs) WithGroup(string) slog.Handler { return l }

func appendEvent(ctx context.Context, s experiments.EventStore, e experiments.Event, body map[string]any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	e.Body = raw
	_, err = s.AppendEvent(ctx, e)
	return err
}
