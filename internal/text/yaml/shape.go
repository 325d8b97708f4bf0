package yaml

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	goyaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// fitting looks for the first value of a text that does not fit the type that it is read into. The library says so too, in words of its
// types.
type fitting struct {
	strict bool // a name that the type does not have is a mistake
	found  *Mistake
	shares int // texts like 5% that became the numbers they stand for
}

// fit is what does not fit; nil where everything does. Where shares were written as percentages, root has them as numbers.
func fit(raw []byte, out any, strict bool) (root ast.Node, f fitting) {
	f.strict = strict
	file, err := parser.ParseBytes(raw, 0)
	if err != nil || len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, f
	}
	root = file.Docs[0].Body
	f.value(root, reflect.TypeOf(out).Elem(), "")
	return root, f
}

// value looks at one value, and returns what stands in its place.
func (f *fitting) value(n ast.Node, t reflect.Type, path string) ast.Node {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch inner := n.(type) {
	case nil, *ast.NullNode, *ast.AliasNode:
		return n
	case *ast.AnchorNode:
		inner.Value = f.value(inner.Value, t, path)
		return n
	case *ast.TagNode:
		return n
	}
	must := KindOf(t)
	switch {
	case f.found != nil || must == Anything:
	case must == Mapping && entriesOf(n) != nil:
		f.mapping(entriesOf(n), t, path)
	case must == List:
		if list, is := n.(*ast.SequenceNode); is {
			for i := range list.Values {
				list.Values[i] = f.value(list.Values[i], t.Elem(), path+"["+strconv.Itoa(i)+"]")
			}
			return n
		}
		f.miss(n, must, path)
	case must == Number && isShare(n):
		share, _ := text.ReadShare(n.GetToken().Value)
		f.shares++
		return &ast.FloatNode{BaseNode: &ast.BaseNode{}, Token: n.GetToken(), Value: share}
	case !holds(n, must):
		f.miss(n, must, path)
	}
	return n
}

// mapping looks at the values of a struct, or of a map.
func (f *fitting) mapping(entries []*ast.MappingValueNode, t reflect.Type, path string) {
	if t.Kind() == reflect.Map {
		for _, e := range entries {
			e.Value = f.value(e.Value, t.Elem(), below(path, keyOf(e)))
		}
		return
	}
	fields := structFields(t)
	if fields == nil {
		return // in the order of the file: whatever it holds
	}
	names := make([]string, 0, len(fields))
	for _, known := range fields {
		names = append(names, known.name)
	}
	for _, e := range entries {
		name := keyOf(e)
		at := -1
		for i := range fields {
			if fields[i].name == name {
				at = i
			}
		}
		switch {
		case f.found != nil || name == "<<":
		case at >= 0:
			e.Value = f.value(e.Value, fields[at].of, below(path, name))
		case f.strict:
			f.found = wrong(e.Key.GetToken().Position.Line, "there is no field %q%s", QuotedField(below(path, name)),
				text.Meant(name, names)).
				write("fields: %s", strings.Join(names, ", "))
			f.found.Field = below(path, name)
		}
	}
}

// miss is a value of another kind.
func (f *fitting) miss(n ast.Node, must Kind, path string) {
	var v any
	if _, panicked := survive(nil, func([]byte) error {
		return goyaml.NewDecoder(strings.NewReader("")).DecodeFromNode(n, &v)
	}); panicked || v == nil {
		v = n.GetToken().Value
	}
	line := startOf(n)
	if path == "" {
		f.found = wrong(line, "%s stands where %s belong", Shown(v), Mapping.Words()).
			write("begin with the name of a field: name: value")
		return
	}
	f.found = wrong(line, "%s is %v; it must be %s", FieldWords(path), Shown(v), must.Words())
	f.found.Field = path
	Advise(f.found.said, path, v, must)
}

