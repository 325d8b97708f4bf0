package intake

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/text"
)

// questionIDs are names of ids of questions, as [plainName] writes them: what is asked, and that it is numbered. Ids of other things, such
// as sessions, traces and documents, are none.
var questionIDs = text.Lazy(`^(?:q|question|query|item|case|test|test ?case|eval(?:uation)?|(?:reference ?)?example|sample|data ?set ?item|faq|prompt|` +
	`(?:想定)?質問|設問|問い?|問題|(?:テスト|評価)?ケース|テスト|テスト項目|サンプル|例題|事例|評価項目|frage)` +
	`[ の]*(?:id|no|nr|num|number|nummer|key|code|番号|no\.|コード|キー)\.?$`)

// rowNumbers are names of what counts the rows of a file, which another file counts otherwise.
var rowNumbers = text.Lazy(`^(?:row|line|行)`)

// IDColumns are the columns that are called as ids of questions, the surest first, and those that are called as what counts rows: No., 項番.
// The second may as well number the rows of a part, or the repetitions of one question: what they hold has to say so.
func IDColumns(columns []string) (named, counting []int) {
	keys := make([]string, len(columns))
	for i, name := range columns {
		keys[i] = ColumnKey(name)
	}
	for _, alias := range idAliases {
		if i := slices.Index(keys, alias); i >= 0 && alias != "番号" {
			named = append(named, i)
		}
	}
	for i, name := range columns {
		switch {
		case slices.Contains(named, i) || len(name) > longestSample:
		case questionIDs.MatchString(plainName(name)):
			named = append(named, i)
		case FieldNamed(name) == FieldID && !rowNumbers.MatchString(plainName(name)):
			counting = append(counting, i)
		}
	}
	return named, counting
}
