package validation

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

// worldModels are the models of a world: generators and a judge that know what is true of each question, found by its text. They see
// requests as any bought model does, and answer the same request the same, except where they are flaky or err.
type worldModels struct {
	seed    uint64
	noise   float64
	lenient bool

	mu    sync.Mutex
	items map[string]*worldItem // by the text of the question
	calls map[string]int        // by question
}

// Info implements [llm.Provider]. Nobody may count on equal replies, as with a bought model.
func (m *worldModels) Info() llm.Info {
	return llm.Info{Name: ScriptedProvider, Kind: "scripted", Origin: "worlds", Free: true}
}

// Embed implements [llm.Provider]; embedders are the offline ones.
func (m *worldModels) Embed(context.Context, llm.Embedding, []string) ([][]float32, error) {
	return nil, fmt.Errorf("%s embeds nothing", ScriptedProvider)
}

// worldData is what any request may say.
type worldData struct {
	Question  string `json:"question"`
	Answer    string `json:"answer"`
	Reference string `json:"reference"`
	Claim     string `json:"claim"`
	Contexts  []struct {
		Text string `json:"text"`
	} `json:"contexts"`
	Passages []struct {
		Number int    `json:"number"`
		Text   string `json:"text"`
	} `json:"passages"`
}

// Complete implements [llm.Provider].
func (m *worldModels) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	var d worldData
	if err := json.Unmarshal(req.Data, &d); err != nil {
		return llm.Reply{}, fmt.Errorf("%s: %w", req.Purpose, err)
	}
	m.mu.Lock()
	item := m.items[d.Question]
	m.calls[d.Question]++
	m.mu.Unlock()
	if item == nil {
		return llm.Reply{}, fmt.Errorf("%s: the world has no question %q", req.Purpose, d.Question)
	}
	text, err := m.reply(req, item, d)
	return llm.Reply{Text: text, FinishReason: "stop"}, err
}

func (m *worldModels) reply(req llm.Request, item *worldItem, d worldData) (string, error) {
	errs := func(of ...any) bool {
		return chance(m.seed, append(of, "errs", req.Purpose, item.question.ID, req.Replicate)...) < m.noise
	}
	var reply any
	switch req.Purpose {
	case prompts.PurposeGenerate:
		return m.write(req, item, d), nil
	case metrics.PurposeCorrectness:
		reply = rated(item.right(d.Answer) != errs(d.Answer))
	case metrics.PurposeTrust:
		grounded := d.Answer == item.refusal || item.right(d.Answer) && item.complete(contextsOf(d))
		reply = rated(grounded != errs(d.Answer, len(d.Contexts)))
	case laboratory.PurposeCauseClaims:
		reply = map[string]any{"claims": sentenceTexts(d.Reference)}
	case laboratory.PurposeCauseEvidence:
		reply = map[string]any{"verdicts": m.evidence(item, d, errs)}
	case laboratory.PurposeCauseQuestion:
		reply = map[string]any{"reading": d.Question, "clear": !errs(), "reference_answers": true, "missing": ""}
	default:
		return "", fmt.Errorf("the world's models know no %s", req.Purpose)
	}
	body, err := json.Marshal(reply)
	return string(body), err
}

func rated(good bool) any {
	score := 1
	if good {
		score = 5
	}
	return map[string]any{"reason": "scripted", "score": score}
}

func sentenceTexts(s string) []string {
	runes := []rune(s)
	var out []string
	for _, at := range text.Sentences(s) {
		out = append(out, strings.TrimSpace(string(runes[at.Start:at.End])))
	}
	return out
}

func contextsOf(d worldData) []string {
	out := make([]string, len(d.Contexts))
	for i, c := range d.Contexts {
		out[i] = c.Text
	}
	return out
}

// How often the models are right when the contexts hold everything.
const (
	worldRight      = .97
	worldRightWeak  = .08
	worldRightFlaky = .30
)

// write answers as the model of the request does. The facts of the reference are as good as the evidence.
func (m *worldModels) write(req llm.Request, item *worldItem, d worldData) string {
	contexts := contextsOf(d)
	told := slices.ContainsFunc(contexts, item.told)
	if !item.complete(contexts) && !told {
		return item.refusal
	}
	h := worldHabits[req.Model].of(item, contexts)
	for _, p := range worldPrompts {
		if strings.Contains(req.Instruction, p.words) {
			h.rate, h.otherwise = min(h.rate, worldRightWeak), p.otherwise(item)
		}
	}
	draw := []any{"write", req.Model, req.Instruction, item.question.ID, strings.Join(contexts, "\x00")}
	if h.varies {
		draw = append(draw, req.Replicate)
	}
	if chance(m.seed, draw...) < h.rate {
		return item.question.Reference
	}
	return h.otherwise
}

