package metrics

import (
	"fmt"
	"strings"
)

// lineWords are the phrases of [Explanation.Lines] in Japanese, by the English ones.
var lineWords = map[string]string{
	"answer: refuses: %s, on the topic: %s. %s": "回答：回答を控えている：%s、質問に沿っている：%s。%s",
	"%s claim %d%s: %s":                         "%sの主張 %d%s：%s",
	" (key)":                                    "（重要）",
	"  neither: %d":                             "  どちらでもない：%d",
	"asked for: %s (given: %s)":                 "尋ねている事柄：%s（回答の有無：%s）",
	"sentences beside the point: %v":            "質問に関係のない文：%v",
	"question %d that the answer answers: %s":   "この回答が答えになる質問 %d：%s",
	"entities of the reference: %s":             "正解の固有の語：%s",
	" [%s claims counted: %s; not counted: %s]": "［%sの主張のうち、数えたもの：%s、数えなかったもの：%s］",
	"none":                 "なし",
	"not applicable":       "適用外",
	"no longer stored: %s": "保存されていません：%s",
	"context %d":           "参照箇所 %d",
	"%s: %s":               "%s：%s",
	"%s: %s by %q":         "%s：%s（%q）",
	"%s: %s. %s":           "%s：%s。%s",
	"answer":               "回答",
	"reference":            "正解",
	"context":              "参照箇所",
	"yes":                  "はい",
	"no":                   "いいえ",
	"partly":               "一部",
	"unread":               "判定なし",
	supported:              "裏付けあり",
	contradicted:           "矛盾",
	neither:                "どちらでもない",
	string(Errored):        "エラー",
	string(Pending):        "未評価",
}

// phrases says the phrases of an explanation in a language.
type phrases string

func (l phrases) word(english string) string {
	if said, ok := lineWords[english]; ok && l == "ja" {
		return said
	}
	return english
}

func (l phrases) say(format string, args ...any) string { return fmt.Sprintf(l.word(format), args...) }

func (l phrases) truth(is bool) string {
	if is {
		return l.word("yes")
	}
	return l.word("no")
}

// Lines is the explanation in plain lines of a language ("ja", else English), for a terminal: the claims with their verdicts, what the
// answer was taken for, and which claims each score rests on. Reasons stay in the language that they were given in.
func (e Explanation) Lines(lang string) []string {
	l := phrases(lang)
	var out []string
	if a := e.Answer; a != nil {
		out = append(out, l.say("answer: refuses: %s, on the topic: %s. %s", l.truth(a.Refuses), l.truth(a.OnTopic), a.Reason))
	}
	for _, c := range e.Claims {
		out = append(out, l.claim(c)...)
	}
	for _, p := range e.Parts {
		out = append(out, l.say("asked for: %s (given: %s)", p.Part, l.word(p.Given)))
	}
	if len(e.Off) > 0 {
		out = append(out, l.say("sentences beside the point: %v", e.Off))
	}
	for i, q := range e.Questions {
		out = append(out, l.say("question %d that the answer answers: %s", i+1, q))
	}
	if len(e.Entities) > 0 {
		out = append(out, l.say("entities of the reference: %s", strings.Join(e.Entities, ", ")))
	}
	for _, s := range e.Scores {
		out = append(out, l.score(s))
	}
	for _, key := range e.Lost {
		out = append(out, l.say("no longer stored: %s", key))
	}
	return out
}

// claim is a claim with its verdicts; those that say neither are counted.
func (l phrases) claim(c ExplainedClaim) []string {
	key := ""
	if c.Key {
		key = l.word(" (key)")
	}
	out, silent := []string{l.say("%s claim %d%s: %s", l.word(c.Of), c.Number, key, c.Text)}, 0
	for _, v := range c.Verdicts {
		if v.Verdict == neither {
			silent++
			continue
		}
		out = append(out, "  "+l.verdict(v))
	}
	if silent > 0 {
		out = append(out, l.say("  neither: %d", silent))
	}
	return out
}

func (l phrases) verdict(v ExplainedVerdict) string {
	where := l.word(v.Against)
	if v.Context > 0 {
		where = l.say("context %d", v.Context)
	}
	if v.Quote == "" {
		return l.say("%s: %s", where, l.word(v.Verdict))
	}
	return l.say("%s: %s by %q", where, l.word(v.Verdict), v.Quote)
}

// numbers are the numbers of claims.
func (l phrases) numbers(of []int) string {
	if len(of) == 0 {
		return l.word("none")
	}
	return strings.Trim(fmt.Sprint(of), "[]")
}

// score is a score with its reason, where there is one, and the claims that it counts.
func (l phrases) score(s ExplainedScore) string {
	name, value := s.Metric, l.word(strings.ReplaceAll(string(s.State), "_", " "))
	if spec, ok := Find(s.Metric); ok && l == "ja" {
		name = spec.TitleJA
	}
	if s.Value != nil {
		value = fmt.Sprintf("%.4g", *s.Value)
	}
	line := l.say("%s: %s", name, value)
	if s.Reason != "" {
		line = l.say("%s: %s. %s", name, value, s.Reason)
	}
	if s.Of != "" {
		line += l.say(" [%s claims counted: %s; not counted: %s]", l.word(s.Of), l.numbers(s.For), l.numbers(s.Against))
	}
	return line
}
