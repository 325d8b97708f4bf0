package notify

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// told is a message in words. Its texts hold data, such as questions, as they are: whoever writes them somewhere escapes them for
// that place. No sentence has more than three numbers.
type told struct {
	Title   string
	Parts   []toldPart
	Changes string // the verdicts on all answers in words; "" where nothing was compared
}

type toldPart struct {
	Head  string // "" for none
	Lines []string
	Link  string // "" for none: an address of the configuration with ids, nothing else of the data
	Says  string // what the link is for
}

// The most that a message repeats of a data text, in code points.
const (
	toldText   = 160
	toldName   = 80
	toldReason = 400
	toldWords  = 800 // of a sentence that quotes a server or a model
)

// tell puts a message into the words of a language: en, ja, or both one after the other.
func tell(n experiments.Notice, lang string) told {
	if lang != wording.Both {
		return printer{n, n.Facts, lang == "ja"}.tell()
	}
	en, ja := printer{n, n.Facts, false}.tell(), printer{n, n.Facts, true}.tell()
	out := told{Title: en.Title + " / " + ja.Title, Parts: append(en.Parts, ja.Parts...)}
	if en.Changes != "" {
		out.Changes = en.Changes + " / " + ja.Changes
	}
	return out
}

// plain is the message as plain text, without its title.
func (t told) plain() string {
	var b strings.Builder
	for i, p := range t.Parts {
		if i > 0 {
			b.WriteByte('\n')
		}
		if p.Head != "" {
			b.WriteString(p.Head + "\n")
		}
		for _, l := range p.Lines {
			b.WriteString(l + "\n")
		}
		if p.Link != "" {
			b.WriteString(p.Says + p.Link + "\n")
		}
	}
	return b.String()
}

type printer struct {
	notice experiments.Notice
	experiments.NoticeFacts
	ja bool
}

