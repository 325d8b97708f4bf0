// Package reviewform is the form about an answer that people fill in on a sheet of a report: its columns, which the workbook carries
// ([Columns]), and what somebody wrote into them, read back from wherever it was moved to ([Read]). It does not know how a report is
// made.
package reviewform

import (
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/text"
)

// Column is one column of the sheets that people review answers on. A workbook carries all of them, empty but for the hidden
// ones, beside the answers; [Read] finds them again by their headings wherever they have been moved. What people said
// before belongs into columns of its own: a review column that is filled in already would be read as the next person's words.
type Column struct {
	Key    string  // stable: "run_id", "verdict", …
	EN, JA string  // heading; no other column of a workbook may have it
	Hidden bool    // an id that people need not see; written by the workbook for each row
	Values []Value // the drop-down's; nil for free text
	Width  float64 // in characters
}

// Value is one choice of a drop-down.
type Value struct {
	Key    string // what is stored
	EN, JA string // what people choose
}

// The keys of the review columns.
const (
	RunID       = "run_id"
	QuestionID  = "question_id"
	Shown       = "shown" // [experiments.ShownDigest]
	Verdict     = "verdict"
	Correctness = "correctness"
	Trust       = "trust"
	Cause       = "cause"
	Reference   = "corrected_reference"
	Action      = "action"
	Priority    = "priority"
	Comment     = "comment"
	Reviewer    = "reviewer"
)

// Columns are the columns in the order in which they stand, to the right of everything else on a sheet.
func Columns() []Column {
	levels := []Value{{"1", "1", "1"}, {"2", "2", "2"}, {"3", "3", "3"}, {"4", "4", "4"}, {"5", "5", "5"}}
	return []Column{
		{Key: Verdict, EN: "Review: verdict", JA: "レビュー：判定", Width: 13, Values: []Value{
			{string(experiments.CorrectAnswer), "correct", "正しい"},
			{string(experiments.IncorrectAnswer), "incorrect", "誤り"},
			{string(experiments.UnsureVerdict), "unsure", "判断できない"},
		}},
		{Key: Correctness, EN: "Review: correctness (1–5)", JA: "レビュー：正確性（1–5）", Width: 13, Values: levels},
		{Key: Trust, EN: "Review: trust (1–5)", JA: "レビュー：信頼性（1–5）", Width: 13, Values: levels},
		{Key: Cause, EN: "Review: cause", JA: "レビュー：原因", Width: 18, Values: causeValues()},
		{Key: Reference, EN: "Review: corrected reference", JA: "レビュー：正解の修正", Width: 30},
		{Key: Action, EN: "Review: action", JA: "レビュー：対応", Width: 24},
		{Key: Priority, EN: "Review: priority", JA: "レビュー：優先度", Width: 12, Values: []Value{
			{string(experiments.HighPriority), "high", "高"},
			{string(experiments.MediumPriority), "medium", "中"},
			{string(experiments.LowPriority), "low", "低"},
		}},
		{Key: Comment, EN: "Review: comment", JA: "レビュー：コメント", Width: 30},
		{Key: Reviewer, EN: "Review: reviewer", JA: "レビュー：レビュー担当者", Width: 16},
		{Key: RunID, EN: "run_id", JA: "run_id", Hidden: true, Width: 14},
		{Key: QuestionID, EN: "question_id", JA: "question_id", Hidden: true, Width: 14},
		{Key: Shown, EN: "shown", JA: "shown", Hidden: true, Width: 18},
	}
}

// causeWords name the component-level causes in both languages, in the words of the analysis: a drop-down says what the sheet says.
var causeWords = sync.OnceValue(func() map[causes.Component][2]string {
	words := map[causes.Component][2]string{}
	for _, c := range causes.Components() {
		words[c] = [2]string{c.Word("en"), c.Word("ja")}
	}
	return words
})

func causeValues() []Value {
	var out []Value
	for _, c := range causes.Components() {
		out = append(out, Value{string(c), causeWords()[c][0], causeWords()[c][1]})
	}
	return out
}

// Heading is the column's heading in "en", "ja" or "both".
func (c Column) Heading(lang string) string { return wording.Worded(c.EN, c.JA, lang) }

// Word is the choice in "en", "ja" or "both".
func (v Value) Word(lang string) string { return wording.Worded(v.EN, v.JA, lang) }

// Words are a drop-down's choices in "en", "ja" or "both"; nil for free text.
func (c Column) Words(lang string) []string {
	var out []string
	for _, v := range c.Values {
		out = append(out, v.Word(lang))
	}
	return out
}

// HiddenCells are the values of the hidden columns of one row, by key.
func HiddenCells(runID string, q experiments.Question, r experiments.Result) map[string]string {
	return map[string]string{RunID: runID, QuestionID: r.QuestionID, Shown: experiments.ShownDigest(q, r)}
}

// columnOf finds the column with a heading in any language; nil when it is none of ours.
func columnOf(heading string) *Column {
	heading = plainWord(heading)
	for _, c := range Columns() {
		for _, lang := range []string{"en", "ja", "both"} {
			if plainWord(c.Heading(lang)) == heading {
				return &c
			}
		}
	}
	return nil
}

// keyOf finds the choice with a word in any language, or the key itself.
func (c Column) keyOf(word string) (string, bool) {
	for _, v := range c.Values {
		if word == v.EN || word == v.JA {
			return v.Key, true
		}
	}
	word = plainWord(word)
	for _, v := range c.Values {
		for _, known := range []string{v.Key, v.EN, v.JA, v.Word("both")} {
			if plainWord(known) == word {
				return v.Key, true
			}
		}
	}
	return "", false
}

// plainWord folds what spreadsheets and input methods change without anybody noticing: white space, letter case, wide characters and
// dashes.
func plainWord(s string) string { return plainSigns.Replace(text.Fold(s)) }

var plainSigns = strings.NewReplacer(" ", "", "–", "-", "−", "-")
