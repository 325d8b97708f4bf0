package intake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// CellText is the value as a trimmed text in NFC: "" for nothing, the literal for numbers and booleans. Lists, objects,
// NUL characters and texts over MaxCellBytes are errors, as sentences for people.
func CellText(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		if err := experiments.CheckText(v); err != nil {
			return "", err
		}
		return strings.TrimSpace(norm.NFC.String(v)), nil
	case Figure:
		return CellText(v.Shown)
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		return "", errors.New("holds a list where one text is expected")
	}
	return "", errors.New("holds an object where one text is expected")
}

// metadataText is the value as metadata: texts untrimmed, lists and objects as JSON.
func metadataText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		if err := experiments.CheckText(v); err != nil {
			return "", err
		}
		return norm.NFC.String(v), nil
	case Figure:
		return v.exact(), nil
	case []any, map[string]any:
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return "", err
		}
		return norm.NFC.String(strings.TrimSuffix(b.String(), "\n")), nil
	}
	return CellText(v)
}

var (
	trueWords = []string{"true", "t", "1", "yes", "y", "x", "✓", "✔", "☑", "✅", "○", "〇", "◯", "◎", "★", "はい", "有", "重要", "critical",
		"可", "可能", "あり", "有り"}
	falseWords = []string{"false", "f", "0", "no", "n", "-", "×", "✗", "☐", "☆", "いいえ", "無", "不可", "不可能", "不能", "なし", "無し"}
)

// CellBool reads a yes or no as people mark it; nothing at all is missing.
func CellBool(v any, missing bool) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	s, err := CellText(v)
	if err != nil {
		return false, err
	}
	switch word := strings.ToLower(s); {
	case word == "":
		return missing, nil
	case slices.Contains(trueWords, word):
		return true, nil
	case slices.Contains(falseWords, word):
		return false, nil
	}
	return false, fmt.Errorf("%q is neither yes nor no; write yes or no, true or false, or ○ or ×", Shortened(s))
}

// CellInt reads a whole number, also as 12.0, which data frames make of columns with gaps.
func CellInt(v any) (int, bool) {
	var s string
	switch v := v.(type) {
	case Figure:
		s = v.Number.String()
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	}
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.Atoi(whole)
	return n, err == nil && strings.Trim(fraction, "0") == ""
}

// The ways a cell with several values was read, as notes name them. A list that is one in the file needs no note.
const (
	asItself   = ""
	asJSON     = "a JSON list"
	asPython   = "a Python list"
	asLines    = "newline-separated text"
	AsSplit    = "text separated by ; or ,"
	asWords    = "text separated by spaces"
	asOneValue = "one value"
)

// CellList reads a cell with several values and says how. split cuts a text that is no list and has one line; nil keeps
// it whole.
func CellList(v any, splitMode string, split func(string) []string) (items []any, mode string, err error) {
	s, isText := v.(string)
	switch {
	case v == nil:
		return nil, asItself, nil
	case !isText:
		if list, ok := v.([]any); ok {
			return list, asItself, nil
		}
		return []any{v}, asItself, nil
	}
	if s = strings.TrimSpace(s); s == "" {
		return nil, asItself, nil
	}
	if list, mode, ok := ListLiteral(s); ok {
		return list, mode, nil
	}
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && split != nil {
		return nil, "", fmt.Errorf("%q looks like a list but is not one in JSON or Python", Shortened(s))
	}
	parts, mode := []string{s}, asOneValue
	if strings.Contains(s, "\n") {
		parts, mode = strings.Split(s, "\n"), asLines
	} else if split != nil {
		if parts = split(s); len(parts) > 1 {
			mode = splitMode
		}
	}
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			items = append(items, part)
		}
	}
	return items, mode, nil
}

// ListLiteral reads a text that is a list, or one object, in JSON or Python.
func ListLiteral(s string) (items []any, mode string, ok bool) {
	if !strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "{") {
		return nil, "", false
	}
	mode = asJSON
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	if _, end := dec.Token(); err != nil || end != io.EOF {
		mode = asPython
		if v, ok = ParsePython(s); !ok {
			return nil, "", false
		}
	}
	if list, isList := v.([]any); isList {
		return list, mode, true
	}
	return []any{v}, mode, true
}

// SplitTags cuts at the separators people put between tags.
func SplitTags(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(";,；，、", r) })
}

// Shortened is s on one line, cut to a length that fits a message.
func Shortened(s string) string {
	const most = 60
	return text.Brief(s, most)
}
