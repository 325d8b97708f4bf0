package intake

import "slices"

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
		case says(alsoCase, name):
			named = append(named, i)
		case FieldNamed(name) == FieldID && !says(alsoRowNumber, name):
			counting = append(counting, i)
		}
	}
	return named, counting
}
