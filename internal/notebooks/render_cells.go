package notebooks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/stats"
)

// shownCell is what reading mode shows of a cell; ok is false for cells that only prepare.
func (n cellPages) shownCell(v *View, c *document.Cell, lang string) (p ReadingBlock, ok bool) {
	at := v.Cell(c.Name)
	p = ReadingBlock{Kind: "cell", Cell: c.Name, Type: c.Type, Title: document.WordsOf(c.Values["title"]).In(lang), State: at.State,
		Why: at.WhyIn(lang)}
	if at.Error != nil {
		p.Error = at.Error.In(lang).Message
	}
	switch x := at.Value.(type) {
	case nil:
		return p, at.State != Fresh && c.Type != "config" && c.Type != "sweep"
	case document.Source: // what readers must know of it is that a part was asked
		p.Text = say(lang, "Asked: "+x.Size.In(lang)+" of "+x.Ref, "使用した質問："+x.Ref+" の"+x.Size.In(lang))
		return p, x.Count != x.Total || at.State != Fresh
	case document.Config:
		if x.Repaired == nil {
			return p, at.State != Fresh
		}
		p.repaired(*x.Repaired, lang)
	case document.RunSet:
		p.runs(x, lang)
	case document.Comparison:
		p.comparison(x, lang)
	case document.Failures:
		p.failures(x, lang)
	case document.CauseSet:
		p.causes(x, lang)
	case document.Answer:
		p.answer(x, lang)
	case document.Chart:
		p.Plan = PlanOf(x)
	case document.Rows:
		p.rows(x, lang)
	case document.Tabled:
		p.tabled(x, lang)
	case document.Verdict:
		p.verdict(x, lang)
	case document.Agreement:
		p.agreement(x, lang)
	case document.Report:
		if len(x.Found) == 0 || v.compares(x.Baseline, x.RunID) {
			return p, at.State != Fresh
		}
		p.found(x.Headline, x.Summary, x.Found, lang)
	default:
		return p, at.State != Fresh
	}
	return p, true
}

func (p *ReadingBlock) runs(x document.RunSet, lang string) {
	for _, r := range x.Runs {
		p.Runs = append(p.Runs, BoughtRun{r.Label, r.ID})
	}
	p.Table = &Table{Head: []string{say(lang, "Configuration", "設定"), say(lang, "Low scores", "低スコア"), say(lang, "Correctness", "正確性"),
		say(lang, "Trust", "信頼性"), say(lang, "Scored", "採点済み"), say(lang, "Run", "実行")}}
	for _, r := range x.Runs {
		name := r.Label
		if x.Best != nil && x.Best.ID == r.ID && len(x.Runs) > 1 {
			name += " ★"
		}
		p.Table.Rows = append(p.Table.Rows, []string{name, fmt.Sprintf("%d / %d", r.LowScores, r.Questions), score(r.Scores, "correctness"),
			score(r.Scores, "trust"), percent(r.Coverage), r.ID})
	}
}

func score(m map[string]float64, id string) string {
	if x, ok := m[id]; ok {
		return stats.Fixed(x, 2)
	}
	return "–"
}

func percent(x float64) string { return stats.PerCent(x, 1) }

// compares reports whether a compare cell says already what a report of the two runs would say.
func (v *View) compares(baseline, candidate string) bool {
	for _, c := range v.Cells {
		if x, ok := c.Value.(document.Comparison); ok && x.Baseline.ID == baseline && x.Candidate.ID == candidate {
			return true
		}
	}
	return false
}

// found says what came of a comparison: the findings, in their words and order.
func (p *ReadingBlock) found(headline, sentences document.Words, parts []document.Found, lang string) {
	p.Headline, p.Text = headline.In(lang), sentences.In(lang)
	for _, f := range parts {
		part := FoundRead{Name: f.Name, Title: f.Title.In(lang), Lines: []string{}}
		for _, l := range f.Lines {
			part.Lines = append(part.Lines, l.In(lang))
		}
		p.Found = append(p.Found, part)
	}
}

func (p *ReadingBlock) comparison(x document.Comparison, lang string) {
	p.found(x.Headline, x.Sentences, x.Found, lang)
	p.Figures = []Figure{
		{say(lang, "worse", "悪化"), document.Thousands(x.Worse.Count)},
		{say(lang, "mixed", "一長一短"), document.Thousands(x.Mixed.Count)},
		{say(lang, "needs check", "要確認"), document.Thousands(x.NeedsCheck.Count)},
		{say(lang, "better", "改善"), document.Thousands(x.Better.Count)},
		{say(lang, "low scores", "低スコア"), fmt.Sprintf("%d → %d", x.LowBefore, x.LowAfter)},
	}
	if x.LowUntold {
		p.Figures[len(p.Figures)-1].Value = say(lang, "cannot be told", "判断できません")
	}
	if x.Applied != nil {
		p.Figures = append([]Figure{{say(lang, "change that was made", "適用した変更"), x.Applied.Change.In(lang)}}, p.Figures...)
	}
	p.Table = &Table{Head: []string{say(lang, "Metric", "指標"), say(lang, "Before", "変更前"), say(lang, "After", "変更後"),
		say(lang, "Difference", "差")}}
	for _, id := range document.SortedKeys(x.Metrics) {
		m := x.Metrics[id]
		was, is, difference := stats.Beside(m.Baseline, m.Candidate, 2)
		p.Table.Rows = append(p.Table.Rows, []string{findings.MetricTitle(id).In(lang), was, is, difference})
	}
}

