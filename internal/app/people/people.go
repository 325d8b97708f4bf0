package people

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// People looks after who may do what: accounts, passwords, sessions, tokens and the audit log. All of it is in the database, so
// that every server of a database sees the same at once. It is safe for concurrent use.
//
// It decides about secrets and life-times, and about who may be given what. Whether somebody may ask for it at all is decided by
// whoever calls it: the permission of a route, or the user of the machine who types a command.
type People struct {
	// Cost is what one hash of a password costs; the zero value is [DefaultCost]. A password that was hashed at another cost is
	// hashed again when its owner signs in.
	Cost PasswordCost
	// PublicURL is where people reach the server, for links to it; "" where the configuration does not say.
	PublicURL string

	store   experiments.PeopleStore
	now     func() time.Time
	hashing chan struct{} // a place for each hash that is computed at the same moment
	waiting atomic.Int32  // how many wait for one
}

// The life-times of what lets people in.
const (
	SetupLinkLife    = 30 * time.Minute
	ResetLinkLife    = 24 * time.Hour
	TokenLife        = 90 * 24 * time.Hour // unless another one is asked for
	MaxTokenLife     = 366 * 24 * time.Hour
	seenStep         = time.Minute // what happens more often is not written down
	knownAddressLife = 90 * 24 * time.Hour
)

// auditKept is how much of the audit log stays: 400 days, and no more than so many entries.
const (
	auditLife    = 400 * 24 * time.Hour
	auditDone    = 1_000_000
	auditRefused = 100_000
)

// NewPeople opens what is known of people, and takes over the tokens of an older version's file once.
func NewPeople(ctx context.Context, w *app.Workbench) (*People, error) {
	p := PeopleAt(w, w.Options.Now)
	return p, p.adopt(ctx, w.Options.DataDir)
}

// PeopleAt is [NewPeople] on another clock, and takes nothing over.
func PeopleAt(w *app.Workbench, now func() time.Time) *People {
	return &People{PublicURL: w.Config.PublicURL, store: w.Whole, now: now, hashing: make(chan struct{}, hashesAtOnce)}
}

// Actor is somebody who does something.
type Actor struct {
	Kind    string           // an Actor… constant
	ID      string           // of the account or the token
	Name    string           // as people know it
	Role    experiments.Role // what may be done
	Account string           // id of the account; "" where there is none
	Token   string           // id of the token that was shown, or that a session was opened with
	Session string           // id of the session; "" where there is none
	Address string           // of the client; "" on the machine itself
}

// The kinds of actors.
const (
	ActorNobody  = "nobody"
	ActorAccount = "account"
	ActorToken   = "token"
	ActorLocal   = "local"   // reaches a server that asks nobody to sign in
	ActorMachine = "machine" // types commands, or is the server itself
)

// Machine is the user of the machine.
func Machine() Actor {
	return Actor{Kind: ActorMachine, Name: "command line", Role: experiments.RoleAdmin}
}

// NewSecret is 256 random bits behind a prefix that says what it is.
func NewSecret(prefix string) string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(secret)
}

// HashOf is what is kept of a secret of 256 bits.
func HashOf(secret string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(secret)))
	return hex.EncodeToString(sum[:])
}

// NewID is an id that nobody can foresee.
func NewID() string { return strings.ToLower(rand.Text()) }

// checkName refuses names that cannot be read, or that look like another one.
func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	odd := func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) && r != ' ' || r == utf8.RuneError
	}
	if n := utf8.RuneCountInString(name); n == 0 || n > 200 || strings.ContainsFunc(name, odd) {
		return "", problem.New(problem.Invalid, "account_name", "the name of an account has 1 to 200 visible characters").
			With("field", "name").
			WithHint("use an e-mail address, or a name")
	}
	return name, nil
}

func checkRole(role experiments.Role) error {
	if role.Valid() {
		return nil
	}
	return problem.New(problem.Invalid, "role", "%q is no role", role).With("field", "role").WithHint("use viewer, editor or admin")
}

