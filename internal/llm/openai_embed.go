package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	openai "github.com/sashabaranov/go-openai"
	"golang.org/x/sync/errgroup"
)

// Bounds of one embedding call. 64 vectors of 4,096 numbers, written as generously as servers write them, stay below the
// transport's cap of 8 MiB.
const (
	batchTexts  = 64
	batchTokens = 100_000
)

// Embed returns one L2-normalised vector for each text. Equal texts are bought once and share one vector, which callers must
// not change; texts whose vectors are stored are not sent. An empty text, and a reply with a missing, doubled, zero or
// misshapen vector, are errors with the cause embedding_invalid, and nothing of such a reply is stored. A text that is
// longer than the model is known to read is the error embedding_too_long, which quotes its beginning, before anything is sent.
func (p *openAI) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if model == "" {
		return nil, &Error{Cause: CauseRequest, Message: "the request names no embedding model"}
	}
	digests := make([]string, len(texts))
	for i, t := range texts {
		if t == "" {
			return nil, &Error{Cause: CauseEmbedding, Message: fmt.Sprintf("text %d of %d is empty and has no vector", i+1, len(texts))}
		}
		digests[i] = digest(t)
	}
	space := p.info.Kind + "|" + p.info.Origin + "|" + model
	have, err := p.stored(ctx, space, model, digests)
	if err != nil {
		return nil, err
	}
	var missing []string
	for i, d := range digests {
		if _, ok := have[d]; !ok {
			missing = append(missing, texts[i])
		}
	}
	if err := p.checkLengths(model, missing); err != nil {
		return nil, err
	}
	if err := p.embedMissing(ctx, space, model, texts, digests, have); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, d := range digests {
		vectors[i] = have[d]
	}
	return vectors, nil
}

// stored returns the vectors that need not be bought.
func (p *openAI) stored(ctx context.Context, space, model string, digests []string) (map[string][]float32, error) {
	have := map[string][]float32{}
	if p.cfg.Vectors == nil || len(digests) == 0 {
		return have, nil
	}
	found, err := p.cfg.Vectors.Vectors(ctx, space, digests)
	if err != nil {
		return nil, err
	}
	for d, v := range found {
		if f := p.agree(model, [][]float32{v}); f != nil {
			return nil, f.err
		}
		have[d] = v
	}
	return have, nil
}

