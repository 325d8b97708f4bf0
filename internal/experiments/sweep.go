package experiments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Combination is one point of a sweep.
type Combination struct {
	Params []Param
	Config rag.Config
	Corpus string // reference of the corpus: the definition's, or the axis "corpus"
}

// Skipped is a combination that makes no sense, with the reason, or that does the same as an earlier one.
type Skipped struct {
	Params []Param
	Why    Rationale
	Same   []Param // the earlier one; nil for one that makes no sense
}

// maxCombinations keeps a typing mistake from planning a year of work.
const maxCombinations = 10_000

// Expand returns every combination of the axes, the last axis varying fastest. Combinations whose overlap is not smaller
// than their chunk size are skipped and named, and so are those that the file leaves out and those that differ from an earlier one only
// in what has no effect in them; any other impossible value is a Problem.
func (d Definition) Expand() ([]Combination, []Skipped, error) {
	total, fits := d.size()
	if !fits {
		return nil, nil, d.tooManyCombinations()
	}
	var out []Combination
	var skipped []Skipped
	for i := range total {
		c := Combination{Config: d.Base, Corpus: d.Corpus, Params: d.params(i)}
		if met := d.excepted(c.Params); met != nil {
			skipped = append(skipped, Skipped{Params: c.Params, Why: leftOut(met)})
			continue
		}
		for _, p := range c.Params {
			if p.Name == "corpus" {
				c.Corpus = fmt.Sprint(p.Value)
				continue
			}
			var err error
			if c.Config, err = withParam(c.Config, p.Name, p.Value); err != nil {
				return nil, nil, inField(err, "sweep.")
			}
		}
		c.Config = c.Config.Frozen()
		if c.Config.Chunk.Size > 0 && c.Config.Chunk.Overlap >= c.Config.Chunk.Size {
			skipped = append(skipped, Skipped{Params: c.Params, Why: tooLarge(c.Config.Chunk)})
			continue
		}
		if err := c.Config.Validate(); err != nil {
			// What is impossible may be what has no effect: alpha, where another point of the sweep fuses by rank.
			if c.Config = c.Config.Effective(); c.Config.Validate() != nil {
				return nil, nil, inField(err, "sweep.")
			}
		}
		c.Config.Embedding = c.Config.Embedding.Resolved()
		out = append(out, c)
	}
	shareReranking(out)
	return different(out, skipped)
}

// leftOut, tooLarge and doesTheSame are why a combination is not run.
func leftOut(met []Param) Rationale {
	said := SetsText(met)
	return Rationale{EN: "the file leaves out " + said.EN, JA: "実験ファイルで除外しています（" + said.JA + "）"}
}

func tooLarge(c rag.Chunking) Rationale {
	overlap, size := ParamName("chunk.overlap"), ParamName("chunk.size")
	return Rationale{EN: fmt.Sprintf("the %s (%d) is not smaller than the %s (%d)", overlap.EN, c.Overlap, size.EN, c.Size),
		JA: fmt.Sprintf("%s（%d）が%s（%d）以上です", overlap.JA, c.Overlap, size.JA, c.Size)}
}

func doesTheSame(as []Param) Rationale {
	said := SetsText(as)
	return Rationale{EN: "it does the same as " + said.EN, JA: "次の組み合わせと同じ設定になります：" + said.JA}
}

// NothingLeft refuses a sweep of which every combination is skipped, with the reason of the first.
func NothingLeft(experiment string, skipped []Skipped) error {
	first, why := SetsText(skipped[0].Params), skipped[0].Why
	return problem.New(problem.Invalid, "sweep_empty", "the sweep of %s has no combination to run: %s is skipped, because %s", experiment,
		problem.Both(first.EN, first.JA), problem.Both(why.EN, why.JA)).
		WithHint("change values of the sweep's axes, or what `except` leaves out")
}

// Doubts are what is probably not meant in the configurations, each once.
func (d Definition) Doubts() []rag.Doubt {
	combinations, _, err := d.Expand()
	if err != nil || d.IsOutside() {
		return nil
	}
	var out []rag.Doubt
	for _, c := range combinations {
		for _, doubt := range c.Config.Doubts() {
			if !slices.Contains(out, doubt) {
				out = append(out, doubt)
			}
		}
	}
	return out
}

// shareReranking gives configurations that leave open how many chunks a service reranks the same number, so that those with different k
// share its calls.
func shareReranking(all []Combination) {
	most := 0
	for _, c := range all {
		most = max(most, c.Config.Retrieve.K)
	}
	for i := range all {
		if r := &all[i].Config.Rerank; r.Mode == rag.RerankAPI && r.Depth == 0 {
			r.Depth = rag.RerankDepth(most)
		}
	}
}

// different takes out the combinations that do the same as an earlier one.
func different(all []Combination, skipped []Skipped) ([]Combination, []Skipped, error) {
	if len(all) == 1 { // a diagnosis asks for one at a time, thousands of times
		return all, skipped, nil
	}
	first := map[string]Combination{}
	var out []Combination
	for _, c := range all {
		body, err := json.Marshal(c.Config.Effective())
		if err != nil {
			return nil, nil, err
		}
		key := c.Corpus + " " + string(body)
		if same, known := first[key]; known {
			skipped = append(skipped, Skipped{Params: c.Params, Same: same.Params, Why: doesTheSame(same.Params)})
			continue
		}
		first[key] = c
		out = append(out, c)
	}
	return out, skipped, nil
}

// Describe is "chunk.size=400 retrieve.k=3": short, and the same in every language. Sentences have [SetsText].
func Describe(params []Param) string {
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = p.Name + "=" + p.Text()
	}
	return strings.Join(parts, " ")
}

// Text is the value as a person would write it.
func (p Param) Text() string {
	switch v := p.Value.(type) {
	case string:
		return text.Cut(v, 40) // a prompt
	case float64, int, bool, nil:
		return fmt.Sprint(v)
	}
	body, err := json.Marshal(p.Value)
	if err != nil {
		return fmt.Sprint(p.Value)
	}
	return string(body)
}
