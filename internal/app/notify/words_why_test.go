package notify

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestReasonsOfAJapaneseMessage: a message says why a slot ended so, what its fire noted and why a schedule is paused in the words of the
// pages, by the clock of the schedule; what others wrote stays.
func TestReasonsOfAJapaneseMessage(t *testing.T) {
	t.Parallel()
	tokyo := printer{ja: true, NoticeFacts: experiments.NoticeFacts{Zone: "Asia/Tokyo"}}
	for written, want := range map[string]string{
		"49 questions arrived in 7 days; 1 trace with a question that was asked before or after: its newest answer counts; " +
			"evaluated 48 questions as asked-asked@1; 44 of them have a right answer, the others are scored by metrics that need none; " +
			"compared with the baseline: 44 of 48 questions that it was asked too; connection refused": "7日間に届いた質問は49件；" +
			"繰り返し尋ねられた1件は最新の回答を採用；48件を asked-asked@1 として評価；" +
			"うち44件には正解があり、ほかは正解の要らない指標だけで評価；48件のうち44件を比較の基準と比較；" +
			"connection refused",
		"the budget of the month is spent: 3.00 USD of 3.00 USD": "今月の予算を使い切りました：3.00 USDのうち3.00 USD",
		"somebody paused it": "手動で停止しました",
		"it failed 3 times in a row; the last time: run 0123abcd is being worked": "3回続けて失敗しました。" +
			"最後の理由：実行 0123abcd は処理中です",
		"nothing was running until 2026-11-01 21:00 UTC": "2026-11-02 06:00 JSTまで何も稼働していませんでした",
		"it needs what is not there: x\r\nevil":          "必要なものがありません：x evil",
	} {
		if got := tokyo.why(written); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		if got := (printer{}).why(written); got != line(written, toldReason) {
			t.Error(got)
		}
	}
}