// AddAccount makes an account. Without a password it comes with the secret of a link that sets one.
func (p *People) AddAccount(ctx context.Context, name string, role experiments.Role, password string) (a experiments.Account,
	link string, err error) {
	if name, err = checkName(name); err == nil {
		err = checkRole(role)
	}
	if err != nil {
		return a, "", err
	}
	a = experiments.Account{ID: NewID(), Name: name, Role: role, CreatedAt: p.now()}
	if password != "" {
		if err := checkPassword(password, name); err != nil {
			return a, "", err
		}
		if a.PasswordHash, err = p.hash(ctx, password); err != nil {
			return a, "", err
		}
	}
	if err := p.store.CreateAccount(ctx, a); err != nil || password != "" {
		return a, "", err
	}
	link, err = p.resetLink(ctx, a)
	return a, link, err
}

// Accounts lists all accounts by name.
func (p *People) Accounts(ctx context.Context) ([]experiments.Account, error) {
	return p.store.Accounts(ctx)
}

// Account finds an account by its name or id, or returns NotFound.
func (p *People) Account(ctx context.Context, nameOrID string) (experiments.Account, error) {
	a, err := p.store.AccountNamed(ctx, nameOrID)
	if problem.Is(err, problem.NotFound) {
		if byID, idErr := p.store.Account(ctx, nameOrID); idErr == nil {
			return byID, nil
		}
	}
	return a, err
}

// SetRole gives an account another role, from its next request on. The last administrator stays one.
func (p *People) SetRole(ctx context.Context, nameOrID string, role experiments.Role) (experiments.Account, error) {
	if err := checkRole(role); err != nil {
		return experiments.Account{}, err
	}
	return p.change(ctx, nameOrID, func(a *experiments.Account) { a.Role = role })
}

// SetDisabled keeps somebody out, with sessions and tokens, or lets them in again. The last administrator stays.
func (p *People) SetDisabled(ctx context.Context, nameOrID string, disabled bool) (experiments.Account, error) {
	return p.change(ctx, nameOrID, func(a *experiments.Account) { a.Disabled = disabled })
}

func (p *People) change(ctx context.Context, nameOrID string, change func(*experiments.Account)) (experiments.Account, error) {
	a, err := p.Account(ctx, nameOrID)
	if err != nil {
		return a, err
	}
	return p.store.ChangeAccount(ctx, a.ID, func(a *experiments.Account) error { change(a); return nil })
}

// ResetLink makes the secret of a link with which somebody can set a password, once, within [ResetLinkLife].
func (p *People) ResetLink(ctx context.Context, nameOrID string) (experiments.Account, string, error) {
	a, err := p.Account(ctx, nameOrID)
	if err != nil {
		return a, "", err
	}
	if a.Disabled {
		return a, "", problem.New(problem.Conflict, "account_disabled", "the account %s is disabled", a.Name).With("name", a.Name).
			WithHint("enable it first")
	}
	link, err := p.resetLink(ctx, a)
	return a, link, err
}

func (p *People) resetLink(ctx context.Context, a experiments.Account) (string, error) {
	secret := NewSecret("wbr_")
	now := p.now()
	return secret, p.store.PutLink(ctx, experiments.Link{Hash: HashOf(secret), Kind: experiments.LinkReset, Account: a.ID, CreatedAt: now,
		ExpiresAt: now.Add(ResetLinkLife)})
}

// NeedsAdministrator reports whether nobody can administer: there is no such account, and no token of that role which belongs to
// nobody.
func (p *People) NeedsAdministrator(ctx context.Context) (bool, error) {
	accounts, err := p.store.Accounts(ctx)
	if err != nil || slices.ContainsFunc(accounts,
		func(a experiments.Account) bool { return a.Role == experiments.RoleAdmin && !a.Disabled }) {
		return false, err
	}
	tokens, err := p.store.Tokens(ctx, "", false)
	now := p.now()
	return err == nil && !slices.ContainsFunc(tokens,
		func(t experiments.APIToken) bool { return t.Role == experiments.RoleAdmin && t.Alive(now) }), err
}

