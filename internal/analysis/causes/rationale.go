package causes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// telling writes the rationale in one language.
type telling struct {
	x    *diagnosing
	lang string
	out  []string
}

// rationaleOf says in both languages what was missing, what was changed, and what came of it (science.md 3.3): with the quoted
// place, the answers before and after, and what the repair costs. No sentence holds more than three numbers.
func rationaleOf(x *diagnosing) experiments.Rationale {
	en, ja := &telling{x: x, lang: "en"}, &telling{x: x, lang: "ja"}
	for _, t := range []*telling{en, ja} {
		t.tell()
	}
	return experiments.Rationale{EN: strings.Join(en.out, " "), JA: strings.Join(ja.out, "")}
}

func (t *telling) say(en, ja string, args ...any) {
	if t.lang == "ja" {
		en = ja
	}
	t.out = append(t.out, fmt.Sprintf(en, args...))
}

// conclude names the cause.
func (t *telling) conclude() {
	d := t.x.d
	name := d.Component.Word(t.lang)
	if d.Standing() == StandsProbable {
		t.say("So a good answer does not prove the cause: it is probable only.", "そのため、良い回答と判定されても原因の証明にはならず、推定にとどまります。")
	}
	if param := d.Parameter(); param != "" && d.Component == Retriever {
		t.say("→ %s (parameter: %s)", "→ %s（パラメーター：%s）", name, experiments.ParamName(param).In(t.lang))
	} else {
		t.say("→ %s", "→ %s", name)
	}
	for _, f := range d.Further {
		t.say("and %s", "、さらに%s", f.Word(t.lang))
	}
}

func (t *telling) tell() {
	d := t.x.d
	switch d.Component {
	case NoFault:
		t.votes("rejudge", "Judged again, the answer is good by %d of %d votes.",
			"再評価では、%[2]d回中%[1]d回、低スコアではないと判定しました。")
	case PostProcessing:
		t.postProcessing()
	case QuestionText:
		t.say("The question does not say what is asked%s.", "質問からは、何が尋ねられているかを特定できません%s。", t.aside(t.x.why))
	case ReferenceText:
		t.referenceText()
	case Database:
		t.facts()
		t.database()
		t.outcome("deep", "With the best contexts that a deep search finds", "深い検索で得た参照箇所を与えても、")
		t.say("The documents were searched, not replaced.", "文書を検索した結果であり、差し替えによる検証はしていません。")
	case Unstable:
		t.where()
		t.say("The same system, asked again, gave a good answer %d of %d times.", "同じ設定で再度回答させると、%[2]d回中%[1]d回は良い回答でした。", t.x.now.passes,
			t.x.now.trials)
	case SearchQuery, Retriever:
		t.where()
		t.retrieval()
	case SystemPrompt, GenerationModel, GenerationUnsure:
		t.where()
		t.generation()
	case Undetermined:
		t.where()
		t.generation()
		t.standing()
		t.replaced()
		t.say("What causes it is unknown%s.", "原因は不明です%s。", t.aside(t.detail()))
	default:
		t.say("The cause could not be determined%s.", "原因を特定できませんでした%s。", t.aside(t.detail()))
	}
	t.conclude()
}

func (t *telling) detail() string {
	if t.x.d.Detail == "" {
		return ""
	}
	return causeWord(t.lang, "detail."+t.x.d.Detail)
}

func (t *telling) aside(words string) string {
	switch {
	case words == "":
		return ""
	case t.lang == "ja":
		return "（" + words + "）"
	}
	return " (" + words + ")"
}

// votes tells the outcome of a step that votes.
func (t *telling) votes(step, en, ja string) {
	for _, s := range t.x.d.Steps {
		if s.Step == step {
			t.say(en, ja, s.Passes, s.Trials)
			return
		}
	}
}

// retrieval tells what was changed before the generator, and what came of it.
func (t *telling) retrieval() {
	d := t.x.d
	if len(d.Repairs) == 0 {
		if w := t.detail(); w != "" {
			if t.x.d.Standing() == StandsProbable {
				t.say("If it is the evidence: %s.", "それが根拠であれば、「%s」に当たります。", w)
			} else {
				t.say("What was found: %s.", "調査結果：%s。", w)
			}
		}
		t.brought()
		if d.Detail == noiseChunk || d.Detail == noiseCut {
			t.outcome("regenerate", "With nothing but the chunk that holds it", "その箇所を含むチャンクだけを与えると、")
		}
		t.oracle()
		t.askedAgain()
		return
	}
	for _, r := range d.Repairs {
		t.say("Changed: %s.", "変更点：%s。", r.Words(t.lang))
	}
	if r := d.Repairs[0]; r.Trials > 0 {
		t.say("With it, %d of %d answers were good.", "変更後は、%[2]d回中%[1]d回が良い回答でした。", r.Passes, r.Trials)
	}
	t.present()
	t.cost()
}

