package metrics

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// offlineJudge is the model name of the offline judge.
const offlineJudge = "lexical"

// OfflineHandlers answer the judge prompts for the offline provider. The offline judge compares words, numbers and
// negations; it understands nothing. Its scores are for wiring and trial, not for decisions.
func OfflineHandlers() map[string]llm.Handler {
	return map[string]llm.Handler{
		PurposeClaims:      judged(offlineClaims),
		PurposeCorrectness: withReason(offlineCorrectness),
		PurposeTrust:       withReason(offlineTrust),
		PurposeAnswer:      withReason(offlineAnswer),
		PurposeVerify:      judged(offlineMatrix),
		PurposeParts:       judged(offlineParts),
		PurposeRelevancy:   judged(offlineRelevancy),
		PurposeEntities:    judged(offlineEntities),
		PurposeRubric:      offlineLevel,
		PurposeCritic:      offlineCritic,
		PurposeCompare:     withReason(offlineCompare),
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
		d, err := llm.DataOf[D](req)
		if err != nil {
			return "", fmt.Errorf("offline judge, %s: %w", req.Purpose, err)
		}
		body, err := json.Marshal(judge(d))
		return string(body), err
	}
}

// offlineLang is the language in which an instruction asks for reasons.
func offlineLang(instruction string) string {
	if strings.HasSuffix(instruction, explainIn["ja"]) {
		return "ja"
	}
	return "en"
}

// withReason wraps a typed judge that explains in the language that the instruction asks for.
func withReason[D, R any](judge func(D, string) R) llm.Handler {
	return func(req llm.Request) (string, error) {
		return judged(func(d D) R { return judge(d, offlineLang(req.Instruction)) })(req)
	}
}

// offlineClaims are the claims of a text; see [textual.SplitClaims].
func offlineClaims(d claimsData) claimsReply {
	return claimsReply{Claims: textual.SplitClaims(d.Text), Key: []int{}}
}

func offlineVerify(d verifyData) verifyReply {
	passages := make([]textual.Passage, len(d.Passages))
	for i, p := range d.Passages {
		passages[i] = textual.NewPassage(p.Text)
	}
	reply := verifyReply{Verdicts: []cell{}}
	for i, c := range d.Claims {
		claim := textual.DistinctTerms(c.Text)
		for j := range passages {
			s := passages[j].Support(claim)
			switch {
			case s.Contradicted:
				reply.Verdicts = append(reply.Verdicts, cell{Claim: i + 1, Passage: j + 1, Verdict: "contradicted", Quote: s.Quote})
			case s.Supported():
				reply.Verdicts = append(reply.Verdicts, cell{Claim: i + 1, Passage: j + 1, Verdict: "supported", Quote: s.Quote})
			}
		}
	}
	return reply
}

// mostQuoted is how much of a statement a reason quotes, in code points.
const mostQuoted = 61

func say(lang, en, ja string) string {
	if lang == "ja" {
		return ja
	}
	return en
}

// offlineMatrix lists the verdicts that offlineVerify finds, and every other pair that was asked about under neither.
func offlineMatrix(d verifyData) verifyReply {
	out := verifyReply{Verdicts: []cell{}, Neither: []silence{}}
	decided := map[[2]int]bool{}
	asked := func(claim, passage int) bool {
		check := d.Claims[claim-1].Check
		return len(check) == 0 || slices.Contains(check, passage)
	}
	for _, c := range offlineVerify(d).Verdicts {
		if asked(c.Claim, c.Passage) && !decided[[2]int{c.Claim, c.Passage}] {
			decided[[2]int{c.Claim, c.Passage}] = true
			out.Verdicts = append(out.Verdicts, c)
		}
	}
	for i := range d.Claims {
		var silent []int
		for k := range d.Passages {
			if asked(i+1, k+1) && !decided[[2]int{i + 1, k + 1}] {
				silent = append(silent, k+1)
			}
		}
		if len(silent) > 0 {
			out.Neither = append(out.Neither, silence{Claim: i + 1, Passages: silent})
		}
	}
	return out
}

func offlineAnswer(d answerData, lang string) answerReply {
	claims := offlineClaims(claimsData{Question: d.Question, Text: d.Answer}).Claims
	onTopic, stray := offlineOnTopic(d.Question, claims)
	reply := answerReply{Claims: claims, Refuses: len(claims) == 0 && textual.Refuses(d.Answer), OnTopic: &onTopic}
	if onTopic {
		reply.Reason = say(lang, "The offline judge compares words: the answer speaks of what the question asks about.",
			"オフライン評価は語句の比較による判定です。回答は質問で問われている事柄について述べており、話題からの逸脱は見当たりません。")
	} else {
		reply.Reason = fmt.Sprintf(say(lang, "The offline judge compares words: this shares none with the question: %s",
			"オフライン評価は語句の比較による判定です。次の記述は質問と共通する語句がなく、話題から逸脱しています：%s"), text.Cut(stray, mostQuoted))
	}
	return reply
}

