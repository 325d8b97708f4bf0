package seals

import (
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/integrity"
)

// PutGone keeps that rows are rightly not here, by their keys, each with its kind before it.
func PutGone(tx *gorm.DB, keys []string) error {
	rows := make([]Row, len(keys))
	for i, key := range keys {
		d := integrity.GoneDigest(key)
		rows[i] = Row{Kind: integrity.Gone, Key: key, Digest: d[:]}
	}
	return Put(tx, rows, false)
}

// RemoveGone takes that back of rows that have come.
func RemoveGone(tx *gorm.DB, kind string, parts ...any) error {
	return Remove(tx, integrity.Gone, append([]any{kind}, parts...)...)
}
