// Package people holds the verbs about who may do what: user, token, share, audit.
package people

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// UserCmd is the verb user.
type UserCmd struct {
	Add       userAddCmd     `cmd:"" help:"Make an account for somebody."`
	List      userListCmd    `cmd:"" help:"List accounts."`
	Role      userRoleCmd    `cmd:"" help:"Give somebody another role."`
	Disable   userDisableCmd `cmd:"" help:"Keep somebody out: sessions and tokens end at once."`
	Enable    userEnableCmd  `cmd:"" help:"Let somebody in again."`
	ResetLink resetLinkCmd   `cmd:"" name:"reset-link" help:"Make a link with which somebody sets a password, once, within a day."`
}

// people does something about people and writes it into the audit log when it has worked.
func people(p *program.Program, action string, do func(*apppeople.People) (target string, err error)) error {
	if action == "" { // it only reads
		return p.Reading(func(w *app.Workbench) error {
			_, err := do(apppeople.PeopleAt(w, func() time.Time { return p.Now().UTC() }))
			return err
		})
	}
	return p.With(func(w *app.Workbench) error {
		people, err := apppeople.NewPeople(p.Context, w)
		if err != nil {
			return err
		}
		target, err := do(people)
		if err != nil || action == "" {
			return err
		}
		return people.Record(p.Context, apppeople.Machine(), experiments.AuditEntry{Action: action, Target: target})
	})
}

type userAddCmd struct {
	Name          string `arg:"" help:"E-mail address, or a name."`
	Role          string `help:"viewer looks, editor also works and spends, admin also deletes and looks after people." enum:"viewer,editor,admin" default:"viewer" placeholder:"ROLE"`
	PasswordStdin bool   `help:"Read the password from standard input instead of making a link that sets one."`
	Server        string `help:"Address of the server, for the link; default public_url of the configuration." placeholder:"URL"`
}

// Help shows examples.
func (userAddCmd) Help() string {
	return `Without --password-stdin it prints a link with which the person sets a password: once, within a day.

Examples:
  workbench user add ann@example.com --role admin --server https://bench.example
  workbench user add bob@example.com < password.txt --password-stdin`
}

// Run makes the account.
func (c userAddCmd) Run(p *program.Program) error {
	password := ""
	if c.PasswordStdin {
		raw, err := io.ReadAll(io.LimitReader(p.Stdin, 4096))
		if err != nil {
			return fmt.Errorf("read the password: %w", err)
		}
		if password = strings.TrimRight(string(raw), "\r\n"); password == "" {
			return problem.New(problem.Invalid, "password_length", "standard input holds no password").
				WithHint("write it into a file and give that with <")
		}
	}
	return people(p, "user.add", func(people *apppeople.People) (string, error) {
		a, link, err := people.AddAccount(p.Context, c.Name, experiments.Role(c.Role), password)
		if err != nil {
			return "", err
		}
		target := a.Name + ", role " + string(a.Role)
		if p.Flags.JSON {
			return target, p.PrintJSON(map[string]any{"account": a, "link": program.LinkTo(cmp.Or(c.Server, people.PublicURL), "reset",
				link)})
		}
		p.Say("added %s (%s)", program.Printable(a.Name), a.Role)
		sayLink(p, cmp.Or(c.Server, people.PublicURL), link)
		return target, nil
	})
}

func sayLink(p *program.Program, server, secret string) {
	switch {
	case secret == "":
	case server == "":
		p.Say("it is set at, behind the address of your server, once, within a day: %s", program.LinkTo("", "reset", secret))
	default:
		p.Say("the password is set here, once, within a day: %s", program.LinkTo(server, "reset", secret))
	}
}

type userListCmd struct{}

// Run lists.
func (userListCmd) Run(p *program.Program) error {
	return people(p, "", func(people *apppeople.People) (string, error) {
		list, err := people.Accounts(p.Context)
		if err != nil {
			return "", err
		}
		if p.Flags.JSON {
			return "", p.PrintJSON(list)
		}
		if len(list) == 0 {
			p.Say("none yet; add one with: workbench user add NAME --role admin")
			return "", nil
		}
		rows := make([][]string, len(list))
		for i, a := range list {
			state := "active"
			switch {
			case a.Disabled:
				state = "disabled"
			case a.PasswordHash == "" && a.Subject == "":
				state = "has not signed in"
			}
			rows[i] = []string{a.Name, string(a.Role), state, program.DayOf(a.SignedInAt), a.ID}
		}
		p.Table([]string{"NAME", "ROLE", "STATE", "SIGNED IN", "ID"}, rows)
		return "", nil
	})
}

