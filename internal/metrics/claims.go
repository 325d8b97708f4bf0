package metrics

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// claimList is the claims of one text.
type claimList struct {
	claims []string
	key    []bool // by claim: an answer without it is incomplete
	stage  string
	err    error // why there are no claims
}

// answerRead is what the judge reads out of the answer.
type answerRead struct {
	claimList
	refuses, onTopic bool
	reason           string // why it is on the topic or not
}

// answerClaims lists the answer's claims.
func (b *evaluation) answerClaims(ctx context.Context) *answerRead {
	data := answerData{Question: b.sample.Question, Answer: b.sample.Answer}
	reply, key, err := ask[answerReply](ctx, b.Suite, task{
		kind: "claims", purpose: PurposeAnswer, lang: b.sample.Lang, data: data, maxTokens: listTokens(b.sample.Answer),
	})
	read := &answerRead{claimList: listOf(reply.Claims, nil), refuses: reply.Refuses, reason: reply.Reason}
	read.stage, read.err = key, err
	read.onTopic = reply.OnTopic != nil && *reply.OnTopic
	return read
}

// referenceClaims lists the reference's claims. They depend on the reference alone, so they are found once for each dataset
// version, whatever is evaluated. Only of a reference that is no sentence the question is shown too: "Paris" claims nothing.
func (b *evaluation) referenceClaims(ctx context.Context) *claimList {
	data := claimsData{Text: b.sample.Reference}
	if fragment(b.sample.Reference) {
		data.Question = b.sample.Question
	}
	reply, key, err := ask[claimsReply](ctx, b.Suite, task{
		kind: "claims", purpose: PurposeClaims, lang: b.sample.Lang, data: data, maxTokens: listTokens(b.sample.Reference),
	})
	list := listOf(reply.Claims, reply.Key)
	list.stage, list.err = key, err
	return &list
}

// listTokens is the room for the claims of a text: each repeats what its pronouns stand for.
func listTokens(s string) int { return replyTokens + 3*llm.EstimateTokens(s) }

// listOf keeps each claim once, in order. Key holds numbers from 1; where it names none, every claim counts.
func listOf(claims []string, key []int) claimList {
	named := map[int]bool{}
	for _, n := range key {
		if n >= 1 && n <= len(claims) {
			named[n] = true
		}
	}
	var list claimList
	seen := map[string]bool{}
	for i, c := range claims {
		c = strings.TrimSpace(c)
		if c == "" || seen[c] {
			continue
		}
		seen[c] = true
		list.claims = append(list.claims, c)
		list.key = append(list.key, len(named) == 0 || named[i+1])
	}
	return list
}

// fragment reports whether a text is so short that it says nothing without its question.
func fragment(s string) bool {
	s = strings.TrimSpace(s)
	limit := 40
	if text.Language(s) == "ja" {
		limit = 20
	}
	return utf8.RuneCountInString(s) <= limit && !strings.ContainsAny(s, ".。!！")
}

// whole is a text as a passage. One that is no sentence stands after its question, without which it proves nothing.
func whole(question, s string) string {
	if fragment(s) {
		return question + "\n" + s
	}
	return s
}

// lacks says why a block cannot be asked about: a code, "" when it can.
func (b *evaluation) lacks(k block) string {
	switch {
	case k != answerByContexts && !b.sample.Answerable:
		return "unanswerable"
	case k != answerByContexts && textual.NoText(b.sample.Reference):
		return "no_reference"
	case k != referenceByContexts && textual.NoText(b.sample.Answer):
		return "no_answer"
	}
	return ""
}

// facts are the blocks that a metric asked for. A block that it did not ask for is nil.
type facts struct {
	rr, ar, ra, rs *claimMatrix // answer by contexts, by reference; reference by contexts, by answer (science.md 5.1)
	key            []bool
	stages         []string // of the claims and the verdicts
}

// facts collects blocks, which are asked about side by side. A code says why they do not apply.
func (b *evaluation) facts(blocks ...block) (f facts, code string, err error) {
	for _, k := range blocks {
		if code := b.lacks(k); code != "" {
			return f, code, nil
		}
	}
	llm.SideBySide(len(blocks), func(i int) { b.matrix().block(blocks[i]) })
	for _, k := range blocks {
		g := b.matrix().block(k)
		if g.err != nil {
			return f, "", g.err
		}
		switch k {
		case answerByContexts:
			f.rr = g
		case answerByReference:
			f.ar = g
		case referenceByContexts:
			f.ra = g
		case referenceByAnswer:
			f.rs = g
		}
		if k.ofAnswer() {
			f.note(b.answer().stage)
		} else {
			f.key = b.reference().key
			f.note(b.reference().stage)
		}
		f.note(g.stage)
	}
	return f, "", nil
}

func (f *facts) note(stage string) {
	for _, s := range f.stages {
		if s == stage {
			return
		}
	}
	if stage != "" {
		f.stages = append(f.stages, stage)
	}
}

// held returns, by claim, whether some passage of the matrix supports it.
func (g *claimMatrix) held() []bool {
	out := make([]bool, len(g.claims))
	for i := range out {
		out[i] = g.some(i, supported)
	}
	return out
}

// notContradicted returns, by claim, whether no passage contradicts it. A passage that is silent on a claim does not make it wrong.
func (g *claimMatrix) notContradicted() []bool {
	out := make([]bool, len(g.claims))
	for i := range out {
		out[i] = !g.some(i, contradicted)
	}
	return out
}

// byPassage returns the verdicts "supported", by passage and claim.
func (g *claimMatrix) byPassage() [][]bool {
	out := make([][]bool, len(g.passages))
	for k := range out {
		out[k] = make([]bool, len(g.claims))
		for i := range g.claims {
			out[k][i] = g.is(i, k, supported)
		}
	}
	return out
}

// useful returns, by passage, whether it supports any claim.
func (g *claimMatrix) useful() []bool {
	out := make([]bool, len(g.passages))
	for k, row := range g.byPassage() {
		for _, yes := range row {
			out[k] = out[k] || yes
		}
	}
	return out
}

func count(list []bool) int {
	n := 0
	for _, yes := range list {
		if yes {
			n++
		}
	}
	return n
}

func counts(list []bool) string { return fmt.Sprintf("%d/%d", count(list), len(list)) }

func number(list []string) []numbered {
	out := make([]numbered, len(list))
	for i, s := range list {
		out[i] = numbered{Number: i + 1, Text: s}
	}
	return out
}

func texts(hits []rag.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.Text
	}
	return out
}
