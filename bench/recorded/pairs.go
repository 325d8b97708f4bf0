package recorded

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

// Verdicts are the replies on both answers of the pairs that [Pairs] returns.
//
//go:embed verdicts.jsonl
var Verdicts []byte

// OtherVerdicts are those on the pairs that [OtherPairs] returns.
//
//go:embed verdicts_others.jsonl
var OtherVerdicts []byte

// pairs is how many pairs were chosen to be asked about first.
const pairs = 100

// Pairs are the readers' pairs that were asked about first, with the name of the file in the folder shared that holds all.
func Pairs(shared string) ([]validation.ReadersPair, string, error) {
	all, source, err := ordered(shared)
	return all[:min(pairs, len(all))], source, err
}

// OtherPairs are those that were asked about later, to try a rule that had been chosen on the first.
func OtherPairs(shared string) ([]validation.ReadersPair, string, error) {
	all, source, err := ordered(shared)
	return all[min(pairs, len(all)):], source, err
}

// ordered are all pairs, in the order in which they were asked about.
func ordered(shared string) ([]validation.ReadersPair, string, error) {
	all, source, err := validations.ReadPairs(filepath.Join(shared, "cases", "verdict_pairs.jsonl"))
	if err != nil {
		return nil, "", err
	}
	return Chosen(all, len(all), "evidence 1 ", func(p validation.ReadersPair) string { return p.ID }), source, nil
}

// Chosen are n of the list by the digest of a word and their ids: a rule that nobody can bend after looking.
func Chosen[T any](list []T, n int, word string, id func(T) string) []T {
	digest := func(x T) string { sum := sha256.Sum256([]byte(word + id(x))); return string(sum[:]) }
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(digest(a), digest(b)) })
	return list[:min(n, len(list))]
}
