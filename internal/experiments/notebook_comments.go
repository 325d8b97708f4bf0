package experiments

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Bounds of what people say about notebooks: characters of a comment, comments of a notebook.
const (
	LongestComment = 10_000
	MostComments   = 2_000
)

// NotebookComment is what somebody says about a cell of a notebook, or about one row of it: a question of a run, wherever that row stands
// on a screen. It is no part of the file.
type NotebookComment struct {
	ID         string     `json:"id"`
	Cell       string     `json:"cell" doc:"that it is about; the comment goes along when the cell is renamed"`
	Run        string     `json:"run,omitempty" doc:"of the row that it is about"`
	Question   string     `json:"question,omitempty" doc:"of the row that it is about"`
	Text       string     `json:"text" doc:"Markdown"`
	By         string     `json:"by"`
	At         time.Time  `json:"at"`
	ResolvedBy string     `json:"resolved_by,omitempty"`
	ResolvedAt *time.Time `json:"resolved_at,omitempty" doc:"absent while it is open"`
}

// CommentUnknown is the problem of a comment that is not on the notebook.
func CommentUnknown(id string) *problem.Problem {
	return problem.New(problem.NotFound, "comment_unknown", "there is no comment %q on the notebook", id).With("comment", id).
		WithHint("somebody may have removed it: look at the list again")
}

// CommentStore keeps what people say about notebooks. A notebook is named as in [NotebookStore]. Nothing else rests on it.
type CommentStore interface {
	// PutComment keeps a comment; Conflict when the notebook has [MostComments].
	PutComment(ctx context.Context, notebook string, c NotebookComment) error
	// Comments lists what was said about a notebook, the oldest first.
	Comments(ctx context.Context, notebook string) ([]NotebookComment, error)
	// SettleComment resolves a comment, or opens it again with at nil; NotFound when it is not there.
	SettleComment(ctx context.Context, notebook, id, by string, at *time.Time) (NotebookComment, error)
	// ForgetComment takes a comment away; NotFound when it is not there.
	ForgetComment(ctx context.Context, notebook, id string) error
	// MoveComments takes what was said about one cell to another.
	MoveComments(ctx context.Context, notebook, from, to string) error
}
