package replies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"
)

// shape is a JSON Schema as far as replies are asked for with it. A schema that says more is refused: what it asks for beyond this would
// be asked for and not looked at. Libraries know all of the standard, and spend three milliseconds of every start on its own schemas.
type shape struct {
	Type                 string            `json:"type"`
	Enum                 []string          `json:"enum"`
	Minimum              *float64          `json:"minimum"`
	Maximum              *float64          `json:"maximum"`
	MinLength            *int              `json:"minLength"` // in code points
	MaxLength            *int              `json:"maxLength"`
	MinItems             *int              `json:"minItems"`
	MaxItems             *int              `json:"maxItems"`
	Items                *shape            `json:"items"`
	Properties           map[string]*shape `json:"properties"`
	Required             []string          `json:"required"`
	AdditionalProperties *bool             `json:"additionalProperties"`
	Description          string            `json:"description"`
}

// shapeOf reads a schema.
func shapeOf(s *Schema) (*shape, error) {
	d := json.NewDecoder(bytes.NewReader(s.Body))
	d.DisallowUnknownFields()
	var out *shape
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("the schema %q cannot be used: %w", s.Name, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) || out == nil {
		return nil, fmt.Errorf("the schema %q is not one object", s.Name)
	}
	if err := out.known(); err != nil {
		return nil, fmt.Errorf("the schema %q cannot be used: %w", s.Name, err)
	}
	return out, nil
}

// known refuses types that JSON does not have.
func (s *shape) known() error {
	if s == nil {
		return nil
	}
	if !slices.Contains([]string{"", "object", "array", "string", "integer", "number", "boolean", "null"}, s.Type) {
		return fmt.Errorf("JSON has no type %q", s.Type)
	}
	for _, inner := range s.Properties {
		if err := inner.known(); err != nil {
			return err
		}
	}
	return s.Items.known()
}

func (s *shape) fits(v any) bool { return s.check(v, "") == nil }

// check says why a value, which stands at a place of the reply, is not of the shape. Numbers are [json.Number].
func (s *shape) check(v any, at string) error {
	if s == nil {
		return nil
	}
	if s.Type != "" && !s.typed(v) {
		return wrong(at, "is no "+s.Type)
	}
	if s.Enum != nil {
		if text, ok := v.(string); !ok || !slices.Contains(s.Enum, text) {
			return wrong(at, fmt.Sprintf("is none of %q", s.Enum))
		}
	}
	switch v := v.(type) {
	case string:
		return within(utf8.RuneCountInString(v), s.MinLength, s.MaxLength, at, "characters")
	case json.Number:
		return s.checkNumber(v, at)
	case []any:
		for i, item := range v {
			if err := s.Items.check(item, at+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}
		return within(len(v), s.MinItems, s.MaxItems, at, "items")
	case map[string]any:
		return s.checkObject(v, at)
	}
	return nil
}

func (s *shape) checkObject(v map[string]any, at string) error {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return wrong(at, fmt.Sprintf("lacks %q", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		inner, ok := s.Properties[name]
		if !ok && s.AdditionalProperties != nil && !*s.AdditionalProperties {
			return wrong(at, fmt.Sprintf("has %q, which nobody asked for", name))
		}
		if err := inner.check(v[name], at+"/"+name); err != nil {
			return err
		}
	}
	return nil
}

func (s *shape) checkNumber(n json.Number, at string) error {
	if s.Minimum != nil && compared(n, *s.Minimum) < 0 {
		return wrong(at, fmt.Sprintf("is less than %v", *s.Minimum))
	}
	if s.Maximum != nil && compared(n, *s.Maximum) > 0 {
		return wrong(at, fmt.Sprintf("is more than %v", *s.Maximum))
	}
	return nil
}

// compared sets a number beside a bound: negative where it is less, zero where it is equal. Most numbers are short; others are compared
// exactly.
func compared(n json.Number, bound float64) int {
	if i, err := strconv.ParseInt(n.String(), 10, 32); err == nil {
		switch f := float64(i); {
		case f < bound:
			return -1
		case f > bound:
			return 1
		}
		return 0
	}
	return exact(n).Cmp(new(big.Rat).SetFloat64(bound))
}

// exact is a number as it is written. Its exponent is bounded (usableNumber).
func exact(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return new(big.Rat)
	}
	return r
}

func (s *shape) typed(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return s.Type == "object"
	case []any:
		return s.Type == "array"
	case string:
		return s.Type == "string"
	case bool:
		return s.Type == "boolean"
	case nil:
		return s.Type == "null"
	case json.Number:
		if s.Type != "integer" {
			return s.Type == "number"
		}
		_, err := strconv.ParseInt(v.String(), 10, 64)
		return err == nil || exact(v).IsInt()
	}
	return false
}

func within(n int, least, most *int, at, of string) error {
	if least != nil && n < *least {
		return wrong(at, fmt.Sprintf("has %d %s, fewer than %d", n, of, *least))
	}
	if most != nil && n > *most {
		return wrong(at, fmt.Sprintf("has %d %s, more than %d", n, of, *most))
	}
	return nil
}

// wrong says what is wrong with the value at a place of the reply.
func wrong(at, what string) error {
	if at == "" {
		at = "the whole"
	}
	return errors.New(at + " " + what)
}
