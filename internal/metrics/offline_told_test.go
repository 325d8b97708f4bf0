package metrics

import (
	"strings"
	"testing"
)

// TestReasonTold reads back what the offline judge says, in both languages: a wording that is changed on one side only fails here.
func TestReasonTold(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		for reason, want := range map[string]Told{
			correctnessReason(lang, 0.34, "the rest", ""):         {Known: true, Share: 0.34},
			correctnessReason(lang, 0.57, "", "it costs more"):    {Known: true, Share: 0.57, Conflict: true},
			correctnessReason(lang, 0.12, "the rest", "it costs"): {Known: true, Share: 0.12, Conflict: true},
			correctnessReason(lang, 0, "all of it", ""):           {Known: true},
			"covers nothing; 正解と矛盾する記述はない":                        {},
		} {
			if got := ReasonTold(reason); got != want {
				t.Errorf("%q tells %+v, want %+v", reason, got, want)
			}
		}
		if said := correctnessReason(lang, 0.004, "all of it", ""); strings.Contains(said, "0%") {
			t.Errorf("a share of nothing is said: %s", said)
		}
		d := correctnessData{Question: "Can I carry it on?", Reference: "Yes.", Answer: "No, it is not allowed.", Answerable: true}
		if got := ReasonTold(offlineCorrectness(d, lang).Reason); got != (Told{Known: true, Conflict: true}) {
			t.Errorf("the opposite of a right answer tells %+v", got)
		}
		d.Answer = "Ladders are stored in the cellar."
		if got := ReasonTold(offlineCorrectness(d, lang).Reason); got != (Told{Known: true}) {
			t.Errorf("neither yes nor no tells %+v", got)
		}
		d.Answerable = false
		if got := ReasonTold(offlineCorrectness(d, lang).Reason); got != (Told{}) {
			t.Errorf("an answer without a right one tells %+v", got)
		}
	}
	if (Told{}).Nothing() || (Told{Known: true, Share: preferredBy}).Nothing() || !(Told{Known: true, Share: 0.11}).Nothing() {
		t.Error("nothing is what the offline judge prefers no answer for")
	}
}
