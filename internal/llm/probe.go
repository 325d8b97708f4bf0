package llm

import (
	"context"
	"encoding/json"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"time"
)

// What a model is asked for before anything is paid for in earnest.
const (
	ProbeGenerate = "generate"
	ProbeJudge    = "judge"
	ProbeEmbed    = "embed"
	ProbeRerank   = "rerank"
)

// ProbePurposeOf is what a request asks of a model, as probes tell it apart: a reply in a given form is a judge's, whoever wants it.
func ProbePurposeOf(req Request) string {
	switch {
	case req.Rerank != "":
		return ProbeRerank
	case req.Schema != nil:
		return ProbeJudge
	}
	return ProbeGenerate
}

// ReplyForms are the ways in which a model can be held to a schema, the strictest first: by the server, by the server to some JSON
// object, by the prompt alone.
var ReplyForms = []string{"schema", "object", "prompt"}

// FormTried is what one way of holding a model to a schema brought.
type FormTried struct {
	Form    string `json:"form"`              // one of ReplyForms
	Repair  string `json:"repair,omitempty"`  // how the reply became the JSON asked for: words of [Repairs]; "" came so
	Problem string `json:"problem,omitempty"` // cause code, where it brought nothing of use
}

// Probe is what is known of a model at a provider for one purpose.
type Probe struct {
	Provider   string      `json:"provider"`
	Origin     string      `json:"origin"`
	Model      string      `json:"model"`
	Purpose    string      `json:"purpose"` // ProbeGenerate, ProbeJudge, ProbeEmbed or ProbeRerank
	At         time.Time   `json:"at"`
	OK         bool        `json:"ok"`
	Form       string      `json:"form,omitempty"` // of a judge: how requests are sent from now on, one of ReplyForms
	Tried      []FormTried `json:"tried,omitempty"`
	Dimensions int         `json:"dimensions,omitempty"` // of an embedder's vectors
	LatencyMS  int64       `json:"latency_ms"`           // of the reply that was of use, vectors too
	Problem    string      `json:"problem,omitempty"`    // cause code of what was of no use
	Message    string      `json:"message,omitempty"`
	// Limits are the bounds that the server named; nil where it named none.
	Limits *ModelLimits `json:"limits,omitempty"`
	Err    error        `json:"-"` // where it failed just now: why
}

type probingKey struct{}

// probed is what the calls of a probe tell it besides their replies.
type probed struct {
	took   time.Duration // by the newest reply
	limits ModelLimits
	listed bool // the list of models was asked for
}

// Probing reports whether a call with this context is part of a probe.
func Probing(ctx context.Context) bool { return ctx.Value(probingKey{}) != nil }

// tookInProbe tells the probe that a call belongs to, if any, how long its newest reply took: vectors come without that.
func tookInProbe(ctx context.Context, d time.Duration) {
	if seen, probing := ctx.Value(probingKey{}).(*probed); probing {
		seen.took = d
	}
}

// Room for the replies to probes, in tokens: models may think first.
const probeTokens, judgeProbeTokens = 256, 1024

var probeSchema = &replies.Schema{Name: "probe", Body: json.RawMessage(
	`{"type":"object","properties":{"reason":{"type":"string"},"score":{"type":"integer","minimum":1,"maximum":5}},` +
		`"required":["reason","score"],"additionalProperties":false}`)}

