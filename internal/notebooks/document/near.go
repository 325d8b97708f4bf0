package document

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// NearestColumn is the column that could be meant, "" for none: "retrieve.k", as settings are called elsewhere, is k, and "chunk.size"
// chunk_size.
func NearestColumn(name string, columns []string) string {
	for _, called := range []string{strings.ReplaceAll(name, ".", "_"), name[strings.LastIndexByte(name, '.')+1:]} {
		if Contains(columns, called) {
			return called
		}
	}
	return text.Nearest(name, columns)
}

// Cut keeps a text short.
func Cut(s string) string {
	return text.Cut(s, 240)
}

// Contains reports whether a list has a text.
func Contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
