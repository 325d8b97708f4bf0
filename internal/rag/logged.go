package rag

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// LogRef names an immutable version of a log.
type LogRef struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Digest  string `json:"digest"`
}

// String is name@version.
func (r LogRef) String() string { return fmt.Sprintf("%s@%d", r.Name, r.Version) }

// Log holds what a system answered to the questions of a dataset, as somebody logged it. It is immutable: importing other
// answers makes the next version.
type Log struct {
	Name    string         `json:"name"`
	Version int            `json:"version"` // 1, 2, …; 0 before it is stored
	Digest  string         `json:"digest"`  // SHA-256 over dataset and answers
	Dataset string         `json:"dataset"` // name@version of the dataset whose questions it answers
	Answers []LoggedAnswer `json:"answers"` // in the order of the dataset, each question at most once
}

// LoggedAnswer is one answer of a log.
type LoggedAnswer struct {
	QuestionID string          `json:"question_id"`
	Question   string          `json:"question"` // as the dataset words it
	Answer     string          `json:"answer"`   // "" is an answer too
	Contexts   []LoggedContext `json:"contexts"` // null: not logged; empty: nothing was retrieved
	Notes      []string        `json:"notes,omitempty"`
	Measured   *Measured       `json:"measured,omitempty"`
	Scores     []LoggedScore   `json:"scores,omitempty"` // what another tool said of the answer
	Votes      []LoggedVote    `json:"votes,omitempty"`  // the question asked again: what replicates 1, 2, … of a run replay
}

// LoggedVote is a further answer to the same question, with what another tool said of it.
type LoggedVote struct {
	Answer   string          `json:"answer"`
	Contexts []LoggedContext `json:"contexts"` // null: not logged; empty: nothing was retrieved
	Notes    []string        `json:"notes,omitempty"`
	Measured *Measured       `json:"measured,omitempty"`
	Scores   []LoggedScore   `json:"scores,omitempty"`
}

// Vote is the answer with its scores as a replicate replays it. There are as many as the question was asked; a later replicate, which
// only a judge of ours asks for, begins again with the first answer; the tool gave no scores of their own to it.
func (a LoggedAnswer) Vote(replicate int) LoggedAnswer {
	at := replicate % (1 + len(a.Votes))
	if at > 0 {
		v := a.Votes[at-1]
		a.Answer, a.Contexts, a.Notes, a.Measured, a.Scores = v.Answer, v.Contexts, v.Notes, v.Measured, v.Scores
	}
	if at != replicate {
		a.Scores = slices.Clone(a.Scores)
		for i := range a.Scores {
			a.Scores[i].Value, a.Scores[i].Missing = nil, MissingVote
		}
	}
	return a
}

// MostVotes is how often the question was asked that was asked most.
func (l *Log) MostVotes() int {
	most := 0
	for _, a := range l.Answers {
		most = max(most, 1+len(a.Votes))
	}
	return most
}

// AskedMore are the ids of the questions that were asked more than n times.
func (l *Log) AskedMore(n int) (ids []string) {
	for _, a := range l.Answers {
		if 1+len(a.Votes) > n {
			ids = append(ids, a.QuestionID)
		}
	}
	return ids
}

// LoggedScore is a score that another tool gave, with the scale it lies on. It is shown and compared as it is, never computed again.
type LoggedScore struct {
	Metric  string   `json:"metric"`            // the tool and its metric, such as "ragas.faithfulness"
	Value   *float64 `json:"value"`             // null: the tool gave none; Missing says why
	Missing string   `json:"missing,omitempty"` // "import_nan", "import_error", "import_absent" or [MissingVote]
	Reason  string   `json:"reason,omitempty"`  // the tool's words
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Lower   bool     `json:"lower_is_better,omitempty"`
	// nobody knows whether less or more is better: more is taken as better
	Undirected bool `json:"undirected,omitempty"`
}

// MissingVote says that a tool's score is no vote of its own: it was counted already, and a further one would be the same again.
const MissingVote = "import_one_vote"

// LoggedContext is one context, best first.
type LoggedContext struct {
	Text  string `json:"text"`
	DocID string `json:"doc_id,omitempty"`
}

