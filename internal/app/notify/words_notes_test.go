package notify

import "testing"

// TestNotesOfAJapaneseMessage: what a fire of real questions notes is said in Japanese; what nobody knows stays.
func TestNotesOfAJapaneseMessage(t *testing.T) {
	t.Parallel()
	const said = "49 questions arrived in 7 days; 1 trace with a question that was asked before or after: its newest answer counts; " +
		"evaluated 48 questions as asked-asked@1; 44 of them have a right answer, the others are scored by metrics that need none; " +
		"compared with the baseline: 44 of 48 questions that it was asked too; connection refused"
	want := "7日間に届いた質問は49件。繰り返し尋ねられた1件は最新の回答を採用。48件をasked-asked@1として評価。" +
		"うち44件には正解があり、ほかは正解の要らない指標だけで評価。48件のうち44件を比較の基準と比較。connection refused"
	if got := (printer{ja: true}).note(said); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := (printer{}).note(said); got != said {
		t.Error(got)
	}
}
