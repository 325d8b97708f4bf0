package laboratory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/text"
)

// CauseOfflineHandlers answer the prompts of the cause analysis for the offline provider. They compare words as the offline judge
// does, and understand nothing.
func CauseOfflineHandlers() map[string]llm.Handler {
	return map[string]llm.Handler{
		PurposeCauseClaims:   offlineCause(offlineCauseClaims),
		PurposeCauseEvidence: offlineCause(offlineEvidence),
		PurposeCauseQuestion: offlineCause(offlineReading),
		PurposeCauseObserved: offlineCause(offlineObserved),
		PurposeCausePaper:    offlineCause(offlinePaper),
	}
}

func offlineCause[D, R any](answer func(D) (R, error)) llm.Handler {
	model := metrics.DefaultJudge().Name
	return func(req llm.Request) (string, error) {
		if req.Model != model {
			return "", llm.UnknownModel("judge", req.Model, []string{model})
		}
		d, err := llm.DataOf[D](req)
		if err != nil {
			return "", fmt.Errorf("offline cause analysis, %s: %w", req.Purpose, err)
		}
		reply, err := answer(d)
		if err != nil {
			return "", fmt.Errorf("offline cause analysis, %s: %w", req.Purpose, err)
		}
		body, err := json.Marshal(reply)
		return string(body), err
	}
}

// asOfflineJudge asks the offline judge of the metrics: one lexical judgement serves scores and causes.
func asOfflineJudge(purpose string, data, reply any) error {
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	said, err := metrics.OfflineHandlers()[purpose](llm.Request{Purpose: purpose, Model: metrics.DefaultJudge().Name, Data: body})
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(said), reply)
}

func offlineCauseClaims(d causeClaimsData) (causeClaimsReply, error) {
	var reply causeClaimsReply
	err := asOfflineJudge(metrics.PurposeClaims, map[string]string{"question": d.Question, "text": d.Reference}, &reply)
	return reply, err
}

// offlineVerdict is what the offline judge says of a claim and a passage.
type offlineVerdict struct {
	Claim   int    `json:"claim"`
	Passage int    `json:"passage"`
	Verdict string `json:"verdict"` // "supported" or "contradicted"
	Quote   string `json:"quote"`
}

func offlineVerdicts(claims, passages []string) ([]offlineVerdict, error) {
	var reply struct {
		Verdicts []offlineVerdict `json:"verdicts"`
	}
	err := asOfflineJudge(metrics.PurposeVerify, map[string]any{"claims": causePassages(claims), "passages": causePassages(passages)},
		&reply)
	return reply.Verdicts, err
}

// offlineEvidence takes the verdicts of the offline judge.
func offlineEvidence(d causeEvidenceData) (causeEvidenceReply, error) {
	texts := make([]string, len(d.Passages))
	for i, p := range d.Passages {
		texts[i] = p.Text
	}
	verdicts, err := offlineVerdicts([]string{d.Claim}, texts)
	reply := causeEvidenceReply{Verdicts: []causeEvidenceVerdict{}}
	for _, v := range verdicts {
		said := causes.Entails
		if v.Verdict != "supported" {
			said = causes.Contradicts
			if !aboutTheSame(d.Question, v.Quote) || !aboutTheSame(d.Claim, v.Quote) || !otherFigures(d.Claim, v.Quote) {
				continue // different figures about different things contradict nothing, nor does what sounds like a denial
			}
		}
		reply.Verdicts = append(reply.Verdicts, causeEvidenceVerdict{Passage: v.Passage, Quote: v.Quote, Verdict: said})
	}
	return reply, err
}

// sameTopic is the share of the question's words of meaning that a sentence must hold to speak of the same thing.
const sameTopic = 0.5

func aboutTheSame(question, sentence string) bool {
	words := causes.CauseTopic(question)
	if len(words) == 0 {
		return false
	}
	held := causes.CauseTopic(sentence)
	n := 0
	for w := range words {
		if held[w] {
			n++
		}
	}
	return float64(n) >= sameTopic*float64(len(words))
}

// otherFigures reports whether a claim and a sentence each name a figure that the other does not. Comparing words cannot tell a denial from
// the same thing in other words; only figures that differ say that one of the two is wrong.
func otherFigures(claim, sentence string) bool {
	left, right := figuresOf(claim), figuresOf(sentence)
	lacks := func(of, in map[string]bool) bool {
		for f := range of {
			if !in[f] {
				return true
			}
		}
		return false
	}
	return lacks(left, right) && lacks(right, left)
}

func figuresOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Terms(s) {
		if t.Class == text.Number {
			out[t.Text] = true
		}
	}
	return out
}

// pointing are words that stand for something which the question does not name.
var pointing = map[string][]string{
	"en": {"it", "this", "that", "these", "those", "they", "them", "he", "she"},
	"ja": {"それ", "これ", "あれ", "その件", "この件", "そこ", "ここ"},
}