// worldHabit is how a model fares with contexts that hold everything: how often it is right, and what it says else.
type worldHabit struct {
	rate      float64
	otherwise string
	varies    bool // anew each time it is asked
}

// habit is a model's way with a question and its contexts; the good way where it is nil.
type habit func(item *worldItem, contexts []string) worldHabit

func (h habit) of(item *worldItem, contexts []string) worldHabit {
	if h == nil {
		return worldHabit{rate: worldRight, otherwise: item.wrong}
	}
	return h(item, contexts)
}

// where is a habit of models that fail on some contexts and are good on the others.
func where(fails func(item *worldItem, contexts []string) bool, otherwise func(*worldItem) string) habit {
	return func(item *worldItem, contexts []string) worldHabit {
		if fails(item, contexts) {
			return worldHabit{rate: worldRightWeak, otherwise: otherwise(item)}
		}
		return habit(nil).of(item, contexts)
	}
}

func always(*worldItem, []string) bool  { return true }
func sayWrong(item *worldItem) string   { return item.wrong }
func sayNothing(item *worldItem) string { return item.refusal }

// varying is a habit of models that are right now and then.
func varying(rate float64) habit {
	return func(item *worldItem, _ []string) worldHabit {
		return worldHabit{rate: rate, otherwise: item.wrong, varies: true}
	}
}

// worldHabits are the models that have one.
var worldHabits = map[string]habit{
	worldWeak:    where(always, sayWrong),
	worldRefuses: where(always, sayNothing),
	worldMiddle:  where(func(item *worldItem, contexts []string) bool { return !item.atTheEnds(contexts) }, sayNothing),
	worldFlaky:   varying(worldRightFlaky),

	otherScattered: where(func(_ *worldItem, contexts []string) bool { return len(contexts) > 3 }, sayWrong),
	otherCautious:  where(func(_ *worldItem, contexts []string) bool { return len(strings.Join(contexts, "")) > 1200 }, sayNothing),
	otherSkims:     where((*worldItem).skimmed, sayNothing),
	otherVaries:    varying(otherRightVarying),
}

// worldPrompts are the faults of prompts: words in the instruction, and what is said where they keep a model from answering.
var worldPrompts = []struct {
	words     string
	otherwise func(*worldItem) string
}{
	{worldPrompt, sayNothing},
	{otherKeyword["en"], (*worldItem).keyword}, {otherKeyword["ja"], (*worldItem).keyword},
	{otherVague["en"], sayWrong}, {otherVague["ja"], sayWrong},
}

// evidence says which passages entail a claim. What a claim needs are the sentences of the evidence that share most with it: all of
// them where the claim is a short answer with its question.
func (m *worldModels) evidence(item *worldItem, d worldData, errs func(of ...any) bool) []map[string]any {
	out := []map[string]any{}
	needs := item.needed(d.Claim)
	for _, p := range d.Passages {
		held, quote := 0, ""
		for _, n := range needs {
			if strings.Contains(p.Text, n) {
				held, quote = held+1, n
			}
		}
		says := held == len(needs) || m.lenient && held > 0
		if says == errs(d.Claim, p.Text) {
			continue
		}
		if quote == "" {
			quote = p.Text
		}
		out = append(out, map[string]any{"passage": p.Number, "quote": quote, "verdict": "entail"})
	}
	return out
}

// right reports whether an answer is the reference, whatever white space the pipeline took from it.
func (i *worldItem) right(answer string) bool {
	return strings.Join(strings.Fields(answer), " ") == strings.Join(strings.Fields(i.question.Reference), " ")
}

// told reports whether a context says the answer itself: a reference that is no sentence together with its question.
func (i *worldItem) told(context string) bool {
	long := len(sentenceTexts(i.question.Reference)) > 1 || len(i.question.Reference) > 100
	return strings.Contains(context, i.question.Reference) && (long || strings.Contains(context, i.question.Text))
}

// needed are the sentences that a claim needs.
func (i *worldItem) needed(claim string) []string {
	sentences := sentenceTexts(i.question.Reference)
	if len(sentences) < 2 || len(i.needs) < 2 {
		return i.needs
	}
	best := slices.MaxFunc(i.needs, func(a, b string) int { return sharedTerms(claim, a) - sharedTerms(claim, b) })
	return []string{best}
}
