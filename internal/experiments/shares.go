package experiments

import (
	"context"
	"time"
)

// Share is a link that shows one page, as it was when the link was made, to whoever has it. What it opens is kept as bytes: nothing
// is looked up for whoever opens it.
type Share struct {
	ID        string    `json:"id"`
	Hash      string    `json:"-"` // SHA-256 of its secret in hexadecimal digits
	Kind      string    `json:"kind" enum:"comparison,beside,run,notebook"`
	Title     string    `json:"title" doc:"of the page"`
	Runs      []string  `json:"runs" doc:"that the page rests on; the link goes with each of them"`
	Notebook  string    `json:"notebook,omitempty" doc:"name"`
	Texts     bool      `json:"texts" doc:"the page holds texts of questions, answers and passages"`
	MadeBy    string    `json:"made_by" doc:"name of whoever made it, at that time"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
	Opened    int       `json:"opened" doc:"how often; programs that preview links count too"`
	OpenedAt  time.Time `json:"opened_at,omitzero" doc:"the last time; absent: never"`

	Pages map[string][]byte `json:"-"` // by language: a page in HTML that needs nothing else
}

// The kinds of pages that can be shared.
const (
	ShareComparison = "comparison" // the report of a run beside its baseline
	ShareBeside     = "beside"     // several runs beside one baseline
	ShareRun        = "run"        // the report of a run alone
	ShareNotebook   = "notebook"   // a notebook in reading mode
)

// Alive reports whether the link opens its page.
func (s Share) Alive(now time.Time) bool { return s.RevokedAt.IsZero() && now.Before(s.ExpiresAt) }

// ShareStore keeps links that show a page. They go with the runs that their pages rest on ([RunStore.DeleteRun]), and with their
// last day ([PeopleStore.PrunePeople]).
type ShareStore interface {
	CreateShare(ctx context.Context, s Share) error
	// Shares lists the links that have not been taken away yet, newest first, without their pages.
	Shares(ctx context.Context) ([]Share, error)
	// OpenShare finds the link with this hash that is alive, with its page in one language, and counts the opening: Opened and
	// OpenedAt are those before it plus this one. ok is false for one that never was, has expired or was revoked.
	OpenShare(ctx context.Context, hash, lang string, now time.Time) (s Share, ok bool, err error)
	// RevokeShare ends a link and takes its pages away; it may be revoked already. NotFound when there is none of this id.
	RevokeShare(ctx context.Context, id string, at time.Time) (Share, error)
}