// startOf is the first line of a value.
func startOf(n ast.Node) int {
	if entries := entriesOf(n); len(entries) > 0 {
		return entries[0].Key.GetToken().Position.Line
	}
	return n.GetToken().Position.Line
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func keyOf(e *ast.MappingValueNode) string { return e.Key.GetToken().Value }

// entriesOf are the entries of a mapping; nil for any other node.
func entriesOf(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		if n.Values == nil {
			return []*ast.MappingValueNode{}
		}
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// isShare says whether a value is a share in percent.
func isShare(n ast.Node) bool {
	if _, is := n.(*ast.StringNode); !is {
		return false
	}
	_, ok := text.ReadShare(n.GetToken().Value)
	return ok && strings.HasSuffix(strings.TrimSpace(n.GetToken().Value), "%")
}

// holds says whether a scalar, or a mapping, is of a kind.
func holds(n ast.Node, must Kind) bool {
	quoted := n.GetToken().Type == token.SingleQuoteType || n.GetToken().Type == token.DoubleQuoteType
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		return false
	case *ast.IntegerNode:
		return must == Number || must == Whole || must == Text
	case *ast.FloatNode:
		f, _ := n.(*ast.FloatNode)
		return must == Number || must == Text || must == Whole && f.Value == float64(int64(f.Value))
	case *ast.InfinityNode, *ast.NanNode:
		return must == Number || must == Text
	case *ast.BoolNode:
		return must == Truth || must == Text
	case *ast.StringNode, *ast.LiteralNode:
		value := n.GetToken().Value
		switch must {
		case Duration:
			_, err := time.ParseDuration(value)
			return err == nil
		case Truth:
			_, err := strconv.ParseBool(value)
			return !quoted && err == nil
		}
		return must == Text
	}
	return true // the library knows more of these
}

// KindOf is what a type takes.
func KindOf(t reflect.Type) Kind {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return Duration
	case t == reflect.TypeFor[MapSlice]():
		return Mapping
	case readsItself(t):
		return Anything
	}
	switch t.Kind() {
	case reflect.String:
		return Text
	case reflect.Float32, reflect.Float64:
		return Number
	case reflect.Bool:
		return Truth
	case reflect.Slice, reflect.Array:
		return List
	case reflect.Map, reflect.Struct:
		return Mapping
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Whole
	}
	return Anything
}

// readsItself says whether a type has its own way to be read.
func readsItself(t reflect.Type) bool {
	for _, own := range []reflect.Type{reflect.TypeFor[goyaml.BytesUnmarshaler](), reflect.TypeFor[goyaml.InterfaceUnmarshaler](),
		reflect.TypeFor[encoding.TextUnmarshaler]()} {
		if reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return false
}

type structField struct {
	name string
	of   reflect.Type
}

// structFields are the fields of a struct by the names that a text gives them; nil for anything else.
func structFields(t reflect.Type) []structField {
	if t.Kind() != reflect.Struct {
		return nil
	}
	out := []structField{}
	for f := range t.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case !f.IsExported() && !f.Anonymous || name == "-":
		case f.Anonymous && name == "" || strings.Contains(rest, "inline"):
			inner := f.Type
			for inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			out = append(out, structFields(inner)...)
		case name == "":
			out = append(out, structField{strings.ToLower(f.Name), f.Type})
		default:
			out = append(out, structField{name, f.Type})
		}
	}
	return out
}

// FieldWords is the dotted name of a field as people read it: entries of lists are counted from 1.
func FieldWords(field string) fmt.Stringer {
	return problem.Both(countedFrom1(field, " (entry %d)"), countedFrom1(field, "（%d番目）"))
}

// QuotedField is [FieldWords] where the message has it in quotation marks.
func QuotedField(field string) fmt.Stringer {
	return problem.Both(countedFrom1(field, " (entry %d)"), strconv.Quote(countedFrom1(field, "（%d番目）")))
}

func countedFrom1(field, format string) string {
	var out strings.Builder
	for {
		before, rest, open := strings.Cut(field, "[")
		number, after, closed := strings.Cut(rest, "]")
		n, err := strconv.Atoi(number)
		if !open || !closed || err != nil {
			return out.String() + field
		}
		out.WriteString(before + fmt.Sprintf(format, n+1))
		field = after
	}
}
