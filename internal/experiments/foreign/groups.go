package foreign

import (
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// groupFields are what a table of results may say of its questions beside texts and scores, in the order in which they are told: which of
// them must never get worse, and what they are about.
var groupFields = []string{intake.FieldCritical, intake.FieldTheme, intake.FieldCategory, intake.FieldTags}

// longestGroup is how many letters the name of a theme or category has at most.
const longestGroup = 40

// groupField is the field of a column that marks or groups the questions, "" for any other. A name alone says it only where it is the
// field's own; of other names what the column holds has to suit, so that titles and remarks are no themes.
func groupField(name string, cells iter.Seq[any]) string {
	field := intake.FieldNamed(name)
	if intake.ColumnKey(name) == field && (field == intake.FieldCritical || field == intake.FieldTags) {
		return field
	}
	if DirectionOf(name) != DirectionUnknown {
		return ""
	}
	switch field {
	case intake.FieldCritical:
		if marksSome(cells) {
			return field
		}
	case intake.FieldTheme, intake.FieldCategory:
		if groupsRows(cells) {
			return field
		}
	}
	return ""
}

// marksSome reports whether a column says yes of some rows, and of the others no or nothing.
func marksSome(cells iter.Seq[any]) bool {
	some := false
	for v := range cells {
		yes, err := intake.CellBool(v, false)
		if err != nil {
			return false
		}
		some = some || yes
	}
	return some
}

// groupsRows reports whether a column holds short words, each for two rows on average at least.
func groupsRows(cells iter.Seq[any]) bool {
	filled, names := 0, map[string]bool{}
	for v := range cells {
		if blank(v) {
			continue
		}
		s, isText := shownText(v)
		if !isText || utf8.RuneCountInString(s) > longestGroup {
			return false
		}
		if _, state := cellScore(v); state == scoreThere {
			return false
		}
		filled++
		names[s] = true
	}
	return filled > 0 && 2*len(names) <= filled
}

// groupedBy reads what the columns of such fields say of a row: whether its question is critical, and its tags.
func groupedBy(columns []string, fields map[string]string, cell func(column int) any, fault func(column, message string)) (critical bool,
	tags []string) {
	tag := func(s string) {
		if s != "" && !slices.Contains(tags, s) {
			tags = append(tags, s)
		}
	}
	for _, field := range groupFields {
		at := columnOf(field, columns, fields)
		if at < 0 || blank(cell(at)) {
			continue
		}
		var err error
		switch field {
		case intake.FieldCritical:
			critical, err = intake.CellBool(cell(at), false)
		case intake.FieldTags:
			var list []any
			list, _, err = intake.CellList(cell(at), intake.AsSplit, intake.SplitTags)
			for _, one := range list {
				if s, unread := intake.CellText(one); unread == nil {
					tag(s)
				}
			}
		default:
			var s string
			if s, err = intake.CellText(cell(at)); s != "" {
				tag(field + ":" + s)
			}
		}
		if err != nil {
			fault(columns[at], err.Error())
		}
	}
	return critical, tags
}
