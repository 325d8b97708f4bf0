// Package yaml is the one door to YAML.
//
// Whatever people type, send or keep in files comes in here, so this is where the library's weak sides are met: it panics on some
// inputs, replaces bytes that are no UTF-8 without a word, and takes memory with the square of the depth and time with the square
// of the names. Everything that cannot be read is a [Mistake] with its line.
package yaml

import (
	"errors"
	"fmt"
	"strings"

	goyaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MapSlice is a mapping in the order of the file.
type MapSlice = goyaml.MapSlice

// MapItem is one entry of a [MapSlice].
type MapItem = goyaml.MapItem

// Mistake is why a text is no YAML, or not the YAML that was expected.
type Mistake struct {
	Line, Column int    // from 1; a column of 0 is not known
	Message      string // one sentence without a position
	shown        string // message and position with the lines around it, as far as the library knows them
}

// Error is the message with its position and, where there is one, the excerpt.
func (m *Mistake) Error() string {
	if m.shown != "" {
		return m.shown
	}
	return fmt.Sprintf("line %d: %s", m.Line, m.Message)
}

// Read decodes one document into out. Names that out does not know are passed over.
func Read(raw []byte, out any) error { return read(raw, out) }

// ReadStrict decodes one document into out. A name that out does not know is a [Mistake].
func ReadStrict(raw []byte, out any) error { return read(raw, out, goyaml.Strict()) }

func read(raw []byte, out any, options ...goyaml.DecodeOption) error {
	if err := check(raw); err != nil {
		return err
	}
	return guarded(raw, func(raw []byte) error { return goyaml.UnmarshalWithOptions(raw, out, options...) })
}

// Fields decodes a text that must be one mapping, or nothing, without anchors and aliases; its scalars are those of YAML 1.2. lines are
// those of its names, from 1.
// With a [Mistake] the lines that were found are returned, and no fields.
func Fields(raw []byte) (fields map[string]any, lines map[string]int, err error) {
	lines = map[string]int{}
	if err := check(raw); err != nil {
		return map[string]any{}, lines, err
	}
	err = guarded(raw, func(raw []byte) error {
		clear(lines)
		fields = map[string]any{}
		root, err := names(raw, lines)
		if err != nil || root == nil {
			return err
		}
		ast.Walk(core{}, root)
		return goyaml.NewDecoder(strings.NewReader("")).DecodeFromNode(root, &fields)
	})
	if err != nil {
		return map[string]any{}, lines, err
	}
	return fields, lines, nil
}

// names fills in the lines of the names of the one mapping that a text holds, and returns that; nil where the text holds nothing.
func names(raw []byte, lines map[string]int) (ast.Node, error) {
	file, err := parser.ParseBytes(raw, 0)
	switch {
	case err != nil:
		return nil, err
	case len(file.Docs) > 1:
		return nil, errors.New("the YAML holds more than one document")
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		return nil, nil
	}
	root := file.Docs[0].Body
	if len(ast.Filter(ast.AnchorType, root))+len(ast.Filter(ast.AliasType, root)) > 0 {
		return nil, errors.New("anchors and aliases are not read; a config can say extends")
	}
	switch n := root.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			lines[v.Key.GetToken().Value] = v.Key.GetToken().Position.Line
		}
	case *ast.MappingValueNode:
		lines[n.Key.GetToken().Value] = n.Key.GetToken().Position.Line
	case *ast.CommentGroupNode, *ast.NullNode:
		return nil, nil
	default:
		return nil, errors.New("a list or a text stands where names with values are expected")
	}
	return root, nil
}

// Write encodes a value.
func Write(v any) ([]byte, error) { return goyaml.Marshal(v) }

// WriteTexts encodes a value whose texts of several lines people edit: they stand as blocks.
func WriteTexts(v any) ([]byte, error) {
	return goyaml.MarshalWithOptions(v, goyaml.UseLiteralStyleIfMultiline(true))
}

// guarded calls the library. A panic is a mistake at the first line with which the text makes it panic.
func guarded(raw []byte, call func([]byte) error) error {
	err, panicked := survive(raw, call)
	if !panicked {
		return mistake(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")
	low, high := 1, len(lines) // what panics at the end of line n goes on to panic after it
	for low < high {
		middle := (low + high) / 2
		if _, panicked := survive([]byte(strings.Join(lines[:middle], "")), call); panicked {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return &Mistake{Line: low, Message: "the YAML cannot be read; put texts with special characters in quotation marks"}
}

func survive(raw []byte, call func([]byte) error) (err error, panicked bool) { //nolint:revive // the error is the call's own, as it came
	defer func() { panicked = recover() != nil }()
	return call(raw), false
}

// mistake is an error of the library, or of ours, as a [Mistake]; nil for nil.
func mistake(err error) error {
	var known *Mistake
	var theirs goyaml.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.As(err, &theirs) && theirs.GetToken() != nil && theirs.GetToken().Position != nil:
		at := theirs.GetToken().Position
		return &Mistake{Line: at.Line, Column: at.Column, Message: theirs.GetMessage(), shown: formatted(err)}
	}
	return &Mistake{Line: 1, Message: err.Error(), shown: err.Error()}
}

// formatted is the library's text of an error; "" where making it panics too.
func formatted(err error) (s string) {
	defer func() {
		if recover() != nil {
			s = ""
		}
	}()
	return goyaml.FormatError(err, false, false)
}
