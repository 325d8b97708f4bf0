package experiments

import (
	"context"
	"strings"
	"time"
)

// Role is what a person or a token may do. Roles are ordered: each may do what those below it may.
type Role string

// The roles.
const (
	RoleNone   Role = ""       // nobody
	RoleViewer Role = "viewer" // looks
	RoleEditor Role = "editor" // works and spends
	RoleAdmin  Role = "admin"  // also deletes, tests connections, and looks after people
)

func (r Role) rank() int {
	switch r {
	case RoleViewer:
		return 1
	case RoleEditor:
		return 2
	case RoleAdmin:
		return 3
	case RoleNone:
	}
	return 0
}

// Valid reports whether r is one of the three roles that somebody can have.
func (r Role) Valid() bool { return r.rank() > 0 }

// Within reports whether r is a role that may do nothing which the other may not.
func (r Role) Within(other Role) bool { return r.Valid() && r.rank() <= other.rank() }

// Lower is the lower one of two roles: what a token of a person may do.
func (r Role) Lower(other Role) Role {
	if other.rank() < r.rank() {
		return other
	}
	return r
}

// Account is a person who can sign in.
type Account struct {
	ID           string    `json:"id"`
	Name         string    `json:"name"` // an e-mail address or a name; unique without regard to case
	Role         Role      `json:"role"`
	Disabled     bool      `json:"disabled"`
	PasswordHash string    `json:"-"` // as a PHC string; "": signs in elsewhere, or not yet
	Subject      string    `json:"-"` // issuer and subject at an identity provider; "": none
	CreatedAt    time.Time `json:"created_at"`
	SignedInAt   time.Time `json:"signed_in_at,omitzero"` // zero: never
}

// NameKey is the form in which names of accounts are compared.
func NameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// WebSession is a browser that signed in. Its id is a hash: the secret itself is in the browser's cookie alone.
type WebSession struct {
	ID        string    `json:"id"`
	Account   string    `json:"account"` // id; "" when it was opened with a token that belongs to nobody
	Token     string    `json:"token"`   // id of the token that it was opened with; "": none
	Data      []byte    `json:"-"`
	CreatedAt time.Time `json:"created_at"`
	SeenAt    time.Time `json:"seen_at"` // to about a minute
	ExpiresAt time.Time `json:"expires_at"`
	Address   string    `json:"address"` // of the client at sign-in
	Agent     string    `json:"agent"`   // what the browser called itself
}

// APIToken is what a program shows instead of signing in.
type APIToken struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Hash      string    `json:"-"`       // SHA-256 in hexadecimal digits
	Role      Role      `json:"role"`    // at most; never more than the owner's
	Account   string    `json:"account"` // id of the owner; "": the machine's own
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at,omitzero"` // zero: never
	UsedAt    time.Time `json:"used_at,omitzero"`    // to about a minute; zero: never
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// Alive reports whether the token may still be used, its owner apart.
func (t APIToken) Alive(now time.Time) bool {
	return t.RevokedAt.IsZero() && (t.ExpiresAt.IsZero() || now.Before(t.ExpiresAt))
}

// Link lets whoever has it do one thing once.
type Link struct {
	Hash      string // SHA-256 of its secret in hexadecimal digits
	Kind      string // [LinkSetup] or [LinkReset]
	Account   string // whose password it sets; "" for a setup link
	CreatedAt time.Time
	ExpiresAt time.Time
}

// The kinds of links.
const (
	LinkSetup = "setup" // makes the first administrator
	LinkReset = "reset" // sets a password
)

// AuditEntry is one line of the audit log: who did what, when, and from where. It holds no secrets and no contents.
type AuditEntry struct {
	ID      int64     `json:"id"` // ascending
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"`    // account, token, local, machine or nobody
	Actor   string    `json:"actor"`   // id of the account or the token
	Name    string    `json:"name"`    // of the actor at that time
	Action  string    `json:"action"`  // such as session.open, or the operation of the API
	Target  string    `json:"target"`  // what it was done to
	Outcome string    `json:"outcome"` // [AuditDone], [AuditRefused] or [AuditFailed]
	Address string    `json:"address"` // of the client; "" on the machine itself
	Detail  string    `json:"detail"`
}

// The outcomes of an audit entry.
const (
	AuditDone    = "done"
	AuditRefused = "refused" // the role does not allow it
	AuditFailed  = "failed"  // a sign-in that was wrong
)