// brought tells what came of the changes of the search that bring the evidence and repair nothing all the same: whoever reads of its rank
// would try them.
func (t *telling) brought() {
	bring, answered := 0, 0
	for _, s := range t.x.d.Steps {
		switch {
		case s.Step == "retrieval":
			bring += s.Passes
		case s.Step == "regenerate" && s.Swap == "" && s.Passes == 0 && strings.Contains(s.Change, " -> "):
			answered++
		}
	}
	switch {
	case bring == 0 || answered == 0:
	case bring == 1:
		t.say("One change of the search that was tried brings it, and the answer was not good with it.",
			"試した検索の変更のうち1件でその箇所を取得できましたが、良い回答にはなりませんでした。")
	case answered >= bring:
		t.say("%d changes of the search that were tried bring it, and the answer was good with none of them.",
			"試した検索の変更のうち%d件でその箇所を取得できましたが、いずれも良い回答にはなりませんでした。", bring)
	default:
		t.say("%d changes of the search bring it; %d of them were answered from, and the answer was not good.",
			"検索の変更のうち%d件でその箇所を取得できます。うち%d件で回答を試しましたが、良い回答にはなりませんでした。", bring, answered)
	}
}

// present tells how the present configuration fares.
func (t *telling) present() {
	if t.x.now.trials > 0 {
		t.say("As it is, %d of %d were good.", "現在の設定では、%[2]d回中%[1]d回です。", t.x.now.passes, t.x.now.trials)
	}
}

// askedAgain tells how the present configuration fares where it was asked again.
func (t *telling) askedAgain() {
	if slices.ContainsFunc(t.x.d.Steps, func(s CauseStep) bool { return s.Step == "resample" && s.Trials > 0 }) {
		t.present()
	}
}

// cost tells how much longer the contexts become.
func (t *telling) cost() {
	most, dear := 1.0, false
	for _, r := range t.x.d.Repairs {
		most, dear = math.Max(most, r.ContextCost), dear || r.Expensive
	}
	if most > 1.05 {
		t.say("The contexts become %.1f times as long.", "参照箇所の長さは%.1f倍になります。", most)
	}
	if dear {
		t.say("That is possible but expensive.", "可能ですが、費用が大きい変更です。")
	}
}

// oracle tells what came of the evidence as the only context, or of what was taken for it.
func (t *telling) oracle() {
	if len(t.x.d.Lacks) > 0 {
		t.outcome("oracle", "With that passage alone as context", "その箇所だけを参照箇所として与えると、")
		return
	}
	t.outcome("oracle", "With the evidence alone as contexts", "根拠だけを参照箇所として与えると、")
}

// outcome tells what the last trials of a step brought, and from which contexts where those were others.
func (t *telling) outcome(step, en, ja string) {
	for i := len(t.x.d.Steps) - 1; i >= 0; i-- {
		if s := t.x.d.Steps[i]; s.Step == step && s.Trials > 0 {
			if s.On != "" {
				on := experiments.Rationale{EN: causeWord("en", "on."+s.On), JA: causeWord("ja", "on."+s.On)}
				en, ja = en+" ("+on.EN+")", strings.TrimSuffix(ja, "、")+"（"+on.JA+"）、"
			}
			t.say(en+", %d of %d answers were good.", ja+"%[2]d回中%[1]d回が良い回答でした。", s.Passes, s.Trials)
			return
		}
	}
}

func (t *telling) generation() {
	t.oracle()
	t.outcome("prompt", "With the reference prompt", "標準プロンプトでは、")
	t.outcome("model", "With the reference model", "基準モデルでは、")
	t.outcome("both", "With the reference prompt and the reference model together", "標準プロンプトと基準モデルの両方に差し替えると、")
	t.askedAgain()
	if w := t.detail(); w != "" && t.x.d.Component != Undetermined {
		t.say("Note: %s.", "補足：%s。", w)
	}
}

