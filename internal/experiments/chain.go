package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// chainOf2 begins the chains that leave measured times out. Chains of older runs begin with nothing and cover them.
const chainOf2 = "2:"

// Chain is the SHA-256 over every result in order: question, answer, scores. Whoever changes a finished run breaks it. How long an
// answer took is left out: it depends on the machine and the hour, and the same work has the same chain in every process. The seals
// of the rows cover it.
func Chain(results []Result) string {
	timeless := make([]Result, len(results))
	for i, r := range results {
		timeless[i] = r.untimed()
	}
	return chainOf2 + chainOf(timeless)
}

// ChainLike is the chain of results in the way that another chain was made, so that runs of older programs can still be checked.
func ChainLike(made string, results []Result) string {
	if strings.HasPrefix(made, chainOf2) {
		return Chain(results)
	}
	return chainOf(results)
}

func chainOf(results []Result) string {
	link := sha256.Sum256(nil)
	for _, result := range results {
		body, err := json.Marshal(linkOf(result))
		if err != nil {
			panic("result is not JSON: " + err.Error()) // only a NaN could do that, and no metric yields one
		}
		link = sha256.Sum256(append(link[:], body...))
	}
	return hex.EncodeToString(link[:])
}

// A link is how a chain writes a result. It writes what chains always wrote, whatever other JSON says of scores without a value.
type link struct {
	QuestionID string         `json:"question_id"`
	Replicate  int            `json:"replicate"`
	Answer     *rag.Answer    `json:"answer,omitempty"`
	Failure    *Failure       `json:"failure,omitempty"`
	Retrieved  *rag.Retrieved `json:"retrieved,omitempty"`
	Scores     []linkedScore  `json:"scores"`
}

type linkedScore metrics.Score // without its methods

func linkOf(r Result) link {
	out := link{QuestionID: r.QuestionID, Replicate: r.Replicate, Answer: r.Answer, Failure: r.Failure, Retrieved: r.Retrieved}
	if r.Scores != nil {
		out.Scores = make([]linkedScore, len(r.Scores))
	}
	for i, s := range r.Scores {
		out.Scores[i] = linkedScore(s)
	}
	return out
}

// latencyMetric is the one metric whose value is a time.
const latencyMetric = "latency"

// untimed is the result without the times that were measured.
func (r Result) untimed() Result {
	if r.Answer != nil && r.Answer.Measured != nil {
		answer, measured := *r.Answer, *r.Answer.Measured
		measured.LatencyMS = 0
		answer.Measured, r.Answer = &measured, &answer
	}
	r.Scores = slices.Clone(r.Scores)
	for i := range r.Scores {
		if r.Scores[i].Metric == latencyMetric {
			r.Scores[i].Value = 0
		}
	}
	return r
}

// SweepChain closes a sweep over the chains of its runs, in the order they were created.
func SweepChain(runs []Run) string {
	chains := make([]string, len(runs))
	for i, run := range runs {
		chains[i] = run.Chain
	}
	return rag.StageKey("sweep", "1", chains)
}