// SetupLink makes the secret of the link that makes the first administrator, once, within [SetupLinkLife].
func (p *People) SetupLink(ctx context.Context) (string, error) {
	secret := NewSecret("wbs_")
	now := p.now()
	return secret, p.store.PutLink(ctx, experiments.Link{Hash: HashOf(secret), Kind: experiments.LinkSetup, CreatedAt: now,
		ExpiresAt: now.Add(SetupLinkLife)})
}

// SetUp makes the first administrator. Of many who try one link, or several, one succeeds.
func (p *People) SetUp(ctx context.Context, secret, name, password string) (experiments.Account, error) {
	name, err := checkName(name)
	if err == nil {
		err = checkPassword(password, name)
	}
	if err == nil { // what costs something comes after what costs nothing
		_, err = p.store.Link(ctx, HashOf(secret), p.now())
	}
	a := experiments.Account{ID: NewID(), Name: name, Role: experiments.RoleAdmin, CreatedAt: p.now(), SignedInAt: p.now()}
	if err == nil {
		a.PasswordHash, err = p.hash(ctx, password)
	}
	if err != nil {
		return experiments.Account{}, err
	}
	return a, p.store.UseSetupLink(ctx, HashOf(secret), p.now(), a)
}

// UseResetLink sets a password by a link. All sessions of the account end.
func (p *People) UseResetLink(ctx context.Context, secret, password string) (experiments.Account, error) {
	l, err := p.store.Link(ctx, HashOf(secret), p.now())
	if err != nil {
		return experiments.Account{}, err
	}
	name := ""
	if a, err := p.store.Account(ctx, l.Account); err == nil {
		name = a.Name
	}
	if err := checkPassword(password, name); err != nil {
		return experiments.Account{}, err
	}
	hash, err := p.hash(ctx, password)
	if err != nil {
		return experiments.Account{}, err
	}
	return p.store.UseResetLink(ctx, HashOf(secret), p.now(), hash)
}

// Record writes an entry of the audit log. Neither targets nor details may hold secrets or contents.
func (p *People) Record(ctx context.Context, by Actor, e experiments.AuditEntry) error {
	e.At, e.Kind, e.Actor, e.Name, e.Address = p.now(), by.Kind, by.ID, cmp.Or(e.Name, by.Name), by.Address
	e.Name, e.Target, e.Detail = text.Cut(e.Name, mostAudit), text.Cut(e.Target, mostAudit), text.Cut(e.Detail, mostAudit)
	e.Outcome = cmp.Or(e.Outcome, experiments.AuditDone)
	return p.store.AppendAudit(context.WithoutCancel(ctx), e) // what was done is written down, whoever has hung up
}

// mostAudit keeps a line of the audit log short.
const mostAudit = 300

// Audit lists entries of the audit log, newest first.
func (p *People) Audit(ctx context.Context, f experiments.AuditFilter) ([]experiments.AuditEntry, int, error) {
	return p.store.Audit(ctx, f)
}

// Prune takes away what has expired, and what the audit log need not keep: entries of more than 400 days, and the oldest beyond a
// million of what was done and a hundred thousand of what was refused.
func (p *People) Prune(ctx context.Context) error {
	now := p.now()
	return p.store.PrunePeople(ctx, now, experiments.Retention{Before: now.Add(-auditLife), Done: auditDone, Refused: auditRefused})
}

// AuditTable is the audit log for a file.
func AuditTable(entries []experiments.AuditEntry) spreadsheet.Table {
	columns := []string{"at", "kind", "name", "action", "target", "outcome", "address", "detail", "actor", "id"}
	return listing.TableOf("audit", columns, entries, func(e experiments.AuditEntry) []any {
		return []any{e.At.Format(time.RFC3339), e.Kind, e.Name, e.Action, e.Target, e.Outcome, e.Address, e.Detail, e.Actor, int(e.ID)}
	})
}
