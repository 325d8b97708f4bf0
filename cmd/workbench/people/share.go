package people

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ShareCmd is the verb share.
type ShareCmd struct {
	Create shareCreateCmd `cmd:"" help:"Make a link to a page as it is now."`
	List   shareListCmd   `cmd:"" help:"List links, and how often they were opened."`
	Revoke shareRevokeCmd `cmd:"" help:"End a link at once."`
}

type shareCreateCmd struct {
	What     []string `arg:"" name:"what" help:"A run; two runs, the baseline first, for their comparison; up to six, side by side; or the file of a notebook."`
	Param    []string `help:"Parameter of the notebook: -p k=6. Repeatable." short:"p" placeholder:"NAME=VALUE"`
	Texts    bool     `help:"Show texts of questions, answers and passages; without it they are left out."`
	Comments bool     `help:"Of a notebook: show what people say about its cells, and who; without it nothing of that."`
	Days     int      `help:"Until it expires, 1 to 90." default:"14" placeholder:"N"`
	Server   string   `help:"Address of the server, for the link; default public_url of the configuration." placeholder:"URL"`
	program.LimitFlags
}

// Help shows examples.
func (shareCreateCmd) Help() string {
	return `The link shows one page, to read only, to whoever has it: no account is needed, and nothing else can be reached with it. The page stays
as it is now; for later results make another link. The link is shown once: the database keeps its SHA-256.

A server where people sign in opens links only with share_links: true in workbench.yaml.

Examples:
  workbench share create faq closed --server https://bench.example   the comparison
  workbench share create faq closed --allowance 0.05                 held to a limit of your own, which it names
  workbench share create faq closed 264c                             the two beside the first
  workbench share create 3f2a --texts --days 30                      one run, with texts
  workbench share create study.rag.md -p k=6                         a notebook to read`
}

// sharings does something about links and writes it into the audit log, but where it only reads.
func sharings(p *program.Program, action string, do func(sharing.Sharing) (target string, err error), param ...string) error {
	work := func(w *app.Workbench) error {
		people := apppeople.PeopleAt(w, func() time.Time { return p.Now().UTC() })
		target, err := do(sharing.Sharing{Workbench: w, People: people, Views: views.NewViews(w), Version: p.Version, Now: p.Now,
			Notebook: func(ctx context.Context, path string, _ []string) (*notebooks.Notebook, *notebooks.View, error) {
				n, err := program.ParamFlags{Param: param}.Open(p, w, path)
				if err != nil {
					return nil, nil, err
				}
				if len(n.Wrong) > 0 {
					return nil, nil, n.Wrong[0]
				}
				v, err := n.Evaluate(ctx, false)
				return n, v, err
			},
			Comments: func(ctx context.Context, path string, n *notebooks.Notebook) error {
				return program.WithRemarks(ctx, w, path, n)
			}})
		if err != nil || action == "" {
			return err
		}
		return people.Record(p.Context, apppeople.Machine(), experiments.AuditEntry{Action: action, Target: target})
	}
	if action == "" {
		return p.Reading(work)
	}
	return p.With(work)
}

func (c shareCreateCmd) ask() (sharing.Ask, error) {
	limits, err := c.Asked("share create")
	ask := sharing.Ask{Kind: experiments.ShareRun, Candidate: c.What[0], Texts: c.Texts, Comments: c.Comments, Days: c.Days, Limits: limits}
	switch {
	case err != nil:
		return ask, err
	case c.Days < 1: // 0 would be the default
		ask.Days = -1
	case len(c.What) > views.MostBeside+1:
		return ask, problem.New(problem.Invalid, "share_what", "%d things were named", len(c.What)).
			WithHint("share one run, two to %d runs, or one notebook", views.MostBeside+1)
	}
	switch {
	case strings.HasSuffix(c.What[0], ".md"):
		ask.Kind, ask.Candidate, ask.Notebook = experiments.ShareNotebook, "", c.What[0]
	case len(c.What) > 2:
		ask.Kind, ask.Candidate, ask.Baseline, ask.Beside = experiments.ShareBeside, "", c.What[0], c.What[1:]
	case len(c.What) == 2:
		ask.Kind, ask.Baseline, ask.Candidate = experiments.ShareComparison, c.What[0], c.What[1]
	}
	return ask, nil
}

