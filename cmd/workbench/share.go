package main

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/sharing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

type shareCmd struct {
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
}

// Help shows examples.
func (shareCreateCmd) Help() string {
	return `The link shows one page, to read only, to whoever has it: no account is needed, and nothing else can be reached with it. The page stays
as it is now; for later results make another link. The link is shown once: the database keeps its SHA-256.

A server where people sign in opens links only with share_links: true in workbench.yaml.

Examples:
  workbench share create faq closed --server https://bench.example   the comparison
  workbench share create faq closed 264c                             the two beside the first
  workbench share create 3f2a --texts --days 30                      one run, with texts
  workbench share create study.rag.md -p k=6                         a notebook to read`
}

// sharings does something about links and writes it into the audit log, but where it only reads.
func (p *program) sharings(action string, do func(sharing.Sharing) (target string, err error), param ...string) error {
	work := func(w *app.Workbench) error {
		people := apppeople.PeopleAt(w, func() time.Time { return p.now().UTC() })
		target, err := do(sharing.Sharing{Workbench: w, People: people, Views: views.NewViews(w), Version: version, Now: p.now,
			Notebook: func(ctx context.Context, path string, _ []string) (*notebooks.Notebook, *notebooks.View, error) {
				n, err := paramFlags{param}.open(w, path)
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
				return withRemarks(ctx, w, path, n)
			}})
		if err != nil || action == "" {
			return err
		}
		return people.Record(p.ctx, apppeople.Machine(), experiments.AuditEntry{Action: action, Target: target})
	}
	if action == "" {
		return p.reading(work)
	}
	return p.with(work)
}

func (c shareCreateCmd) ask() (sharing.Ask, error) {
	ask := sharing.Ask{Kind: experiments.ShareRun, Candidate: c.What[0], Texts: c.Texts, Comments: c.Comments, Days: c.Days}
	switch {
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
func (c shareCreateCmd) Run(p *program) error {
	ask, err := c.ask()
	if err != nil {
		return err
	}
	return p.sharings("share.create", func(s sharing.Sharing) (string, error) {
		share, secret, err := s.Create(p.ctx, apppeople.Machine(), ask)
		if err != nil {
			return "", err
		}
		link := strings.TrimRight(cmp.Or(c.Server, s.Workbench.Config.PublicURL), "/") + sharing.Path(secret)
		told := sharing.Told(share)
		if p.flags.JSON {
			return told, p.printJSON(map[string]any{"share": share, "link": link})
		}
		p.say("link %s to %s, until %s; it is shown this once:", share.ID, printable(share.Title), dayOf(share.ExpiresAt))
		p.say("%s", link)
		if strings.HasPrefix(link, "/") {
			p.note("put the address of your server before it, or name it with --server")
		}
		if !share.Texts {
			p.note("texts of questions, answers and passages are left out; --texts shows them")
		}
		if !s.Workbench.Config.ShareLinks {
			p.note("a server where people sign in opens it only with share_links: true in workbench.yaml")
		}
		return told, nil
	}, c.Param...)
}

type shareListCmd struct{}

// Run lists.
func (shareListCmd) Run(p *program) error {
	return p.sharings("", func(s sharing.Sharing) (string, error) {
		list, err := s.List(p.ctx)
		if err != nil {
			return "", err
		}
		if p.flags.JSON {
			return "", p.printJSON(list)
		}
		if len(list) == 0 {
			p.say("nothing is shared; make a link with: workbench share create RUN")
			return "", nil
		}
		rows := make([][]string, len(list))
		for i, x := range list {
			state := p.lang().text("until %s", dayOf(x.ExpiresAt))
			if !x.RevokedAt.IsZero() {
				state = p.lang().text("revoked %s", dayOf(x.RevokedAt))
			}
			texts := p.lang().text("left out")
			if x.Texts {
				texts = p.lang().text("shown")
			}
			last := ""
			if x.Opened > 0 {
				last = dayOf(x.OpenedAt)
			}
			rows[i] = []string{x.ID, kindOfShare(p.lang(), x.Kind), printable(x.Title), texts, printable(x.MadeBy), state,
				strconv.Itoa(x.Opened), last}
		}
		p.table([]string{"ID", "KIND", "PAGE", "TEXTS", "MADE BY", "STATE", "OPENED", "LAST"}, rows)
		return "", nil
	})
}

func kindOfShare(l language, kind string) string {
	switch kind {
	case experiments.ShareComparison:
		return l.text("comparison")
	case experiments.ShareBeside:
		return l.text("side by side")
	case experiments.ShareRun:
		return l.text("run")
	}
	return l.text("notebook")
}

type shareRevokeCmd struct {
	ID string `arg:"" help:"Id of the link, as share list shows it."`
}

// Run revokes.
func (c shareRevokeCmd) Run(p *program) error {
	return p.sharings("share.revoke", func(s sharing.Sharing) (string, error) {
		share, err := s.Revoke(p.ctx, c.ID)
		if err != nil {
			return "", err
		}
		if p.flags.JSON {
			return sharing.Told(share), p.printJSON(share)
		}
		p.say("revoked %s (%s): it opens nothing any more", share.ID, printable(share.Title))
		return sharing.Told(share), nil
	})
}
