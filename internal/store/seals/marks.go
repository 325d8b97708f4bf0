package seals

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"sync"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A seal is a digest that everybody can compute. Where a place has a key, which lies outside of the database, each seal carries a mark that
// only the key gives, and the kinds of rows of which nothing else tells that one is gone are counted under a mark too: see [Marks].

// Unmarked is the marker of a place without the key that marks the database: what it seals has no mark, in the place of one that would not
// fit any more.
type Unmarked struct{}

var _ sqldb.Marker = Unmarked{}

// Mark implements [sqldb.Marker].
func (Unmarked) Mark(string, string, []byte) []byte { return nil }

// Count implements [sqldb.Marker].
func (Unmarked) Count(*gorm.DB, map[string]int64) error { return nil }

// CountBy implements [sqldb.Marker].
func (Unmarked) CountBy(sqldb.Statements, string, int64) error { return nil }

// markSize is the length of a mark: as long as nobody guesses it, and a part of the digest, so that nobody goes on from it.
const markSize = 16

// Marks are what a key makes for one database. They are safe for concurrent use.
type Marks struct {
	hashers sync.Pool
	former  bool // what is there was marked before rows that change were sealed

	counting sync.Mutex
	last     lastHead // that [Marks.CountBy] wrote; it may have been undone
}

// lastHead is a number of rows with its mark.
type lastHead struct {
	kind string
	n    int64
	head []byte
}

var _ sqldb.Marker = (*Marks)(nil)

// NewMarks are the marks of a key in the database that has this install secret: in another the same rows have other marks.
func NewMarks(key, secret []byte) *Marks {
	of := hmac.New(sha256.New, key)
	of.Write([]byte("marks of seals 1"))
	of.Write(secret)
	derived := of.Sum(nil)
	return &Marks{hashers: sync.Pool{New: func() any { return &marking{hash: hmac.New(sha256.New, derived)} }}}
}

type marking struct {
	hash   hash.Hash
	buffer []byte
}

// of is the mark of some parts, each with its length before it.
func (m *Marks) of(what byte, parts ...string) []byte {
	h, _ := m.hashers.Get().(*marking)
	defer m.hashers.Put(h)
	h.buffer = append(h.buffer[:0], what)
	for _, part := range parts {
		h.buffer = binary.BigEndian.AppendUint32(h.buffer, uint32(len(part))) //nolint:gosec // no text is so long
		h.buffer = append(h.buffer, part...)
	}
	h.hash.Reset()
	h.hash.Write(h.buffer)
	var sum [sha256.Size]byte
	return slices.Clone(h.hash.Sum(sum[:0])[:markSize])
}

// Mark implements [sqldb.Marker].
func (m *Marks) Mark(kind, key string, digest []byte) []byte {
	return m.of(1, kind, key, string(digest))
}

// Unmarked finds, of these seals of a kind, those that have not the mark of the key. Where programs without it write too, which is what
// shared says, a seal without any mark is theirs.
func (m *Marks) Unmarked(tx *gorm.DB, kind string, keys []string, shared bool) (found []string, err error) {
	var rows []struct {
		Key          string
		Digest, Mark []byte
	}
	if err := tx.Raw("SELECT key, digest, mark FROM seals WHERE kind = ? AND key IN ?", kind, keys).Scan(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		if !hmac.Equal(r.Mark, m.Mark(kind, r.Key, r.Digest)) && !(len(r.Mark) == 0 && shared) {
			found = append(found, r.Key)
		}
	}
	return found, nil
}

// Identity is what tells a database that has these marks from any other, and says nothing of the key. There is another one whenever more
// kinds of rows are marked, so that they are taken up once.
func (m *Marks) Identity() []byte { return m.of(2, "moving") }

// Former is the identity of a database that was marked before rows that change were sealed: see [integrity.Rule.Moving].
func (m *Marks) Former() []byte { return m.of(2) }

// AsFormer has the marks know nothing of what was sealed after that.
func (m *Marks) AsFormer() { m.former = true }

// Knows tells whether rows of a kind are marked and counted.
func (m *Marks) Knows(kind string) bool {
	return !m.former || kind != Alone && !slices.Contains(integrity.Moving(), kind)
}

