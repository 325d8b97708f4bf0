package replies

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// checkJSON reads text as exactly one JSON value that our code can use: no key twice in an object, also not in another
// case (Go's decoder would silently take the last), no number outside the range of float64, nothing after the value. NUL,
// which databases refuse, becomes U+2400. It returns the text to keep and the value for validation.
func checkJSON(text string) (string, any, error) {
	if text == "" {
		return "", nil, errors.New("the reply is empty")
	}
	// The decoder bounds the depth, so it goes first.
	value, err := oneValue(text)
	if err != nil {
		return "", nil, fmt.Errorf("the reply is not exactly one JSON value: %w", err)
	}
	if err := checkTokens(text); err != nil {
		return "", nil, err
	}
	if !strings.Contains(text, `\u0000`) {
		return strings.ToValidUTF8(text, "\uFFFD"), value, nil
	}
	value = withoutNUL(value)
	clean, err := json.Marshal(value)
	if err != nil {
		return "", nil, fmt.Errorf("the reply cannot be written back: %w", err)
	}
	return string(clean), value, nil
}

// oneValue decodes a text that is one JSON value.
func oneValue(text string) (value any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands behind it")
	}
	return value, nil
}

// checkTokens walks the tokens of valid JSON for duplicate keys and unusable numbers.
func checkTokens(text string) error {
	type level struct {
		keys map[string]string // folded → as written; nil in an array
		key  bool              // a key comes next
	}
	var stack []level
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the reply is not JSON: %w", err)
		}
		var top *level
		if len(stack) > 0 {
			top = &stack[len(stack)-1]
		}
		if key, ok := token.(string); ok && top != nil && top.key {
			folded := fold(key)
			if before, twice := top.keys[folded]; twice {
				return fmt.Errorf("the reply has the key %q twice (also as %q)", key, before)
			}
			top.keys[folded], top.key = key, false
			continue
		}
		if top != nil && top.keys != nil {
			top.key = true
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				stack = append(stack, level{keys: map[string]string{}, key: true})
			case '[':
				stack = append(stack, level{})
			default:
				stack = stack[:len(stack)-1]
			}
		case json.Number:
			if !usableNumber(v.String()) {
				return errors.New("the reply holds a number that is too large, too small or too long")
			}
		}
	}
}

// usableNumber also keeps arbitrary-precision arithmetic away from exponents that would take it hours.
func usableNumber(s string) bool {
	if len(s) > 64 {
		return false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if e, err := strconv.Atoi(strings.TrimPrefix(s[i+1:], "+")); err != nil || e < -400 || e > 400 {
			return false
		}
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// fold maps a key to one representative of all keys that Go's decoder would take for the same field.
func fold(key string) string {
	return strings.Map(func(r rune) rune {
		smallest := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			smallest = min(smallest, next)
		}
		return smallest
	}, key)
}

func withoutNUL(v any) any {
	switch v := v.(type) {
	case string:
		return CleanText(v)
	case []any:
		for i := range v {
			v[i] = withoutNUL(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, inner := range v {
			out[CleanText(k)] = withoutNUL(inner)
		}
		return out
	}
	return v
}

// CleanText makes text that every database takes: valid UTF-8 without NUL.
func CleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\u2400")
}

// Schema is a named JSON Schema that a reply must satisfy.
type Schema struct {
	Name string          `json:"name"` // letters, digits, _ and -
	Body json.RawMessage `json:"body"`
	// Partial names lists, by their property, of which an unreadable item is lost alone: whoever asks finds out what is missing.
	Partial []string `json:"-"`
}
