package metrics

import "testing"

// TestFiguresOfOperationBySpelling: a unit stands behind the name of a figure in whatever brackets, or without any.
func TestFiguresOfOperationBySpelling(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Latency", "latency_ms", "Latency (s)", "Latency [s]", "Latency[ms]", "Latency {s}", "Latency <s>", "Latency, s", "Latency: sec",
		"Ｌａｔｅｎｃｙ［ｓ］", "Latency （s）", "LATENCY [P95]", "Response time [s]", "response_time_[s]", "Cost [USD]", "Cost [$]", "cost/total",
		"Total tokens [sum]", "Token count [total]", "Time to first token [s]", "duration [milliseconds]", "seconds",
		"レイテンシ", "レイテンシ(秒)", "レイテンシ（秒）", "レイテンシ[秒]", "レイテンシ［秒］", "レイテンシ【秒】", "レイテンシ〔ミリ秒〕", "レイテンシー［ｍｓ］",
		"ﾚｲﾃﾝｼ[秒]", "平均応答時間［秒］", "応答時間（平均）[秒]", "処理時間・秒", "費用［円］", "コスト【¥】", "トークン数［合計］", "遅延_ms",
		"文字数", "回答文字数", "Kosten", "Kosten [EUR]", "Laufzeit (s)", "Dauer", "Antwortzeit",
	} {
		for _, id := range []string{name, PlainTable + "." + name} {
			if !OfOperation(id) {
				t.Errorf("%q is taken for a score of answers", id)
			}
		}
	}
	for _, name := range []string{
		"Accuracy [%]", "正確性［点］", "正確性（5段階）", "Time sensitivity", "Latency [rating]", "応答時間の妥当性［点］", "コスト意識", "秒", "[s]", "[]", "",
		"文字数の適切さ", "Correctness [s]", "timeliness", "丁寧さ【平均】", "min", "円",
	} {
		for _, id := range []string{name, PlainTable + "." + name} {
			if OfOperation(id) {
				t.Errorf("%q is taken for a figure of operation", id)
			}
		}
	}
}
