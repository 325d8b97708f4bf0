package experiments

import (
	"errors"
	"fmt"
	"strings"
)

const MaxCellBytes = 1 << 20 // one text: a question, a reference, a quote, a tag, a value of metadata

// CheckText refuses what cannot be stored or cannot be meant.
func CheckText(s string) error {
	switch {
	case strings.ContainsRune(s, 0):
		return errors.New("holds the character U+0000, which databases cannot store")
	case len(s) > MaxCellBytes:
		return fmt.Errorf("holds a text of %d KiB; one text may have %d KiB", (len(s)+1023)>>10, MaxCellBytes>>10)
	}
	return nil
}
