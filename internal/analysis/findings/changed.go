package findings

import (
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// whoScored names the tools whose scores a run has, else its judge.
func whoScored(s experiments.Setup) Text {
	if tools := s.Tools(); len(tools) > 0 {
		return ToolNames(tools)
	}
	name := judgeName(s.Judge.String())
	return Text{EN: name, JA: name}
}

// changed says what differs between the two systems, in words that people use; empty without a baseline.
func (b *builder) changed() []Text {
	out := []Text{}
	if b.in.Baseline == nil {
		return out
	}
	before, after := b.in.Baseline.Run.Setup, b.in.Candidate.Run.Setup
	add := func(code string, was, is any) {
		if was != is {
			out = append(out, say(code, "before", was, "after", is))
		}
	}
	was, is := before.Config, after.Config
	switch {
	case where(was) == where(is):
	case was.Log != nil && is.Log != nil: // two files: neither says how its system was set up
		out = append(out, say("changed.imported"))
	default:
		out = append(out, say("changed.system", "before", system(was), "after", system(is)))
	}
	if where(was) == "" && where(is) == "" {
		out = append(out, changedIndex(was.Index, is.Index)...)
		for _, c := range experiments.ChangedParams(was, is) {
			said := c.Text()
			out = append(out, Text{Code: "changed." + c.Param, EN: said.EN, JA: said.JA})
		}
	}
	if before.Corpus.Digest != after.Corpus.Digest {
		out = append(out, say("changed.documents", "before", before.Corpus.String(), "after", after.Corpus.String()))
	}
	if before.Dataset.Digest != after.Dataset.Digest {
		out = append(out, say("changed.questions", "before", before.Dataset.String(), "after", after.Dataset.String()))
	}
	if len(before.Tools()) > 0 || len(after.Tools()) > 0 {
		if !slices.Equal(before.Tools(), after.Tools()) {
			add("changed.judge", whoScored(before), whoScored(after))
		}
	} else if before.Judge.Model != after.Judge.Model {
		add("changed.judge", judgeName(before.Judge.String()), judgeName(after.Judge.String()))
	}
	if !slices.Equal(before.Judge.Examples, after.Judge.Examples) {
		out = append(out, say("changed.examples", "before", len(before.Judge.Examples), "after", len(after.Judge.Examples)))
	}
	switch was, is := before.LowRule(), after.LowRule(); {
	case was == is:
	case was.Own || is.Own:
		out = append(out, say("changed.low_rule", "before", LowText(was), "after", LowText(is)))
	case before.LowScore != after.LowScore:
		out = append(out, say("changed.low", "before", before.LowScore, "after", after.LowScore))
	}
	if len(out) == 0 {
		out = append(out, say("changed.nothing"))
	}
	return out
}

// changedIndex says which index is searched, where that or its contents differ.
func changedIndex(was, is *rag.IndexMapping) []Text {
	name := func(m *rag.IndexMapping) any {
		if m == nil {
			return say("index.ours")
		}
		return say("index.theirs", "table", m.Table, "engine", m.Engine)
	}
	switch {
	case was == nil && is == nil:
		return nil
	case was == nil || is == nil || was.Engine != is.Engine || was.Space != is.Space || was.Table != is.Table:
		return []Text{say("changed.index", "before", name(was), "after", name(is))}
	case was.Identity != is.Identity:
		return []Text{say("changed.index_contents", "table", is.Table)}
	}
	return nil
}

// where names a system that runs elsewhere; "" for one that runs here.
func where(c rag.Config) string {
	switch {
	case c.Endpoint != nil:
		return "endpoint " + c.Endpoint.Name
	case c.Log != nil:
		return "log " + fmt.Sprint(*c.Log)
	}
	return ""
}

func system(c rag.Config) Text {
	switch {
	case c.Endpoint != nil:
		return say("system.endpoint", "name", c.Endpoint.Name)
	case c.Log != nil:
		return say("system.log")
	}
	return say("system.here")
}