func (t *telling) postProcessing() {
	t.votes("raw_answer", "Before post-processing the answer is good by %d of %d votes.",
		"後処理前の回答は、%[2]d回中%[1]d回、低スコアではないと判定しました。")
	text, raw := t.x.c.Answer()
	if cut := len([]rune(raw)) - len([]rune(text)); cut > 0 {
		t.say("Post-processing took %d characters out of it.", "後処理によって%d文字が失われています。", cut)
	}
}

func (t *telling) referenceText() {
	switch t.x.d.Detail {
	case "reference_or_stale":
		claim, against := t.disputed()
		t.say("The reference says “%s”.", "正解は「%s」と述べています。", shortQuote(claim))
		t.say("Document “%s” says “%s”.", "一方、文書『%s』には「%s」とあります。", against.DocID, shortQuote(against.Quote))
		t.say("Both cannot be true: the reference is wrong or the document is out of date.", "両立しないため、正解が誤っているか、文書が古いかのどちらかです。")
	case "unclear":
		t.say("The reference answers another question%s.", "正解が、この質問とは別の内容に答えています%s。",
			t.aside(strings.TrimLeft(strings.TrimPrefix(t.x.why, UnclearReference), ": ")))
	}
}

// disputed is the claim of the reference that the corpus contradicts.
func (t *telling) disputed() (string, QuotedSpan) {
	for _, c := range t.x.claims {
		if len(c.against) > 0 {
			return c.claim, c.against[0]
		}
	}
	return "", QuotedSpan{}
}

// facts tells of documents that hold something of the answer and not enough.
func (t *telling) facts() {
	if t.x.d.Detail == "not_enough" {
		t.where()
		t.outcome("facts", "With what the reference says as a context", "正解の内容を参照箇所として与えると、")
	}
}

func (t *telling) database() {
	if t.x.d.Detail == "not_enough" {
		t.say("What a search of all documents found was not enough for a good answer.", "全文書を検索して見つかった記載だけでは、良い回答になりませんでした。")
		return
	}
	for _, c := range t.x.claims {
		if c.found() {
			continue
		}
		switch {
		case c.lost != nil && t.x.d.Detail == "stale":
			t.say("When the dataset was made, document “%s” said “%s”.", "データセットの作成時、文書『%s』には「%s」とありました。",
				c.lost.Now.DocID, shortQuote(c.lost.Quote))
			t.say("Now it says “%s”.", "現在は「%s」となっています。", wholeQuote(c.lost.Instead))
		case c.lost != nil:
			t.say("“%s” stood in the documents when the dataset was made and is no longer there.", "データセットの作成時にあった「%s」という記載が、文書から失われています。",
				shortQuote(c.lost.Quote))
		default:
			t.say("A search of all documents, whose nearest places were read, found nothing that says “%s”.",
				"全文書を検索して近い箇所を確認しましたが、「%s」という内容は見つかりませんでした。", shortQuote(c.claim))
		}
		return
	}
	t.say("A search of all documents, whose nearest places were read, did not find what the reference says.",
		"全文書を検索して近い箇所を確認しましたが、正解の内容は見つかりませんでした。")
}

// replaced lists what was tried where nothing healed the answer, and nothing else.
func (t *telling) replaced() {
	if t.x.d.Detail != "nothing_heals" {
		return
	}
	var names []string
	for _, s := range t.x.d.Steps {
		name := causeWord(t.lang, "tried."+s.Step)
		if _, known := causeWords["tried."+s.Step]; known && s.Trials > 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		between := map[string]string{"en": ", ", "ja": "、"}
		t.say("Replacements tried: %s.", "試した差し替え：%s。", strings.Join(names, between[t.lang]))
	}
}

// standing quotes where words of the reference stand that nothing showed to be an answer.
func (t *telling) standing() {
	if s := t.x.stands; t.x.d.Detail == "stands_there" && s.DocID != "" {
		t.say("Document “%s” says “%s” near character %d.", "文書『%s』には「%s」という記載があります（%d文字目付近）。", s.DocID, shortQuote(s.Quote), s.Start+1)
	}
}

// shortQuote is a quote of at most sixty code points.
func shortQuote(s string) string {
	return text.Cut(strings.TrimRight(strings.Join(strings.Fields(s), " "), ".。"), 60)
}

// wholeQuote is a sentence with its white space evened out: what is set against another text is not cut.
func wholeQuote(s string) string {
	return strings.TrimRight(strings.Join(strings.Fields(s), " "), ".。")
}
