package validation

import (
	"maps"
	"testing"
)

// TestLightsBetterThanTheirFiguresAreNamed forges every light of a card, one at a time.
func TestLightsBetterThanTheirFiguresAreNamed(t *testing.T) {
	t.Parallel()
	bad, auroc := newProtocol("J1", 50), .5
	bad.add(share("missing", 10, 50), share("ideal", 50, 50))
	good := newProtocol("J2", 50)
	good.add(share("grounded", 50, 50))
	card := JudgeCard{Protocols: map[string]Protocol{"J1": bad, "J2": good},
		Datasets: []DatasetScore{{Name: "ours", N: 40, AUROC: &auroc, Light: Red}}}
	card.Settle()
	if wrong := card.WrongLights(); card.Status != Red || len(wrong) > 0 {
		t.Fatalf("an honest card: %s %v", card.Status, wrong)
	}
	for name, forge := range map[string]func(*JudgeCard){
		"status GREEN → RED": func(c *JudgeCard) { c.Status = Green },
		"J1 GREEN → RED":     func(c *JudgeCard) { p := c.Protocols["J1"]; p.Light = Green; c.Protocols["J1"] = p },
		"J1 missing AMBER → RED": func(c *JudgeCard) {
			p := c.Protocols["J1"]
			p.Checks = append([]Check{}, p.Checks...)
			p.Checks[0].Light = Amber
			c.Protocols["J1"] = p
		},
		"ours GREEN → RED": func(c *JudgeCard) { c.Datasets = []DatasetScore{{Name: "ours", N: 40, AUROC: &auroc, Light: Green}} },
	} {
		forged := card
		forged.Protocols = maps.Clone(card.Protocols)
		forge(&forged)
		if wrong := forged.WrongLights(); len(wrong) != 1 || wrong[0].String() != name {
			t.Errorf("%s: %v", name, wrong)
		}
	}
	worse := card
	worse.Protocols = maps.Clone(card.Protocols)
	good.Light = Amber // items were lost
	worse.Protocols["J2"] = good
	if wrong := worse.WrongLights(); len(wrong) > 0 {
		t.Errorf("a light that is worse than its figures: %v", wrong)
	}
}