// NumberOf is how many rows there are of a kind that has a number.
func NumberOf(tx *gorm.DB, kind string) (n int64, err error) {
	query, args := "SELECT COUNT(*) FROM seals WHERE kind = ?", []any{kind}
	if kind == Alone {
		query, args = "SELECT COUNT(*) FROM calls WHERE run_id = ''", nil
	}
	err = tx.Raw(query, args...).Row().Scan(&n)
	return n, err
}

// head is how many seals of a kind there are, with the mark of that.
func (m *Marks) head(kind string, n int64) []byte {
	count := binary.BigEndian.AppendUint64(nil, uint64(n)) //nolint:gosec // the bits count
	return append(count, m.of(3, kind, string(count))...)
}

// counted is the number that a head says; false for one that these marks did not make.
func (m *Marks) counted(kind string, head []byte) (n int64, whole bool) {
	if len(head) != 8+markSize {
		return 0, false
	}
	n = int64(binary.BigEndian.Uint64(head)) //nolint:gosec // the bits count
	return n, hmac.Equal(head, m.head(kind, n))
}

// headName names the head of a kind among the facts of an installation.
func headName(kind string) string { return "seals of " + kind }

// Counted is the number of seals of a kind that were put in and not taken away; whole is false where somebody else wrote it, or took it
// away.
func (m *Marks) Counted(tx *gorm.DB, kind string) (n int64, whole bool, err error) {
	head, err := m.stored(tx, kind, "")
	if err != nil {
		return 0, false, err
	}
	n, whole = m.counted(kind, head)
	return n, whole, nil
}

func (*Marks) stored(tx *gorm.DB, kind, locking string) (head []byte, err error) {
	var found [][]byte
	err = tx.Raw("SELECT value FROM install WHERE name = ?"+locking, headName(kind)).Scan(&found).Error
	if len(found) > 0 {
		head = found[0]
	}
	return head, err
}

// Alone is counted beside the kinds of seals: calls that belong to no run. Nothing takes one away, and a run says how many it has.
const Alone = "calls of no run"

// countedKinds have a number.
var countedKinds = append(slices.Clone(integrity.Counted), Alone)

// CountBy implements [sqldb.Marker]. It happens once for each call of no run, so what this process wrote last is tried first.
func (m *Marks) CountBy(tx sqldb.Statements, kind string, n int64) error {
	m.counting.Lock()
	defer m.counting.Unlock()
	name, was := headName(kind), m.last
	if was.kind == kind {
		now := m.head(kind, was.n+n)
		changed, err := tx.Exec("UPDATE install SET value = ? WHERE name = ? AND value = ?", now, name, was.head)
		if err != nil || changed == 1 {
			m.last = lastHead{kind, was.n + n, now}
			return err
		}
	}
	var head []byte
	if _, err := tx.Row([]any{&head}, "SELECT value FROM install WHERE name = ?"+tx.Locking(), name); err != nil {
		return err
	}
	there, whole := m.counted(kind, head)
	if !whole {
		return nil
	}
	now := m.head(kind, there+n)
	m.last = lastHead{kind, there + n, now}
	_, err := tx.Exec("UPDATE install SET value = ? WHERE name = ?", now, name)
	return err
}

// Count implements [sqldb.Marker]. A head that somebody else wrote stays as it is, so that it is found.
func (m *Marks) Count(tx *gorm.DB, added map[string]int64) error {
	locking := ""
	if tx.Name() == "postgres" {
		locking = " FOR UPDATE"
	}
	for _, kind := range countedKinds { // in one order, so that two writers cannot wait for each other
		if added[kind] == 0 {
			continue
		}
		head, err := m.stored(tx, kind, locking)
		if err != nil {
			return err
		}
		n, whole := m.counted(kind, head)
		if !whole {
			continue
		}
		if err := tx.Exec("UPDATE install SET value = ? WHERE name = ?", m.head(kind, n+added[kind]), headName(kind)).Error; err != nil {
			return err
		}
	}
	return nil
}

// count notes that seals of a kind were put in, or taken away where n is negative.
func count(tx *gorm.DB, kind string, n int64) error {
	if n == 0 || !slices.Contains(integrity.Counted, kind) {
		return nil
	}
	return sqldb.Count(tx, kind, n)
}
