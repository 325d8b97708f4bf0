package metrics

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// scripted is a judge that answers by purpose from a table and remembers what it was asked.
type scripted struct {
	replies map[string]func(llm.Request) (string, error)
	vectors map[string][]float32

	mu    sync.Mutex
	asked []llm.Request
	scope []llm.Scope

	reading sync.Mutex // one line of the script at a time: some remember what they said
}

func (s *scripted) Info() llm.Info {
	return llm.Info{Name: "scripted", Kind: "openai", Origin: "http://judge"}
}

func (s *scripted) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	s.asked, s.scope = append(s.asked, req), append(s.scope, llm.ScopeOf(ctx))
	s.mu.Unlock()
	answer, ok := s.replies[req.Purpose]
	if !ok {
		return llm.Reply{}, fmt.Errorf("the script has no answer to %s", req.Purpose)
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	text, err := answer(req)
	return llm.Reply{Text: text, Model: req.Model, FinishReason: "stop"}, err
}

func (s *scripted) Embed(_ context.Context, _ llm.Embedding, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		v, ok := s.vectors[t]
		if !ok {
			return nil, &llm.Error{Cause: llm.CauseEmbedding, Message: "no vector for " + t}
		}
		out[i] = v
	}
	return out, nil
}

// Provider makes the judge its own registry: every name finds it.
func (s *scripted) Provider(string) (llm.Provider, error) { return s, nil }

// count is how often a purpose was asked for; "" counts all.
func (s *scripted) count(purpose string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, r := range s.asked {
		if purpose == "" || r.Purpose == purpose {
			n++
		}
	}
	return n
}

// requests is what was asked, in an order that does not depend on which call was first.
func (s *scripted) requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(slices.Values(s.asked), func(a, b llm.Request) int { return strings.Compare(encoded(a), encoded(b)) })
}

