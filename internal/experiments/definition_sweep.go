package experiments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// Condition are values of axes, or lists of values. A combination that has one of each is left out of the sweep.
type Condition map[string]any

// Best says that a sweep finds out what retrieval is worth by the labelled evidence first, without a judge, and answers and judges the
// best configurations only, with the base configuration beside them.
type Best struct {
	Top int    `json:"top" yaml:"top"` // ways to retrieve that go on, 1–[MostTop]
	By  string `json:"by" yaml:"by"`   // evidence_recall (default) | ndcg
}

// What retrieval is judged by before anything is answered, and the most ways that go on.
const (
	ByEvidence = "evidence_recall"
	ByNDCG     = "ndcg"
	MostTop    = 50
)

// readSweep reads what the file says of the sweep.
func (f file) readSweep(d *Definition, dir string) error {
	var err error
	if d.Sweep, err = axes(f.Sweep, d.Base, dir); err != nil {
		return err
	}
	for i, pair := range f.Pairs {
		together, err := axes(pair, d.Base, dir)
		if err != nil {
			return err
		}
		if len(together) < 2 {
			return fieldProblem(fmt.Sprintf("pairs[%d]", i), "one list", "two or more lists that move together, like {chunk.size: "+
				"[400, 800], chunk.overlap: [40, 80]}")
		}
		for n := range together[1:] {
			together[n+1].With = together[0].Name
		}
		d.Sweep = append(d.Sweep, together...)
	}
	for _, c := range f.Except {
		d.Except = append(d.Except, plain(c).(map[string]any))
	}
	if f.Generate != nil {
		best := Best{By: ByEvidence}
		if err := overlay(plain(f.Generate).(map[string]any), &best); err != nil {
			return inField(err, "generate.")
		}
		d.Best = &best
	}
	return nil
}

func axes(sweep yaml.MapSlice, base rag.Config, dir string) ([]Axis, error) {
	var out []Axis
	for _, item := range sweep {
		name := fmt.Sprint(item.Key)
		values, ok := item.Value.([]any)
		if !ok || len(values) == 0 {
			return nil, fieldProblem("sweep."+name, item.Value, "a list of values, like [400, 800]")
		}
		axis := Axis{Name: name}
		for i, v := range values {
			if v = plain(v); v == nil {
				return nil, fieldProblem(fmt.Sprintf("sweep.%s[%d]", name, i), "missing", "a value, like 400")
			}
			if name == "generate.prompt" {
				text, err := promptText(v, dir)
				if err != nil {
					return nil, err
				}
				v = text
			}
			if name != "corpus" {
				if _, err := withParam(base, name, v); err != nil {
					return nil, inField(err, "sweep.")
				}
			}
			axis.Values = append(axis.Values, v)
		}
		out = append(out, axis)
	}
	return out, nil
}

// checkSweep refuses axes that do not fit each other, and conditions that no combination can meet.
func (d Definition) checkSweep() error {
	known := map[string]Axis{}
	for _, a := range d.Sweep {
		if _, twice := known[a.Name]; twice {
			return fieldProblem("sweep."+a.Name, "there twice", "one list of values")
		}
		if a.With != "" {
			leader, ok := known[a.With]
			if !ok || leader.With != "" {
				return fieldProblem("sweep."+a.Name, "to move with "+a.With, "moved with an axis that stands before it")
			}
			if len(leader.Values) != len(a.Values) {
				return fieldProblem("sweep."+a.Name, fmt.Sprintf("a list of %d values", len(a.Values)),
					fmt.Sprintf("a list of %d, as %s has, because they move together", len(leader.Values), a.With))
			}
		}
		known[a.Name] = a
	}
	for i, c := range d.Except {
		field := fmt.Sprintf("except[%d]", i)
		if len(c) == 0 {
			return fieldProblem(field, "empty", "values of axes, like {chunk.size: 1200, retrieve.k: [5, 10]}")
		}
		for name, wanted := range c {
			a, ok := known[name]
			if !ok {
				return fieldProblem(field+"."+name, "no axis", "one of the axes "+strings.Join(d.SweepNames(), ", "))
			}
			for _, w := range listOf(wanted) {
				if !slices.ContainsFunc(a.Values, func(v any) bool { return sameValue(v, w) }) {
					return fieldProblem(field+"."+name, w, "a value of the axis: "+joinValues(a.Values))
				}
			}
		}
	}
	if d.Best == nil {
		return nil
	}
	switch {
	case len(d.Sweep) == 0:
		return fieldProblem("generate.top", d.Best.Top, "left out where there is no sweep")
	case d.Best.Top < 1 || d.Best.Top > MostTop:
		return fieldProblem("generate.top", d.Best.Top, fmt.Sprintf("a number from 1 to %d", MostTop))
	case d.Best.By != ByEvidence && d.Best.By != ByNDCG:
		return fieldProblem("generate.by", d.Best.By, ByEvidence+" or "+ByNDCG)
	}
	return nil
}

