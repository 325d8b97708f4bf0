package program

import (
	"encoding/json"
	"fmt"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/rag"
)

// pressed says what the budget for indexes caused: a line for people, with --json one object on standard error.
func (p *Program) pressed(at rag.Pressure) {
	if p.Flags.JSON {
		p.jsonNote(map[string]any{"event": at.Kind, "freed_bytes": at.Freed, "held_bytes": at.Held, "limit_bytes": at.Limit})
		return
	}
	switch at.Kind {
	case rag.PressureGivenUp:
		p.Note("memory: an index that nobody uses was given up (%s); indexes hold %s of %s", megabytes(at.Freed), megabytes(at.Held),
			megabytes(at.Limit))
	case rag.PressureRebuilt:
		p.Note("memory: an index that was given up is built again; indexes hold %s of %s", megabytes(at.Held), megabytes(at.Limit))
	default:
		p.Warn("indexes in use hold %s, and --memory allows %s: they go as soon as their work is done", megabytes(at.Held),
			megabytes(at.Limit))
	}
}

// budgeted does the work, and says in the end what the budget for indexes caused, if it caused anything.
func (p *Program) budgeted(w *app.Workbench, work func(*app.Workbench) error) error {
	err := work(w)
	use := w.Indexes.Budget().Use()
	switch {
	case use == nil:
	case p.Flags.JSON:
		p.jsonNote(use)
	case use.GivenUp > 0:
		p.Note("memory: indexes held %s of %s at most; %d given up, %d built again", megabytes(use.Most), megabytes(use.Limit), use.GivenUp,
			use.Rebuilt)
	}
	return err
}

// jsonNote prints an object on standard error, where results are printed as JSON.
func (p *Program) jsonNote(memory any) {
	if p.Flags.Quiet {
		return
	}
	if line, err := json.Marshal(map[string]any{"memory": memory}); err == nil {
		fmt.Fprintln(p.Stderr, string(line))
	}
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
