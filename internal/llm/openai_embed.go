package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	openai "github.com/sashabaranov/go-openai"
	"golang.org/x/sync/errgroup"
)

// Bounds of one embedding call. 64 vectors of 4,096 numbers, written as generously as servers write them, stay below the
// transport's cap of 8 MiB.
const (
	batchTexts  = 64
	batchTokens = 100_000
)

// Embed returns one vector for each text, L2-normalised unless wanted raw. Equal texts are bought once and share one vector, which
// callers must not change; texts whose vectors are stored are not sent. An empty text, and a reply with a missing, doubled, zero or
// misshapen vector, are errors with the cause embedding_invalid, and nothing of such a reply is stored. A text that is
// longer than the model is known to read is the error embedding_too_long, which quotes its beginning, before anything is sent.
func (p *openAI) Embed(ctx context.Context, want Embedding, texts []string) ([][]float32, error) {
	if p.dialect.embed == nil {
		return nil, &Error{Cause: CauseUnsupported, Message: "the service " + p.info.Name + " has no embeddings; name another embedder"}
	}
	if want.Model == "" {
		return nil, &Error{Cause: CauseRequest, Message: "the request names no embedding model"}
	}
	digests := make([]string, len(texts))
	for i, t := range texts {
		if t == "" {
			return nil, &Error{Cause: CauseEmbedding, Message: fmt.Sprintf("text %d of %d is empty and has no vector", i+1, len(texts))}
		}
		digests[i] = digest(t)
	}
	have, err := p.stored(ctx, want, digests)
	if err != nil {
		return nil, err
	}
	var missing []string
	for i, d := range digests {
		if _, ok := have[d]; !ok {
			missing = append(missing, texts[i])
		}
	}
	if err := p.checkLengths(want.Model, missing); err != nil {
		return nil, err
	}
	if err := p.embedMissing(ctx, want, texts, digests, have); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, d := range digests {
		vectors[i] = have[d]
	}
	return vectors, nil
}

// stored returns the vectors that need not be bought.
func (p *openAI) stored(ctx context.Context, want Embedding, digests []string) (map[string][]float32, error) {
	have := map[string][]float32{}
	if p.cfg.Vectors == nil || len(digests) == 0 {
		return have, nil
	}
	found, err := p.cfg.Vectors.Vectors(ctx, VectorSpace(p.info, want), digests)
	if err != nil {
		return nil, err
	}
	for d, v := range found {
		if f := p.agree(want, [][]float32{v}); f != nil {
			return nil, f.err
		}
		have[d] = v
	}
	return have, nil
}

// embedMissing buys what have lacks, batch by batch, and adds it. After a failed batch no further one starts, but those in
// flight are finished, because they are paid.
func (p *openAI) embedMissing(ctx context.Context, want Embedding, texts, digests []string, have map[string][]float32) error {
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
			vectors, err := p.embedBatch(ctx, want, b)
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

// embedBatch buys one batch and stores it.
func (p *openAI) embedBatch(ctx context.Context, want Embedding, b batch) ([][]float32, error) {
	data, err := json.Marshal(want.request(b.texts))
	if err != nil {
		return nil, err
	}
	usage := estimateEmbedding(b.texts)
	estimate, known := p.cfg.Prices.Cost(want.Model, usage)
	got, err := p.share(ctx, job{
		path: "/embeddings", key: KeyOf(p.info, Request{Purpose: "embed", Model: want.Model, Data: data}), purpose: "embed",
		model:    want.Model,
		estimate: estimate, priced: known, tokens: usage,
		body: func(spelling) ([]byte, error) { return p.dialect.embed(want, b.texts) },
		parse: func(raw []byte) (parsed, *fault) {
			got, f := p.dialect.parseEmbeddings(raw, len(b.texts), want.Raw)
			if f == nil {
				f = p.agree(want, got.vectors)
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
	return got.vectors, p.cfg.Vectors.PutVectors(context.WithoutCancel(ctx), VectorSpace(p.info, want), store)
}

// embedBody is the request for the vectors of texts. What is said beyond model and texts is said in the words of the model's maker.
func embedBody(want Embedding, texts []string) ([]byte, error) {
	known := EmbedderOf(want.Model)
	body, err := json.Marshal(openai.EmbeddingRequest{
		Input: texts, Model: openai.EmbeddingModel(want.Model), EncodingFormat: openai.EmbeddingEncodingFormatFloat,
	})
	if err != nil || want.Role == "" && want.Dimensions == 0 {
		return body, err
	}
	fields := map[string]any{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	if want.Role != "" && known.RoleField != "" {
		fields[known.RoleField] = known.role(want.Role)
	}
	if want.Dimensions > 0 {
		fields[known.dimensionsField()] = want.Dimensions
	}
	return json.Marshal(fields)
}

// agree checks that vectors have the length that was asked for, or that this model's vectors had before.
func (p *openAI) agree(want Embedding, vectors [][]float32) *fault {
	p.dimsMutex.Lock()
	defer p.dimsMutex.Unlock()
	key := want.Model + want.variant()
	for _, v := range vectors {
		if want.Dimensions > 0 && len(v) != want.Dimensions {
			return dimensionsFault(want, len(v))
		}
		if earlier, seen := p.dims[key]; seen && len(v) != earlier {
			return faultOf(CauseEmbedding, never, fmt.Sprintf("the model %s gave a vector of %d numbers, earlier ones had %d", want.Model,
				len(v), earlier))
		}
		p.dims[key] = len(v)
	}
	return nil
}

type embeddings struct {
	Error json.RawMessage `json:"error"`
	openai.EmbeddingResponse
}

// dimensionsFault says that a service did not do what it was asked for.
func dimensionsFault(want Embedding, got int) *fault {
	return faultOf(CauseEmbedding, never, fmt.Sprintf("%d dimensions were asked for, and the model %s gave %d; leave embedding.dimensions "+
		"out, or set embedding.matryoshka: true if the maker says that its vectors may be cut", want.Dimensions, want.Model, got))
}

// parseEmbeddings reads the body of a successful embedding reply for n texts: the one parser of embeddings.
func (d dialect) parseEmbeddings(raw []byte, n int, asMade bool) (parsed, *fault) {
	e, f := d.vectors(raw)
	if f != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](f.err); ok {
			return parsed{}, faultOf(CauseEmbedding, never, "the reply holds a vector that is not made of numbers")
		}
		return parsed{}, f
	}
	got := parsed{reply: Reply{Model: replies.CleanText(string(e.Model)), Usage: usageOf(e.Usage)}}
	if f := errorInside(e.Error); f != nil {
		return got, f
	}
	invalid := func(format string, args ...any) (parsed, *fault) {
		return got, faultOf(CauseEmbedding, never, fmt.Sprintf(format, args...))
	}
	if len(e.Data) != n {
		return invalid("the reply holds %d vectors for %d texts", len(e.Data), n)
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
		case !directed(d.Embedding, asMade):
			return invalid("the vector of text %d is zero or not made of finite numbers", d.Index+1)
		}
		vectors[d.Index] = d.Embedding
	}
	got.vectors = vectors
	return got, nil
}

// nullInside finds a null that Go's decoder would have read as 0 inside a vector.
func nullInside(raw []byte) bool {
	if !bytes.Contains(raw, []byte("null")) {
		return false
	}
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

// directed scales v to length 1 unless it stays as it was made, and says no to a vector that has no direction.
func directed(v []float32, asMade bool) bool {
	var sum float64
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	norm := math.Sqrt(sum)
	if norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return false
	}
	if asMade {
		return true
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / norm)
	}
	return true
}
