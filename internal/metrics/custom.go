package metrics

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// The kinds of custom metrics.
const (
	KindRubric = "rubric" // a level out of those that the definition describes
	KindCritic = "critic" // yes or no
)

// Custom is a metric of an experiment file. Its instruction is the user's own and is obeyed; the data never is.
type Custom struct {
	ID          string         `json:"id"`
	Kind        string         `json:"kind"`             // KindRubric or KindCritic
	Title       string         `json:"title,omitempty"`  // for people; default the id
	Instruction string         `json:"instruction"`      // what is graded, or what must be true of the answer
	Levels      map[int]string `json:"levels,omitempty"` // of a rubric: what each level means
	// what the judge sees: question, answer, reference, contexts; default question and answer
	Inputs        []string `json:"inputs,omitempty"`
	LowerIsBetter bool     `json:"lower_is_better,omitempty"` // of a critic: yes is bad
}

// Bounds of a custom definition.
const (
	maxCustomWords  = 4000 // characters of an instruction or a level
	maxCustomLevels = 11
	maxLevel        = 100
)

var customID = text.Lazy(`^[a-z][a-z0-9_]{1,59}$`)

// customInputs in the order in which they are shown.
var customInputs = []string{"question", "answer", "reference", "contexts"}

// Validate returns a Problem that names the first field which is missing or impossible.
func (c Custom) Validate() error {
	_, taken := Find(c.ID)
	_, suite := suites[c.ID]
	switch {
	case !customID.MatchString(c.ID):
		return customProblem("id", c.ID, "2 to 60 small letters, digits and _, beginning with a letter")
	case taken || suite:
		return customProblem("id", c.ID, "another name: a metric or suite of the workbench has this one")
	case c.Kind != KindRubric && c.Kind != KindCritic:
		return customProblem("kind", c.Kind, KindRubric+" or "+KindCritic)
	case textual.NoText(c.Instruction) || len([]rune(c.Instruction)) > maxCustomWords:
		return customProblem("instruction", fmt.Sprintf("%d characters long", len([]rune(c.Instruction))),
			fmt.Sprintf("1 to %d characters", maxCustomWords))
	case c.Kind == KindCritic && len(c.Levels) > 0:
		return customProblem("levels", len(c.Levels), "left out: a critic says yes or no")
	case c.Kind == KindRubric && (len(c.Levels) < 2 || len(c.Levels) > maxCustomLevels):
		return customProblem("levels", fmt.Sprintf("%d levels", len(c.Levels)),
			fmt.Sprintf("2 to %d levels, each with its meaning", maxCustomLevels))
	case c.Kind == KindRubric && c.LowerIsBetter:
		return customProblem("lower_is_better", true, "left out: let the highest level be the best")
	}
	for level, words := range c.Levels {
		if level < -maxLevel || level > maxLevel || textual.NoText(words) || len([]rune(words)) > maxCustomWords {
			return customProblem(fmt.Sprintf("levels.%d", level), fmt.Sprintf("%d characters long", len([]rune(words))),
				fmt.Sprintf("a level from -%d to %d with a meaning of 1 to %d characters", maxLevel, maxLevel, maxCustomWords))
		}
	}
	for _, in := range c.Inputs {
		if !slices.Contains(customInputs, in) {
			return customProblem("inputs", in, "some of "+strings.Join(customInputs, ", "))
		}
	}
	return nil
}

func customProblem(field string, value any, want string) error {
	p := problem.New(problem.Invalid, "custom_metric", "%s is %v; it must be %s", yaml.FieldWords(field), value, want)
	if value == "" || value == "0 characters long" {
		p = problem.New(problem.Invalid, "custom_metric", "%s is missing; it must be %s", yaml.FieldWords(field), want)
	}
	return p.With("field", field).With("value", fmt.Sprint(value)).WithHint("correct the definition under metrics: in the experiment file")
}

// Spec is the metric as runs and reports know it. Its version is a digest of the definition, so that scores of another wording
// are never compared with it.
func (c Custom) Spec() Spec {
	body, err := json.Marshal(c)
	if err != nil {
		panic("custom metric is not JSON: " + err.Error()) // strings and whole numbers only
	}
	digest := sha256.Sum256(body)
	s := Spec{
		ID: c.ID, Version: hex.EncodeToString(digest[:])[:12], Group: "custom", Max: 1, Delta: 1, LowerIsBetter: c.LowerIsBetter,
		NeedsJudge: true, Custom: &c, TitleEN: c.Title, TitleJA: c.Title, MeaningEN: c.Instruction, MeaningJA: c.Instruction,
	}
	if c.Title == "" {
		s.TitleEN, s.TitleJA = c.ID, c.ID
	}
	if levels := slices.Sorted(maps.Keys(c.Levels)); len(levels) > 0 {
		s.Min, s.Max = float64(levels[0]), float64(levels[len(levels)-1])
	}
	return s
}

// custom asks the judge for a level or for yes or no.
func (b *evaluation) custom(ctx context.Context, c Custom) (Score, error) {
	inputs := c.Inputs
	if len(inputs) == 0 {
		inputs = []string{"question", "answer"}
	}
	var data customData
	for _, in := range inputs {
		switch in {
		case "question":
			data.Question = b.sample.Question
		case "answer":
			data.Answer = b.sample.Answer
		case "reference":
			data.Reference = b.sample.Reference
		case "contexts":
			data.Contexts = number(texts(b.sample.Contexts))
		}
	}
	switch {
	case slices.Contains(inputs, "answer") && textual.NoText(b.sample.Answer):
		return notApplicable("no_answer"), nil
	case slices.Contains(inputs, "reference") && textual.NoText(b.sample.Reference):
		return notApplicable("no_reference"), nil
	}
	t := task{kind: "custom", lang: b.sample.Lang, data: data, criterion: c.criterion(b.sample.Lang), maxTokens: replyTokens}
	if c.Kind == KindCritic {
		t.purpose = PurposeCritic
		reply, key, err := ask[criticReply](ctx, b.Suite, t)
		if err != nil {
			return Score{}, err
		}
		return scored(textual.Truth(*reply.Verdict), reply.Reason, key), nil
	}
	t.purpose, t.check = PurposeRubric, func(reply any) string {
		if r, ok := reply.(levelReply); ok && c.Levels[*r.Level] == "" {
			return fmt.Sprintf("gave level %d, which %s does not have", *r.Level, c.ID)
		}
		return ""
	}
	reply, key, err := ask[levelReply](ctx, b.Suite, t)
	if err != nil {
		return Score{}, err
	}
	return scored(float64(*reply.Level), reply.Reason, key), nil
}

// criterion is the part of the instruction that comes from the experiment file.
func (c Custom) criterion(lang string) string {
	var b strings.Builder
	b.WriteString(say(lang, "Criterion: ", "基準：") + strings.TrimSpace(c.Instruction))
	for _, level := range slices.Sorted(maps.Keys(c.Levels)) {
		fmt.Fprintf(&b, "\n%d: %s", level, strings.TrimSpace(c.Levels[level]))
	}
	return b.String()
}