// offlineOnTopic reports whether an answer is about what the question asks: it opens with something that shares a word of
// meaning with the question, or most of it does. Otherwise it returns the first claim that strays.
func offlineOnTopic(question string, claims []string) (bool, string) {
	topic := topicTerms(question)
	if len(topic) == 0 || len(claims) == 0 {
		return true, ""
	}
	near, stray := 0, ""
	opens := false
	for i, claim := range claims {
		shares := slices.ContainsFunc(text.Terms(claim), func(t text.Term) bool { return topic[t.Text] })
		switch {
		case shares:
			near++
			opens = opens || i == 0
		case stray == "":
			stray = claim
		}
	}
	return opens || 2*near > len(claims) || len(claims) == 1 && len([]rune(claims[0])) <= 40, stray
}

// topicTerms are the words that carry what a text is about: names in Latin letters inside Japanese, where there are some,
// else every word of meaning.
func topicTerms(s string) map[string]bool {
	all, names := map[string]bool{}, map[string]bool{}
	for _, t := range text.Terms(s) {
		if t.Class != text.Content {
			continue
		}
		all[t.Text] = true
		if t.Text[0] < 0x80 {
			names[t.Text] = true
		}
	}
	if len(names) > 0 && text.Language(s) == "ja" {
		return names
	}
	return all
}

// offlineRelevancy turns the answer into three questions about its whole, its beginning and the rest, by its own words. Their
// likeness to the question asked is then the likeness of the answer itself.
func offlineRelevancy(d relevancyData) relevancyReply {
	said := textual.WithoutCitations(d.Answer)
	claims := offlineClaims(claimsData{Text: d.Answer}).Claims
	evades := len(claims) == 0 && textual.Refuses(d.Answer)
	first, rest := said, said
	if len(claims) > 0 {
		first, rest = claims[0], claims[len(claims)-1]
	}
	forms := []string{"%s?", "What is said of %s?", "Which facts hold for %s?"}
	if text.Language(said) == "ja" {
		forms = []string{"%sか。", "%sについて何が言えますか。", "%sに関する事実は何ですか。"}
	}
	reply := relevancyReply{Noncommittal: &evades}
	for i, part := range []string{said, first, rest} {
		part = short(strings.TrimRight(strings.TrimSpace(part), ".。!！?？"))
		reply.Questions = append(reply.Questions, fmt.Sprintf(forms[i], part))
	}
	return reply
}

// short keeps a question a question: nobody asks for a whole answer back.
func short(s string) string {
	const limit = 100
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}

// offlineEntities takes words with a capital inside a sentence, words with digits, and runs of katakana for names.
func offlineEntities(d entitiesData) entitiesReply {
	reply := entitiesReply{Entities: []string{}}
	seen := map[string]bool{}
	for _, e := range nameRuns(textual.WithoutCitations(d.Text)) {
		if folded := text.Fold(e); !seen[folded] {
			seen[folded] = true
			reply.Entities = append(reply.Entities, e)
		}
	}
	return reply
}

// offlineSupport is the share of the answer's claims that the reference, else the contexts, else the question supports.
func offlineSupport(d customData) float64 {
	passages := d.Contexts
	switch {
	case d.Reference != "":
		passages = number([]string{d.Reference})
	case len(passages) == 0:
		passages = number([]string{d.Question})
	}
	claims := offlineClaims(claimsData{Text: d.Answer}).Claims
	if len(claims) == 0 {
		return 0
	}
	held := map[int]bool{}
	for _, c := range offlineVerify(verifyData{Claims: number(claims), Passages: passages}).Verdicts {
		held[c.Claim] = held[c.Claim] || c.Verdict == supported
	}
	n := 0
	for _, yes := range held {
		if yes {
			n++
		}
	}
	return float64(n) / float64(len(claims))
}

// offlineLevel grades by word overlap, since the offline judge does not understand criteria; its reason says so.
func offlineLevel(req llm.Request) (string, error) {
	levels := offlineLevels(req.Instruction)
	return judged(func(d customData) levelReply {
		share := offlineSupport(d)
		level := 0
		if len(levels) > 0 {
			level = levels[min(int(share*float64(len(levels))), len(levels)-1)]
		}
		return levelReply{Level: &level, Reason: offlineDisclaimer(offlineLang(req.Instruction), share)}
	})(req)
}

// offlineCritic says yes where at least half of the answer's claims are supported; see offlineLevel.
func offlineCritic(req llm.Request) (string, error) {
	return judged(func(d customData) criticReply {
		share := offlineSupport(d)
		yes := share >= 0.5
		return criticReply{Verdict: &yes, Reason: offlineDisclaimer(offlineLang(req.Instruction), share)}
	})(req)
}

func offlineDisclaimer(lang string, share float64) string {
	return fmt.Sprintf(say(lang, "the offline judge does not read criteria; %d%% of the answer is supported",
		"オフライン評価は基準の文を読み取れないため語句の一致で判定している。回答の%d%%に裏付けがある"), int(share*100+0.5))
}

// offlineLevels reads the levels that Custom.criterion writes, one on a line.
func offlineLevels(instruction string) []int {
	found := map[int]bool{}
	for line := range strings.Lines(instruction) {
		var level int
		if head, _, ok := strings.Cut(line, ": "); ok {
			if err := json.Unmarshal([]byte(head), &level); err == nil {
				found[level] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
