package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// PasswordCost is what one Argon2id hash costs.
type PasswordCost struct {
	Passes  uint32
	KiB     uint32 // of memory
	Threads uint8
}

// DefaultCost is the second choice of RFC 9106 in passes and memory, on one thread, so that somebody who signs in keeps one
// processor busy.
func DefaultCost() PasswordCost { return PasswordCost{Passes: 3, KiB: 64 << 10, Threads: 1} }

// How many hashes are computed at once, which bounds their memory (2 × 64 MiB), and how many may wait.
const (
	hashesAtOnce  = 2
	hashesWaiting = 32
)

// The lengths that a password may have, in characters. There is no rule about what characters.
const (
	MinPassword = 12
	MaxPassword = 128
)

//go:embed people_common.txt
var commonText string

// commonPasswords are the commonest of at least twelve characters, in lower case.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(commonText) {
		known[strings.TrimSpace(line)] = true
	}
	return known
})

// checkPassword refuses what is guessed first.
func checkPassword(password, name string) error {
	refuse := func(code, message string, args ...any) error {
		return problem.New(problem.Invalid, code, message, args...).With("field", "password").With("min", MinPassword).
			With("max", MaxPassword).
			WithHint("several words that do not belong together make a good password")
	}
	n := utf8.RuneCountInString(password)
	if !utf8.ValidString(password) || n < MinPassword || n > MaxPassword {
		return refuse("password_length", "a password has %d to %d characters", MinPassword, MaxPassword)
	}
	plain := strings.ToLower(password)
	who, _, _ := strings.Cut(strings.ToLower(name), "@")
	switch {
	case commonPasswords()[plain], repeats(plain), len(who) >= 4 &&
		strings.Trim(strings.ReplaceAll(plain, who, ""), "0123456789!@#$._- ") == "":
		return refuse("password_common", "this password is one of those that are tried first")
	}
	return nil
}

// repeats reports whether a text is a short piece again and again, such as aaaaaaaaaaaa or abcabcabcabc, or a common password
// written twice.
func repeats(s string) bool {
	for size := 1; size <= len(s)/2; size++ {
		piece := s[:size]
		if (size <= 4 || commonPieces[piece]) && strings.HasPrefix(strings.Repeat(piece, len(s)/size+1), s) {
			return true
		}
	}
	return false
}

// commonPieces are short common passwords that are no better when they are written twice.
var commonPieces = map[string]bool{
	"password": true, "passwort": true, "qwerty": true, "qwertz": true, "123456": true, "1234567": true, "12345678": true,
	"123456789": true, "1234567890": true,
	"letmein": true, "welcome": true, "iloveyou": true, "admin": true, "secret": true, "abc123": true, "workbench": true, "monkey": true,
	"dragon": true,
}

// hash computes the PHC string of a password, when there is a free place for it.
func (p *People) hash(ctx context.Context, password string) (string, error) {
	cost := p.cost()
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	key, err := p.argon(ctx, password, salt, cost, 32)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, cost.KiB, cost.Passes, cost.Threads, b64(salt), b64(key)), nil
}

func (p *People) cost() PasswordCost {
	if p.Cost == (PasswordCost{}) {
		return DefaultCost()
	}
	return p.Cost
}

// argon waits for a place and computes.
func (p *People) argon(ctx context.Context, password string, salt []byte, cost PasswordCost, size int) ([]byte, error) {
	if p.waiting.Add(1) > hashesWaiting {
		p.waiting.Add(-1)
		return nil, problem.New(problem.Unavailable, "sign_in_busy", "too many people are signing in at this moment").
			WithHint("try again in a few seconds")
	}
	defer p.waiting.Add(-1)
	select {
	case p.hashing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.hashing }()
	return argon2.IDKey([]byte(password), salt, cost.Passes, cost.KiB, cost.Threads, uint32(size)), nil //nolint:gosec // 16 to 64
}

// matches compares a password with a PHC string. stale says that it was hashed at another cost. A string that is none matches
// nothing, and takes as long as another.
func (p *People) matches(ctx context.Context, password, phc string) (same, stale bool, err error) {
	cost, salt, key, ok := parsePHC(phc)
	if !ok {
		cost, salt, key = p.cost(), make([]byte, 16), make([]byte, 32)
	}
	got, err := p.argon(ctx, password, salt, cost, len(key))
	if err != nil {
		return false, false, err
	}
	return subtle.ConstantTimeCompare(got, key) == 1 && ok, cost != p.cost(), nil
}

func parsePHC(phc string) (cost PasswordCost, salt, key []byte, ok bool) {
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return cost, nil, nil, false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &cost.KiB, &cost.Passes, &cost.Threads); err != nil {
		return cost, nil, nil, false
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	key, keyErr := base64.RawStdEncoding.DecodeString(parts[5])
	ok = saltErr == nil && keyErr == nil && len(key) >= 16 && len(key) <= 64 && cost.Passes > 0 && cost.Threads > 0 && cost.KiB <= 1<<20
	return cost, salt, key, ok
}
