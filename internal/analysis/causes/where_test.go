package causes

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// labelledAt is a claim with one labelled place.
func labelledAt(start int, quote string) claimEvidence {
	span := rag.Span{DocID: "doc", Start: start, End: start + len([]rune(quote))}
	return claimEvidence{claim: quote, spans: []QuotedSpan{{Span: span, Quote: quote}}, share: 1, labelled: true}
}

// toldOf is the rationale of a diagnosis with these claims, contexts and steps.
func toldOf(d Diagnosis, claims []claimEvidence, hits ...rag.Hit) (en, ja string) {
	x := &diagnosing{c: lowCase(hits, "bad", ""), config: scriptConfig(), claims: claims, d: d, now: tried{trials: 3, passes: 1}}
	x.config.Retrieve.K = 4
	out := rationaleOf(x)
	return out.EN, out.JA
}

func says(t *testing.T, said string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %q", said, want)
		}
	}
}

// Of several places every one that the contexts lack is named, and none that they hold; first those that they do not state
// elsewhere either.
func TestEveryPlaceThatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	d := Diagnosis{Component: GenerationUnsure, Method: Tested}
	fee, phone := labelledAt(100, "the fee is JPY 3,300 per flight"), labelledAt(500, "by phone: JPY 1,100 per person")
	note := labelledAt(900, "no refund")
	elsewhere := rag.Hit{Span: rag.Span{DocID: "other", Start: 0, End: 80}, Text: "Standard: JPY 3,300 per flight"}
	en, ja := toldOf(d, []claimEvidence{fee, phone}, elsewhere)
	says(t, en, "near character 501: “by phone: JPY 1,100 per person”. The contexts do not hold it. It is also in document “doc” near character 101: "+
		"“the fee is JPY 3,300 per flight”. The contexts do not hold this place, though its figures stand elsewhere in them.")
	says(t, ja, "501文字目付近にあります（「by phone: JPY 1,100 per person」）。参照箇所には含まれていませんでした。",
		"別の箇所に記載されています")
	held := rag.Hit{Span: rag.Span{DocID: "doc", Start: 0, End: 300}, Text: "the fee is JPY 3,300 per flight"}
	en, ja = toldOf(d, []claimEvidence{fee, phone, note}, held)
	says(t, en, "1,100", "no refund")
	if strings.Contains(en+ja, "3,300") {
		t.Errorf("what is held is called missing: %s %s", en, ja)
	}
	many := []claimEvidence{labelledAt(400, "a"), labelledAt(500, "b"), labelledAt(600, "c"), labelledAt(700, "d"), labelledAt(800, "e")}
	en, ja = toldOf(d, many, held)
	says(t, en, "“c”", "The contexts lack 2 more.")
	says(t, ja, "このほか2箇所")
}

// Evidence that a chunk border cuts is held in part, whatever else was found of it.
func TestEvidenceThatIsCutIsHeldInPart(t *testing.T) {
	t.Parallel()
	cut := labelledAt(90, "the period is 3 months")
	cut.spans[0].Rank = 13
	en, ja := toldOf(Diagnosis{Component: Retriever, Method: Tested, Detail: noiseBesides}, []claimEvidence{cut},
		rag.Hit{Span: rag.Span{DocID: "x", End: 9}}, rag.Hit{Span: rag.Span{DocID: "doc", End: 100}})
	says(t, en, "A chunk border cuts it, and only a part was retrieved (rank 2). The whole of it ranks at 13, outside k = 4.")
	says(t, ja, "一部しか取得されていませんでした（順位2位）。全体を含むチャンクの検索順位は13位で、k=4の外でした。")
}

// A system that was asked again as it is says how often that was good, whatever the cause.
func TestAskedAgainIsTold(t *testing.T) {
	t.Parallel()
	again, oracle := CauseStep{Step: "resample", Passes: 1, Trials: 2}, CauseStep{Step: "oracle", Passes: 1, Trials: 1}
	for _, c := range []Component{Retriever, GenerationUnsure, SystemPrompt, Undetermined} {
		en, ja := toldOf(Diagnosis{Component: c, Method: Tested, Steps: []CauseStep{oracle, again}}, []claimEvidence{labelledAt(0, "a")})
		says(t, en, "As it is, 1 of 3 were good.")
		says(t, ja, "現在の設定では、3回中1回です。")
	}
}

// What was judged good from contexts that lack the reference's figure proves no cause; where they state it the cause is probable. The
// rationale says who took which place for the evidence.
func TestAnAnswerThatHealedWithoutTheFigureProvesNothing(t *testing.T) {
	t.Parallel()
	learned := labelledAt(0, "A name is corrected free of charge.")
	learned.labelled, learned.anywhere = false, true
	run := rag.Hit{Span: rag.Span{DocID: "doc", Start: 600, End: 1400}, Text: "The latest time is 72 hours before departure."}
	for _, healing := range []string{"Small differences are corrected.", "At the latest 72 hours before departure."} {
		steps := []CauseStep{{Step: "regenerate", Passes: 1, Trials: 1}}
		x := &diagnosing{c: lowCase([]rag.Hit{run}, "bad", ""), config: scriptConfig(), claims: []claimEvidence{learned},
			named: labelledAt(549, "free of charge").spans, d: Diagnosis{Method: Tested, Steps: steps}}
		x.healed = []rag.Hit{{Text: healing}}
		x.c.Question.Reference, x.c.Question.Text = "Free of charge, 72 hours before departure.", "Cost and deadline?"
		x.finish(Retriever, 0.9)
		x.doubt()
		said := rationaleOf(x)
		want, stands := Undetermined, StandsUnknown
		if strings.Contains(healing, "72 hours") {
			want, stands = Retriever, StandsProbable
		}
		if x.d.Component != want || x.d.Standing() != stands || len(x.d.Lacks) != 1 {
			t.Errorf("%q: %s %s %v", healing, x.d.Component, x.d.Standing(), x.d.Lacks)
		}
		says(t, said.EN, "The dataset names this place of document “doc” near character 550: “free of charge”.", "taken for the evidence",
			"The contexts of the run state it.")
		says(t, said.JA, "データセットが根拠に指定しているのは", "元の参照箇所には、その記載があります。")
		if strings.Contains(said.EN, "A search took") {
			t.Error(said.EN)
		}
	}
}
