package app

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	analysiscauses "github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// noticeQuestions is how many worse questions a message lists.
const noticeQuestions = 10

// factsOf are the facts about a schedule that every message has.
func (w *Workbench) factsOf(s experiments.Schedule) experiments.NoticeFacts {
	return experiments.NoticeFacts{
		Schedule: s.Name, Experiment: s.Experiment, Notebook: s.Notebook, Currency: w.Config.Currency, Zone: s.Zone, Lang: s.Lang,
	}
}

// explainWorse adds the texts of the newly worse questions and the causes of their answers, as far as both are known. A message
// without them is better than none, so what cannot be read is logged and left out.
func (w *Workbench) explainWorse(ctx context.Context, facts *experiments.NoticeFacts) {
	if facts.Fire == nil || facts.Fire.RunID == "" {
		return
	}
	for _, id := range facts.Fire.NewlyWorse[:min(noticeQuestions, len(facts.Fire.NewlyWorse))] {
		facts.Questions = append(facts.Questions, experiments.NoticeQuestion{ID: id})
	}
	run, err := w.Store.Run(ctx, facts.Fire.RunID)
	if err != nil {
		w.log("a message names questions without their texts", "run", facts.Fire.RunID, "error", err)
		return
	}
	facts.Offline = run.Setup.Offline
	w.sayFindings(ctx, facts)
	if len(facts.Questions) == 0 {
		return
	}
	texts := map[string]string{}
	if d, err := w.Store.Dataset(ctx, run.Setup.Dataset.String()); err == nil {
		for _, q := range d.Questions {
			texts[q.ID] = q.Text
		}
	}
	causes := map[string]analysiscauses.Component{}
	report, err := w.CauseReport(ctx, run.ID, "")
	if err != nil && !problem.Is(err, problem.NotFound) {
		w.log("a message names no causes", "run", run.ID, "error", err)
	}
	for _, d := range report.Diagnoses {
		causes[d.QuestionID] = d.Component
	}
	for i, q := range facts.Questions {
		facts.Questions[i].Text, facts.Questions[i].Cause = line(texts[q.ID], toldText), string(causes[q.ID])
	}
	facts.Causes = countCauses(facts.Fire.NewlyWorse, causes)
}

// sayFindings adds what came of the comparison with the baseline, in the words of the findings, and where to look closer.
func (w *Workbench) sayFindings(ctx context.Context, facts *experiments.NoticeFacts) {
	f := facts.Fire
	if f.Baseline == "" {
		return
	}
	facts.Link = w.comparisonLink(f.Baseline, f.RunID)
	c, both, err := w.Compare(ctx, f.Baseline, f.RunID)
	if err != nil {
		w.log("a message does not say what came of the comparison", "run", f.RunID, "error", err)
		return
	}
	in := findings.Input{Candidate: both[1], Card: w.cardOf(ctx, both[1].Run)}
	if err := compareWith(&in, c, both); err != nil {
		w.log("a message does not say what the release check found", "run", f.RunID, "error", err)
		return
	}
	found := findings.Of(in)
	for _, s := range found.Sentences {
		facts.Said = append(facts.Said, experiments.NoticeWords{EN: s.EN, JA: s.JA})
	}
	facts.Check = &experiments.NoticeWords{EN: found.Check.EN, JA: found.Check.JA}
}

// comparisonLink is the address of a comparison's page; "" where the server does not know how browsers reach it.
func (w *Workbench) comparisonLink(baseline, candidate string) string {
	address := w.Config.PublicURL
	if address == "" && w.Config.OIDC != nil {
		address = w.Config.OIDC.PublicURL
	}
	if address == "" {
		return ""
	}
	return strings.TrimSuffix(address, "/") + "/compare?" + url.Values{"baseline": {baseline}, "candidate": {candidate}}.Encode()
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
	now := n.w.options.Now()
	from, until := digestMonth(now.In(zone), max(1, c.Day))
	notice := n.w.newNotice("digest "+from.Format("2006-01"), c.Channel, experiments.NoticeDigest, now)
	known, err := n.w.whole.HasNotices(ctx, []string{notice.ID})
	if err != nil || len(known) > 0 {
		return err
	}
	schedules, err := n.w.whole.Schedules(ctx)
	if err != nil {
		return err
	}
	fires, err := n.w.whole.Fires(ctx, experiments.FireList{})
	if err != nil {
		return err
	}
	month := experiments.NoticeMonth{Month: from.Format("2006-01"), Zone: zone.String(), Schedules: digestOf(schedules, fires, from, until)}
	if len(month.Schedules) == 0 {
		return nil
	}
	notice.Facts = experiments.NoticeFacts{Currency: n.w.Config.Currency, Zone: zone.String(), Month: &month}
	_, err = n.w.whole.AddNotices(ctx, []experiments.Notice{notice})
	return err
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
