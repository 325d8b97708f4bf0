package questions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/text"
)

// Purposes of the prompts of the question analysis.
const (
	PurposeQuestionCategory = "question.category" // scope, hops by the wording, quality, keyword candidates
	PurposeQuestionPropose  = "question.propose"  // the themes of all questions
	PurposeQuestionAssign   = "question.assign"   // labels of one question from a closed set
	PurposeQuestionDraft    = "question.draft"    // a question with its reference from passages
)

// QuestionVersion names the procedure and the wording of its prompts. It is part of the key of every label: raising it asks again.
const QuestionVersion = "2"

// The defects that a question may have.
const (
	AmbiguousQuestion = "ambiguous"      // it can be read in ways with different answers
	MissingEntity     = "missing_entity" // it points to something that it does not name
)

type categoryData struct {
	Question string `json:"question"`
}

type categoryReply struct {
	Reason   string            `json:"reason"`
	Scope    experiments.Scope `json:"scope"`
	Hops     experiments.Hops  `json:"hops"`
	Quality  []string          `json:"quality"`
	Keywords []string          `json:"keywords"`
}

func (r categoryReply) Fault() string {
	switch {
	case r.Scope != experiments.Specific && r.Scope != experiments.Abstract:
		return fmt.Sprintf("gave the scope %q", r.Scope)
	case r.Hops != experiments.SingleHop && r.Hops != experiments.MultiHop:
		return fmt.Sprintf("gave the hops %q", r.Hops)
	}
	return ""
}

// labelData is one label as the judge sees it, in the language of the question.
type labelData struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Include  string   `json:"include"`
	Exclude  string   `json:"exclude,omitempty"`
	Examples []string `json:"examples,omitempty"`
	Words    []string `json:"words,omitempty"`
}

type assignData struct {
	Question string      `json:"question"`
	Labels   []labelData `json:"labels"`
	Several  bool        `json:"several"` // every label that fits is wanted, and not the one that fits best
}

type assignReply struct {
	Reason  string   `json:"reason"`
	Primary string   `json:"primary"`
	Second  string   `json:"second"` // "none" where one label says it all
	Labels  []string `json:"labels"` // where several are wanted
}

func (assignReply) Fault() string { return "" } // ids are checked against the labels that were offered

// noSecond is how a judge says that a question has no second label.
const noSecond = "none"

// themeQuestion is a question whose themes are asked for, with the titles under which its evidence stands, the document's first.
type themeQuestion struct {
	Question string   `json:"question"`
	Page     []string `json:"page,omitempty"`
}

type proposeData struct {
	Questions []themeQuestion `json:"questions"`
	AtMost    int             `json:"at_most"`
	Existing  []labelData     `json:"existing,omitempty"` // themes that are there already: only others are wanted
}

// proposedTheme is a theme as a model writes it.
type proposedTheme struct {
	ID       string   `json:"id"`
	EN       string   `json:"en"`
	JA       string   `json:"ja"`
	Include  string   `json:"include"`
	Exclude  string   `json:"exclude"`
	Examples []string `json:"examples"`
	Words    []string `json:"words"`
}

type proposeReply struct {
	Themes []proposedTheme `json:"themes"`
}

// Fault finds a reply useless where it names no theme at all; what single themes lack, usable supplies or leaves out.
func (r proposeReply) Fault() string {
	if len(r.Themes) > 0 && len(r.usable()) == 0 {
		return "gave themes without a name"
	}
	return ""
}

// usable are the themes that have a name, each name once. A theme without a rule is about what its name says.
func (r proposeReply) usable() []proposedTheme {
	var out []proposedTheme
	seen := map[string]bool{}
	for _, t := range r.Themes {
		name := cmp.Or(clipTo(t.EN, 60), clipTo(t.JA, 60))
		if folded := text.Fold(name); name == "" || seen[folded] || emptyNames[folded] {
			continue
		}
		seen[text.Fold(name)] = true
		if clipTo(t.Include, 500) == "" {
			t.Include = name
		}
		out = append(out, t)
	}
	return out
}

// emptyNames are no themes: what fits none is counted as other by itself.
var emptyNames = map[string]bool{"other": true, "others": true, "miscellaneous": true, "general": true, "その他": true, "全般": true, "一般": true}

type draftPassage struct {
	Number int    `json:"number"` // from 1
	Title  string `json:"title,omitempty"`
	Text   string `json:"text"`
}

type draftData struct {
	Hops     experiments.Hops  `json:"hops"`
	Scope    experiments.Scope `json:"scope"`
	Passages []draftPassage    `json:"passages"`
}

type draftQuote struct {
	Passage int    `json:"passage"`
	Quote   string `json:"quote"`
}

type draftReply struct {
	Usable    bool         `json:"usable"` // false: these passages give no such question
	Question  string       `json:"question"`
	Reference string       `json:"reference"`
	Quotes    []draftQuote `json:"quotes"`
}

func (r draftReply) Fault() string {
	if r.Usable && (strings.TrimSpace(r.Question) == "" || strings.TrimSpace(r.Reference) == "") {
		return "gave an empty question or reference"
	}
	return ""
}

func questionSchema(name, properties, required string) *replies.Schema {
	return &replies.Schema{Name: name, Body: json.RawMessage(
		`{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`)}
}

const textList = `{"type":"array","items":{"type":"string"}}`

var categorySchema = questionSchema("category",
	`"reason":{"type":"string"},"scope":{"type":"string","enum":["specific","abstract"]},"hops":{"type":"string","enum":["single_hop","multi_hop"]},`+
		`"quality":{"type":"array","items":{"type":"string","enum":["ambiguous","missing_entity"]}},"keywords":`+textList,
	`"reason","scope","hops","quality","keywords"`)

var themesSchema = questionSchema("themes",
	`"themes":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"en":{"type":"string"},"ja":{"type":"string"},`+
		`"include":{"type":"string"},"exclude":{"type":"string"},"examples":`+textList+`,"words":`+textList+`},`+
		`"required":["id","en","ja","include","exclude","examples","words"],"additionalProperties":false}}`, `"themes"`)

var draftSchema = questionSchema("draft",
	`"usable":{"type":"boolean"},"question":{"type":"string"},"reference":{"type":"string"},"quotes":{"type":"array","items":{"type":"object",`+
		`"properties":{"passage":{"type":"integer","minimum":1},"quote":{"type":"string"}},"required":["passage","quote"],"additionalProperties":false}}`,
	`"usable","question","reference","quotes"`)

// assignSchema closes the choice: a reply can only name the labels that were offered.
func assignSchema(t experiments.Taxonomy, labels []experiments.TaxonomyLabel) *replies.Schema {
	ids := make([]string, 0, len(labels)+1)
	for _, l := range labels {
		ids = append(ids, l.ID)
	}
	one := enumSchema(append(ids, experiments.OtherLabel))
	if t.Multi {
		return questionSchema("labels", `"reason":{"type":"string"},"labels":{"type":"array","items":`+enumSchema(ids)+`}`,
			`"reason","labels"`)
	}
	return questionSchema("label", `"reason":{"type":"string"},"primary":`+one+`,"second":`+enumSchema(append(ids, noSecond)),
		`"reason","primary","second"`)
}

func enumSchema(values []string) string {
	body, err := json.Marshal(values)
	if err != nil {
		panic("labels are not JSON: " + err.Error()) // a list of strings always is
	}
	return `{"type":"string","enum":` + string(body) + `}`
}