func (p *ReadingBlock) failures(x document.Failures, lang string) {
	p.Plan = PlanOf(x)
	if x.Untold {
		p.Text = say(lang, "Low scores cannot be told: nobody has said what a low score is in these scores; whoever imports the file can say it.",
			"低スコア回答かどうかは判断できません。取り込んだスコアの低スコアの定義がありません。"+
				"定義は、ファイルを取り込むときに指定できます。")
		return
	}
	p.Table = &Table{Head: []string{"ID", say(lang, "Question", "質問"), say(lang, "Answer", "回答")}}
	if len(x.By) > 0 {
		p.Text = say(lang, fmt.Sprintf("%d of %d answers have a low score (%s).", x.Count, x.Questions, x.Line.EN),
			fmt.Sprintf("%d件中%d件が低スコア回答です（%s）。", x.Questions, x.Count, x.Line.JA))
		for _, by := range x.By {
			p.Table.Head = append(p.Table.Head, by.Name.In(lang))
		}
	} else {
		p.Table.Head = append(p.Table.Head, say(lang, "Correctness", "正確性"), say(lang, "Trust", "信頼性"))
	}
	for _, a := range x.Answers {
		row := []string{a.ID, document.Cut(a.Question), document.Cut(a.Answer)}
		if len(x.By) == 0 {
			row = append(row, optional(a.Correctness), optional(a.Trust))
		}
		for _, by := range x.By {
			var score *float64
			if v, ok := a.Scores[by.ID]; ok {
				score = &v
			}
			row = append(row, optional(score))
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
	if !slices.ContainsFunc(x.Answers, func(a document.Answer) bool { return a.Question != "" || a.Answer != "" }) {
		p.Table.Head = slices.Delete(p.Table.Head, 1, 3)
		for i, row := range p.Table.Rows {
			p.Table.Rows[i] = slices.Delete(row, 1, 3)
		}
	}
}

func optional(x *float64) string {
	if x == nil {
		return "–"
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}

func (p *ReadingBlock) causes(x document.CauseSet, lang string) {
	if p.Text = x.Summary.In(lang); len(x.Facts) > 1 { // cells that ran before there were facts have the paragraph only
		p.Text = ""
		lines := make([]string, len(x.Facts))
		for i, fact := range x.Facts {
			lines[i] = fact.In(lang)
		}
		p.Found = []FoundRead{{Name: "causes", Title: say(lang, "What was found", "分かったこと"), Lines: lines}}
	}
	p.Plan = PlanOf(x)
	if change := x.Change.In(lang); change != "" {
		p.Figures = []Figure{{say(lang, "change to consider first", "最初に検討する変更"), change}} // the summary tells what trying it gave
	}
}

func (p *ReadingBlock) answer(x document.Answer, lang string) {
	p.Table = &Table{Head: []string{"", x.ID}, Rows: [][]string{
		{say(lang, "Question", "質問"), x.Question},
		{say(lang, "Right answer", "正解"), x.Reference},
		{say(lang, "Answer", "回答"), x.Answer},
		{say(lang, "Correctness", "正確性"), optional(x.Correctness)},
		{say(lang, "Trust", "信頼性"), optional(x.Trust)},
	}}
	p.Table.Rows = slices.DeleteFunc(p.Table.Rows, func(row []string) bool { return row[1] == "" })
	for _, r := range x.Reasons {
		p.Table.Rows = append(p.Table.Rows, []string{say(lang, "Reason", "理由"), r.In(lang)})
	}
	for i, s := range x.Contexts {
		p.Table.Rows = append(p.Table.Rows, []string{say(lang, "Context ", "参照箇所 ") + strconv.Itoa(i+1), document.Cut(s)})
	}
}

func (p *ReadingBlock) agreement(x document.Agreement, lang string) {
	state := say(lang, "Proposed here, not yet agreed.", "ここでの提案であり、まだ合意されていません。")
	if x.Registered {
		state = say(lang, "As agreed and registered.", "登録済みの合意です。")
	}
	if x.Count == 0 {
		state = say(lang, "Nothing has been agreed.", "合意された目標はありません。")
	}
	p.Text = state
	if x.Count == 0 {
		return
	}
	words := map[string]string{"met": say(lang, "met", "達成"), "missed": say(lang, "not met", "未達")}
	p.Table = &Table{Head: []string{say(lang, "Target", "目標"), say(lang, "Aim", "目標値"), say(lang, "Measured", "実測"),
		say(lang, "State", "状態"), say(lang, "Owner", "担当"), say(lang, "Due", "期限")}}
	for _, t := range x.Targets {
		state, ok := words[t.State]
		if !ok {
			state = say(lang, "not measured", "未測定")
		}
		measured := "–"
		if t.Measured != nil {
			measured = fmt.Sprintf("%.3g", *t.Measured)
		}
		title := t.Title.In(lang)
		if title == "" { // what an older program kept
			title = strings.TrimSpace(findings.MetricTitle(t.Metric).In(lang) + " " + t.Theme)
		}
		p.Table.Rows = append(p.Table.Rows, []string{title, fmt.Sprintf("%g", t.Target), measured,
			state, t.Owner, t.Due})
	}
}

// verdict is what a gate decided, and why.
func (p *ReadingBlock) verdict(x document.Verdict, lang string) {
	p.Text, p.Tone = say(lang, "Gate: ", "判定：")+document.Decided(x.Decision).In(lang), x.Decision
	p.Caution = x.Caution.In(lang)
	reasons := x.Reasons
	if len(x.Why) > 0 {
		reasons = nil
		for _, w := range x.Why {
			reasons = append(reasons, w.In(lang))
		}
	}
	if len(reasons) == 0 {
		return
	}
	p.Table = &Table{Head: []string{say(lang, "Why", "理由")}}
	for _, r := range reasons {
		p.Table.Rows = append(p.Table.Rows, []string{r})
	}
}
