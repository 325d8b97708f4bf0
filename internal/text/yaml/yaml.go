// Package yaml is the one door to YAML.
//
// Whatever people type, send or keep in files comes in here, so this is where the library's weak sides are met: it panics on some
// inputs, replaces bytes that are no UTF-8 without a word, and takes memory with the square of the depth and time with the square
// of the names. Everything that cannot be read is a [Mistake] with its line.
package yaml

import (
	"errors"
	"strconv"
	"strings"

	goyaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MapSlice is a mapping in the order of the file.
type MapSlice = goyaml.MapSlice

// MapItem is one entry of a [MapSlice].
type MapItem = goyaml.MapItem

// Read decodes one document into out. Names that out does not know are passed over.
func Read(raw []byte, out any) error { return read(raw, out, false) }

// ReadStrict decodes one document into out. A name that out does not know is a [Mistake].
func ReadStrict(raw []byte, out any) error { return read(raw, out, true) }

func read(raw []byte, out any, strict bool) error {
	if err := check(raw); err != nil {
		return err
	}
	var options []goyaml.DecodeOption
	if strict {
		options = append(options, goyaml.Strict())
	}
	return guarded(raw, func(raw []byte) error {
		err := goyaml.UnmarshalWithOptions(raw, out, options...)
		if err == nil {
			return nil
		}
		root, f := fit(raw, out, strict)
		switch {
		case f.found != nil:
			return f.found
		case f.shares > 0:
			return goyaml.NewDecoder(strings.NewReader(""), options...).DecodeFromNode(root, out)
		}
		return err
	})
}

// Fields decodes a text that must be one mapping, or nothing, without anchors and aliases; its scalars are those of YAML 1.2. lines are
// those of its names, dotted, from 1.
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
		return nil, wrong(1, "the YAML holds more than one document").write("leave out the lines that hold --- alone")
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		return nil, nil
	}
	root := file.Docs[0].Body
	if len(ast.Filter(ast.AnchorType, root))+len(ast.Filter(ast.AliasType, root)) > 0 {
		return nil, wrong(1, "anchors and aliases are not read; a config can say extends").
			write("write the values out; a text that begins with & or * needs quotation marks")
	}
	switch root.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		linesIn(root, "", lines)
	case *ast.CommentGroupNode, *ast.NullNode:
		return nil, nil
	default:
		return nil, wrong(startOf(root), "a list or a text stands where names with values are expected").
			write("begin with the name of a field: name: value")
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
		return mistake(raw, err)
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
	return wrong(low, "the YAML cannot be read; put texts with special characters in quotation marks")
}

func survive(raw []byte, call func([]byte) error) (err error, panicked bool) { //nolint:revive // the error is the call's own, as it came
	defer func() { panicked = recover() != nil }()
	return call(raw), false
}

// mistake is an error of the library, or of ours, as a [Mistake]; nil for nil.
func mistake(raw []byte, err error) error {
	var known *Mistake
	var theirs goyaml.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.As(err, &theirs):
		line := 1
		if theirs.GetToken() != nil && theirs.GetToken().Position != nil {
			line = theirs.GetToken().Position.Line
		}
		return explained(raw, line, theirs.GetMessage())
	}
	return wrong(1, "%s", err.Error())
}

// Lines are the lines of the names of a text, dotted, and of the entries of its lists: "base.chunk.size", "goals[0]". A text that is no
// YAML has none.
func Lines(raw []byte) map[string]int {
	lines := map[string]int{}
	if check(raw) != nil {
		return lines
	}
	_, panicked := survive(raw, func(raw []byte) error {
		file, err := parser.ParseBytes(raw, 0)
		if err == nil && len(file.Docs) > 0 && file.Docs[0].Body != nil {
			linesIn(file.Docs[0].Body, "", lines)
		}
		return err
	})
	if panicked {
		clear(lines)
	}
	return lines
}

func linesIn(n ast.Node, path string, lines map[string]int) {
	switch n := n.(type) {
	case *ast.AnchorNode:
		linesIn(n.Value, path, lines)
	case *ast.SequenceNode:
		for i, v := range n.Values {
			here := path + "[" + strconv.Itoa(i) + "]"
			if v != nil {
				lines[here] = startOf(v)
				linesIn(v, here, lines)
			}
		}
	default:
		for _, e := range entriesOf(n) {
			here := below(path, keyOf(e))
			if _, twice := lines[here]; !twice || path == "" {
				lines[here] = e.Key.GetToken().Position.Line
			}
			linesIn(e.Value, here, lines)
		}
	}
}

// LineOf is the line of a field, else of the nearest field that it stands below; 0 where none is known.
func LineOf(lines map[string]int, field string) int {
	for field != "" {
		if line := lines[field]; line > 0 {
			return line
		}
		field = field[:max(0, strings.LastIndexAny(field, ".["))]
	}
	return 0
}
