package metrics

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/text"
)

// Purposes of the judge prompts.
const (
	PurposeAnswer      = "judge.answer"      // the answer's claims, whether it refuses, whether it stays on the topic
	PurposeClaims      = "judge.claims"      // the reference's claims
	PurposeVerify      = "judge.verify"      // claims against passages
	PurposeCorrectness = "judge.correctness" // rubric of answer against reference
	PurposeTrust       = "judge.trust"       // rubric of answer against contexts
	PurposeParts       = "judge.parts"       // what the question asks for, what of it the answer gives, what is beside the point
	PurposeRelevancy   = "judge.relevancy"   // questions that the answer answers
	PurposeEntities    = "judge.entities"    // entities of the reference
	PurposeRubric      = "judge.rubric"      // a rubric of an experiment file
	PurposeCritic      = "judge.critic"      // a yes/no question of an experiment file
)

// replyVersion is the shape of the stored replies. Wording, schema and data need no version: a reply's key covers them.
const replyVersion = "2"

// maxListed bounds the claims of one text. A reply with more is a judge that lost its way, and would buy calls without end.
const maxListed = 200

// relevancyQuestions is how many distinct questions response relevancy asks for, as Ragas does (strictness 3).
const relevancyQuestions = 3

// judgement is what a judge replies; fault says why a decoded reply is of no use, "" when it is not. Providers hold replies to
// their schema; this is for those that do not.
type judgement interface{ fault() string }

type claimsData struct {
	Question string `json:"question,omitempty"`
	Text     string `json:"text"`
}

type claimsReply struct {
	Claims []string `json:"claims"`
	Key    []int    `json:"key"` // numbers, from 1, of the claims a right answer must hold; none means all
}

func (r claimsReply) fault() string { return faultyClaims(r.Claims) }

func faultyClaims(claims []string) string {
	switch {
	case claims == nil:
		return "gave no list of claims"
	case len(claims) > maxListed:
		return fmt.Sprintf("gave %d claims; the limit is %d", len(claims), maxListed)
	}
	return ""
}

type answerData struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

type answerReply struct {
	Claims  []string `json:"claims"`
	Refuses bool     `json:"refuses"`  // says that the documents do not hold the answer, and gives none
	OnTopic *bool    `json:"on_topic"` // keeps to what the question asks
	Reason  string   `json:"reason"`   // why it does, or does not
}

func (r answerReply) fault() string {
	if r.OnTopic == nil {
		return "does not say whether the answer is on the topic"
	}
	return faultyClaims(r.Claims)
}

type verifyData struct {
	Claims   []numbered `json:"claims"`
	Passages []numbered `json:"passages"`
}

type numbered struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`
	Check  []int  `json:"check,omitempty"` // of a claim: the passages it is checked against; none means all
}

// verifyReply lists every pair that was asked about: in Verdicts where the passage decides, else in Neither.
type verifyReply struct {
	Verdicts []cell    `json:"verdicts"`
	Neither  []silence `json:"neither"`
}

// cell is one verdict of the claim matrix that a passage decides.
type cell struct {
	Claim   int    `json:"claim"`
	Passage int    `json:"passage"`
	Verdict string `json:"verdict"` // "supported" or "contradicted"
	Quote   string `json:"quote"`   // words of the passage that decide it
}

// silence lists the passages that neither support nor contradict a claim.
type silence struct {
	Claim    int   `json:"claim"`
	Passages []int `json:"passages"`
}

func (r verifyReply) fault() string {
	if r.Verdicts == nil {
		return "gave no list of verdicts"
	}
	return ""
}

type correctnessData struct {
	Examples   []JudgeExample `json:"examples,omitempty"` // first, so that what is equal in all requests begins them
	Question   string         `json:"question"`
	Answer     string         `json:"answer"`
	Reference  string         `json:"reference"`
	Answerable bool           `json:"answerable"`
}

type trustData struct {
	Question string     `json:"question"`
	Answer   string     `json:"answer"`
	Contexts []numbered `json:"contexts"`
}

type rubricReply struct {
	Reason string `json:"reason"`
	Score  int    `json:"score"`
}

func (r rubricReply) fault() string {
	if r.Score < 1 || r.Score > 5 {
		return fmt.Sprintf("gave %d; the scale is 1 to 5", r.Score)
	}
	return ""
}

type relevancyData struct {
	Answer string `json:"answer"`
}

type relevancyReply struct {
	Questions    []string `json:"questions"`
	Noncommittal *bool    `json:"noncommittal"` // the answer evades, or says that it does not know
}

func (r relevancyReply) fault() string {
	if r.Noncommittal == nil {
		return "does not say whether the answer is noncommittal"
	}
	seen := map[string]bool{}
	for _, q := range r.Questions {
		seen[text.Fold(q)] = true
	}
	delete(seen, "")
	if len(seen) != relevancyQuestions || len(r.Questions) != relevancyQuestions {
		return fmt.Sprintf("gave %d distinct questions of %d; %d are needed", len(seen), len(r.Questions), relevancyQuestions)
	}
	return ""
}

type entitiesData struct {
	Text string `json:"text"`
}

type entitiesReply struct {
	Entities []string `json:"entities"`
}

func (r entitiesReply) fault() string {
	if r.Entities == nil {
		return "gave no list of entities"
	}
	return ""
}

// customData is what a custom metric may show: only the inputs that its definition names are filled.
type customData struct {
	Question  string     `json:"question,omitempty"`
	Answer    string     `json:"answer,omitempty"`
	Reference string     `json:"reference,omitempty"`
	Contexts  []numbered `json:"contexts,omitempty"`
}

type levelReply struct {
	Reason string `json:"reason"`
	Level  *int   `json:"level"`
}

func (r levelReply) fault() string {
	if r.Level == nil {
		return "gave no level"
	}
	return ""
}

type criticReply struct {
	Reason  string `json:"reason"`
	Verdict *bool  `json:"verdict"`
}

func (r criticReply) fault() string {
	if r.Verdict == nil {
		return "gave no verdict"
	}
	return ""
}
