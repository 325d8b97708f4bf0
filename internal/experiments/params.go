package experiments

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
)

// OddParams are the parameters of a run, in the order of the axes, that its frozen setup contradicts: lists, heat maps and reports show the
// run under them. Only what can be told for certain is: a number, a text or a yes whose place in the setup holds another one that makes a
// difference, and a corpus of another name. A sweep itself has lists of values; another tool's index has its own words.
func (r Run) OddParams() (odd []Param) {
	if r.Kind == KindSweep || r.Setup.Config.Index != nil {
		return nil
	}
	has, err := fieldsAsJSON(r.Setup.Config.Effective())
	if err != nil {
		return nil
	}
	with := r.Setup.Config
	for _, p := range r.Params {
		if p.Name == "corpus" {
			continue
		}
		if with, err = withParam(with, p.Name, p.Value); err != nil {
			return nil // an older program's word for it
		}
	}
	would, err := fieldsAsJSON(with.Frozen().Effective())
	if err != nil {
		return nil
	}
	for i, p := range r.Params {
		later := slices.ContainsFunc(r.Params[i+1:], func(o Param) bool { // a value of its own in the place of this one
			return o.Name == p.Name || strings.HasPrefix(o.Name, p.Name+".") || strings.HasPrefix(p.Name, o.Name+".")
		})
		switch is, known := scalarAt(has, p.Name); {
		case later:
		case p.Name == "corpus":
			if name, ok := p.Value.(string); ok && r.isOfAnotherCorpus(name) {
				odd = append(odd, p)
			}
		case p.Name == "rerank.depth" && Param{Value: p.Value}.Text() == "0": // left open: those of one sweep share a number
		case known:
			if as, ok := scalarAt(would, p.Name); ok && as != is {
				odd = append(odd, p)
			}
		}
	}
	return odd
}

// isOfAnotherCorpus reports whether a value of the axis names another corpus than the run's. One that looks like a path says nothing.
func (r Run) isOfAnotherCorpus(named string) bool {
	if strings.ContainsAny(named, `/\.`) || r.Setup.Corpus.Name == "" {
		return false
	}
	name, version, said := strings.Cut(named, "@")
	return name != r.Setup.Corpus.Name || said && version != "latest" && named != r.Setup.Corpus.String()
}

func fieldsAsJSON(c rag.Config) (out map[string]any, err error) {
	body, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(body, &out)
	}
	return out, err
}

// scalarAt is the number, text or yes at a dotted place, or the mode of a part whose name stands for its mode; false where there is none.
func scalarAt(fields map[string]any, name string) (any, bool) {
	var at any = fields
	for part := range strings.SplitSeq(name, ".") {
		below, _ := at.(map[string]any)
		at = below[part]
	}
	if part, ok := at.(map[string]any); ok {
		at = part["mode"]
	}
	switch at.(type) {
	case float64, string, bool:
		return at, true
	}
	return nil, false
}