// SweepNames lists the axes, for messages.
func (d Definition) SweepNames() []string {
	names := make([]string, len(d.Sweep))
	for i, a := range d.Sweep {
		names[i] = a.Name
	}
	return slices.Clip(names)
}

// size is the number of combinations that the axes make together, and false where there are more than a sweep may have.
func (d Definition) size() (int, bool) {
	total := 1
	for _, a := range d.Sweep {
		if a.With != "" {
			continue
		}
		if total *= len(a.Values); total > maxCombinations {
			return total, false
		}
	}
	return total, true
}

// params is combination number i: a mixed-radix number whose digits are the indices of the values of the axes that move by themselves.
func (d Definition) params(i int) []Param {
	at := map[string]int{}
	for n := len(d.Sweep) - 1; n >= 0; n-- {
		if a := d.Sweep[n]; a.With == "" {
			at[a.Name] = i % len(a.Values)
			i /= len(a.Values)
		}
	}
	params := make([]Param, len(d.Sweep))
	for n, a := range d.Sweep {
		leader := a.Name
		if a.With != "" {
			leader = a.With
		}
		params[n] = Param{Name: a.Name, Value: a.Values[at[leader]]}
	}
	return params
}

// excepted is the condition that takes a combination out; nil where there is none.
func (d Definition) excepted(params []Param) []Param {
	for _, c := range d.Except {
		var met []Param
		for _, p := range params {
			if wanted, named := c[p.Name]; named && slices.ContainsFunc(listOf(wanted), func(w any) bool { return sameValue(p.Value, w) }) {
				met = append(met, p)
			}
		}
		if len(met) == len(c) {
			return met
		}
	}
	return nil
}

// BaseParams are what the base configuration has on the axes of the sweep.
func (d Definition) BaseParams() []Param {
	var fields map[string]any
	if body, err := json.Marshal(d.Base); err != nil || json.Unmarshal(body, &fields) != nil {
		panic("a configuration is not JSON") // it is stored as such
	}
	out := make([]Param, len(d.Sweep))
	for i, a := range d.Sweep {
		var value any = fields
		for part := range strings.SplitSeq(a.Name, ".") {
			below, _ := value.(map[string]any)
			value = below[part]
		}
		if a.Name == "corpus" {
			value = d.Corpus
		}
		out[i] = Param{Name: a.Name, Value: value}
	}
	return out
}

func listOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// sameValue compares as a file writes them: 5 and 5.0 are the same number.
func sameValue(a, b any) bool { return Param{Value: a}.Text() == Param{Value: b}.Text() }

func joinValues(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = Param{Value: v}.Text()
	}
	return strings.Join(texts, ", ")
}

// tooManyCombinations says which axes make too many.
func (d Definition) tooManyCombinations() error {
	return problem.New(problem.Invalid, "sweep_too_large", "the sweep has more than %d combinations", maxCombinations).
		WithHint("take values out of the axes %s", strings.Join(d.SweepNames(), ", "))
}
