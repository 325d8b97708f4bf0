package findings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		ours := was.Index == nil && is.Index == nil // who has an index of the team's cuts nothing here
		if ours && was.Chunk.By != is.Chunk.By {
			out = append(out, say("changed.unit", "before", unit(was.Chunk.By), "after", unit(is.Chunk.By)))
		}
		if ours && was.Chunk.Size != is.Chunk.Size {
			out = append(out, say("changed.size", "before", was.Chunk.Size, "after", is.Chunk.Size, "unit", unit(is.Chunk.By)))
		}
		if ours {
			add("changed.overlap", was.Chunk.Overlap, is.Chunk.Overlap)
		}
		add("changed.k", was.Retrieve.K, is.Retrieve.K)
		add("changed.embedding", model(was.Embedding.Model), model(is.Embedding.Model))
		if was.Retrieve.Mode != is.Retrieve.Mode {
			out = append(out, say("changed.search", "before", choice("search", was.Retrieve.Mode), "after",
				choice("search", is.Retrieve.Mode)))
		}
		if was.Rewrite.Mode != is.Rewrite.Mode {
			out = append(out, say("changed.rewrite", "before", choice("rewrite", was.Rewrite.Mode), "after",
				choice("rewrite", is.Rewrite.Mode)))
		}
		if was.Rerank.Mode != is.Rerank.Mode {
			out = append(out, say("changed.rerank", "before", choice("rerank", was.Rerank.Mode), "after", choice("rerank", is.Rerank.Mode)))
		}
		out = append(out, otherParameters(was, is)...)
		add("changed.generator", model(was.Generate.Model), model(is.Generate.Model))
		if was.Generate.Prompt != is.Generate.Prompt {
			out = append(out, say("changed.prompt"))
		}
		add("changed.temperature", was.Generate.Temperature, is.Generate.Temperature)
		add("changed.post", steps(was), steps(is))
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
	if before.LowScore != after.LowScore {
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

// inWords are the parameters that have a sentence of their own.
var inWords = []string{"chunk.by", "chunk.size", "chunk.overlap", "retrieve.mode", "retrieve.k", "rewrite.mode", "rerank.mode"}

// otherParameters are the other parameters of cutting and searching that differ, by the names that files give them.
func otherParameters(was, is rag.Config) []Text {
	before, after := leavesOf(was), leavesOf(is)
	names := slices.Collect(maps.Keys(before))
	for name := range after {
		if _, known := before[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []Text
	for _, name := range names {
		cutting := strings.HasPrefix(name, "chunk.") || strings.HasPrefix(name, "retrieve.bm25.")
		if (was.Index != nil || is.Index != nil) && cutting {
			continue // it has no effect on one side
		}
		if before[name] != after[name] && !slices.Contains(inWords, name) {
			out = append(out, say("changed.parameter", "name", name, "before", cmp.Or(before[name], "–"), "after",
				cmp.Or(after[name], "–")))
		}
	}
	return out
}

// leavesOf are the parameters that have an effect, under dotted names.
func leavesOf(c rag.Config) map[string]string {
	c = c.Effective()
	out := map[string]string{}
	for stage, part := range map[string]any{"chunk": c.Chunk, "rewrite": c.Rewrite, "retrieve": c.Retrieve, "rerank": c.Rerank} {
		var fields map[string]any
		if body, err := json.Marshal(part); err == nil && json.Unmarshal(body, &fields) == nil {
			addLeaves(out, stage, fields)
		}
	}
	return out
}

func addLeaves(out map[string]string, prefix string, fields map[string]any) {
	for name, v := range fields {
		if below, ok := v.(map[string]any); ok {
			addLeaves(out, prefix+"."+name, below)
		} else if v != "" {
			out[prefix+"."+name] = fmt.Sprint(v)
		}
	}
}

func unit(by string) Text {
	for _, u := range rag.ChunkUnits() {
		if u.Code == by {
			return Text{Code: "unit." + by, EN: u.EN, JA: u.JA}
		}
	}
	return plain(by)
}

// choice is a value of a parameter in words; the value itself where it has none.
func choice(parameter, value string) Text {
	code := parameter + "." + value
	if Word("en", code) == code {
		return plain(value)
	}
	return say(code)
}

// model names a model; the provider too where it is not a built-in one.
func model(m rag.Model) string {
	if m.Provider == "" || m.Provider == "offline" {
		return m.Name
	}
	return m.String()
}

func steps(c rag.Config) string {
	if len(c.PostProcess) == 0 {
		return "–"
	}
	return strings.Join(c.PostProcess, ", ")
}
