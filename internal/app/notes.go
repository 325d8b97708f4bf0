package app

import (
	"context"
	"net/url"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// NotesChanged is what stands beside a run after a change, and what takes the change back.
type NotesChanged struct {
	RunID string `json:"run_id"`
	experiments.Notes
	Back experiments.NoteChange `json:"back"`
}

// ChangeNotes writes or takes away a note and tags beside a run, which is found by id, prefix or experiment name. by is who does it.
func ChangeNotes(ctx context.Context, w *Workbench, idOrPrefix string, c experiments.NoteChange, by string) (NotesChanged, error) {
	c, err := c.Cleaned()
	if err != nil {
		return NotesChanged{}, err
	}
	run, err := w.FindRun(ctx, idOrPrefix)
	if err != nil {
		return NotesChanged{}, err
	}
	before, after, err := w.Whole.ChangeNotes(ctx, run.ID, c, by, w.Options.Now().UTC())
	return NotesChanged{run.ID, after, experiments.Back(before, after)}, err
}

// Told is a change as the audit log names it, without the text of a note.
func Told(c experiments.NoteChange) string {
	var parts []string
	switch {
	case c.Note == nil:
	case *c.Note == "":
		parts = append(parts, "no note")
	default:
		parts = append(parts, "a note")
	}
	for _, tag := range c.Add {
		parts = append(parts, "+"+tag)
	}
	for _, tag := range c.Remove {
		parts = append(parts, "-"+tag)
	}
	return strings.Join(parts, " ")
}

// SaveView saves a list of runs for everybody who reads here, in place of one that has its name. by is who does it.
func SaveView(ctx context.Context, w *Workbench, v experiments.RunView, by string) (experiments.RunView, error) {
	v, err := v.Cleaned()
	if err != nil {
		return v, err
	}
	v.MadeBy, v.SavedAt = by, w.Options.Now().UTC()
	return v, w.Whole.PutRunView(ctx, v)
}

// ViewFields are what a saved view says of a list, by the names of [experiments.RunViewFields].
func ViewFields(v experiments.RunView) (map[string]string, error) {
	values, err := url.ParseQuery(v.Query)
	out := map[string]string{}
	for name := range values {
		out[name] = values.Get(name)
	}
	return out, err
}
