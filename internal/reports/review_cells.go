package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// reviewColumns are the columns that people fill in, with their drop-downs, and the hidden ones that name the answer.
func (b *book) reviewColumns() []column {
	var out []column
	list := 0
	for _, c := range reviewform.Columns() {
		made := column{title: c.Heading(b.Lang), width: c.Width, hidden: c.Hidden,
			look: spreadsheet.Look{Wrap: true, Fill: spreadsheet.Entry, Format: "@"}}
		switch {
		case c.Hidden:
			made.look = spreadsheet.Look{Color: spreadsheet.Faded}
		case len(c.Values) > 0:
			list++
			made.look = spreadsheet.Look{Wrap: true, Fill: spreadsheet.Entry, Align: "center"}
			name := spreadsheet.ColumnName(list)
			made.list = fmt.Sprintf("'%s'!$%s$1:$%s$%d", b.sheetName("sheet.lists"), name, name, len(c.Values))
		}
		out = append(out, made)
	}
	return out
}

// reviewCells are one row of them: empty but for what names the answer.
func (b *book) reviewCells(r row) []cell {
	out := make([]cell, len(reviewKeys()))
	hidden := reviewform.HiddenCells(b.after.run.ID, *r.question, *r.result)
	for i, key := range reviewKeys() {
		out[i].value = hidden[key]
	}
	return out
}

// reviewKeys are the keys of the review columns: every row asks for them.
var reviewKeys = sync.OnceValue(func() []string {
	var keys []string
	for _, c := range reviewform.Columns() {
		keys = append(keys, c.Key)
	}
	return keys
})

// listSheet holds what the drop-downs offer. A list within the rule itself may not be longer than 255 characters.
func (b *book) listSheet() {
	sheet, at := b.sheetName("sheet.lists"), 0
	for _, c := range reviewform.Columns() {
		if len(c.Values) == 0 {
			continue
		}
		at++
		for i, word := range c.Words(b.Lang) {
			var v any = word
			if n, err := strconv.Atoi(word); err == nil {
				v = n
			}
			b.Keep(b.File.SetCellValue(sheet, spreadsheet.CellName(at, i+1), v))
		}
	}
	b.Keep(b.File.SetSheetVisible(sheet, false))
}

// people is what reviewers said of an answer; "" when nobody did.
func (f *content) people(id string) string {
	h := f.humans[id]
	if h == nil {
		return ""
	}
	var out []string
	for _, r := range h.Reviews {
		word := f.causeText().list([]string{f.verdictWord(r.Verdict), level(f.title(correctness), r.Correctness),
			level(f.title(trust), r.Trust)})
		if word == "" {
			word = text.Cut(spreadsheet.Clean(r.Comment), 60)
		}
		out = append(out, spreadsheet.Clean(r.Reviewer)+": "+word)
	}
	return strings.Join(out, "\n")
}

func level(name string, v *int) string {
	if v == nil {
		return ""
	}
	return name + " " + strconv.Itoa(*v)
}

// verdictWord is a reviewer's verdict in the words of the drop-down.
func (f *content) verdictWord(v experiments.Verdict) string {
	for _, c := range reviewform.Columns() {
		for _, value := range c.Values {
			if c.Key == reviewform.Verdict && value.Key == string(v) {
				return value.Word(f.Lang)
			}
		}
	}
	return string(v)
}

// patternOf is how an answer fails: by its diagnosis, else by which score is low.
func (f *content) patternOf(r *experiments.Result) string {
	if d := f.causes[r.QuestionID]; d != nil && d.Pattern != "" {
		return f.causeText().pattern(d.Pattern)
	}
	if f.rule.Own {
		return f.lowBy(r)
	}
	if c, ok := findings.CornerOf(*r, f.threshold); ok {
		return f.causeText().corner(c)
	}
	return ""
}

// because is the component-level cause of an answer, with a mark where it was only observed.
func (b *book) because(id string) cell {
	d := b.causes[id]
	if d == nil {
		return b.word("word.none")
	}
	word := b.causeText().component(d.Component)
	if d.Method != causes.Tested {
		word += " " + b.words.Say("word.observed")
	}
	return cell{value: word}
}

func (f *content) rationale(id string) string {
	if d := f.causes[id]; d != nil {
		return spreadsheet.Clean(f.each(d.Rationale.In))
	}
	return ""
}

// certainty is how the cause of an answer is known, in the words that the page of terms explains.
func (f *content) certainty(id string) string {
	if d := f.causes[id]; d != nil {
		return f.each(func(lang string) string { return findings.Certainty(d.Standing()).Word(lang) })
	}
	return ""
}

// changeWord is what became of a question since the baseline.
func (b *book) changeWord(id string) cell {
	if b.Comparison == nil {
		return b.word("word.none")
	}
	if b.apart[id] {
		return b.word("word.not_compared")
	}
	if slices.Contains(b.Comparison.Undecided, id) {
		return b.word("word.not_scored")
	}
	label := analysiscompare.NoChange
	if v, ok := b.changes[id]; ok {
		label = v.Verdict
	}
	c := cell{value: b.each(label.Word)}
	switch label {
	case analysiscompare.Worse:
		c.look = &badLook
	case analysiscompare.NeedsCheck, analysiscompare.Mixed:
		c.look = &checkLook
	case analysiscompare.Better:
		c.look = &goodLook
	case analysiscompare.NoChange:
		c.look = &wordLook
	}
	return c
}
