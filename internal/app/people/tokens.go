package people

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// NewToken describes a token that is to be made.
type NewToken struct {
	Name  string
	Role  experiments.Role
	Owner string        // name or id of an account; "" makes a token of the machine
	Life  time.Duration // 0 is [TokenLife]; at most [MaxTokenLife]
}

// AddToken makes a token and returns its secret, which cannot be found out again. A token of an account may do at most what the
// account may.
func (p *People) AddToken(ctx context.Context, n NewToken) (experiments.APIToken, string, error) {
	none := experiments.APIToken{}
	name := strings.TrimSpace(n.Name)
	if l := utf8.RuneCountInString(name); l == 0 || l > 100 {
		return none, "", problem.New(problem.Invalid, "token_name", "a token needs a name of 1 to 100 characters").With("field", "name").
			WithHint("name it after what uses it")
	}
	if err := checkRole(n.Role); err != nil {
		return none, "", err
	}
	if n.Life == 0 {
		n.Life = TokenLife
	}
	if n.Life < time.Minute || n.Life > MaxTokenLife {
		return none, "", problem.New(problem.Invalid, "token_life", "a token lives for up to 366 days").With("field", "days").
			WithHint("make another one when it has expired")
	}
	now := p.now()
	t := experiments.APIToken{ID: NewID()[:16], Name: name, Role: n.Role, CreatedAt: now, ExpiresAt: now.Add(n.Life)}
	if n.Owner != "" {
		owner, err := p.Account(ctx, n.Owner)
		if err != nil {
			return none, "", err
		}
		if !n.Role.Within(owner.Role) {
			return none, "", problem.New(problem.Invalid, "token_role", "%s is %s, and a token may not do more", owner.Name, owner.Role).
				With("field", "role").With("name", owner.Name).With("role", owner.Role).WithHint("choose a lower role")
		}
		t.Account = owner.ID
	}
	secret := NewSecret("wbt_")
	t.Hash = HashOf(secret)
	return t, secret, p.store.CreateToken(ctx, t)
}

// Tokens lists the tokens of an account, or everybody's, newest first.
func (p *People) Tokens(ctx context.Context, account string, everybody bool) ([]experiments.APIToken, error) {
	return p.store.Tokens(ctx, account, everybody)
}

// RevokeToken ends a token and the sessions that were opened with it. With an account it must be the account's own.
func (p *People) RevokeToken(ctx context.Context, id, account string) (experiments.APIToken, error) {
	t, err := p.store.Token(ctx, id)
	if err == nil && account != "" && t.Account != account {
		err = problem.New(problem.NotFound, "token_unknown", "there is no token %q", id).With("name", id)
	}
	if err != nil {
		return t, err
	}
	return t, p.store.RevokeToken(ctx, id, p.now())
}

// legacyFile is where older versions kept the tokens of a server.
const legacyFile = "access-tokens.json"

type legacyToken struct {
	SHA256    string    `json:"sha256"`
	Role      string    `json:"role"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// adopt takes the tokens of an older version's file into the database, and puts the file aside. Doing it twice, or on two servers,
// changes nothing: a token that was revoked meanwhile stays revoked.
func (p *People) adopt(ctx context.Context, dir string) error {
	path := filepath.Join(dir, legacyFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return tokenFile(path, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return problem.New(problem.Invalid, "token_file", "the file %s can be read by others", path).WithHint("chmod 600 %s", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return tokenFile(path, err)
	}
	var list []legacyToken
	if err := json.Unmarshal(raw, &list); err != nil {
		return tokenFile(path, err)
	}
	for _, l := range list {
		role := experiments.Role(l.Role)
		if sum, err := hex.DecodeString(l.SHA256); err != nil || len(sum) != 32 || !role.Valid() {
			return tokenFile(path, errors.New("an entry is no token"))
		}
		t := experiments.APIToken{ID: l.SHA256[:16], Name: legacyFile, Hash: strings.ToLower(l.SHA256), Role: role, CreatedAt: l.CreatedAt,
			ExpiresAt: l.ExpiresAt}
		if err := p.store.CreateToken(ctx, t); err != nil {
			return err
		}
	}
	if err := os.Rename(path, path+".old"); err != nil {
		return tokenFile(path, err)
	}
	return p.Record(ctx, Machine(), experiments.AuditEntry{Action: "token.adopt", Target: legacyFile})
}

func tokenFile(path string, err error) error {
	return problem.New(problem.Invalid, "token_file", "the file of access tokens %s cannot be taken over", path).Because(err).
		WithHint("move it away and make new tokens: workbench token add NAME --role admin")
}