// offlineReading finds a question unclear when it points to something and names nothing, or has no word of meaning. Whether a
// reference belongs to a question is beyond comparing words, so it always does.
func offlineReading(d causeClaimsData) (causeQuestionReply, error) {
	lang := text.Language(d.Question)
	words := causes.CauseTopic(d.Question)
	var points bool
	if lang == "ja" {
		points = slices.ContainsFunc(pointing[lang], func(w string) bool { return strings.HasPrefix(d.Question, w) })
	} else {
		fields := strings.Fields(text.Fold(d.Question))
		points = slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(pointing["en"], strings.Trim(f, ".,?!'\"")) })
	}
	yes, plain := true, len(words) > 0 && !(points && len(words) < 2)
	reply := causeQuestionReply{Reading: d.Question, Clear: &plain, ReferenceAnswers: &yes}
	if !plain {
		reply.Missing = "what the question is about"
		if lang == "ja" {
			reply.Missing = "何についての質問か"
		}
	}
	return reply, nil
}

// logShares are what comparing words finds in a log.
type logShares struct {
	claims   int
	inAnswer int // claims of the reference that the answer holds
	inFound  int // claims of the reference that the contexts hold
	onTopic  bool
	cut      bool
	short    bool
}

// Shares from which the offline observer says that a text holds the reference, and lengths from which an answer is short.
const (
	holdsMost  = 0.5
	shortShare = 0.5
)

func sharesOf(d causeLogData) (logShares, error) {
	claims, err := offlineCauseClaims(causeClaimsData{Question: d.Question, Reference: d.Reference})
	if err != nil {
		return logShares{}, err
	}
	s := logShares{claims: len(claims.Claims)}
	held := func(passages []string) (int, error) {
		verdicts, err := offlineVerdicts(claims.Claims, passages)
		seen := map[int]bool{}
		for _, v := range verdicts {
			if v.Verdict == "supported" {
				seen[v.Claim] = true
			}
		}
		return len(seen), err
	}
	if s.inAnswer, err = held([]string{d.Answer}); err != nil {
		return s, err
	}
	var found []string
	for _, c := range d.Contexts {
		found = append(found, c.Text)
		s.onTopic = s.onTopic || aboutTheSame(d.Question, c.Text)
	}
	if s.inFound, err = held(found); err != nil {
		return s, err
	}
	answer := strings.TrimSpace(d.Answer)
	s.cut = answer != "" && !strings.HasSuffix(answer, "]") && !strings.ContainsAny(answer[len(answer)-1:], ".!?\"'") &&
		!strings.HasSuffix(answer, "。") &&
		!strings.HasSuffix(answer, "」") && utf8.RuneCountInString(answer) >= 100
	s.short = float64(utf8.RuneCountInString(answer)) < shortShare*float64(utf8.RuneCountInString(d.Reference))
	return s, nil
}

// observe walks the pipeline from the input on, with the labels of our classifier.
func (s logShares) observe(d causeLogData) causes.Component {
	reading, _ := offlineReading(causeClaimsData{Question: d.Question})
	low := func(metric string) bool { v, ok := d.Metrics[metric]; return ok && v <= 2 }
	switch {
	case !low("correctness") && !low("trust") && float64(s.inAnswer) >= holdsMost*float64(s.claims):
		return causes.NoFault
	case !*reading.Clear:
		return causes.QuestionText
	case float64(s.inFound) < holdsMost*float64(s.claims):
		return causes.ContextNotFound
	case s.cut:
		return causes.PostProcessing
	}
	return causes.GenerationUnsure
}

func offlineObserved(d causeLogData) (causeLogReply, error) {
	s, err := sharesOf(d)
	if err != nil {
		return causeLogReply{}, err
	}
	return s.reply(s.observe(d)), nil
}

// offlinePaper has to name the part within a stage, which the log does not show: the database where nothing retrieved is on the
// topic, else the retriever; the prompt where the answer is short, else the model.
func offlinePaper(d causeLogData) (causeLogReply, error) {
	s, err := sharesOf(d)
	if err != nil {
		return causeLogReply{}, err
	}
	c := s.observe(d)
	switch {
	case c == causes.ContextNotFound && s.onTopic:
		c = causes.Database
	case c == causes.ContextNotFound:
		c = causes.Retriever
	case c == causes.GenerationUnsure && s.short:
		c = causes.SystemPrompt
	case c == causes.GenerationUnsure:
		c = causes.GenerationModel
	}
	return s.reply(c), nil
}

func (s logShares) reply(c causes.Component) causeLogReply {
	return causeLogReply{
		Analysis: fmt.Sprintf("claims of the reference: %d; held by the answer: %d; held by the contexts: %d", s.claims,
			s.inAnswer, s.inFound),
		Component: c,
		RationaleEN: fmt.Sprintf("Compared word by word, the contexts hold %d of %d claims of the reference and the answer holds %d.",
			s.inFound, s.claims, s.inAnswer),
		RationaleJA: fmt.Sprintf("語句を比較したところ、正解の%d件の主張のうち、参照箇所には%d件、"+
			"回答には%d件が含まれています。", s.claims, s.inFound, s.inAnswer),
	}
}