type userRoleCmd struct {
	Name string `arg:"" help:"Name or id of the account."`
	Role string `arg:"" help:"viewer, editor or admin." enum:"viewer,editor,admin"`
}

// Run changes the role.
func (c userRoleCmd) Run(p *program.Program) error {
	return people(p, "user.role", func(people *apppeople.People) (string, error) {
		a, err := people.SetRole(p.Context, c.Name, experiments.Role(c.Role))
		if err == nil {
			p.Say("%s is %s from the next request on", program.Printable(a.Name), a.Role)
		}
		return a.Name + ": role " + c.Role, err
	})
}

type userDisableCmd struct {
	Name string `arg:"" help:"Name or id of the account."`
}

// Run disables.
func (c userDisableCmd) Run(p *program.Program) error {
	return people(p, "user.disable", func(people *apppeople.People) (string, error) {
		a, err := people.SetDisabled(p.Context, c.Name, true)
		if err == nil {
			p.Say("%s is kept out", program.Printable(a.Name))
		}
		return a.Name, err
	})
}

type userEnableCmd struct {
	Name string `arg:"" help:"Name or id of the account."`
}

// Run enables.
func (c userEnableCmd) Run(p *program.Program) error {
	return people(p, "user.enable", func(people *apppeople.People) (string, error) {
		a, err := people.SetDisabled(p.Context, c.Name, false)
		if err == nil {
			p.Say("%s may sign in again", program.Printable(a.Name))
		}
		return a.Name, err
	})
}

type resetLinkCmd struct {
	Name   string `arg:"" help:"Name or id of the account."`
	Server string `help:"Address of the server, for the link; default public_url of the configuration." placeholder:"URL"`
}

// Run makes the link.
func (c resetLinkCmd) Run(p *program.Program) error {
	return people(p, "user.reset-link", func(people *apppeople.People) (string, error) {
		a, link, err := people.ResetLink(p.Context, c.Name)
		if err != nil {
			return "", err
		}
		if p.Flags.JSON {
			return a.Name, p.PrintJSON(map[string]any{"account": a, "link": program.LinkTo(cmp.Or(c.Server, people.PublicURL), "reset",
				link)})
		}
		sayLink(p, cmp.Or(c.Server, people.PublicURL), link)
		return a.Name, nil
	})
}

// TokenCmd is the verb token.
type TokenCmd struct {
	Add    tokenAddCmd    `cmd:"" help:"Make a token for a program."`
	List   tokenListCmd   `cmd:"" help:"List tokens."`
	Revoke tokenRevokeCmd `cmd:"" help:"End a token, and the sessions that were opened with it."`
}

type tokenAddCmd struct {
	Name  string `arg:"" help:"What uses it."`
	Role  string `help:"What it may do at most: viewer, editor or admin." enum:"viewer,editor,admin" default:"viewer" placeholder:"ROLE"`
	Owner string `help:"Account that it belongs to, and may never do more than; default the machine." placeholder:"NAME"`
	Days  int    `help:"Until it expires, 1 to 366." default:"90" placeholder:"N"`
}

// Help shows examples.
func (tokenAddCmd) Help() string {
	return `Programs send it as Authorization: Bearer wbt_…. It is shown once; the database keeps its SHA-256.

Examples:
  workbench token add ci --role editor --days 30
  workbench token add dashboard --owner ann@example.com`
}

// Run makes the token.
func (c tokenAddCmd) Run(p *program.Program) error {
	if c.Days < 1 || c.Days > 366 {
		return problem.New(problem.Invalid, "token_life", "a token lives for 1 to 366 days").
			WithHint("make another one when it has expired")
	}
	return people(p, "token.add", func(people *apppeople.People) (string, error) {
		t, secret, err := people.AddToken(p.Context, apppeople.NewToken{Name: c.Name, Role: experiments.Role(c.Role), Owner: c.Owner,
			Life: time.Duration(c.Days) * 24 * time.Hour})
		if err != nil {
			return "", err
		}
		target := t.ID + " " + t.Name + ", role " + string(t.Role)
		if p.Flags.JSON {
			return target, p.PrintJSON(map[string]any{"token": t, "secret": secret})
		}
		p.Say("token %s (%s, until %s), shown this once: %s", t.ID, t.Role, t.ExpiresAt.Format(time.DateOnly), secret)
		return target, nil
	})
}

