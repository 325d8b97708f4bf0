package sqldb

import (
	"context"

	"gorm.io/gorm"
)

// Marker marks the seals of rows with a key that lies outside of the database, and keeps their number: see package seals.
type Marker interface {
	// Mark is the mark of a seal.
	Mark(kind, key string, digest []byte) []byte
	// Count adds to the numbers of seals, by kind.
	Count(tx *gorm.DB, added map[string]int64) error
	// CountBy adds to one of the numbers by statements written by hand.
	CountBy(tx Statements, kind string, n int64) error
}

// markerName is that of the plugin of gorm by which a transaction knows its marker.
const markerName = "workbench:marks"

type markerPlugin struct{ Marker }

// Name implements [gorm.Plugin].
func (markerPlugin) Name() string { return markerName }

// Initialize implements [gorm.Plugin].
func (markerPlugin) Initialize(*gorm.DB) error { return nil }

// MarkBy has all seals that are written from now on marked. It is called before anybody else uses the store.
func (s *DB) MarkBy(m Marker) {
	s.marker = m
	s.Orm.Plugins[markerName] = markerPlugin{m}
}

// MarkerOf is what marks seals in a transaction; nil where nothing does.
func MarkerOf(tx *gorm.DB) Marker {
	p, _ := tx.Plugins[markerName].(markerPlugin)
	return p.Marker
}

// addedKey is where a transaction notes how many seals it has put in or taken away.
type addedKey struct{}

// counting has a transaction count its seals at its end, so that nobody waits for the numbers longer than for its commit.
func (s *DB) counting(f func(tx *gorm.DB) error) func(tx *gorm.DB) error {
	if s.marker == nil {
		return f
	}
	return func(tx *gorm.DB) error {
		added := map[string]int64{}
		if err := f(tx.WithContext(context.WithValue(tx.Statement.Context, addedKey{}, added))); err != nil {
			return err
		}
		return s.marker.Count(tx, added)
	}
}

// Count notes that seals of a kind were put in, or taken away where n is negative.
func Count(tx *gorm.DB, kind string, n int64) error {
	m := MarkerOf(tx)
	if m == nil {
		return nil
	}
	if added, ok := tx.Statement.Context.Value(addedKey{}).(map[string]int64); ok {
		added[kind] += n
		return nil
	}
	return m.Count(tx, map[string]int64{kind: n})
}

// Vouched is what a place knows of the marks in its database.
type Vouched struct {
	State VouchedState
	Rows  int64  // that were there before the key was made, and were marked as they were found
	Since string // the day on which that was
}

// VouchedState says whether the key of a place vouches for a database.
type VouchedState int

// The states.
const (
	Unasked  VouchedState = iota // of a copy, a study, a scratch file: nobody has a key for it
	Keyless                      // no key of this place has marked it
	Foreign                      // the key of another place has marked it
	Keyed                        // every seal carries a mark of the key of this place, or somebody else wrote it
	Replaced                     // the key of this place has marked a database here, and it was not this one
)
