package document

import (
	"fmt"
	"strings"
	"testing"
)

// TestASchedulesMistakeIsToldWithTheOthers: what a schedule of the front matter could not be registered with is wrong with the notebook, on
// the line of the schedules, and what it can be registered with is not.
func TestASchedulesMistakeIsToldWithTheOthers(t *testing.T) {
	t.Parallel()
	for schedule, code := range map[string]string{
		`{name: a, cron: "0 6 * * 1", zone: Europe/Berlin, budget: 2.50, params: {k: 3}}`: "",
		`{name: a, cron: "@daily", budget: 500calls, params: {p.k: 20}}`:                  "",
		`{name: a, cron: "0 25 * * 1"}`:                                                   "cron_text",
		`{name: a, cron: "0 6 * *"}`:                                                      "cron_text",
		`{name: a, cron: "0 6 * * 1", zone: Europe/Berln}`:                                "zone_unknown",
		`{name: a, cron: "0 6 * * 1", budget: "-5"}`:                                      "budget",
		`{name: a, cron: "0 6 * * 1", params: {kk: 3}}`:                                   "param_unknown",
		`{name: a, cron: "0 6 * * 1", params: {k: 300}}`:                                  "param_value",
	} {
		source := "---\nragnb: 1\ntitle: {en: T}\nschedules:\n  - " + schedule +
			"\n---\n\n```rag params p\nk: {type: integer, default: 1, min: 1, max: 20}\n```\n"
		_, wrong := Read("n.rag.md", []byte(source))
		if code == "" {
			if len(wrong) > 0 {
				t.Errorf("%s: %v", schedule, wrong[0])
			}
			continue
		}
		if len(wrong) != 1 || wrong[0].Code != code || wrong[0].Params["line"] != 4 ||
			!strings.HasPrefix(wrong[0].Message, "n.rag.md:4: ") {
			t.Errorf("%s: %d mistakes, want %s: %+v", schedule, len(wrong), code, wrong)
		}
	}
}

// TestARefusedValueIsToldItsBounds: whoever misses the bounds of a parameter reads them.
func TestARefusedValueIsToldItsBounds(t *testing.T) {
	t.Parallel()
	low, high := 100.0, 2e6
	for _, c := range []struct {
		param  Param
		en, ja string
	}{
		{Param{Name: "size", Type: "integer", Min: &low, Max: &high}, "integer from 100 to 2000000", "100〜2000000の整数"},
		{Param{Name: "size", Type: "integer", Min: &low}, "integer of 100 or more", "100以上の整数"},
		{Param{Name: "size", Type: "number", Max: &low}, "number of 100 or less", "100以下の数値"},
		{Param{Name: "size", Type: "integer"}, "integer", "整数"},
	} {
		if _, err := c.param.Parse("5x"); err == nil {
			t.Fatalf("%+v takes 5x", c.param)
		}
		if got := fmt.Sprint(c.param.fits()); got != fmt.Sprint(Words{c.en, c.ja}) {
			t.Errorf("%s", got)
		}
	}
}
