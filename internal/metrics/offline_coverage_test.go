package metrics

import (
	"strings"
	"testing"
)

// coverageCases are answers of which the coverage of the reference is decided by what they say beside or instead of it.
var coverageCases = map[string][]judgedCase{
	"en": {
		{
			name: "says that the documents are silent, and adds to it", question: "Who built the lighthouse?", unanswerable: true,
			answer:      "The documents do not say who built the lighthouse. Its tower is open to visitors from May to October.",
			correctness: [2]int{4, 4},
		},
		{
			name: "invents where the documents are silent", question: "Who built the lighthouse?", unanswerable: true,
			answer: "A harbour master built the lighthouse.", correctness: [2]int{1, 1},
		},
		{
			name: "all numbers in other words", question: "What does a berth cost?",
			reference: "EUR 14 a night in winter, EUR 26 in summer.", answer: "The price is 14 euros in the winter half of the year and 26 euros after.",
			correctness: [2]int{3, 5},
		},
		{
			name: "one number of two", question: "What does a berth cost?",
			reference: "EUR 14 a night in winter, EUR 26 in summer.", answer: "The price is 19 euros in the winter half of the year and 26 euros after.",
			correctness: wrong,
		},
		{
			name: "does not know what the reference says", question: "May boats stay overnight at the north pier?",
			reference:   "Boats up to 9 metres may stay overnight at the north pier.",
			answer:      "The harbour has two piers. The documents do not say whether boats up to 9 metres may stay overnight at the north pier.",
			correctness: wrong,
		},
	},
	"ja": {
		{
			name: "記載がないと述べ、書き加える", question: "灯台を建てたのは誰ですか。", unanswerable: true,
			answer: "灯台を建てた人については、文書に記載がありません。塔は5月から10月まで見学できます。", correctness: [2]int{4, 4},
		},
		{
			name: "記載がないのに答える", question: "灯台を建てたのは誰ですか。", unanswerable: true, answer: "灯台は港長が建てました。",
			correctness: [2]int{1, 1},
		},
		{
			name: "別の言葉で全部の数", question: "係留料はいくらですか。", reference: "冬季は1,400円、夏季は2,600円です。",
			answer: "暖かい月は2,600円、寒い月は1,400円です。", correctness: [2]int{3, 5},
		},
		{
			name: "二つの数の一つ", question: "係留料はいくらですか。", reference: "冬季は1,400円、夏季は2,600円です。",
			answer: "暖かい月は2,600円、寒い月は1,900円です。", correctness: wrong,
		},
		{
			name: "正解の内容を知らないと述べる", question: "北桟橋に船を一晩泊められますか。", reference: "長さ9メートルまでの船は、北桟橋に一晩泊められます。",
			answer: "港には桟橋が二つあります。長さ9メートルまでの船を北桟橋に一晩泊められるかどうかは、文書に記載がありません。", correctness: wrong,
		},
	},
}

// TestWhatAnAnswerCovers looks at answers that say what they do not know, and at those that say it in other words.
func TestWhatAnAnswerCovers(t *testing.T) {
	t.Parallel()
	for lang, cases := range coverageCases {
		for _, c := range cases {
			t.Run(lang+" "+c.name, func(t *testing.T) {
				t.Parallel()
				within(t, "correctness", judgeCorrectness(t, c), c.correctness)
			})
		}
	}
}

// TestABareYesIsNotMissing: an answer that says the rest of a reference lacks nothing that a reader would want to be told of.
func TestABareYesIsNotMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, question, reference, answer, word string }{
		{
			"en", "May I moor at the north pier?",
			"Yes. Boats up to 9 metres may moor at the north pier for one night between April and October. Longer boats moor at the south pier, " +
				"where the harbour office gives them a place on arrival.",
			"Boats up to 9 metres may moor at the north pier for one night between April and October. Longer boats moor at the south pier, " +
				"where the harbour office gives them a place on arrival.", "Yes",
		},
		{
			"ja", "北桟橋に係留できますか。",
			"はい。長さ9メートルまでの船は、4月から10月まで北桟橋に一晩係留できます。それより長い船は南桟橋に係留し、到着時に港の事務所が場所を割り当てます。",
			"長さ9メートルまでの船は、4月から10月まで北桟橋に一晩係留できます。それより長い船は南桟橋に係留し、到着時に港の事務所が場所を割り当てます。", "はい",
		},
	} {
		d := correctnessData{Question: c.question, Reference: c.reference, Answer: c.answer, Answerable: true}
		if got := offlineCorrectness(d, c.lang); got.Score < 4 || strings.Contains(got.Reason, c.word) {
			t.Errorf("%q is a %d: %s", c.answer, got.Score, got.Reason)
		}
	}
}
