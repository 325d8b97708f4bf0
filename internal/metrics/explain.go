package metrics

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rag-workbench/workbench/internal/rag"
)

// Explanation is what the scores of one question rest on, rebuilt from what the judge said then.
type Explanation struct {
	Answer    *ExplainedAnswer `json:"answer,omitempty"`              // what the judge read out of the answer
	Claims    []ExplainedClaim `json:"claims,omitempty"`              // the answer's, then the reference's
	Parts     []ExplainedPart  `json:"parts,omitempty"`               // what the question asks for
	Off       []int            `json:"beside_the_point,omitempty"`    // sentences of the answer, from 1, that serve none of the parts
	Questions []string         `json:"relevancy_questions,omitempty"` // that the answer would answer
	Evades    bool             `json:"noncommittal,omitempty"`
	Entities  []string         `json:"entities,omitempty"` // of the reference
	Scores    []ExplainedScore `json:"scores"`
	Lost      []string         `json:"lost_stages,omitempty"` // keys of replies that are no longer stored
}

// ExplainedPart is a thing that the question asks for.
type ExplainedPart struct {
	Part  string `json:"part"`
	Given string `json:"given"` // by the answer: "yes", "partly" or "no"
}

// ExplainedAnswer says whether an answer refuses and keeps to the topic.
type ExplainedAnswer struct {
	Refuses bool   `json:"refuses"`
	OnTopic bool   `json:"on_topic"`
	Reason  string `json:"reason,omitempty"`
}

// ExplainedClaim is one claim with every verdict on it.
type ExplainedClaim struct {
	Of       string             `json:"of"` // "answer" or "reference"
	Number   int                `json:"number"`
	Text     string             `json:"text"`
	Key      bool               `json:"key,omitempty"` // of the reference: an answer without it is incomplete
	Verdicts []ExplainedVerdict `json:"verdicts,omitempty"`
}

// ExplainedVerdict is what one passage says of a claim.
type ExplainedVerdict struct {
	Against string `json:"against"`           // "context", "reference" or "answer"
	Context int    `json:"context,omitempty"` // rank of the context, from 1
	Verdict string `json:"verdict"`           // "supported", "contradicted", "neither", or "unread": the judge gave none of use
	Quote   string `json:"quote,omitempty"`   // words of the passage; they stand in it
}

// ExplainedScore is a score with the claims that counted for it and those that counted against it, by number.
type ExplainedScore struct {
	Metric  string   `json:"metric"`
	State   State    `json:"state"`
	Value   *float64 `json:"value,omitempty"` // nil where nothing was scored
	Reason  string   `json:"reason,omitempty"`
	Of      string   `json:"of,omitempty"` // whose claims For and Against are
	For     []int    `json:"for,omitempty"`
	Against []int    `json:"against,omitempty"`
}