// ProbeOf asks a model for a few tokens for one purpose and says what came. It never fails: what went wrong is in the probe. A judge is
// tried in each form until one comes exactly as asked for; otherwise the strictest form that can be read at all is taken. at makes the
// requests new ones; dialect is that of a service that reranks, "" takes the usual one.
func ProbeOf(ctx context.Context, p Provider, model, purpose, dialect string, at time.Time) Probe {
	var seen probed // a probe makes one call after the other
	ctx = context.WithValue(ctx, probingKey{}, &seen)
	out := Probe{Provider: p.Info().Name, Origin: p.Info().Origin, Model: model, Purpose: purpose, At: at}
	fresh := at.UTC().Format(time.RFC3339Nano)
	switch purpose {
	case ProbeEmbed:
		vectors, err := p.Embed(ctx, Embedding{Model: model}, []string{"probe at " + fresh})
		if out.fail(err) && len(vectors) == 1 {
			out.OK, out.Dimensions, out.LatencyMS = true, len(vectors[0]), seen.took.Milliseconds()
		}
	case ProbeJudge:
		out.judge(ctx, p, model, fresh)
	case ProbeRerank:
		if dialect == "" {
			dialect = RerankCohere
		}
		data, err := json.Marshal(Reranking{Query: "Which text names a city?", Documents: []string{"Paris", "seven"}})
		var reply Reply
		if err == nil {
			reply, err = p.Complete(ctx, Request{Purpose: "probe.rerank", Model: model, Data: data, Rerank: dialect, Fresh: fresh})
		}
		if out.fail(err) {
			out.OK, out.LatencyMS = true, reply.Latency.Milliseconds()
		}
	default:
		reply, err := p.Complete(ctx, Request{Purpose: "probe.generate", Model: model, Instruction: "Reply with the word ok.",
			Data: json.RawMessage(`{}`), MaxTokens: probeTokens, Fresh: fresh})
		if out.fail(err) {
			out.OK, out.LatencyMS = true, reply.Latency.Milliseconds()
		}
	}
	if seen.limits != (ModelLimits{}) {
		out.Limits = &seen.limits
	}
	return out
}

// ProbeUsage is what the calls of a probe use each: at most, or as things usually go.
func ProbeUsage(purpose string, most bool) []Usage {
	usual := Usage{PromptTokens: 150, CompletionTokens: 30}
	switch {
	case purpose == ProbeEmbed || purpose == ProbeRerank:
		return []Usage{{PromptTokens: 30}}
	case !most:
		return []Usage{usual}
	case purpose == ProbeGenerate:
		return []Usage{{PromptTokens: 200, CompletionTokens: probeTokens}}
	}
	out := make([]Usage, len(ReplyForms))
	for i := range out {
		out[i] = Usage{PromptTokens: 300, CompletionTokens: judgeProbeTokens}
	}
	return out
}

func (b *Probe) judge(ctx context.Context, p Provider, model, fresh string) {
	req := Request{
		Purpose: "probe.judge", Model: model, Schema: probeSchema, MaxTokens: judgeProbeTokens,
		Instruction: "Grade from 1 to 5 how well the answer agrees with the reference. Give one sentence of reason first.",
		Data:        json.RawMessage(`{"answer":"Paris","reference":"The capital of France is Paris."}`),
	}
	var last error
	for i, form := range ReplyForms {
		req.Fresh = fresh + " " + form
		reply, err := p.Complete(context.WithValue(ctx, formKey{}, forcedForm{int32(i)}), req) //nolint:gosec // three forms
		tried := FormTried{Form: form, Repair: reply.Repair}
		if err != nil {
			last, tried.Problem = err, CauseOf(err)
			b.Tried = append(b.Tried, tried)
			if Fatal(err) || ctx.Err() != nil {
				break
			}
			continue
		}
		b.Tried = append(b.Tried, tried)
		if !b.OK || reply.Repair == "" {
			b.OK, b.Form, b.LatencyMS = true, form, reply.Latency.Milliseconds()
		}
		if reply.Repair == "" {
			break
		}
	}
	if !b.OK {
		b.fail(last)
	}
}

// fail notes an error and reports whether there is none.
func (b *Probe) fail(err error) bool {
	if err == nil {
		return true
	}
	b.Problem, b.Message, b.Err = CauseOf(err), err.Error(), err
	return false
}

// forcedForm is the form in which a probe asks, whatever the provider has learned.
type forcedForm struct{ format int32 }

type formKey struct{}

func formForced(ctx context.Context) (int32, bool) {
	f, ok := ctx.Value(formKey{}).(forcedForm)
	return f.format, ok
}