// say takes the English or the Japanese format; both take the arguments in the order of the English one.
func (t printer) say(en, ja string, args ...any) string {
	format := en
	if t.ja {
		format = ja
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// count is "1 answer is" or "3 answers are": English only.
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// line is a text of data on one line without control characters, cut to a number of code points.
func line(s string, limit int) string {
	return text.Brief(strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
			return ' '
		case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f': // would turn the words around
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")), limit)
}

func (t printer) name() string { return line(t.NoticeFacts.Schedule, toldName) }

func (t printer) tell() told {
	switch t.notice.Kind {
	case experiments.NoticeDigest:
		return t.digest()
	case experiments.NoticePing:
		return told{Title: t.say("%s ran as planned", "%s：予定どおり実行しました", t.name()), Parts: []toldPart{{Lines: t.where()}}}
	case experiments.NoticeTest:
		return told{
			Title: t.say("Test of the channel %s", "通知先 %s のテスト", line(t.notice.Channel, toldName)),
			Parts: []toldPart{{Lines: []string{t.say("This channel works. Nothing has happened.", "この通知先は使用できます。異常があったわけではありません。")}}},
		}
	case experiments.NoticeMention:
		return t.mention()
	case experiments.NoticeAlert:
	}
	return t.alert()
}

// alert tells what changed at a fire.
func (t printer) alert() told {
	out := told{Title: t.title(), Changes: t.changes()}
	f := t.Fire
	if f == nil {
		return out
	}
	out.Parts = append(out.Parts, toldPart{Lines: append(t.where(), t.happened(*f)...)})
	if lines := t.worse(*f); len(lines) > 0 {
		out.Parts = append(out.Parts, toldPart{Head: t.newlyWorse(*f), Lines: lines})
	}
	if len(t.Causes) > 0 {
		var counts []string
		for _, c := range t.Causes {
			counts = append(counts, fmt.Sprintf("%s %d", causes.Component(c.Code).Word(t.lang()), c.N))
		}
		head := t.say("Causes of the newly worse answers", "新たな悪化の原因")
		if f.Previous == "" {
			head = t.say("Causes of the worse answers", "悪化の原因")
		}
		out.Parts = append(out.Parts, toldPart{Head: head,
			Lines: []string{strings.Join(counts, t.say(", ", "、"))}})
	}
	for i, a := range t.Worst {
		out.Parts = append(out.Parts, toldPart{Lines: t.worstAnswer(a), Link: a.Link, Says: t.say("Side by side: ", "並べて見る："),
			Head: t.say("Worst answer %d: %s", "悪化の大きい回答%d：%s", i+1, line(a.ID, toldName))})
	}
	if lines := t.overdue(t.Overdue); len(lines) > 0 {
		out.Parts = append(out.Parts, toldPart{Head: t.overdueHead(), Lines: lines})
	}
	if next := t.next(*f); next != "" {
		out.Parts = append(out.Parts, toldPart{Head: t.say("What to do next", "次にすること"), Lines: []string{next}})
	}
	foot := toldPart{Lines: t.foot(*f)}
	if t.Link != "" {
		foot.Link, foot.Says = t.Link, t.say("Look closer: ", "詳しく見る：")
	}
	return append1(out, foot)
}

// next is what promises most, or how to find out; "" where nothing got worse.
func (t printer) next(f experiments.Fire) string {
	switch {
	case len(t.Worst) == 0:
		return ""
	case t.Next != nil:
		return line(t.Next.In(t.lang()), toldWords)
	case len(t.Causes) > 0:
		return t.say("No single change is known that repairs several of them: look at the answers.", "まとめて直せる変更は見つかっていません。回答を確認してください。")
	}
	return t.say("The causes are not known yet: workbench diagnose %s", "原因はまだ調べていません：workbench diagnose %s", f.RunID)
}

func (t printer) overdueHead() string {
	return t.say("Agreed, and overdue", "合意事項のうち期限を過ぎたもの")
}

func (t printer) overdue(list []experiments.NoticeWords) (lines []string) {
	for _, o := range list {
		lines = append(lines, "• "+line(o.In(t.lang()), toldWords))
	}
	return lines
}

// worstAnswer is a worse answer before and now.
func (t printer) worstAnswer(a experiments.NoticeAnswer) []string {
	none := t.say("(no answer)", "（回答なし）")
	lines := []string{t.say("Question: %s", "質問：%s", line(a.Question, toldText)),
		t.say("Before: %s", "以前：%s", cmp.Or(line(a.Before, noticeAnswer), none)),
		t.say("Now: %s", "今回：%s", cmp.Or(line(a.After, noticeAnswer), none))}
	if a.Why.EN != "" {
		lines = append(lines, t.say("Why: %s", "理由：%s", line(a.Why.In(t.lang()), toldWords)))
	}
	return lines
}

// changes are the verdicts on all answers in words: "4 worse, 30 no change, 6 better".
func (t printer) changes() string {
	var said []string
	for _, c := range t.Changes {
		said = append(said, fmt.Sprintf("%s %d", compare.Label(c.Code).Word(t.lang()), c.N))
	}
	return strings.Join(said, t.say(", ", "、"))
}

func append1(t told, p toldPart) told {
	if len(p.Lines) > 0 || p.Link != "" {
		t.Parts = append(t.Parts, p)
	}
	return t
}

func (t printer) lang() string {
	if t.ja {
		return "ja"
	}
	return "en"
}

// title says the gravest reason, and the second one in a word.
func (t printer) title() string {
	var said []string
	for _, r := range t.notice.Reasons {
		said = append(said, t.reason(r))
	}
	if len(said) > 2 {
		said = said[:2]
	}
	return t.name() + t.say(": ", "：") + strings.Join(said, t.say("; ", "、"))
}

func (t printer) reason(r experiments.NoticeReason) string {
	newly := 0
	if t.Fire != nil {
		newly = len(t.Fire.NewlyWorse)
	}
	switch r {
	case experiments.ReasonWorse:
		japanese := "新たに悪化した回答 %s"
		if t.Fire != nil && t.Fire.Previous == "" {
			japanese = "比較の基準より悪化した回答 %s"
		}
		return t.say("%s worse", japanese, map[bool]string{false: count(newly, "answer got", "answers got"),
			true: fmt.Sprintf("%d件", newly)}[t.ja])
	case experiments.ReasonGate:
		return t.say("the release check failed", "合格基準を満たしません")
	case experiments.ReasonFailed:
		return t.say("the evaluation failed", "評価を実行できませんでした")
	case experiments.ReasonPaused:
		return t.say("the schedule is paused", "スケジュールを停止しました")
	case experiments.ReasonMissed:
		return t.say("%s missed", "%s実行されませんでした", map[bool]string{false: count(max(1, t.Missed), "slot was", "slots were"),
			true: fmt.Sprintf("%d回", max(1, t.Missed))}[t.ja])
	case experiments.ReasonDrift:
		return t.say("the judge has changed", "評価モデルの判定が変化しました")
	case experiments.ReasonBudget:
		return t.say("the budget of the month is spent", "今月の予算を使い切りました")
	}
	return string(r)
}

// where says what ran and for when.
func (t printer) where() []string {
	var lines []string
	what := t.say("Experiment %s", "実験 %s", line(t.Experiment, toldName))
	if t.Experiment == "" {
		what = t.say("Notebook %s", "ノートブック %s", line(t.Notebook, toldName))
	}
	if t.Experiment != "" || t.Notebook != "" {
		lines = append(lines, what)
	}
	switch {
	case t.Fire == nil:
	case t.Fire.RunNow:
		lines = append(lines, t.say("Started by hand at %s", "手動実行 %s", t.at(t.Fire.NominalAt)))
	default:
		lines = append(lines, t.say("Planned for %s", "予定時刻 %s", t.at(t.Fire.NominalAt)))
	}
	return lines
}

func (t printer) at(when time.Time) string {
	return inZone(when, t.Zone).Format("2006-01-02 15:04 MST")
}

// inZone is a time as clocks show it in a zone; in UTC where nobody knows the zone.
func inZone(when time.Time, name string) time.Time {
	zone, err := time.LoadLocation(name)
	if err != nil {
		zone = time.UTC
	}
	return when.In(zone)
}

// happened says what became of the fire, a sentence each.
func (t printer) happened(f experiments.Fire) []string {
	var lines []string
	add := func(when bool, en, ja string, args ...any) {
		if when {
			lines = append(lines, t.say(en, ja, args...))
		}
	}
	reason := t.why(f.Reason)
	switch f.State {
	case experiments.FireMissed:
		add(t.Missed > 1, "%d slots in a row were missed, the last one at %s.", "%d回続けて実行されませんでした（最後の予定時刻 %s）。", t.Missed, t.at(t.MissedTo))
		add(reason != "", "Why: %s", "理由：%s", reason)
	case experiments.FireFailed:
		add(t.Stopped == "" || len(t.Troubles) == 0, "Why: %s", "理由：%s", reason)
		lines = append(lines, t.troubles(f)...)
		add(f.RunID != "" && t.Finished, "The run itself is finished, with its answers and scores: workbench runs show %s",
			"実行そのものは完了し、回答と採点は保存されています：workbench runs show %s", f.RunID)
		add(f.RunID != "" && !t.Finished, "What was answered so far is kept: workbench runs resume %s",
			"ここまでの結果は保存されています：workbench runs resume %s", f.RunID)
	case experiments.FireRan:
		lines = append(lines, t.figures(f)...)
		add(reason != "", "Note: %s", "備考：%s", reason)
	case experiments.FireSkipped:
		add(true, "Why: %s", "理由：%s", reason)
		add(true, "Until next month, nothing is evaluated unless the schedule may spend more.", "スケジュールの月間予算を増やさない限り、来月まで評価は実行されません。")
	case experiments.FireDue, experiments.FireRunning:
	}
	add(t.PausedWhy != "", "The schedule is paused: %s", "スケジュールは停止中です：%s", t.why(t.PausedWhy))
	add(t.PausedWhy != "", "When the reason is gone: workbench schedule resume %s", "原因を取り除いた後：workbench schedule resume %s", t.name())
	return lines
}

// troubles say in both languages why the run of a fire stands still, with the words of servers and models.
func (t printer) troubles(f experiments.Fire) []string {
	var lines []string
	if t.Stopped != "" {
		lines = append(lines, findings.Stopped(f.RunID, t.Stopped).In(t.lang()))
	}
	for _, w := range t.Troubles {
		lines = append(lines, line(w.In(t.lang()), toldWords))
	}
	return lines
}

// figures are the sentences about a fire that ran: those of the findings, and what is new since the evaluation before.
func (t printer) figures(f experiments.Fire) []string {
	var lines []string
	switch told := t.Check != nil && f.Gate != "PASS"; {
	case told && t.Offline:
		lines = append(lines, t.Check.In(t.lang()), findings.OfflineGate().In(t.lang()))
	case told:
		lines = append(lines, t.Check.In(t.lang()))
	case t.Offline:
		lines = append(lines, findings.OfflineJudge(t.lang()))
	}
	for _, s := range t.Said {
		lines = append(lines, line(s.In(t.lang()), 400))
	}
	if newly := len(f.NewlyWorse); f.Baseline != "" && len(f.Worse) > 0 {
		switch {
		case f.Previous == "":
			lines = append(lines, t.say("This is the first evaluation of the schedule: worse means worse than the baseline run.",
				"このスケジュールの最初の評価です。悪化は、比較の基準の実行と比べたものです。"))
		case newly == len(f.Worse):
			lines = append(lines, t.say("All of the worse answers are new since the last evaluation.", "悪化した回答は、すべて前回の評価以降に新たに悪化したものです。"))
		default:
			lines = append(lines, t.say("%d of the worse answers %s new since the last evaluation.", "悪化した回答のうち、前回の評価以降に新たに悪化したものは%d件です。",
				t.newly(newly)...))
		}
	}
	switch {
	case len(t.Said) > 0:
	case f.Scored == 0:
		lines = append(lines, t.say("Low scores cannot be told: no answer has a score by which it could be low.",
			"低スコアかどうかは判断できません（判断に使うスコアがどの回答にもありません）。"))
	default:
		lines = append(lines, t.say("%d of %d scored answers are low-score answers.", "採点した%[2]d件の回答のうち、低スコア回答は%[1]d件です。", f.Low, f.Scored))
	}
	if f.Drift != "" {
		lines = append(lines, t.say("The judge, measured on fixed answers: %s", "固定の回答で測定した評価モデルの変化：%s", line(f.Drift, 400)))
	}
	return lines
}

// newlyWorse is the heading of the questions whose answers are newly worse: nothing is newly so at a fire without an earlier one.
func (t printer) newlyWorse(f experiments.Fire) string {
	if f.Previous == "" {
		return t.say("Questions with answers worse than the baseline", "比較の基準より悪化した質問")
	}
	return t.say("Newly worse questions", "新たに悪化した質問")
}

// newly are the arguments of a sentence about new answers; English has a verb that agrees.
func (t printer) newly(n int) []any {
	if t.ja {
		return []any{n}
	}
	return []any{n, map[bool]string{true: "is", false: "are"}[n == 1]}
}

// cause names the cause of a question's answer with what it rests on. What was not proven is not called the cause.
func (t printer) cause(q experiments.NoticeQuestion) string {
	name, how := causes.Component(q.Cause).Word(t.lang()), findings.Certainty(q.Stands)
	switch {
	case causes.Component(q.Cause) == causes.Undetermined:
		return t.say(" (%s)", "（%s）", name)
	case how == findings.NotKnown || how == findings.ByJudgement:
		return t.say(" (%s; %s)", "（%s、%s）", name, how.Word(t.lang()))
	case how == "":
		return t.say(" (cause: %s)", "（原因：%s）", name)
	}
	return t.say(" (cause: %s; %s)", "（原因：%s、%s）", name, how.Word(t.lang()))
}

// worse lists the newly worse questions.
func (t printer) worse(f experiments.Fire) []string {
	var lines []string
	for _, q := range t.Questions {
		l := "• " + line(q.ID, toldName)
		if q.Text != "" {
			l += t.say(": ", "：") + line(q.Text, toldText)
		}
		if q.Cause != "" {
			l += t.cause(q)
		}
		lines = append(lines, l)
	}
	if more := len(f.NewlyWorse) - len(t.Questions); more > 0 && len(lines) > 0 {
		lines = append(lines, t.say("and %d more", "ほか%d件", more))
	}
	return lines
}

// foot says what it cost and where the workbook is.
func (t printer) foot(f experiments.Fire) []string {
	var lines []string
	if f.State == experiments.FireRan || f.Calls > 0 {
		lines = append(lines, t.cost(f.Spent, f.Calls))
	}
	if f.Workbook != "" {
		lines = append(lines, t.say("Workbook on the server: %s", "サーバー上のワークブック：%s", line(f.Workbook, 400)))
	}
	return lines
}

func (t printer) cost(micros int64, calls int) string {
	if calls == 0 && micros == 0 {
		return t.say("It cost nothing.", "費用はかかっていません。")
	}
	return t.say("Cost: %.2f %s in %s.", "費用：%.2f %s（呼び出し%s）。", float64(micros)/1e6, t.Currency,
		map[bool]string{false: count(calls, "call", "calls"), true: fmt.Sprintf("%d回", calls)}[t.ja])
}

// digest tells what the schedules did in a month.
func (t printer) digest() told {
	if t.Month == nil {
		return told{}
	}
	out := told{Title: t.say("Evaluations of %s", "%s の定期評価", t.Month.Month)}
	for _, d := range t.Month.Schedules {
		lines := []string{t.say("Ran %d times; %d with something to tell.", "実行%d回、うち通知対象%d回。", d.Ran, d.Alerts)}
		if d.Missed+d.Failed+d.Skipped > 0 {
			lines = append(lines, t.say("Missed %d, failed %d, skipped %d.", "未実行%d回、失敗%d回、見送り%d回。", d.Missed, d.Failed, d.Skipped))
		}
		if d.Ran > 0 {
			lines = append(lines,
				t.say("Low scores: %s at first, %s at last.", "低スコア回答：最初 %s、最後 %s。", lowShare(d.LowFirst, d.ScoredFirst),
					lowShare(d.LowLast, d.ScoredLast)),
				t.say("Worse than the baseline at last: %d.", "最後の時点で比較の基準より悪化：%d件。", d.Worse))
		}
		if d.Gate != "" {
			lines = append(lines, t.decided(d.Gate))
		}
		if d.Paused {
			lines = append(lines, t.say("The schedule is paused.", "スケジュールは停止中です。"))
		}
		if overdue := t.overdue(d.Overdue); len(overdue) > 0 {
			lines = append(append(lines, t.overdueHead()+t.say(":", "：")), overdue...)
		}
		part := toldPart{Head: line(d.Schedule, toldName), Lines: append(lines, t.cost(d.Spent, d.Calls))}
		if d.Link != "" {
			part.Link, part.Says = d.Link, t.say("Look closer: ", "詳しく見る：")
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// decided is the decision of the release check in words.
func (t printer) decided(gate string) string {
	switch gate {
	case "PASS":
		return t.say("Release check passed.", "合格基準を満たしています。")
	case "FAIL":
		return t.say("Release check failed.", "合格基準を満たしません。")
	}
	return t.say("Release check undecided.", "合否を判定できません。")
}

// lowShare is "9%", as on the pages; "–" of nothing.
func lowShare(n, of int) string {
	if of == 0 {
		return "–"
	}
	return stats.PerCent(float64(n)/float64(of), 1)
}
