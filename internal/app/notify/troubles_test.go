package notify

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestAPausedFireIsToldInTheWordsOfTheModel: a message says in each language why the run stands still and what the model wrote, whole.
func TestAPausedFireIsToldInTheWordsOfTheModel(t *testing.T) {
	t.Parallel()
	words := "I would give it a four. " + strings.Repeat("Perhaps. ", 45) + "That is all."
	w, run := apptest.NewUseless(t, words)
	facts := FactsOf(w.Workbench, experiments.Schedule{Name: "weekly", Experiment: "bought", Zone: "Asia/Tokyo"})
	_, err := w.Resume(t.Context(), run.ID)
	facts.Fire = &experiments.Fire{State: experiments.FireFailed, RunID: run.ID, Reason: problem.From(err).Message}
	ExplainWorse(t.Context(), w.Workbench, &facts)
	n := experiments.Notice{ID: "n", Kind: experiments.NoticeAlert, Reasons: []experiments.NoticeReason{experiments.ReasonFailed},
		Facts: facts}
	for lang, why := range map[string]string{
		"en": "stands still: too many replies were of no use.", "ja": "は停止しています（使えない応答が多すぎる）。",
	} {
		if said := tell(n, lang).plain(); !strings.Contains(said, why) || strings.Count(said, words) != 1 ||
			!strings.Contains(said, "runs resume "+run.ID) {
			t.Errorf("the message in %s is\n%s", lang, said)
		}
		for _, kind := range []string{"webhook", "slack"} {
			body, err := WebhookBody(n, app.ChannelConfig{Kind: kind, Lang: lang})
			if err != nil || !strings.Contains(string(body), "That is all.") {
				t.Errorf("%s in %s: %v\n%s", kind, lang, err, body)
			}
		}
	}
}
