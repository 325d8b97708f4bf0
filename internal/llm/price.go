package llm

import (
	"encoding/json"
	"math"
	"unicode"
)

// Price is what one model costs, in the currency of the price file, for a million tokens. A zero is a real price (a local
// model); a model without a price is absent from [Prices].
type Price struct {
	Input  float64  `json:"input"`
	Output float64  `json:"output"`
	Cached *float64 `json:"cached_input,omitempty" yaml:"cached_input"`   // of input that the provider had in its cache; nil costs as Input
	Search float64  `json:"search,omitempty"`                             // for a thousand search units, where a rerank service bills those
	Lacks  Lacking  `json:"lacks,omitempty" yaml:"-" enum:"input,output"` // the half that nobody wrote down: unknown, not free
}

// Lacking names the half of a price that is not known; the zero value lacks nothing.
type Lacking string

// The halves of a price. An embedder needs no price of output, for it writes none.
const (
	LacksInput  Lacking = "input"
	LacksOutput Lacking = "output"
)

// unknown reports whether a usage has tokens of the half that is lacking.
func (p Price) unknown(u Usage) bool {
	return p.Lacks == LacksInput && u.PromptTokens > 0 || p.Lacks == LacksOutput && u.CompletionTokens > 0
}

// Prices maps a model's name, exactly as requests name it, to its price.
type Prices map[string]Price

// Assumptions of the estimates.
const (
	// assumedReply is the length in tokens expected of a reply whose request sets no bound.
	assumedReply = 1024
	// messageOverhead is what the chat format adds to a system and a user message, in tokens.
	messageOverhead = 16
	// absurdTokens is a count no model can have processed; a usage block that claims more is not believed.
	absurdTokens = 100_000_000
)

// Estimate is what a request may cost at most, in millionths of the currency, as far as characters can tell. When MaxTokens
// is 0 a reply of 1,024 tokens is assumed. known is false, and micros 0, when the model has no usable price.
func (p Prices) Estimate(req Request) (micros int64, known bool) {
	return p.Cost(req.Model, EstimateUsage(req))
}

// EstimateUsage is what the provider may count for a request at most, as far as characters can tell: the prompt as it is sent, with
// the schema of the reply, and a reply of MaxTokens.
func EstimateUsage(req Request) Usage {
	if req.Rerank != "" {
		return estimateRerank(req)
	}
	system, user := Render(req, "0000000000000000")
	u := Usage{PromptTokens: messageOverhead + EstimateTokens(system) + EstimateTokens(user), CompletionTokens: req.MaxTokens}
	if req.Schema != nil {
		u.PromptTokens += EstimateTokens(string(req.Schema.Body))
	}
	if u.CompletionTokens <= 0 {
		u.CompletionTokens = assumedReply
	}
	return u
}

// RequestBytes is the length of a request as it is sent first, in bytes: what banked requests are compared with, to know how a model
// counts. Errors count as 0.
func RequestBytes(req Request) int {
	body, err := chatBody(req, "0000000000000000", spelling{})
	if err != nil {
		return 0
	}
	return len(body)
}

// EstimateEmbedding is what embedding these texts may cost, like [Prices.Estimate].
func (p Prices) EstimateEmbedding(model string, texts []string) (micros int64, known bool) {
	return p.Cost(model, estimateEmbedding(texts))
}

// estimateRerank counts the query once for each document, as the services do.
func estimateRerank(req Request) Usage {
	var data Reranking
	if json.Unmarshal(req.Data, &data) != nil {
		return Usage{}
	}
	u := Usage{SearchUnits: (len(data.Documents) + unitDocuments - 1) / unitDocuments}
	for _, d := range data.Documents {
		u.PromptTokens += EstimateTokens(data.Query) + EstimateTokens(d)
	}
	return u
}

func estimateEmbedding(texts []string) Usage {
	tokens := 0
	for _, t := range texts {
		tokens += EstimateTokens(t)
	}
	return Usage{PromptTokens: tokens}
}

// Cost is what this usage costs in millionths of the currency, rounded up. known is false, and micros 0, when the model has
// no price, or only half of one and uses the other half, the price is not a finite number from 0 upwards, or the usage is negative or absurd.
func (p Prices) Cost(model string, u Usage) (micros int64, known bool) {
	price, ok := p[model]
	if !ok || !usablePrice(price.Input) || !usablePrice(price.Output) || !usablePrice(price.Search) ||
		price.Cached != nil && !usablePrice(*price.Cached) || price.unknown(u) {
		return 0, false
	}
	if u.PromptTokens < 0 || u.CompletionTokens < 0 || u.PromptTokens > absurdTokens ||
		u.CompletionTokens > absurdTokens || u.SearchUnits < 0 || u.SearchUnits > absurdTokens {
		return 0, false
	}
	// Whole numbers: the price in millionths per million tokens. No product can pass 10^17.
	cached := price.Input
	if price.Cached != nil {
		cached = *price.Cached
	}
	hits := max(0, min(u.CachedTokens, u.PromptTokens))
	exact := int64(math.Round(price.Input*1e6))*int64(u.PromptTokens-hits) + int64(math.Round(cached*1e6))*int64(hits) +
		int64(math.Round(price.Output*1e6))*int64(u.CompletionTokens) +
		int64(math.Round(price.Search*1e6))*int64(u.SearchUnits)*1000
	return (exact + 999_999) / 1_000_000, true
}

// usablePrice refuses NaN, negative prices and prices above 1,000 per million tokens, which are typing errors.
func usablePrice(f float64) bool { return f >= 0 && f <= 1000 }

// EstimateTokens guesses the number of tokens of a text from its characters, for forecasts only: a token for every four
// characters below U+0250 (English and its neighbours, digits, punctuation, JSON), and one for every other character that is
// not a combining mark (Japanese, Chinese, Korean, emoji). English prose and JSON come out within about a quarter, Japanese
// a little high. Bills use the provider's own count.
func EstimateTokens(text string) int {
	narrow, wide := 0, 0
	for _, r := range text {
		switch {
		case r < 0x250:
			narrow++
		case !unicode.Is(unicode.Mn, r):
			wide++
		}
	}
	return (narrow+3)/4 + wide
}
