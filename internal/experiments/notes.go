package experiments

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Bounds of what people write beside runs, in characters but for MostTags.
const (
	LongestNote     = 2000
	LongestTag      = 50
	MostTags        = 20 // of one run
	LongestViewName = 80
	LongestView     = 4000 // of what a saved view shows, as written in an address
)

// Notes are what people wrote beside a run. They are no part of it: nothing that it found depends on them, and they may change at any
// time.
type Notes struct {
	Note string   `json:"note,omitempty" doc:"what people wrote beside the run"`
	Tags []string `json:"tags,omitempty" doc:"that people gave the run, by name"`
}

// NoteChange changes what stands beside a run.
type NoteChange struct {
	Note   *string  `json:"note,omitempty" maxLength:"2000" doc:"what is to stand beside the run; an empty one takes the note away"`
	Add    []string `json:"add,omitempty" maxItems:"20" doc:"tags; one that is there stays"`
	Remove []string `json:"remove,omitempty" maxItems:"20" doc:"tags; one that is not there is no mistake"`
}

// Back is the change that takes another one back, from what stood there before and stands there after it.
func Back(before, after Notes) NoteChange {
	var back NoteChange
	if before.Note != after.Note {
		back.Note = &before.Note
	}
	for _, tag := range before.Tags {
		if !slices.Contains(after.Tags, tag) {
			back.Add = append(back.Add, tag)
		}
	}
	for _, tag := range after.Tags {
		if !slices.Contains(before.Tags, tag) {
			back.Remove = append(back.Remove, tag)
		}
	}
	return back
}

// Cleaned is the change without space around its texts. Problems: note_long, tag.
func (c NoteChange) Cleaned() (NoteChange, error) {
	if c.Note != nil {
		note := strings.TrimSpace(*c.Note)
		if utf8.RuneCountInString(note) > LongestNote {
			return c, problem.New(problem.Invalid, "note_long", "a note has at most %d characters", LongestNote).With("field", "note").
				WithHint("say it shorter, or keep the long text where you can link to it")
		}
		c.Note = &note
	}
	var err error
	if c.Add, err = CleanTags(c.Add); err != nil {
		return c, err
	}
	c.Remove, err = CleanTags(c.Remove)
	return c, err
}

// CleanTags are tags without space around them, each once and in the order given. Problem: tag.
func CleanTags(tags []string) ([]string, error) {
	var out []string
	for _, tag := range tags {
		tag = strings.TrimSpace(tag)
		odd := func(r rune) bool { return r == ',' || unicode.IsControl(r) || !unicode.IsGraphic(r) }
		if tag == "" || utf8.RuneCountInString(tag) > LongestTag || strings.ContainsFunc(tag, odd) ||
			strings.ContainsRune("+-", rune(tag[0])) {
			return nil, problem.New(problem.Invalid, "tag", "%q cannot be a tag", tag).With("field", "tags").With("value", tag).
				WithHint("a tag has 1 to %d characters, no comma, and begins with neither + nor -", LongestTag)
		}
		if !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	return out, nil
}

// TagCount is a tag with the number of runs that have it.
type TagCount struct {
	Tag  string `json:"tag"`
	Runs int    `json:"runs"`
}

// RunView is a list of runs as somebody saved it, for everybody who reads here: filters, order, grouping and columns.
type RunView struct {
	Name    string    `json:"name"`
	Query   string    `json:"query" doc:"of the address of the page that shows it, without ?"`
	MadeBy  string    `json:"made_by" doc:"name of whoever saved it last, at that time"`
	SavedAt time.Time `json:"saved_at"`
}

// RunViewFields are what the address of a list of runs says of it.
func RunViewFields() []string {
	return []string{"q", "tag", "state", "kind", "experiment", "dataset", "sweep", "children", "group", "sort", "cols", "pin"}
}

// Cleaned is the view with its name and its query as they are kept: known fields only, sorted, without empty ones. Problems: view_name,
// view_query.
func (v RunView) Cleaned() (RunView, error) {
	v.Name = strings.TrimSpace(v.Name)
	odd := func(r rune) bool { return unicode.IsControl(r) || !unicode.IsGraphic(r) }
	if v.Name == "" || utf8.RuneCountInString(v.Name) > LongestViewName || strings.ContainsFunc(v.Name, odd) {
		return v, problem.New(problem.Invalid, "view_name", "%q cannot be the name of a view", v.Name).With("field", "name").
			WithHint("a name has 1 to %d characters in one line", LongestViewName)
	}
	values, err := url.ParseQuery(v.Query)
	unknown := slices.IndexFunc(slices.Sorted(maps.Keys(values)), func(name string) bool { return !slices.Contains(RunViewFields(), name) })
	if err != nil || len(v.Query) > LongestView || unknown >= 0 {
		return v, problem.New(problem.Invalid, "view_query", "%q does not say how a list of runs is shown", v.Query).With("field", "query").
			WithHint("it is what stands behind the ? of the page's address, of: %s", strings.Join(RunViewFields(), ", "))
	}
	for name, list := range values {
		if list[0] == "" {
			values.Del(name)
		} else {
			values[name] = list[:1]
		}
	}
	v.Query = values.Encode()
	return v, nil
}

// NoteStore keeps what people wrote beside runs, which goes with the run ([RunStore.DeleteRun]), and the views that they saved.
type NoteStore interface {
	// Notes returns what stands beside these runs, by run id, of those beside which something stands.
	Notes(ctx context.Context, runs []string) (map[string]Notes, error)
	// ChangeNotes changes what stands beside a run and returns what stood there before and stands there now. NotFound without the run;
	// Invalid with code "many_tags" when it would have more than MostTags.
	ChangeNotes(ctx context.Context, run string, c NoteChange, by string, at time.Time) (before, after Notes, err error)
	// RunTags are the tags in use, by name.
	RunTags(ctx context.Context) ([]TagCount, error)

	// RunViews are the saved views, by name.
	RunViews(ctx context.Context) ([]RunView, error)
	// RunView finds a saved view; NotFound when there is none of this name.
	RunView(ctx context.Context, name string) (RunView, error)
	// PutRunView saves a view, in place of one that has its name.
	PutRunView(ctx context.Context, v RunView) error
	// RemoveRunView takes a view out of the list and keeps it for RestoreRunView. NotFound when there is none of this name.
	RemoveRunView(ctx context.Context, name string, at time.Time) error
	// RestoreRunView puts a view back that was removed. NotFound when there is none, or another one has its name by now.
	RestoreRunView(ctx context.Context, name string) (RunView, error)
}
