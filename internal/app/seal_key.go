package app

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

// SealKeyFile is the file in a data directory with the key that marks the seals of its database. It is no part of a backup or study. It
// also remembers which database was marked here, so that another one in its place is noticed.
const SealKeyFile = "seal.key"

const sealKeyHead = `# The key that marks what must not change in the database of this folder. Whoever can read it can forge marks, and without it nobody
# can check them: keep it readable by the program alone. Where you put another database here yourself, delete this file.
`

// sealKey is such a file.
type sealKey struct {
	path   string
	secret []byte
	marked map[string]store.Key // by place
}

// readSealKey reads the file in a folder; nil where there is none.
func readSealKey(dir string) (*sealKey, error) {
	path := filepath.Join(dir, SealKeyFile)
	content, err := os.ReadFile(path) //nolint:gosec // in the data directory
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // as it says
	}
	unusable := problem.New(problem.Unavailable, "seal_key", "the key of the seals, %s, cannot be used", path).With("path", path).
		WithHint("put it back as it was, or delete it: the next start makes another and believes what it finds")
	if err != nil {
		return nil, unusable.Because(err)
	}
	k := &sealKey{path: path, marked: map[string]store.Key{}}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		parts := strings.Fields(lines.Text())
		switch {
		case len(parts) == 0 || strings.HasPrefix(parts[0], "#"):
		case len(parts) == 2 && parts[0] == "key":
			if k.secret, err = hex.DecodeString(parts[1]); err != nil {
				return nil, unusable
			}
		case len(parts) == 2 && parts[0] == "forget":
			delete(k.marked, parts[1])
		case len(parts) == 5 && parts[0] == "database":
			rows, err := strconv.ParseInt(parts[4], 10, 64)
			if err != nil {
				return nil, unusable
			}
			k.marked[parts[1]] = store.Key{Marked: parts[2], Since: parts[3], Rows: rows}
		default:
			return nil, unusable
		}
	}
	if len(k.secret) < sha256.Size {
		return nil, unusable
	}
	return k, nil
}

// makeSealKey reads the file in a folder, and makes it where there is none: of several processes one does.
func makeSealKey(dir string) (*sealKey, error) {
	k, err := readSealKey(dir)
	if err != nil || k != nil {
		return k, err
	}
	secret := make([]byte, sha256.Size)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(dir, ".seal-key-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // it has its name by then
	_, err = fmt.Fprintf(temp, "%skey %x\n", sealKeyHead, secret)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, SealKeyFile)
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := os.Lstat(path); there == nil {
			return readSealKey(dir)
		}
		if err := os.Rename(temp.Name(), path); err != nil { // a file system without links
			return nil, err
		}
	}
	return readSealKey(dir)
}

// note adds a line to the file.
func (k *sealKey) note(line string) error {
	f, err := os.OpenFile(k.path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Sync(), f.Close())
}

// placeOf is what tells the databases that a folder's key may mark apart: the file in it, and others by their addresses.
func placeOf(databaseURL string) string {
	if databaseURL == "" {
		return DatabaseFile
	}
	return store.PlaceOf(databaseURL)
}

// vouch has the key of the data directory mark what is written. A place that cannot keep a key, on PostgreSQL, has none.
func vouch(ctx context.Context, s *store.Store, o Options, writing bool) error {
	today := o.Now().UTC().Format(time.DateOnly)
	var key *sealKey
	var err error
	if writing {
		if key, err = makeSealKey(o.DataDir); err != nil && o.DatabaseURL != "" && problem.CodeOf(err) != "seal_key" {
			key, err = nil, nil
		}
	} else {
		key, err = readSealKey(o.DataDir)
	}
	if err != nil {
		return err
	}
	if key == nil {
		return s.Unvouched(ctx)
	}
	place := placeOf(o.DatabaseURL)
	here := key.marked[place]
	here.Secret = key.secret
	identity, rows, err := s.Vouch(ctx, here, writing)
	if err != nil || identity == "" {
		return err
	}
	s.Vouched.Since = cmp.Or(s.Vouched.Since, today)
	return key.note(fmt.Sprintf("database %s %s %s %d", place, identity, s.Vouched.Since, rows))
}

// ForgetMarked has the key of a data directory forget which database it has marked there: another one was put into its place.
func ForgetMarked(dataDir, databaseURL string) error {
	key, err := readSealKey(dataDir)
	if err != nil || key == nil {
		return err
	}
	return key.note("forget " + placeOf(databaseURL))
}
