package metrics

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/text"
)

// offlineJudge is the model name of the offline judge.
const offlineJudge = "lexical"

// OfflineHandlers answer the judge prompts for the offline provider. The offline judge compares words, numbers and
// negations; it understands nothing. Its scores are for wiring and trial, not for decisions.
func OfflineHandlers() map[string]llm.Handler {
	return map[string]llm.Handler{
		PurposeClaims:      judged(offlineClaims),
		PurposeVerify:      judged(offlineVerify),
		PurposeCorrectness: judged(offlineCorrectness),
		PurposeTrust:       judged(offlineTrust),
	}
}

// DefaultJudge is the judge of an experiment that names none.
func DefaultJudge() JudgeConfig {
	var c JudgeConfig
	c.Provider, c.Name = "offline", offlineJudge
	c.Embedding.Provider, c.Embedding.Name = "offline", "ngram"
	return c
}

// judged wraps a typed judge as a handler.
func judged[D, R any](judge func(D) R) llm.Handler {
	return func(req llm.Request) (string, error) {
		if req.Model != offlineJudge {
			return "", llm.UnknownModel("judge", req.Model, []string{offlineJudge})
		}
		var d D
		if err := json.Unmarshal(req.Data, &d); err != nil {
			return "", fmt.Errorf("offline judge, %s: %w", req.Purpose, err)
		}
		body, err := json.Marshal(judge(d))
		return string(body), err
	}
}

// offlineClaims takes every sentence as a claim, but not one that only says the documents are silent.
func offlineClaims(d claimsData) claimsReply {
	x := text.NewIndex(d.Text)
	reply := claimsReply{Claims: []string{}}
	for _, span := range text.Sentences(d.Text) {
		s := withoutCitations(x.Slice(span.Start, span.End))
		if s != "" && !refuses(s) && len(distinctTerms(s).list) > 0 {
			reply.Claims = append(reply.Claims, s)
		}
	}
	return reply
}

func offlineVerify(d verifyData) verifyReply {
	passages := make([]passage, len(d.Passages))
	for i, p := range d.Passages {
		passages[i] = newPassage(p.Text)
	}
	reply := verifyReply{Verdicts: []cell{}}
	for i, c := range d.Claims {
		claim := distinctTerms(c.Text)
		for j := range passages {
			s := passages[j].support(claim)
			switch {
			case s.contradicted:
				reply.Verdicts = append(reply.Verdicts, cell{Claim: i + 1, Passage: j + 1, Verdict: "contradicted", Quote: s.quote})
			case s.strength >= supportedAt:
				reply.Verdicts = append(reply.Verdicts, cell{Claim: i + 1, Passage: j + 1, Verdict: "supported", Quote: s.quote})
			}
		}
	}
	return reply
}

// refusals are phrases by which an answer says that the documents do not hold it.
var refusals = []string{
	"documents do not say", "documents don't say", "contexts do not", "context does not", "not in the documents", "not mentioned in",
	"no information", "cannot be found in", "could not find", "unable to find", "do not contain", "does not contain", "don't know", "do not know",
	"記載がありません", "記載がない", "記載はありません", "記載されていません", "見つかりません", "情報がありません", "情報はありません",
	"含まれていません", "分かりません", "わかりません", "お答えできません", "回答できません",
}

func refuses(s string) bool {
	s = text.Fold(s)
	for _, r := range refusals {
		if strings.Contains(s, r) {
			return true
		}
	}
	return false
}

// offlineCorrectness grades by how much of the reference the answer covers, and takes back where they contradict.
func offlineCorrectness(d correctnessData) rubricReply {
	lang := text.Language(d.Question + d.Reference)
	refused := refuses(d.Answer) && len(offlineClaims(claimsData{Text: d.Answer}).Claims) == 0
	switch {
	case !d.Answerable && refused:
		return rubricReply{Score: 5, Reason: say(lang, "rightly says that the documents do not hold the answer", "文書に答えがないことを正しく述べている")}
	case !d.Answerable:
		return rubricReply{Score: 1, Reason: say(lang, "answers although the documents do not hold the answer", "文書に答えがないのに回答している")}
	case refused:
		return rubricReply{Score: 1, Reason: say(lang, "says that the documents do not hold the answer, but the reference does", "文書に記載がないと述べているが、正解は存在する")}
	}
	answer := newPassage(withoutCitations(d.Answer))
	var covered, total float64
	missing, conflict := "", ""
	for _, claim := range referenceUnits(d.Reference, d.Question) {
		s := answer.cover(claim)
		covered += s.strength * claim.weight
		total += claim.weight
		if s.contradicted && conflict == "" {
			conflict = s.quote
		} else if s.strength < supportedAt && missing == "" {
			missing = claim.text
		}
	}
	share := 0.0
	if total > 0 {
		share = covered / total
	}
	score := grade(share, correctnessBands)
	if conflict != "" {
		score = max(1, score-1)
	}
	return rubricReply{Score: score, Reason: correctnessReason(lang, share, missing, conflict)}
}

func correctnessReason(lang string, share float64, missing, conflict string) string {
	percent := int(share*100 + 0.5)
	reason := fmt.Sprintf(say(lang, "covers %d%% of the reference", "正解の%d%%を含む"), percent)
	if conflict != "" {
		reason += fmt.Sprintf(say(lang, "; conflicts with it: %q", "。正解と矛盾する記述：「%s」"), clip(conflict))
	}
	if missing != "" {
		reason += fmt.Sprintf(say(lang, "; missing: %q", "。不足：「%s」"), clip(missing))
	}
	return reason
}

// offlineTrust grades by how far the contexts support the answer's sentences, each counting the same.
func offlineTrust(d trustData) rubricReply {
	lang := text.Language(d.Question + d.Answer)
	claims := offlineClaims(claimsData{Text: d.Answer}).Claims
	if len(claims) == 0 {
		return rubricReply{Score: 5, Reason: say(lang, "claims nothing beyond the contexts", "コンテキストを超える主張がない")}
	}
	passages := make([]passage, len(d.Contexts))
	for i, c := range d.Contexts {
		passages[i] = newPassage(c.Text)
	}
	var sum float64
	weakest, low := "", 2.0
	for _, c := range claims {
		claim := distinctTerms(c)
		best := 0.0
		for i := range passages {
			s := passages[i].support(claim)
			if s.contradicted {
				s.strength /= 2
			}
			best = max(best, s.strength)
		}
		sum += max(0, min(1, (best-unsupportedAt)/(supportedAt-unsupportedAt)))
		if best < low {
			low, weakest = best, c
		}
	}
	share := sum / float64(len(claims))
	reason := fmt.Sprintf(say(lang, "the contexts support %d%% of the answer", "回答の%d%%がコンテキストに基づく"), int(share*100+0.5))
	if low < supportedAt {
		reason += fmt.Sprintf(say(lang, "; not found: %q", "。見つからない記述：「%s」"), clip(weakest))
	}
	return rubricReply{Score: grade(share, trustBands), Reason: reason}
}

// Bands are the smallest shares for a 2, 3, 4 and 5.
var (
	correctnessBands = [4]float64{0.22, 0.40, 0.58, 0.78}
	trustBands       = [4]float64{0.22, 0.48, 0.74, 0.95}
)

func grade(share float64, bands [4]float64) int {
	score := 1
	for _, b := range bands {
		if share >= b {
			score++
		}
	}
	return score
}

func say(lang, en, ja string) string {
	if lang == "ja" {
		return ja
	}
	return en
}

func clip(s string) string {
	const limit = 60
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return s
}
