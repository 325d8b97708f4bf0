package yaml

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/rag-workbench/workbench/internal/text"
)

// Numbers of the core schema of YAML 1.2, which every reader of a notebook follows. The library goes by 1.1 where the two differ:
// 017 was 15 and 1_000 a number.
var (
	wholeNumber = text.Lazy(`^[-+]?[0-9]+$`)
	otherBase   = text.Lazy(`^0o[0-7]+$|^0x[0-9a-fA-F]+$`)
	realNumber  = text.Lazy(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// core makes the plain scalars below a node those of the core schema.
type core struct{}

// Visit puts other nodes in the places of scalars that the library takes for something else.
func (c core) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.MappingValueNode:
		n.Value = coreScalar(n.Value)
	case *ast.SequenceNode:
		for i, v := range n.Values {
			n.Values[i] = coreScalar(v)
		}
	}
	return c
}

func coreScalar(n ast.Node) ast.Node {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
	default:
		return n
	}
	t := n.GetToken()
	if t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType || otherBase.MatchString(t.Value) {
		return n
	}
	if wholeNumber.MatchString(t.Value) {
		if i, err := strconv.ParseInt(t.Value, 10, 64); err == nil {
			return &ast.IntegerNode{BaseNode: &ast.BaseNode{}, Token: t, Value: i}
		}
	}
	if realNumber.MatchString(t.Value) {
		if f, err := strconv.ParseFloat(t.Value, 64); err == nil {
			return &ast.FloatNode{BaseNode: &ast.BaseNode{}, Token: t, Value: f}
		}
	}
	return ast.String(t)
}