// Run makes the link.
func (c shareCreateCmd) Run(p *program.Program) error {
	ask, err := c.ask()
	if err != nil {
		return err
	}
	return sharings(p, "share.create", func(s sharing.Sharing) (string, error) {
		share, secret, err := s.Create(p.Context, apppeople.Machine(), ask)
		if err != nil {
			return "", err
		}
		link := strings.TrimRight(cmp.Or(c.Server, s.Workbench.Config.PublicURL), "/") + sharing.Path(secret)
		told := sharing.Told(share)
		if p.Flags.JSON {
			return told, p.PrintJSON(map[string]any{"share": share, "link": link})
		}
		p.Say("link %s to %s, until %s; it is shown this once:", share.ID, program.Printable(share.Title), program.DayOf(share.ExpiresAt))
		p.Say("%s", link)
		if strings.HasPrefix(link, "/") {
			p.Note("put the address of your server before it, or name it with --server")
		}
		if !share.Texts {
			p.Note("texts of questions, answers and passages are left out; --texts shows them")
		}
		if !s.Workbench.Config.ShareLinks {
			p.Note("a server where people sign in opens it only with share_links: true in workbench.yaml")
		}
		return told, nil
	}, c.Param...)
}

type shareListCmd struct{}

// Run lists.
func (shareListCmd) Run(p *program.Program) error {
	return sharings(p, "", func(s sharing.Sharing) (string, error) {
		list, err := s.List(p.Context)
		if err != nil {
			return "", err
		}
		if p.Flags.JSON {
			return "", p.PrintJSON(list)
		}
		if len(list) == 0 {
			p.Say("nothing is shared; make a link with: workbench share create RUN")
			return "", nil
		}
		rows := make([][]string, len(list))
		for i, x := range list {
			state := p.Lang().Text("until %s", program.DayOf(x.ExpiresAt))
			if !x.RevokedAt.IsZero() {
				state = p.Lang().Text("revoked %s", program.DayOf(x.RevokedAt))
			}
			texts := p.Lang().Text("left out")
			if x.Texts {
				texts = p.Lang().Text("shown")
			}
			last := ""
			if x.Opened > 0 {
				last = program.DayOf(x.OpenedAt)
			}
			rows[i] = []string{x.ID, kindOfShare(p.Lang(), x.Kind), program.Printable(x.Title), texts, program.Printable(x.MadeBy), state,
				strconv.Itoa(x.Opened), last}
		}
		p.Table([]string{"ID", "KIND", "PAGE", "TEXTS", "MADE BY", "STATE", "OPENED", "LAST"}, rows)
		return "", nil
	})
}

func kindOfShare(l program.Language, kind string) string {
	switch kind {
	case experiments.ShareComparison:
		return l.Text("comparison")
	case experiments.ShareBeside:
		return l.Text("side by side")
	case experiments.ShareRun:
		return l.Text("run")
	}
	return l.Text("notebook")
}

type shareRevokeCmd struct {
	ID string `arg:"" help:"Id of the link, as share list shows it."`
}

// Run revokes.
func (c shareRevokeCmd) Run(p *program.Program) error {
	return sharings(p, "share.revoke", func(s sharing.Sharing) (string, error) {
		share, err := s.Revoke(p.Context, c.ID)
		if err != nil {
			return "", err
		}
		if p.Flags.JSON {
			return sharing.Told(share), p.PrintJSON(share)
		}
		p.Say("revoked %s (%s): it opens nothing any more", share.ID, program.Printable(share.Title))
		return sharing.Told(share), nil
	})
}
