package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"math"
)

// Dialects of services that say how well documents fit a query. All answer to POST …/rerank; they differ in what the fields are called.
const (
	RerankCohere = "cohere" // query and documents: Cohere, Jina, vLLM, SGLang, Infinity
	RerankVoyage = "voyage" // the same, with a switch against silent cutting
	RerankTEI    = "tei"    // query and texts, no model: Hugging Face's text-embeddings-inference
)

// CauseRerank is the cause of a reply that does not give every document one finite score.
const CauseRerank = "rerank_incomplete"

// unitDocuments is how many documents one search unit covers where a service bills those.
const unitDocuments = 100

// Reranking is the data of a request that asks for scores.
type Reranking struct {
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
}

// rerank asks for the score of every document. The reply's text is a JSON list of them in the order of the documents. Nothing but the
// query and the documents is sent: how many are wanted is decided here, so that the same call serves every k.
func (p *openAI) rerank(ctx context.Context, req Request) (Reply, error) {
	if p.cfg.Dialect != "" {
		return Reply{}, &Error{Cause: CauseUnsupported, Message: "the service " + p.info.Name + " does not rerank; name another reranker"}
	}
	var data Reranking
	if err := json.Unmarshal(req.Data, &data); err != nil || req.Model == "" || len(data.Documents) == 0 {
		return Reply{}, &Error{Cause: CauseRequest, Message: "the request to rerank names no model or no documents", Err: err}
	}
	usage := EstimateUsage(req)
	estimate, known := p.cfg.Prices.Cost(req.Model, usage)
	got, err := p.share(ctx, job{
		path: "/rerank", key: KeyOf(p.info, req), purpose: req.Purpose, model: req.Model, replicate: req.Replicate,
		estimate: estimate, priced: known, tokens: usage,
		body:  func(spelling) ([]byte, error) { return rerankBody(req.Model, req.Rerank, data) },
		parse: func(raw []byte) (parsed, *fault) { return parseScores(raw, len(data.Documents)) },
	})
	if err == nil {
		note(ctx, got.reply.CallID)
	}
	return got.reply, err
}

func rerankBody(model, dialect string, data Reranking) ([]byte, error) {
	switch dialect {
	case RerankTEI:
		return json.Marshal(map[string]any{"query": data.Query, "texts": data.Documents, "raw_scores": false, "return_text": false,
			"truncate": false})
	case RerankVoyage:
		return json.Marshal(map[string]any{"model": model, "query": data.Query, "documents": data.Documents, "return_documents": false,
			"truncation": false})
	}
	return json.Marshal(map[string]any{"model": model, "query": data.Query, "documents": data.Documents})
}

// scored is one document of a reply, in any dialect.
type scored struct {
	Index     *int     `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"`
}

type scores struct {
	Error   json.RawMessage `json:"error"`
	Model   string          `json:"model"`
	Results []scored        `json:"results"`
	Data    []scored        `json:"data"`
	Usage   struct {
		TotalTokens  int `json:"total_tokens"`
		PromptTokens int `json:"prompt_tokens"`
	} `json:"usage"`
	Meta struct {
		Billed struct {
			SearchUnits float64 `json:"search_units"`
		} `json:"billed_units"`
	} `json:"meta"`
}

// parseScores reads the scores of n documents from a bare list, or the list under results or data.
func parseScores(raw []byte, n int) (parsed, *fault) {
	var s scores
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		raw = append(append([]byte(`{"results":`), raw...), '}')
	}
	if f := readEnvelope(raw, &s); f != nil {
		return parsed{}, f
	}
	used := Usage{PromptTokens: max(s.Usage.TotalTokens, s.Usage.PromptTokens), SearchUnits: int(math.Ceil(s.Meta.Billed.SearchUnits))}
	got := parsed{reply: Reply{Model: replies.CleanText(s.Model), Usage: used}}
	if f := errorInside(s.Error); f != nil {
		return got, f
	}
	incomplete := func(format string, args ...any) (parsed, *fault) {
		return got, faultOf(CauseRerank, never, fmt.Sprintf(format, args...))
	}
	list, seen := make([]float64, n), make([]bool, n)
	for _, d := range append(s.Results, s.Data...) {
		value := d.Relevance
		if value == nil {
			value = d.Score
		}
		switch {
		case d.Index == nil || *d.Index < 0 || *d.Index >= n:
			return incomplete("the reply scores a document that was not sent")
		case seen[*d.Index]:
			return incomplete("the reply scores document %d of %d twice", *d.Index+1, n)
		case value == nil || math.IsNaN(*value) || math.IsInf(*value, 0):
			return incomplete("the reply has no score for document %d of %d", *d.Index+1, n)
		}
		list[*d.Index], seen[*d.Index] = *value, true
	}
	for i, known := range seen {
		if !known {
			return incomplete("the reply has no score for document %d of %d", i+1, n)
		}
	}
	body, err := json.Marshal(list)
	if err != nil {
		return incomplete("the scores cannot be written: %v", err)
	}
	got.reply.Text, got.reply.FinishReason = string(body), "stop"
	return got, nil
}
