package notify

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// japaneseNotes are the notes that a fire writes, and what a Japanese message says instead. The pages have the same in
// frontend/src/pages/schedules/reason.ts.
var japaneseNotes = []struct {
	en *text.Pattern
	ja string
}{
	{text.Lazy(`^(\d+) questions? arrived in (\d+) days?$`), "${2}日間に届いた質問は${1}件"},
	{text.Lazy(`^(\d+) traces? with a question that was asked before or after: .*$`), "繰り返し尋ねられた${1}件は最新の回答を採用"},
	{text.Lazy(`^a sample of (\d+) of (\d+) questions?$`), "${2}件から${1}件を抽出"},
	{text.Lazy(`^evaluated (\d+) questions? as (\S+)$`), "${1}件を${2}として評価"},
	{text.Lazy(`^(\d+) of them have a right answer, .*$`), "うち${1}件には正解があり、ほかは正解の要らない指標だけで評価"},
	{text.Lazy(`^compared with the baseline: (\d+) of (\d+) questions? that it was asked too$`), "${2}件のうち${1}件を比較の基準と比較"},
	{text.Lazy(`^nothing is compared: the baseline (\S+) was asked none of these questions$`),
		"比較の基準${1}に同じ質問がないため比較していません"},
	{text.Lazy(`^(\d+) answers are still in doubt: the budget was spent$`), "予算を使い切ったため、${1}件は未確定"},
	{text.Lazy(`^nothing in doubt was checked: the budget was spent$`), "予算を使い切ったため、疑わしい回答は確認していません"},
	{text.Lazy(`^the judge was not checked: the budget was spent$`), "予算を使い切ったため、評価モデルは確認していません"},
}

// note is what a fire noted, in the language of the message; what is not known stays as it is.
func (t printer) note(reason string) string {
	if !t.ja || reason == "" {
		return reason
	}
	parts := strings.Split(reason, "; ")
	for i, part := range parts {
		parts[i], _ = problem.Japanese(part)
		for _, n := range japaneseNotes {
			if n.en.MatchString(part) {
				parts[i] = n.en.ReplaceAllString(part, n.ja)
				break
			}
		}
	}
	return strings.Join(parts, "。")
}
