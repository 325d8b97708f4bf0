package app

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// AccessTokens are the tokens that a server takes. Of each only its SHA-256 is kept, in a file of the data directory that nobody
// else can read. It is safe for concurrent use; another process may add tokens at the same time.
type AccessTokens struct {
	path string
	now  func() time.Time

	mu   sync.Mutex
	read time.Time // modification time of what is in list
	list []accessToken
}

type accessToken struct {
	SHA256    string    `json:"sha256"`
	Role      string    `json:"role"` // viewer, editor or admin
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at,omitzero"` // zero: never
}

// accessFile is the file's name.
const accessFile = "access-tokens.json"

// AccessTokens opens the tokens of the data directory, which is made when it is not there.
func (w *Workbench) AccessTokens() (*AccessTokens, error) {
	dir := w.options.DataDir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, problem.New(problem.Invalid, "data_dir", "cannot create the data directory %s", dir).Because(err).WithHint("choose another with --data")
	}
	t := &AccessTokens{path: filepath.Join(dir, accessFile), now: w.options.Now}
	return t, t.refresh()
}

// refresh reads the file when it has changed. Without a file there is no token.
func (t *AccessTokens) refresh() error {
	info, err := os.Stat(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		t.list, t.read = nil, time.Time{}
		return nil
	}
	if err != nil {
		return tokenFile(t.path, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return problem.New(problem.Invalid, "token_file", "the file %s can be read by others", t.path).WithHint("chmod 600 %s", t.path)
	}
	if info.ModTime().Equal(t.read) && t.list != nil {
		return nil
	}
	raw, err := os.ReadFile(t.path)
	if err != nil {
		return tokenFile(t.path, err)
	}
	var list []accessToken
	if err := json.Unmarshal(raw, &list); err != nil {
		return tokenFile(t.path, err)
	}
	t.list, t.read = list, info.ModTime()
	return nil
}

func tokenFile(path string, err error) error {
	return problem.New(problem.Invalid, "token_file", "the file of access tokens %s cannot be used", path).Because(err).
		WithHint("move it away; the next start makes a new token")
}

// Role returns the role of a token by its hash.
func (t *AccessTokens) Role(_ context.Context, hash [sha256.Size]byte) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refresh() != nil {
		return "", false // a file that cannot be read lets nobody in
	}
	wanted, role := []byte(hex.EncodeToString(hash[:])), ""
	for _, a := range t.list {
		expired := !a.ExpiresAt.IsZero() && !t.now().Before(a.ExpiresAt)
		if subtle.ConstantTimeCompare(wanted, []byte(a.SHA256)) == 1 && !expired {
			role = a.Role
		}
	}
	return role, role != ""
}

// Has reports whether there is a token of a role.
func (t *AccessTokens) Has(role string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range t.list {
		if a.Role == role {
			return true
		}
	}
	return false
}

// Add makes a token of a role and returns it. It cannot be found out again.
func (t *AccessTokens) Add(role string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.refresh(); err != nil {
		return "", err
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	token := "wbt_" + base64.RawURLEncoding.EncodeToString(secret)
	sum := sha256.Sum256([]byte(token))
	list := append(slices.Clone(t.list), accessToken{SHA256: hex.EncodeToString(sum[:]), Role: role, CreatedAt: t.now()})
	body, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return "", err
	}
	whole := t.path + ".new"
	if err := os.WriteFile(whole, append(body, '\n'), 0o600); err != nil {
		return "", tokenFile(t.path, err)
	}
	if err := os.Rename(whole, t.path); err != nil {
		return "", tokenFile(t.path, err)
	}
	t.list, t.read = list, time.Time{}
	return token, nil
}