// embedMissing buys what have lacks, batch by batch, and adds it. After a failed batch no further one starts, but those in
// flight are finished, because they are paid.
func (p *openAI) embedMissing(ctx context.Context, space, model string, texts, digests []string, have map[string][]float32) error {
	batches := batchesOf(texts, digests, have)
	bought := make([][][]float32, len(batches))
	var failed atomic.Bool
	var group errgroup.Group
	group.SetLimit(p.gate.ceiling)
	for i, b := range batches {
		group.Go(func() error {
			if failed.Load() {
				return nil
			}
			vectors, err := p.embedBatch(ctx, space, model, b)
			if err != nil {
				failed.Store(true)
				return err
			}
			bought[i] = vectors
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, b := range batches {
		for k, d := range b.digests {
			have[d] = bought[i][k]
		}
	}
	return nil
}

type batch struct{ texts, digests []string }

func batchesOf(texts, digests []string, have map[string][]float32) []batch {
	var out []batch
	taken := map[string]bool{}
	tokens := 0
	for i, d := range digests {
		if _, ok := have[d]; ok || taken[d] {
			continue
		}
		taken[d] = true
		n := EstimateTokens(texts[i])
		if len(out) == 0 || len(out[len(out)-1].texts) == batchTexts || tokens+n > batchTokens {
			out, tokens = append(out, batch{}), 0
		}
		tokens += n
		last := &out[len(out)-1]
		last.texts, last.digests = append(last.texts, texts[i]), append(last.digests, d)
	}
	return out
}

// embedBatch buys one batch, normalises it and stores it.
func (p *openAI) embedBatch(ctx context.Context, space, model string, b batch) ([][]float32, error) {
	data, err := json.Marshal(map[string][]string{"texts": b.texts})
	if err != nil {
		return nil, err
	}
	usage := estimateEmbedding(b.texts)
	estimate, known := p.cfg.Prices.Cost(model, usage)
	got, err := p.share(ctx, job{
		path: "/embeddings", key: KeyOf(p.info, Request{Purpose: "embed", Model: model, Data: data}), purpose: "embed", model: model,
		estimate: estimate, priced: known, tokens: usage,
		body: func(spelling) ([]byte, error) {
			return json.Marshal(openai.EmbeddingRequest{
				Input: b.texts, Model: openai.EmbeddingModel(model), EncodingFormat: openai.EmbeddingEncodingFormatFloat,
			})
		},
		parse: func(raw []byte) (parsed, *fault) {
			got, f := parseEmbeddings(raw, len(b.texts))
			if f == nil {
				f = p.agree(model, got.vectors)
			}
			return got, f
		},
	})
	if err != nil {
		return nil, tooLong(err, b)
	}
	note(ctx, got.reply.CallID)
	if p.cfg.Vectors == nil {
		return got.vectors, nil
	}
	store := make(map[string][]float32, len(b.digests))
	for i, d := range b.digests {
		store[d] = got.vectors[i]
	}
	// Bought and settled: a caller that has gone must not lose them.
	return got.vectors, p.cfg.Vectors.PutVectors(context.WithoutCancel(ctx), space, store)
}

// agree checks that vectors have the length that this model's vectors had before.
func (p *openAI) agree(model string, vectors [][]float32) *fault {
	p.dimsMutex.Lock()
	defer p.dimsMutex.Unlock()
	for _, v := range vectors {
		if want, seen := p.dims[model]; seen && len(v) != want {
			return faultOf(CauseEmbedding, never, fmt.Sprintf("the model %s gave a vector of %d numbers, earlier ones had %d", model,
				len(v), want))
		}
		p.dims[model] = len(v)
	}
	return nil
}

type embeddings struct {
	Error json.RawMessage `json:"error"`
	openai.EmbeddingResponse
}

// parseEmbeddings reads the body of a successful embedding reply for n texts: the one parser of embeddings.
func parseEmbeddings(raw []byte, n int) (parsed, *fault) {
	var e embeddings
	if f := readEnvelope(raw, &e); f != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](f.err); ok {
			return parsed{}, faultOf(CauseEmbedding, never, "the reply holds a vector that is not made of numbers")
		}
		return parsed{}, f
	}
	got := parsed{reply: Reply{Model: cleanText(string(e.Model)), Usage: usageOf(e.Usage)}}
	if f := errorInside(e.Error); f != nil {
		return got, f
	}
	invalid := func(format string, args ...any) (parsed, *fault) {
		return got, faultOf(CauseEmbedding, never, fmt.Sprintf(format, args...))
	}
	if len(e.Data) != n {
		return invalid("the reply holds %d vectors for %d texts", len(e.Data), n)
	}
	if bytes.Contains(raw, []byte("null")) && nullInside(raw) {
		return invalid("the reply holds a vector with a missing number")
	}
	vectors := make([][]float32, n)
	for _, d := range e.Data {
		switch {
		case d.Index < 0 || d.Index >= n:
			return invalid("the reply holds a vector for text %d of %d", d.Index+1, n)
		case vectors[d.Index] != nil:
			return invalid("the reply holds two vectors for text %d", d.Index+1)
		case len(d.Embedding) == 0 || len(d.Embedding) != len(e.Data[0].Embedding):
			return invalid("the reply holds vectors of %d and %d numbers", len(e.Data[0].Embedding), len(d.Embedding))
		case !normalise(d.Embedding):
			return invalid("the vector of text %d is zero or not made of finite numbers", d.Index+1)
		}
		vectors[d.Index] = d.Embedding
	}
	got.vectors = vectors
	return got, nil
}

// nullInside finds a null that Go's decoder would have read as 0 inside a vector.
func nullInside(raw []byte) bool {
	var e struct {
		Data []struct {
			Embedding []*float32 `json:"embedding"`
		} `json:"data"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return true
	}
	for _, d := range e.Data {
		for _, f := range d.Embedding {
			if f == nil {
				return true
			}
		}
	}
	return false
}

// normalise scales v to length 1, and says no to a vector that has no direction.
func normalise(v []float32) bool {
	var sum float64
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	norm := math.Sqrt(sum)
	if norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return false
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / norm)
	}
	return true
}
