package notify

import (
	"context"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	analysiscauses "github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// The most that a message lists: worse questions by their ids and texts, and worse answers in full.
const (
	noticeQuestions = 10
	noticeWorst     = 3
	noticeAnswer    = 400 // characters of an answer
)

// FactsOf are the facts about a schedule that every message has.
func FactsOf(w *app.Workbench, s experiments.Schedule) experiments.NoticeFacts {
	return experiments.NoticeFacts{
		Schedule: s.Name, Experiment: s.Experiment, Notebook: s.Notebook, Currency: w.Config.Currency, Zone: s.Zone, Lang: s.Lang,
	}
}

// ExplainWorse adds the texts of the newly worse questions and the causes of their answers, as far as both are known. A message
// without them is better than none, so what cannot be read is logged and left out.
func ExplainWorse(ctx context.Context, w *app.Workbench, facts *experiments.NoticeFacts) {
	if facts.Fire == nil || facts.Fire.RunID == "" {
		return
	}
	for _, id := range facts.Fire.NewlyWorse[:min(noticeQuestions, len(facts.Fire.NewlyWorse))] {
		facts.Questions = append(facts.Questions, experiments.NoticeQuestion{ID: id})
	}
	run, err := w.Store.Run(ctx, facts.Fire.RunID)
	if err != nil {
		w.Log("a message names questions without their texts", "run", facts.Fire.RunID, "error", err)
		return
	}
	facts.Offline = run.Setup.ByOffline()
	sayTroubles(ctx, w, facts, run)
	sayFindings(ctx, w, facts)
	if len(facts.Questions) == 0 {
		return
	}
	texts := map[string]string{}
	if d, err := w.Store.Dataset(ctx, run.Setup.Dataset.String()); err == nil {
		for _, q := range d.Questions {
			texts[q.ID] = q.Text
		}
	}
	causes, stands := map[string]analysiscauses.Component{}, map[string]analysiscauses.Standing{}
	report, err := analyses.CauseReport(ctx, w, run.ID, "")
	if err != nil && !problem.Is(err, problem.NotFound) {
		w.Log("a message names no causes", "run", run.ID, "error", err)
	}
	for _, d := range report.Diagnoses {
		causes[d.QuestionID], stands[d.QuestionID] = d.Component, d.Standing()
	}
	for i, q := range facts.Questions {
		facts.Questions[i].Text, facts.Questions[i].Cause = line(texts[q.ID], toldText), string(causes[q.ID])
		facts.Questions[i].Stands = string(stands[q.ID])
	}
	facts.Causes = countCauses(facts.Fire.NewlyWorse, causes)
}

// noticeTroubles is how many causes of failed calls a message tells, the most frequent first.
const noticeTroubles = 3

// sayTroubles adds why the run of a fire stands still, and what went wrong with its calls.
func sayTroubles(ctx context.Context, w *app.Workbench, facts *experiments.NoticeFacts, run experiments.Run) {
	facts.Finished = run.State == experiments.Finished
	if facts.Fire.State != experiments.FireFailed || facts.Finished {
		return
	}
	facts.Stopped = run.Cause
	troubles, err := w.Whole.Troubles(ctx, run.ID)
	if err != nil {
		w.Log("a message does not say what went wrong with the calls", "run", run.ID, "error", err)
	}
	for _, t := range findings.TroublesOf(troubles[:min(noticeTroubles, len(troubles))]) {
		facts.Troubles = append(facts.Troubles, experiments.NoticeWords{EN: t.Text.EN, JA: t.Text.JA})
	}
}

// sayFindings adds what came of the comparison with the baseline, in the words of the findings, and where to look closer.
func sayFindings(ctx context.Context, w *app.Workbench, facts *experiments.NoticeFacts) {
	f := facts.Fire
	if f.Baseline == "" {
		sayThresholds(ctx, w, facts)
		return
	}
	facts.Link = comparisonLink(w, f.Baseline, f.RunID)
	c, both, err := w.Compare(ctx, f.Baseline, f.RunID)
	if err != nil {
		w.Log("a message does not say what came of the comparison", "run", f.RunID, "error", err)
		return
	}
	in := findings.Input{Candidate: both[1], Card: reporting.CardOf(ctx, w, both[1].Run), Examples: math.MaxInt, Today: w.Options.Now()}
	rules, err := reporting.OfFire(*f, facts.Notebook).Rules()
	if err == nil {
		err = reporting.CompareWith(&in, c, both, rules)
	}
	if err != nil {
		w.Log("a message does not say what the release check found", "run", f.RunID, "error", err)
		return
	}
	if err := reporting.AgreedOn(ctx, w, &in); err != nil {
		w.Log("a message does not say what is overdue", "run", f.RunID, "error", err)
	}
	if causes, err := analyses.CausesInShort(ctx, w, both[1], ""); err == nil {
		in.Causes = &causes
	} else if !problem.Is(err, problem.NotFound) {
		w.Log("a message does not say what to try", "run", f.RunID, "error", err)
	}
	found := findings.Of(in)
	facts.Changes, facts.Overdue = changesOf(found.Verdicts), overdueOf(found)
	facts.Worst = worstOf(newFirst(found.Worst, f.NewlyWorse), facts.Link)
	if len(found.Recommendations) > 0 {
		r := found.Recommendations[0]
		facts.Next = &experiments.NoticeWords{EN: r.Change.EN + ": " + r.Text.EN, JA: r.Change.JA + "：" + r.Text.JA}
	}
	for _, s := range found.Sentences {
		facts.Said = append(facts.Said, experiments.NoticeWords{EN: s.EN, JA: s.JA})
	}
	facts.Check = &experiments.NoticeWords{EN: found.Check.EN, JA: found.Check.JA}
}

// sayThresholds adds what the release check of a run without a baseline says, which holds it against thresholds alone.
func sayThresholds(ctx context.Context, w *app.Workbench, facts *experiments.NoticeFacts) {
	f := facts.Fire
	if f.Gate == "" {
		return
	}
	gate, err := reporting.GateAlone(ctx, w, f.RunID, reporting.OfFire(*f, facts.Notebook))
	if err != nil {
		w.Log("a message does not say what the release check found", "run", f.RunID, "error", err)
		return
	}
	said := findings.GateDecided(gate.GateResult)
	facts.Check = &experiments.NoticeWords{EN: said.EN, JA: said.JA}
}

// changesOf counts the verdicts on the answers, the worse ones first. A verdict that no answer has is left out.
func changesOf(v findings.Verdicts) (out []experiments.NoticeCount) {
	for _, c := range []experiments.NoticeCount{
		{Code: string(compare.Worse), N: v.Worse}, {Code: string(compare.Mixed), N: v.Mixed},
		{Code: string(compare.NeedsCheck), N: v.NeedsCheck},
		{Code: string(compare.NoChange), N: v.NoChange}, {Code: string(compare.Better), N: v.Better},
	} {
		if c.N > 0 {
			out = append(out, c)
		}
	}
	return out
}

// newFirst are the examples that a message shows: those of newly worse questions where there are any, the worst first.
func newFirst(worst []findings.Example, newly []string) []findings.Example {
	fresh := slices.DeleteFunc(slices.Clone(worst), func(e findings.Example) bool { return !slices.Contains(newly, e.QuestionID) })
	if len(fresh) == 0 {
		fresh = worst
	}
	return fresh[:min(noticeWorst, len(fresh))]
}

// worstOf are worse answers before and now. link is the address of the comparison.
func worstOf(examples []findings.Example, link string) (out []experiments.NoticeAnswer) {
	said := func(text *string) string {
		if text == nil {
			return ""
		}
		return line(*text, noticeAnswer)
	}
	for _, e := range examples {
		a := experiments.NoticeAnswer{ID: e.QuestionID, Question: line(e.Question, toldText), Before: said(e.Before), After: said(e.After)}
		if e.Why != nil {
			a.Why = experiments.NoticeWords{EN: e.Why.EN, JA: e.Why.JA}
		}
		if link != "" {
			a.Link = link + "&" + url.Values{"question": {e.QuestionID}}.Encode()
		}
		out = append(out, a)
	}
	return out
}

// comparisonLink is the address of a comparison's page; "" where the server does not know how browsers reach it.
func comparisonLink(w *app.Workbench, baseline, candidate string) string {
	address := publicURL(w)
	if address == "" {
		return ""
	}
	return address + "/compare?" + url.Values{"baseline": {baseline}, "candidate": {candidate}}.Encode()
}

// countCauses counts the causes of some questions, most frequent first, in the order of the pipeline where they are equal.
func countCauses(ids []string, causes map[string]analysiscauses.Component) []experiments.NoticeCount {
	counts := map[analysiscauses.Component]int{}
	for _, id := range ids {
		if c, ok := causes[id]; ok {
			counts[c]++
		}
	}
	var out []experiments.NoticeCount
	for _, c := range analysiscauses.Components() {
		if counts[c] > 0 {
			out = append(out, experiments.NoticeCount{Code: string(c), N: counts[c]})
		}
	}
	slices.SortStableFunc(out, func(a, b experiments.NoticeCount) int { return b.N - a.N })
	return out
}

// digestHour is when on its day a digest becomes due.
const digestHour = 8

// Digest stores the digest of the calendar month that is over, once its day has come. A month without a fire has none.
func (n *Notifier) Digest(ctx context.Context) error {
	c := n.w.Config.Notifications.Digest
	if c.Channel == "" {
		return nil
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		return err
	}
	now := n.w.Options.Now()
	from, until := digestMonth(now.In(zone), max(1, c.Day))
	notice := newNotice(n.w, "digest "+from.Format("2006-01"), c.Channel, experiments.NoticeDigest, now)
	known, err := n.w.Whole.HasNotices(ctx, []string{notice.ID})
	if err != nil || len(known) > 0 {
		return err
	}
	schedules, err := n.w.Whole.Schedules(ctx)
	if err != nil {
		return err
	}
	fires, err := n.w.Whole.Fires(ctx, experiments.FireList{})
	if err != nil {
		return err
	}
	digests := digestOf(schedules, fires, from, until)
	for i := range digests {
		lookCloser(ctx, n.w, &digests[i], fires, from, until)
	}
	month := experiments.NoticeMonth{Month: from.Format("2006-01"), Zone: zone.String(), Schedules: digests}
	if len(month.Schedules) == 0 {
		return nil
	}
	notice.Facts = experiments.NoticeFacts{Currency: n.w.Config.Currency, Zone: zone.String(), Month: &month}
	_, err = n.w.Whole.AddNotices(ctx, []experiments.Notice{notice})
	return err
}

// lookCloser adds to a digest what its reader can act on: the last comparison of the month, and what was agreed and is overdue.
// What cannot be
// read is logged and left out.
func lookCloser(ctx context.Context, w *app.Workbench, d *experiments.ScheduleDigest, fires []experiments.Fire, from, until time.Time) {
	last := slices.IndexFunc(fires, func(f experiments.Fire) bool { // newest first
		return f.Schedule == d.Schedule && f.State == experiments.FireRan && f.RunID != "" && !f.NominalAt.Before(from) &&
			f.NominalAt.Before(until)
	})
	if last < 0 {
		return
	}
	f := fires[last]
	if f.Baseline != "" {
		d.Link = comparisonLink(w, f.Baseline, f.RunID)
	}
	evaluated, err := w.Evaluation(ctx, f.RunID)
	in := findings.Input{Candidate: evaluated, Today: w.Options.Now()}
	if err == nil {
		err = reporting.AgreedOn(ctx, w, &in)
	}
	if err != nil {
		w.Log("a digest does not say what is overdue", "run", f.RunID, "error", err)
		return
	}
	d.Overdue = overdueOf(findings.Of(in))
}

// overdueOf are the targets and actions whose day has passed.
func overdueOf(f findings.Findings) (out []experiments.NoticeWords) {
	for _, o := range f.Agreed.Overdue {
		out = append(out, experiments.NoticeWords{EN: o.Text.EN, JA: o.Text.JA})
	}
	return out
}

// digestMonth is the month that the newest digest that is due by now tells of.
func digestMonth(now time.Time, day int) (from, until time.Time) {
	due := time.Date(now.Year(), now.Month(), day, digestHour, 0, 0, 0, now.Location())
	until = time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
	if now.Before(due) {
		until = until.AddDate(0, -1, 0)
	}
	return until.AddDate(0, -1, 0), until
}

// digestOf says what each schedule did between two moments, by name. fires are newest first, those of all schedules and times.
func digestOf(schedules []experiments.Schedule, fires []experiments.Fire, from, until time.Time) []experiments.ScheduleDigest {
	all := map[string][]experiments.Fire{}
	for _, f := range fires {
		all[f.Schedule] = append(all[f.Schedule], f)
	}
	out := []experiments.ScheduleDigest{}
	for name, own := range all {
		d := experiments.ScheduleDigest{Schedule: name}
		slots := 0
		for _, f := range slices.Backward(own) {
			if f.NominalAt.Before(from) || !f.NominalAt.Before(until) {
				continue
			}
			slots++
			count1(&d, f, own)
		}
		if slots == 0 {
			continue
		}
		d.Paused = slices.ContainsFunc(schedules, func(s experiments.Schedule) bool { return s.Name == name && s.Paused })
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b experiments.ScheduleDigest) int { return strings.Compare(a.Schedule, b.Schedule) })
	return out
}

// count1 adds one fire to a digest; fires come oldest first.
func count1(d *experiments.ScheduleDigest, f experiments.Fire, own []experiments.Fire) {
	d.Spent, d.Calls = d.Spent+f.Spent, d.Calls+f.Calls
	first := f
	if f.State == experiments.FireMissed {
		first, _, _ = experiments.OutageOf(f, own)
	}
	if first.ID == f.ID && len(experiments.ReasonsOf(experiments.Schedule{}, f, earlier(own, f))) > 0 {
		d.Alerts++
	}
	switch f.State {
	case experiments.FireRan:
		if d.Ran++; d.Ran == 1 {
			d.LowFirst, d.ScoredFirst = f.Low, f.Scored
		}
		d.LowLast, d.ScoredLast, d.Worse, d.Gate = f.Low, f.Scored, len(f.Worse), f.Gate
	case experiments.FireSkipped:
		d.Skipped++
	case experiments.FireMissed:
		d.Missed += max(1, f.Slots)
	case experiments.FireFailed:
		d.Failed++
	case experiments.FireDue, experiments.FireRunning:
	}
}