// Measured is what one answer took: as the ledger says of the call that bought it, or as a log says it. Zero is unknown.
type Measured struct {
	LatencyMS        int64 `json:"latency_ms,omitempty"`
	PromptTokens     int   `json:"prompt_tokens,omitempty"`
	CompletionTokens int   `json:"completion_tokens,omitempty"`
	CostMicros       int64 `json:"cost_micros,omitempty"` // in millionths of the price file's currency, when CostKnown
	CostKnown        bool  `json:"cost_known,omitempty"`
}

// measuredOf is what a bought reply took; nil for an offline one, whose figures would differ from run to run and mean nothing.
func measuredOf(r llm.Reply) *Measured {
	if r.CallID == "" {
		return nil
	}
	return &Measured{
		LatencyMS: r.Latency.Milliseconds(), PromptTokens: r.Usage.PromptTokens, CompletionTokens: r.Usage.CompletionTokens,
		CostMicros: r.CostMicros, CostKnown: r.CostKnown,
	}
}

// NewLog returns the log of these answers with its digest.
func NewLog(name, dataset string, answers []LoggedAnswer) *Log {
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode(dataset)
	for _, a := range answers {
		_ = enc.Encode(a)
	}
	return &Log{Name: name, Digest: hex.EncodeToString(h.Sum(nil)), Dataset: dataset, Answers: answers}
}

// replay answers from a log. It makes no calls.
type replay struct {
	log    *Log
	byID   map[string]int
	byText map[string]int // -1: several questions have this text
	places *places
	stages Stages
}

func newReplay(log *Log, corpus *Corpus, stages Stages) *replay {
	r := &replay{log: log, byID: map[string]int{}, byText: map[string]int{}, places: newPlaces(corpus), stages: stages}
	for i, a := range log.Answers {
		r.byID[a.QuestionID] = i
		if _, twice := r.byText[a.Question]; twice {
			i = -1
		}
		r.byText[a.Question] = i
	}
	return r
}

// logged is the logged answer to the question in the scope of ctx, else to the one question with this text.
func (r *replay) logged(ctx context.Context, question string) (LoggedAnswer, error) {
	id := llm.ScopeOf(ctx).QuestionID
	i, ok := r.byID[id]
	if id == "" {
		i, ok = r.byText[question]
	}
	if !ok || i < 0 {
		return LoggedAnswer{}, &llm.Error{Cause: llm.CauseNoLoggedAnswer,
			Message: fmt.Sprintf("the log %s@%d holds no answer to this question", r.log.Name, r.log.Version)}
	}
	return r.log.Answers[i].Vote(llm.ScopeOf(ctx).Replicate), nil
}

// answer returns what was logged.
func (r *replay) answer(ctx context.Context, question string) (Answer, error) {
	logged, err := r.logged(ctx, question)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{RetrievalKey: r.retrievalKey(logged), GenerationKey: generationKeyOf(logged)}
	if answer.Retrieval, err = Remember(ctx, r.stages, "retrieve", answer.RetrievalKey, func(context.Context) (Retrieval, error) {
		return r.places.retrieval(logged.Question, logged.mapped()), nil
	}); err != nil {
		return Answer{}, err
	}
	answer.Generation, err = Remember(ctx, r.stages, "generate", answer.GenerationKey, func(context.Context) (Generation, error) {
		return Generation{Text: logged.Answer, Measured: logged.Measured}, nil
	})
	return answer, err
}

// LoggedScores returns what another tool said of the logged answer to a question as a replicate replays it; nil for a system that is no
// log.
func (s *System) LoggedScores(questionID string, replicate int) []LoggedScore {
	r, ok := s.outside.(*replay)
	if !ok {
		return nil
	}
	i, ok := r.byID[questionID]
	if !ok {
		return nil
	}
	return r.log.Answers[i].Vote(replicate).Scores
}

func (a LoggedAnswer) mapped() remote.Reply {
	m := remote.Reply{Answer: a.Answer, Notes: a.Notes}
	if a.Contexts != nil {
		m.Contexts = make([]remote.Context, len(a.Contexts))
	}
	for i, c := range a.Contexts {
		m.Contexts[i] = remote.Context{Text: c.Text, ID: c.DocID}
	}
	return m
}

// ReadContext reads a context as tools log it, as [remote.ReadContext] does.
func ReadContext(item any) (logged LoggedContext, cut, ok bool) {
	c, cut, ok := remote.ReadContext(item)
	return LoggedContext{Text: c.Text, DocID: c.ID}, cut, ok
}