// AuditSignIn is the action of somebody who signs in, which the rule against guessing looks for.
const AuditSignIn = "session.open"

// AuditFilter narrows the audit log. Zero fields do not filter.
type AuditFilter struct {
	Name    string // of the actor
	Action  string
	Outcome string
	Since   time.Time
	Before  int64 // only entries with a smaller id
	Limit   int   // 0: all
}

// Retention says how much of the audit log is kept. What was done and what was refused are counted apart, so that a flood of
// refusals pushes no evidence out.
type Retention struct {
	Before  time.Time // entries before it go
	Done    int       // at most so many entries of what was done
	Refused int       // at most so many of all others
}

// PeopleStore keeps who may do what. Every server of a database sees the same.
type PeopleStore interface {
	// CreateAccount stores a new account; Conflict when the name, or the subject, is taken.
	CreateAccount(ctx context.Context, a Account) error
	// Account, AccountNamed and AccountOf find an account by id, name and subject, or return NotFound.
	Account(ctx context.Context, id string) (Account, error)
	AccountNamed(ctx context.Context, name string) (Account, error)
	AccountOf(ctx context.Context, subject string) (Account, error)
	// Accounts lists all accounts by name.
	Accounts(ctx context.Context) ([]Account, error)
	// ChangeAccount applies change to an account in one transaction; change may run more than once. When the account loses its
	// password or is disabled its sessions end with it. Conflict when the last administrator would go.
	ChangeAccount(ctx context.Context, id string, change func(*Account) error) (Account, error)

	// PutSession stores a new session. PutSeen changes one that is still there, and no other: what was ended stays ended.
	PutSession(ctx context.Context, s WebSession) error
	PutSeen(ctx context.Context, id string, data []byte, seen, expires time.Time) error
	// Session finds a session that has not expired.
	Session(ctx context.Context, id string, now time.Time) (s WebSession, ok bool, err error)
	// Sessions lists the sessions of an account that have not expired, newest first.
	Sessions(ctx context.Context, account string, now time.Time) ([]WebSession, error)
	DeleteSession(ctx context.Context, id string) error
	// DeleteSessions ends all sessions of an account and says how many there were.
	DeleteSessions(ctx context.Context, account string) (int, error)

	// CreateToken stores a new token. A token with the same hash is kept as it is.
	CreateToken(ctx context.Context, t APIToken) error
	// TokenHashed finds a token by its hash, or returns NotFound. It may have expired.
	TokenHashed(ctx context.Context, hash string) (APIToken, error)
	// Token finds a token by its id, or returns NotFound.
	Token(ctx context.Context, id string) (APIToken, error)
	// Tokens lists the tokens of an account, or of everybody, newest first.
	Tokens(ctx context.Context, account string, everybody bool) ([]APIToken, error)
	UseToken(ctx context.Context, id string, at time.Time) error
	// RevokeToken ends a token and the sessions that were opened with it. It may be revoked already.
	RevokeToken(ctx context.Context, id string, at time.Time) error

	PutLink(ctx context.Context, l Link) error
	// Link finds a link that has not expired, or returns NotFound.
	Link(ctx context.Context, hash string, now time.Time) (Link, error)
	// UseSetupLink makes the first administrator and takes all setup links away, at once. NotFound when the link has been used or
	// has expired, Conflict when there is an administrator already.
	UseSetupLink(ctx context.Context, hash string, now time.Time, a Account) error
	// UseResetLink gives the link's account a password, ends its sessions and takes its links away. NotFound when the link has been
	// used or has expired.
	UseResetLink(ctx context.Context, hash string, now time.Time, passwordHash string) (Account, error)

	// AppendAudit adds an entry, which gets its id.
	AppendAudit(ctx context.Context, e AuditEntry) error
	// Audit lists entries, newest first, and says how many there are in all that fit the filter without its Before.
	Audit(ctx context.Context, f AuditFilter) (entries []AuditEntry, total int, err error)
	// SignedInFrom reports whether an account has signed in from an address since then.
	SignedInFrom(ctx context.Context, account, address string, since time.Time) (bool, error)
	// PrunePeople takes away expired sessions and links, those that show a page among them, and what the audit log need not keep.
	PrunePeople(ctx context.Context, now time.Time, keep Retention) error
}