type tokenListCmd struct{}

// Run lists.
func (tokenListCmd) Run(p *program.Program) error {
	return people(p, "", func(people *apppeople.People) (string, error) {
		list, err := people.Tokens(p.Context, "", true)
		accounts, accountsErr := people.Accounts(p.Context)
		if err = errors.Join(err, accountsErr); err != nil {
			return "", err
		}
		if p.Flags.JSON {
			return "", p.PrintJSON(list)
		}
		if len(list) == 0 {
			p.Say("none yet; add one with: workbench token add NAME --role viewer")
			return "", nil
		}
		names := map[string]string{}
		for _, a := range accounts {
			names[a.ID] = a.Name
		}
		rows := make([][]string, len(list))
		for i, t := range list {
			state := "until " + program.DayOf(t.ExpiresAt)
			switch {
			case !t.RevokedAt.IsZero():
				state = "revoked " + program.DayOf(t.RevokedAt)
			case !t.Alive(p.Now()):
				state = "expired " + program.DayOf(t.ExpiresAt)
			case t.ExpiresAt.IsZero():
				state = "never expires"
			}
			rows[i] = []string{t.ID, t.Name, string(t.Role), cmp.Or(names[t.Account], "(machine)"), state, program.DayOf(t.UsedAt)}
		}
		p.Table([]string{"ID", "NAME", "ROLE", "OWNER", "STATE", "LAST USED"}, rows)
		return "", nil
	})
}

type tokenRevokeCmd struct {
	ID string `arg:"" help:"Id of the token."`
}

// Run revokes.
func (c tokenRevokeCmd) Run(p *program.Program) error {
	return people(p, "token.revoke", func(people *apppeople.People) (string, error) {
		t, err := people.RevokeToken(p.Context, c.ID, "")
		if err == nil {
			p.Say("revoked %s (%s)", t.ID, program.Printable(t.Name))
		}
		return c.ID + " " + t.Name, err
	})
}

// AuditCmd is the verb audit.
type AuditCmd struct {
	Limit   int           `help:"How many entries at most; 0 for all." default:"50" placeholder:"N"`
	Name    string        `help:"Only what this one did." placeholder:"NAME"`
	Action  string        `help:"Only this action." placeholder:"ACTION"`
	Outcome string        `help:"done, refused or failed." enum:",done,refused,failed" default:"" placeholder:"OUTCOME"`
	Since   time.Duration `help:"Only what happened in this time, such as 24h." placeholder:"DURATION"`
}

// Help says what is kept.
func (AuditCmd) Help() string {
	return `Who did what, when and from where: sign-ins and failures, refusals, everything that changes or takes away data over HTTP, and what the
command line does about people. It holds no secrets and no contents. Entries are kept for 400 days, at most a million of what was done
and a hundred thousand of what was refused or failed.

Examples:
  workbench audit --outcome failed --since 24h
  workbench audit --json --limit 0 > audit.json`
}

// Run prints the log, newest first.
func (c AuditCmd) Run(p *program.Program) error {
	return people(p, "", func(people *apppeople.People) (string, error) {
		f := experiments.AuditFilter{Name: c.Name, Action: c.Action, Outcome: c.Outcome, Limit: c.Limit}
		if c.Since > 0 {
			f.Since = p.Now().Add(-c.Since)
		}
		entries, total, err := people.Audit(p.Context, f)
		if err != nil {
			return "", err
		}
		if p.Flags.JSON {
			return "", p.PrintJSON(entries)
		}
		rows := make([][]string, len(entries))
		for i, e := range entries {
			rows[i] = []string{e.At.Format("2006-01-02 15:04:05"), e.Outcome, cmp.Or(e.Name, e.Kind), e.Action,
				strings.TrimSpace(e.Target + " " + e.Detail), e.Address}
		}
		p.Table([]string{"WHEN (UTC)", "OUTCOME", "WHO", "WHAT", "TO WHAT", "FROM"}, rows)
		if total > len(entries) {
			p.Note("%d of %d; more with --limit", len(entries), total)
		}
		return "", nil
	})
}
