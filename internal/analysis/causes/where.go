package causes

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// mostPlaces are quoted of evidence that the contexts lack.
const mostPlaces = 3

// toldPlace is a place of the evidence with how the contexts hold it.
type toldPlace struct {
	QuotedSpan
	part      int  // rank of the first context that holds a part of it; 0 where none does
	elsewhere bool // the contexts lack it, and state all its quantities at other places
}

// where quotes the evidence and says where it stands, and where the retrieval has it: what the contexts lack of it, else the first place.
func (t *telling) where() {
	var places, lacking []toldPlace
	for _, c := range t.x.claims {
		if len(c.spans) == 0 {
			continue
		}
		p := t.place(c)
		if slices.ContainsFunc(places, func(o toldPlace) bool { return o.Span == p.Span && o.Quote == p.Quote }) {
			continue
		}
		if places = append(places, p); !p.InContext {
			lacking = append(lacking, p)
		}
	}
	if len(places) == 0 {
		return
	}
	if len(lacking) == 0 {
		lacking = places[:1]
	}
	slices.SortStableFunc(lacking, func(a, b toldPlace) int { return rankOf(a.elsewhere) - rankOf(b.elsewhere) })
	for i, p := range lacking[:min(mostPlaces, len(lacking))] {
		t.quote(p, i > 0)
		t.standsAt(p)
	}
	if n := len(lacking) - mostPlaces; n > 0 {
		t.say("The contexts lack %d more.", "このほか%d箇所も参照箇所に含まれていませんでした。", n)
	}
}

// place is the place that stands for a claim.
func (t *telling) place(c claimEvidence) toldPlace {
	hits := t.x.c.Hits()
	at := c.place(hits)
	whole, split, rank := c.holds(at, hits)
	p := toldPlace{QuotedSpan: c.spans[at], part: rank}
	if p.InContext = whole || split; p.Rank == 0 {
		p.Rank = rank
	}
	p.elsewhere = !p.InContext && len(textual.LackingQuantities(p.Quote, "", nil)) > 0 && !t.x.lackIn(p.Quote, hits)
	return p
}

// quote says where a place of the evidence stands, and who took it for that.
func (t *telling) quote(p toldPlace, further bool) {
	doc, at, words := p.DocID, p.Start+1, shortQuote(p.Quote)
	learned := slices.ContainsFunc(t.x.claims, func(c claimEvidence) bool { return c.anywhere && !c.labelled })
	switch {
	case p.DocID == "" && further:
		t.say("It is also “%s”.", "「%s」も必要な根拠です。", words)
	case p.DocID == "":
		t.say("The evidence is “%s”.", "必要な根拠は「%s」です。", words)
	case further:
		t.say("It is also in document “%s” near character %d: “%s”.", "文書『%s』の%d文字目付近（「%s」）も必要な根拠です。", doc, at, words)
	case len(t.x.d.Lacks) > 0 && learned:
		if len(t.x.named) > 0 {
			named := t.x.named[0]
			t.say("The dataset names this place of document “%s” near character %d: “%s”.",
				"データセットが根拠に指定しているのは、文書『%s』の%d文字目付近（「%s」）です。", named.DocID, named.Start+1, shortQuote(named.Quote))
		}
		t.say("An answer from a deep search was judged good; what it was written from is taken for the evidence: document “%s” near character %d, “%s”.",
			"深い検索で得た参照箇所による回答が良いと判定され、その一部である文書『%s』の%d文字目付近（「%s」）"+
				"を根拠とみなしました。", doc, at, words)
	case len(t.x.d.Lacks) > 0:
		t.say("A search took this place of document “%s” near character %d for the evidence: “%s”.",
			"検索では、文書『%s』の%d文字目付近の記載（「%s」）が根拠とみなされました。", doc, at, words)
	default:
		t.say("The evidence is in document “%s” near character %d: “%s”.", "必要な根拠は文書『%s』の%d文字目付近にあります（「%s」）。", doc, at, words)
	}
	if lacks := t.x.d.Lacks; len(lacks) > 0 && !further {
		t.say("What was taken for it does not state “%s” of the reference.", "ただし、その箇所には、正解にある「%s」がありません。", shortQuote(lacks[0]))
		if !t.x.lackIn(lacks[0], t.x.c.Hits()) {
			t.say("The contexts of the run state it.", "元の参照箇所には、その記載があります。")
		}
	}
}

// standsAt says how the contexts hold a place.
func (t *telling) standsAt(p toldPlace) {
	k := t.x.config.Retrieve.K
	switch {
	case p.InContext:
		t.say("The contexts hold it.", "参照箇所には含まれていました。")
	case p.part > 0:
		t.say("A chunk border cuts it, and only a part was retrieved (rank %d).", "チャンクの境界で分断され、一部しか取得されていませんでした（順位%d位）。", p.part)
		if p.Rank > k && k > 0 {
			t.say("The whole of it ranks at %d, outside k = %d.", "全体を含むチャンクの検索順位は%d位で、k=%dの外でした。", p.Rank, k)
		}
	case t.x.d.Detail == missedBySearch || t.x.d.Detail == missedUntested:
		t.say("The approximate search missed it; an exact one finds it.", "近似検索が取りこぼしており、厳密な検索なら見つかります。")
	case p.Rank > k && k > 0:
		t.say("It ranks at %d, outside k = %d.", "検索順位は%d位で、k=%dの外でした。", p.Rank, k)
	case p.elsewhere:
		t.say("The contexts do not hold this place, though its figures stand elsewhere in them.",
			"この箇所は参照箇所に含まれていませんでしたが、同じ数値は参照箇所の別の箇所に記載されています。")
	default:
		t.say("The contexts do not hold it.", "参照箇所には含まれていませんでした。")
	}
}