// Explain rebuilds what scores rest on from the stages that they name. A stage that is gone, or of an older program, is
// listed as lost; it fails only where stages cannot be read.
func Explain(ctx context.Context, stages rag.Stages, scores []Score) (Explanation, error) {
	e := &explaining{Explanation: Explanation{Scores: []ExplainedScore{}}, blocks: map[block]matrixBody{}}
	var keys []string
	for _, s := range scores {
		for _, key := range s.Stages {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	bodies, err := rag.StageBodies(ctx, stages, keys)
	if err != nil {
		return Explanation{}, err
	}
	for _, key := range keys {
		if body, found := bodies[key]; !found || !e.read(body) {
			e.Lost = append(e.Lost, key)
		}
	}
	e.list("answer", answerByContexts, answerByReference)
	e.list("reference", referenceByContexts, referenceByAnswer)
	for _, s := range scores {
		e.Scores = append(e.Scores, e.score(s))
	}
	return e.Explanation, nil
}

// explaining is an Explanation in the making.
type explaining struct {
	Explanation
	answer, reference claimList
	blocks            map[block]matrixBody
}

// read takes in one stored reply and reports whether it is one.
func (e *explaining) read(body []byte) bool {
	var kept stored[json.RawMessage]
	if json.Unmarshal(body, &kept) != nil {
		return false
	}
	switch kept.Purpose {
	case PurposeAnswer:
		r, ok := decoded[answerReply](kept.Reply)
		if !ok || r.OnTopic == nil {
			return false
		}
		e.answer = listOf(r.Claims, nil)
		e.Answer = &ExplainedAnswer{Refuses: r.Refuses, OnTopic: *r.OnTopic, Reason: r.Reason}
	case PurposeClaims:
		r, ok := decoded[claimsReply](kept.Reply)
		if !ok {
			return false
		}
		e.reference = listOf(r.Claims, r.Key)
	case PurposeVerify:
		g, ok := decoded[matrixBody](kept.Reply)
		if !ok {
			return false
		}
		e.blocks[g.Block] = g
	case PurposeParts:
		r, ok := decoded[partsReply](kept.Reply)
		if !ok {
			return false
		}
		for _, p := range r.Parts {
			e.Parts = append(e.Parts, ExplainedPart(p))
		}
		e.Off = r.Off
	case PurposeRelevancy:
		r, ok := decoded[relevancyReply](kept.Reply)
		if !ok || r.Noncommittal == nil {
			return false
		}
		e.Questions, e.Evades = r.Questions, *r.Noncommittal
	case PurposeEntities:
		r, ok := decoded[entitiesReply](kept.Reply)
		if !ok {
			return false
		}
		e.Entities = r.Entities
	case PurposeCorrectness, PurposeTrust, PurposeRubric, PurposeCritic: // their reasons stand in the scores
	default:
		return false
	}
	return true
}

func decoded[T any](body []byte) (T, bool) {
	var out T
	err := json.Unmarshal(body, &out)
	return out, err == nil
}

// list puts the verdicts of two blocks beside the claims that they share.
func (e *explaining) list(of string, byContexts, byText block) {
	known := e.answer
	if of == "reference" {
		known = e.reference
	}
	for i, claim := range known.claims {
		c := ExplainedClaim{Of: of, Number: i + 1, Text: claim, Key: of == "reference" && known.key[i]}
		if g, ok := e.blocks[byContexts]; ok {
			for k := range g.Passages {
				v := g.verdict(i+1, k+1)
				v.Against, v.Context = "context", k+1
				c.Verdicts = append(c.Verdicts, v)
			}
		}
		if g, ok := e.blocks[byText]; ok {
			v := g.verdict(i+1, 1)
			v.Against = "reference"
			if byText == referenceByAnswer {
				v.Against = "answer"
			}
			c.Verdicts = append(c.Verdicts, v)
		}
		e.Claims = append(e.Claims, c)
	}
}

func (g matrixBody) verdict(claim, passage int) ExplainedVerdict {
	for _, c := range g.Cells {
		if c.Claim == claim && c.Passage == passage && c.Verdict == unread {
			return ExplainedVerdict{Verdict: unread}
		}
		if c.Claim == claim && c.Passage == passage {
			return ExplainedVerdict{Verdict: c.Verdict, Quote: c.Quote}
		}
	}
	return ExplainedVerdict{Verdict: neither}
}

// score names the claims behind a score.
func (e *explaining) score(s Score) ExplainedScore {
	out := ExplainedScore{Metric: s.Metric, State: s.State, Value: s.State.only(&s.Value), Reason: s.Reason}
	if s.State != Scored {
		return out
	}
	count := declared(s.Metric).counts
	if count.counts == nil {
		return out
	}
	for _, c := range e.Claims {
		switch {
		case c.Of != count.of:
			continue
		case count.counts(c):
			out.For = append(out.For, c.Number)
		default:
			out.Against = append(out.Against, c.Number)
		}
		out.Of = count.of
	}
	return out
}

// has reports whether a passage of this kind has this verdict on the claim.
func (c ExplainedClaim) has(against, verdict string) bool {
	for _, v := range c.Verdicts {
		if v.Against == against && v.Verdict == verdict {
			return true
		}
	}
	return false
}

// counting says which claims make a metric's value larger, and whose claims they are; zero for metrics that do not count claims.
type counting struct {
	of     string // "answer" or "reference"
	counts func(ExplainedClaim) bool
}

func inContexts(c ExplainedClaim) bool  { return c.has("context", supported) }
func inReference(c ExplainedClaim) bool { return c.has("reference", supported) }
func inAnswer(c ExplainedClaim) bool    { return c.has("answer", supported) }

// Grounds are an explanation in short: what tells how an answer fails, and which of two answers of equal grade holds more.
type Grounds struct {
	Listed       bool // the judge listed the claims of the answer, and said whether it refuses
	Refuses      bool // the answer says that the documents do not hold what is asked
	Checked      bool // claims of the answer were looked up in the reference
	Key          int  // claims of the reference without which an answer is incomplete, as far as they were looked up in the answer
	Covered      int  // of these, the ones that the answer holds
	Supported    int  // claims of the answer that the reference holds
	Contradicted int  // claims of the answer that the reference rules out
	Opposed      bool // a claim of the answer or of the reference is contradicted by the other one
}

// Grounds is the explanation in short.
func (e Explanation) Grounds() Grounds {
	g := Grounds{Listed: e.Answer != nil, Refuses: e.Answer != nil && e.Answer.Refuses}
	for _, c := range e.Claims {
		for _, v := range c.Verdicts {
			g.Opposed = g.Opposed || v.Against != "context" && v.Verdict == contradicted
			switch {
			case v.Against == "answer" && c.Key:
				g.Key++
				if v.Verdict == supported {
					g.Covered++
				}
			case v.Against == "reference":
				g.Checked = true
				switch v.Verdict {
				case contradicted:
					g.Contradicted++
				case supported:
					g.Supported++
				}
			}
		}
	}
	return g
}