// of is the only request with these data.
func (s *scripted) of(t testing.TB, data string) llm.Request {
	t.Helper()
	var found []llm.Request
	for _, req := range s.requests() {
		if string(req.Data) == data {
			found = append(found, req)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d requests show %s; asked were %+v", len(found), data, s.requests())
	}
	return found[0]
}

// say answers always the same.
func saying(text string) func(llm.Request) (string, error) {
	return func(llm.Request) (string, error) { return text, nil }
}

func failing(cause string) func(llm.Request) (string, error) {
	return func(llm.Request) (string, error) { return "", &llm.Error{Cause: cause, Message: "scripted"} }
}

// decode reads a request's data, refusing what the prompt does not have.
func decode[T any](req llm.Request) T {
	var d T
	if err := json.Unmarshal(req.Data, &d); err != nil {
		panic(err)
	}
	return d
}

func encoded(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// judgeOf returns a judge that finds these claims, by text, and calls a claim supported by a passage where the table says
// so; both rubrics give 4, and the answer is on the topic.
func judgeOf(claims map[string][]string, supports func(claim, passage string) bool) *scripted {
	rubric := saying(`{"reason":"fits","score":4}`)
	listed := func(text string) []string {
		if claims[text] == nil {
			return []string{}
		}
		return claims[text]
	}
	return &scripted{
		vectors: map[string][]float32{},
		replies: map[string]func(llm.Request) (string, error){
			PurposeCorrectness: rubric, PurposeTrust: rubric,
			PurposeParts:     saying(`{"parts":[{"part":"what","given":"yes"},{"part":"why","given":"partly"}],"off":[]}`),
			PurposeRelevancy: saying(`{"noncommittal":false,"questions":["one?","two?","three?"]}`),
			PurposeEntities:  saying(`{"entities":[]}`),
			PurposeAnswer: func(req llm.Request) (string, error) {
				list, yes := listed(decode[answerData](req).Answer), true
				return encoded(answerReply{Claims: list, Refuses: len(list) == 0, OnTopic: &yes, Reason: "on the topic"}), nil
			},
			PurposeClaims: func(req llm.Request) (string, error) {
				return encoded(claimsReply{Claims: listed(decode[claimsData](req).Text), Key: []int{}}), nil
			},
			PurposeVerify: func(req llm.Request) (string, error) {
				return encoded(verdictsOn(decode[verifyData](req), func(claim, passage string) string {
					if supports(claim, passage) {
						return supported
					}
					return neither
				})), nil
			},
		},
	}
}

// rules makes the judge give verdicts by a rule of claim and passage.
func (s *scripted) rules(rule func(claim, passage string) string) {
	s.replies[PurposeVerify] = func(req llm.Request) (string, error) { return encoded(verdictsOn(decode[verifyData](req), rule)), nil }
}

// verdictsOn is the reply of a careful judge: every pair that was asked about once, quoting the whole passage.
func verdictsOn(d verifyData, rule func(claim, passage string) string) verifyReply {
	out := verifyReply{Verdicts: []cell{}, Neither: []silence{}}
	for _, c := range d.Claims {
		for _, p := range d.Passages {
			if len(c.Check) > 0 && !slices.Contains(c.Check, p.Number) {
				continue
			}
			if v := rule(c.Text, p.Text); v != neither {
				out.Verdicts = append(out.Verdicts, cell{Claim: c.Number, Passage: p.Number, Verdict: v, Quote: p.Text})
			} else {
				out.Neither = append(out.Neither, silence{Claim: c.Number, Passages: []int{p.Number}})
			}
		}
	}
	return out
}

// pairs is a support table: each entry is claim, passage.
func pairs(list ...[2]string) func(claim, passage string) bool {
	table := map[[2]string]bool{}
	for _, p := range list {
		table[p] = true
	}
	return func(claim, passage string) bool { return table[[2]string{claim, passage}] }
}

// kept is a stage store in memory that counts what it is given.
type kept struct {
	mu     sync.Mutex
	items  map[string][]byte
	kinds  map[string]int
	kindOf map[string]string // by key
	err    error             // what every call returns when not nil
}

func newKept() *kept {
	return &kept{items: map[string][]byte{}, kinds: map[string]int{}, kindOf: map[string]string{}}
}

func (k *kept) Stage(_ context.Context, key string) ([]byte, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	body, ok := k.items[key]
	return body, ok, k.err
}

// only forgets the stages of every other kind.
func (k *kept) only(kind string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for key := range k.items {
		if k.kindOf[key] != kind {
			delete(k.items, key)
		}
	}
}

func (k *kept) PutStage(_ context.Context, s rag.Stage) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.items[s.Key]; !ok {
		k.items[s.Key] = s.Body
		k.kinds[s.Kind]++
		k.kindOf[s.Key] = s.Kind
	}
	return k.err
}

func judgeConfig(explain string) JudgeConfig {
	c := JudgeConfig{ExplainLang: explain}
	c.Provider, c.Name = "scripted", "judge-1"
	c.Embedding = rag.Model{Provider: "scripted", Name: "embed-1"}
	return c
}

// suiteOf returns a suite of these metrics; none are all.
func suiteOf(t testing.TB, judge rag.Providers, stages rag.Stages, config JudgeConfig, names ...string) *Suite {
	t.Helper()
	specs, err := Resolve(names)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSuite(specs, config, judge, stages)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scoresOf scores one sample with a fresh suite and returns the scores by metric.
func scoresOf(t testing.TB, judge rag.Providers, sample Sample, names ...string) map[string]Score {
	t.Helper()
	scores, err := suiteOf(t, judge, newKept(), judgeConfig(""), names...).Score(t.Context(), sample)
	if err != nil {
		t.Fatal(err)
	}
	return byMetric(scores)
}

func byMetric(scores []Score) map[string]Score {
	out := map[string]Score{}
	for _, s := range scores {
		out[s.Metric] = s
	}
	return out
}

// contextsOf are hits with these texts, each its own document.
func contextsOf(texts ...string) []rag.Hit {
	hits := make([]rag.Hit, len(texts))
	for i, s := range texts {
		hits[i] = rag.Hit{Span: rag.Span{DocID: fmt.Sprint("doc-", i), End: len([]rune(s))}, Score: 1 / float64(i+1), Text: s}
	}
	return hits
}

func wantValue(t *testing.T, scores map[string]Score, metric string, want float64) {
	t.Helper()
	if s := scores[metric]; s.State != Scored || math.Abs(s.Value-want) > 1e-9 {
		t.Errorf("%s is %s %.12g (%s), want %.12g", metric, s.State, s.Value, s.Reason, want)
	}
}

func wantReason(t *testing.T, scores map[string]Score, metric string, state State, reason string) {
	t.Helper()
	if s := scores[metric]; s.State != state || s.Reason != reason || s.Value != 0 {
		t.Errorf("%s is %s %q with value %g, want %s %q without one", metric, s.State, s.Reason, s.Value, state, reason)
	}
}
