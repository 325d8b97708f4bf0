package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// sharesRoutes are the routes about links that show one page. What the links open is no route of the API: the server shows it.
func (s *Resources) sharesRoutes(r *requests.Router) {
	requests.Get(r, "/shares", requests.Edit, "Links that show a page to whoever has them", s.shares.listShares)
	requests.Post(r, "/shares", requests.Edit, "Show a comparison, a run or a notebook to whoever has a link, as it is now", s.shares.addShare)
	requests.Remove(r, "/shares/{id}", requests.Edit, "Revoke a link, at once", s.shares.revokeShare)
}

// mayShare reports whether links are made and opened here: an administrator has allowed it, or nobody signs in, so that whoever
// reaches the server sees everything anyway.
func (s *sharesAPI) mayShare() bool { return !s.signIn || s.workbench.Config.ShareLinks }

// Shares are the links, and whether there may be more.
type Shares struct {
	Items   []experiments.Share `json:"items"`
	Allowed bool                `json:"allowed" doc:"false: no link is made, and none opens its page"`
	Days    int                 `json:"days" doc:"that a link works unless another number is asked for"`
	MaxDays int                 `json:"max_days"`
}

func (s *sharesAPI) listShares(ctx context.Context, _ *requests.Nothing) (Shares, error) {
	list, err := s.sharing.List(ctx)
	return Shares{list, s.mayShare(), sharing.DefaultDays, sharing.MaxDays}, err
}

type addShareInput struct {
	Body struct {
		Kind      string   `json:"kind" enum:"comparison,beside,run,notebook"`
		Candidate string   `json:"candidate,omitempty" maxLength:"200" doc:"run, or an experiment's name; of a comparison the later one"`
		Baseline  string   `json:"baseline,omitempty" maxLength:"200" doc:"of a comparison, or of runs beside it; default the pinned one"`
		Beside    []string `json:"beside,omitempty" maxItems:"5" doc:"runs beside the baseline"`
		Notebook  string   `json:"notebook,omitempty" maxLength:"200" doc:"name"`
		Params    []string `json:"params,omitempty" maxItems:"50" doc:"of the notebook: cell.name=value"`
		Texts     bool     `json:"texts,omitempty" doc:"show texts of questions, answers and passages; default false"`
		Comments  bool     `json:"comments,omitempty" doc:"of a notebook: show what people say about its cells, and who; default false"`
		Days      int      `json:"days,omitempty" minimum:"1" maximum:"90" doc:"until it expires; default 14"`
		AskedLimits
	}
}

// MadeShare is a new link. Its path holds the secret and is not told again.
type MadeShare struct {
	Share experiments.Share `json:"share"`
	Path  string            `json:"path" doc:"of the page, behind the address of this server"`
}

func (s *sharesAPI) addShare(ctx context.Context, in *addShareInput) (MadeShare, error) {
	if !s.mayShare() {
		return MadeShare{}, problem.New(problem.Conflict, "sharing_off", "nobody has allowed links that need no account here").
			WithHint("who looks after this server allows them with share_links: true in workbench.yaml")
	}
	b := in.Body
	limits, err := b.asked()
	if err != nil {
		return MadeShare{}, err
	}
	share, secret, err := s.sharing.Create(ctx, requests.VisitorOf(ctx).Actor, sharing.Ask{Kind: b.Kind, Candidate: b.Candidate,
		Baseline: b.Baseline, Notebook: b.Notebook, Params: b.Params, Beside: b.Beside, Texts: b.Texts, Comments: b.Comments,
		Days: b.Days, Limits: limits})
	if err != nil {
		return MadeShare{}, err
	}
	requests.Noted(ctx, sharing.Told(share))
	if b.Comments {
		requests.Noted(ctx, "with comments")
	}
	return MadeShare{share, sharing.Path(secret)}, nil
}

func (s *sharesAPI) revokeShare(ctx context.Context, in *idPath) error {
	share, err := s.sharing.Revoke(ctx, in.ID)
	if err == nil {
		requests.Noted(ctx, sharing.Told(share))
	}
	return err
}
