package findings

import (
	"fmt"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestTheFrontIsNumberedAndJoined: from the cheapest on, with the names of the configurations and their keys.
func TestTheFrontIsNumberedAndJoined(t *testing.T) {
	t.Parallel()
	named := func(s string) charts.Words { return charts.Words{EN: s} }
	p, err := Front([]FrontPoint{{Key: "c", Name: named("k 8"), Cost: 900, Quality: 0.7, Standing: compare.OnFront},
		{Key: "a", Name: named("k 3"), Cost: 500, Quality: 0.5, Standing: compare.Dominated, Baseline: true},
		{Key: "b", Name: named("k 4"), Cost: 400, Quality: 0.6, Standing: compare.OnFront}}, "tokens")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range p.Marks {
		got = append(got, m.Key+" "+m.Text)
	}
	if fmt.Sprint(got, p.Path) != "[b 1 c 2 a ■] [0 1]" {
		t.Error(got, p.Path)
	}
	if said := p.Said(p.Marks[2], "ja"); said != "設定: k 3（比較の基準）, 1質問あたりの参照箇所のトークン数: 500, "+
		"低スコアでない回答の割合（%）: 50, 位置づけ: 他に劣る" {
		t.Error(said)
	}
	if p, err := Front(nil, "price"); p != nil || err != nil {
		t.Error(p, err)
	}
}

// TestTheCurveSaysWhatWasTried: what harms is told apart, and stands beside the line.
func TestTheCurveSaysWhatWasTried(t *testing.T) {
	t.Parallel()
	at := func(name string, cost, repaired float64, change func(*causes.RepairPoint)) causes.RepairPoint {
		p := causes.RepairPoint{Name: experiments.Rationale{EN: name, JA: name}, Cost: cost, Repaired: repaired}
		change(&p)
		return p
	}
	p, err := Curve([]causes.RepairPoint{at("k 8", 2, 5, func(p *causes.RepairPoint) { p.Recommended = true }),
		at("hybrid", 1, 0, func(p *causes.RepairPoint) { p.Harms = true }), at("k 6", 1.5, 3, func(*causes.RepairPoint) {})})
	if err != nil || fmt.Sprint(p.Path) != "[0 2]" || len(p.Colour.Names) != 3 {
		t.Fatalf("%+v %v", p, err)
	}
	if said := p.Said(p.Marks[1], "en"); said != "change: hybrid, Length of the contexts (times): 1.00, Low-score answers repaired: 0, "+
		"standing: breaks as many as it repairs" {
		t.Error(said)
	}
}
