package findings

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// month says what answering costs in a month at the stated traffic.
func (b *builder) month() Answer {
	s := b.in.Spending
	played := b.answersHere() && b.played(b.in.Candidate.Run.Setup.Config.Generate.Provider)
	switch {
	case b.in.Candidate.Run.Setup.Config.Log != nil: // no price here would tell it, whatever is registered
		return Answer{false, say("month.log")}
	case played && b.free():
		return Answer{false, say("month.recorded")}
	case played:
		return Answer{false, say("month.recorded_part")} // the rest was bought, and its price is not that of an answer
	case b.answersHere() && b.free():
		return Answer{true, say("month.free")}
	case s == nil || !s.Known || s.Answers == 0:
		return Answer{false, say("month.no_price")}
	case b.in.Traffic <= 0:
		return Answer{false, say("month.no_traffic", "cost", decimal(float64(s.Micros)/1e6/float64(s.Answers)*1000, 2), "currency",
			b.in.Currency)}
	}
	each := float64(s.Micros) / 1e6 / float64(s.Answers)
	return Answer{true, say("month.cost", "questions", b.in.Traffic, "cost", decimal(each*float64(b.in.Traffic), 2), "currency",
		b.in.Currency)}
}

// answersHere reports whether the workbench itself answers.
func (b *builder) answersHere() bool { return where(b.in.Candidate.Run.Setup.Config) == "" }

// free reports whether nothing of the candidate's answering is bought.
func (b *builder) free() bool {
	return !slices.ContainsFunc(stages(b.in.Candidate.Run.Setup), func(s stage) bool {
		return s.code != "judge" && outside(s.provider) && !b.played(s.provider)
	})
}

// played reports whether a provider only played replies that had been recorded.
func (b *builder) played(provider string) bool {
	s := b.in.Candidate.Run.Setup
	return s.Recorded != nil && provider == s.Judge.Provider
}

// timeOf is how many milliseconds an answer took, 0 where nobody measured it: to read a recorded answer takes no time of its system.
func timeOf(e *experiments.Evaluation, r *experiments.Result) int64 {
	switch {
	case e.Run.Setup.Config.Log == nil:
		return r.LatencyMS
	case r.Answer.Measured == nil:
		return 0
	}
	return r.Answer.Measured.LatencyMS
}

// effort says what the change does to the length of what the model reads, and to the time that an answer takes.
func (b *builder) effort() []Text {
	out := []Text{}
	if b.in.Baseline == nil {
		return out
	}
	length, took := [2]float64{}, [2]float64{}
	n, timed := 0, 0
	for id, is := range b.after {
		was := b.was(id)
		if was == nil || was.Answer == nil || is.Answer == nil || was.Answer.Hidden == rag.NoContexts ||
			is.Answer.Hidden == rag.NoContexts {
			continue
		}
		n++
		length[0], length[1] = length[0]+read(was.Answer), length[1]+read(is.Answer)
		if before, after := timeOf(b.in.Baseline, was), timeOf(&b.in.Candidate, is); before > 0 && after > 0 {
			timed++
			took[0], took[1] = took[0]+float64(before), took[1]+float64(after)
		}
	}
	if n == 0 || length[0] == 0 {
		out = append(out, say("effort.length_unknown"))
	} else if ratio := length[1] / length[0]; ratio > .95 && ratio < 1.05 {
		out = append(out, say("effort.length_same", "before", int(length[0]/float64(n)+.5), "after", int(length[1]/float64(n)+.5)))
	} else {
		out = append(out, say("effort.length", "before", int(length[0]/float64(n)+.5), "after", int(length[1]/float64(n)+.5), "times",
			decimal(length[1]/length[0], 1)))
	}
	switch {
	case b.free() && b.answersHere(), timed == 0:
		out = append(out, say("effort.latency_unknown"))
	default:
		before, after := stats.Pair(took[0]/float64(timed)/1000, took[1]/float64(timed)/1000, 1)
		out = append(out, say("effort.latency", "before", before, "after", after))
	}
	return out
}

// read is the length of what the model was given to read, in code points.
func read(a *rag.Answer) float64 {
	n := 0
	for _, h := range a.Hits {
		if size := h.End - h.Start; size > 0 {
			n += size
		} else {
			n += len([]rune(h.Text))
		}
	}
	return float64(n)
}

// stage is a part of an evaluation that sends texts to a provider.
type stage struct{ code, provider string }

// stages lists which provider gets which texts.
func stages(s experiments.Setup) []stage {
	var out []stage
	c := s.Config
	if where(c) == "" {
		if c.Retrieve.Mode != "bm25" {
			code := "embedding"
			if c.Index != nil {
				code = "search" // the team has embedded its documents already
			}
			out = append(out, stage{code, c.Embedding.Provider})
		}
		if c.Rewrite.Asks() {
			out = append(out, stage{"rewrite", c.Rewrite.Provider})
		}
		if c.Rerank.Asks() {
			out = append(out, stage{"rerank", c.Rerank.Provider})
		}
		out = append(out, stage{"generate", c.Generate.Provider})
	}
	return append(out, stage{"judge", s.Judge.Model.Provider})
}

func outside(provider string) bool { return provider != "" && provider != "offline" }

// sent says what leaves the company: which provider gets which texts.
func (b *builder) sent() []Text {
	s := b.in.Candidate.Run.Setup
	out := []Text{}
	if e := s.Config.Endpoint; e != nil {
		out = append(out, say("sent.endpoint", "name", e.Name))
	}
	if s.Config.Log != nil {
		out = append(out, say("sent.log"))
	}
	if m := s.Config.Index; m != nil {
		what := say("sent.index.vectors")
		if s.Config.Retrieve.Mode != "dense" {
			what = say("sent.index.words")
		}
		out = append(out, say("sent.index", "table", m.Table, "engine", m.Engine, "texts", what))
		if m.Changed {
			out = append(out, say("sent.index.changed", "table", m.Table))
		}
	}
	byProvider := map[string][]Text{}
	told := map[string]bool{} // of a provider's stages, each kind of text once
	var order []string
	for _, st := range stages(s) {
		if !outside(st.provider) {
			continue
		}
		if byProvider[st.provider] == nil {
			order = append(order, st.provider)
		}
		for _, kind := range sentKinds[st.code] {
			if key := st.provider + "\x00" + kind; !told[key] {
				told[key] = true
				byProvider[st.provider] = append(byProvider[st.provider], say("sent.texts."+kind))
			}
		}
	}
	for _, p := range order {
		if b.played(p) {
			out = append(out, say("sent.recorded", "texts", byProvider[p]))
			continue
		}
		out = append(out, say("sent.provider", "provider", p, "texts", byProvider[p]))
	}
	if len(out) == 0 {
		out = append(out, say("sent.nothing"))
	}
	return out
}

// sentKinds are the kinds of texts that a stage sends.
var sentKinds = map[string][]string{
	"embedding": {"documents", "questions"}, "search": {"questions"}, "rewrite": {"questions"}, "rerank": {"questions", "passages"},
	"generate": {"questions", "passages"}, "judge": {"questions", "answers", "references", "passages"},
}

// judgeName is provider/model as people say it.
func judgeName(name string) string { return strings.TrimPrefix(name, "offline/") }
