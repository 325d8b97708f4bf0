package metrics

import (
	"math/rand/v2"
	"regexp"
	"strconv"
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

// TestReasonToldOfAnyText: whatever a reason is put together of, it is read as these patterns read it.
func TestReasonToldOfAnyText(t *testing.T) {
	t.Parallel()
	covers := regexp.MustCompile(`^(?:covers (\d+)% of the reference|正解の(\d+)%を含む|nothing of the reference was found in it|` +
		`正解に当たる記述が見つからない)(; conflicts with it: |。正解と矛盾する記述：)?`)
	opposite := regexp.MustCompile(`^(?:says the opposite of the reference|正解と逆の回答である)$`)
	noYes := regexp.MustCompile(`^(?:does not answer yes or no|「はい」か「いいえ」かを答えていない)$`)
	parts := []string{"covers ", "12", "0", "99999999999999999999", "% of the reference", "正解の", "7", "٣", "%を含む", " ", "\n",
		"nothing of the reference was found in it", "正解に当たる記述が見つからない", "; conflicts with it: ", "。正解と矛盾する記述：",
		"says the opposite of the reference", "正解と逆の回答である", "does not answer yes or no", "「はい」か「いいえ」かを答えていない"}
	r := rand.New(rand.NewPCG(3, 5))
	known := 0
	for range 200_000 {
		reason := ""
		for range r.IntN(6) {
			reason += parts[r.IntN(len(parts))]
		}
		want := Told{Known: opposite.MatchString(reason) || noYes.MatchString(reason), Conflict: opposite.MatchString(reason)}
		if m := covers.FindStringSubmatch(reason); m != nil {
			percent, _ := strconv.Atoi(m[1] + m[2]) // neither is nothing
			want = Told{Known: true, Share: float64(percent) / 100, Conflict: m[3] != ""}
		}
		if got := ReasonTold(reason); got != want {
			t.Fatalf("%q tells %+v, want %+v", reason, got, want)
		}
		if want.Known {
			known++
		}
	}
	if known < 10_000 {
		t.Errorf("only %d reasons tell anything", known)
	}
}
