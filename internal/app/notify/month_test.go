package notify

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
)

// month is a schedule whose fires the test writes, over two real runs of which the second is worse.
type month struct {
	*notified
	schedule      experiments.Schedule
	good, bad     experiments.Run
	smtp          *smtpServer
	generic, chat *hook
	book          []byte
}

const monthConfig = `
notifications:
  channels:
    mail: {kind: mail, host: 127.0.0.1, port: %d, tls: none, from: Workbench <bench@example.org>, to: [owner@example.org, "品質 <second@example.org>"], allow_private: true, lang: both}
    hook: {kind: webhook, url_env: HOOK_URL, secret_env: HOOK_SECRET, allow_private: true}
    chat: {kind: slack, url_env: CHAT_URL, allow_private: true, lang: ja}
    alive: {kind: webhook, url_env: HOOK_URL, allow_private: true}
  digest: {channel: mail, day: 1, zone: Asia/Tokyo}
public_url: https://bench.example.org/
`

func newMonth(t *testing.T) *month {
	t.Helper()
	m := &month{smtp: newSMTP(t, &smtpServer{}), generic: newHook(t), chat: newHook(t)}
	m.notified = newNotified(t, fmt.Sprintf(monthConfig, m.smtp.port), map[string]string{
		"HOOK_URL": m.generic.URL + "/in/secret-path", "HOOK_SECRET": "hook-key-123", "CHAT_URL": m.chat.URL +
			"/services/T0/B0/chat-secret",
	})
	if _, _, err := m.Whole.PutAgreement(t.Context(), experiments.Agreement{Dataset: "asked", LowScore: 3, AgreedBy: []string{"CS"},
		AgreedOn: "2026-09-01", Targets: []experiments.Target{{Goal: experiments.Goal{Metric: experiments.LowScoreShare, Target: 0},
			Due: "2026-10-01"}},
	}); err != nil {
		t.Fatal(err)
	}
	m.good = m.Worked(t, apptest.Offline)
	m.bad = m.Worked(t, "name: closed\nbase: {retrieve: {mode: bm25, k: 2}, generate: {provider: offline, model: closed-book}}\n")
	report, err := reporting.Report(t.Context(), m.notified.World.Workbench, m.good.ID, m.bad.ID, "en", "test", reporting.GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	var book bytes.Buffer
	if err := report.WriteXLSX(&book); err != nil {
		t.Fatal(err)
	}
	m.book = book.Bytes()
	path := filepath.Join(m.Dir, "data", "fires", "weekly", "book.xlsx")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, m.book, 0o600); err != nil {
		t.Fatal(err)
	}
	m.schedule = experiments.Schedule{
		Name: "weekly", Experiment: "closed", Cron: "0 6 * * 1", Zone: "Asia/Tokyo", CatchUp: experiments.CatchUpLatest,
		Overlap: experiments.OverlapSkip,
		Notify:  []string{"mail", "hook", "chat"}, CreatedAt: m.now(),
	}
	if err := m.Whole.PutSchedule(t.Context(), m.schedule); err != nil {
		t.Fatal(err)
	}
	return m
}

// fire stores what became of a slot of a week, as the scheduler does, tells of it twice, as after a crash, and delivers what is due.
func (m *month) fire(t *testing.T, week int, change func(f *experiments.Fire)) experiments.Fire {
	t.Helper()
	nominal := time.Date(2026, 10, 4+7*week, 21, 0, 0, 0, time.UTC) // Mondays 06:00 in Tokyo
	f := timetable.NewFire("weekly", nominal, experiments.FireRan)
	f.RunID, f.Baseline, f.Gate, f.Scored, f.LowBefore, f.Low, f.FinishedAt = m.good.ID, m.good.ID, "PASS", 8, 1, 1,
		nominal.Add(9*time.Minute)
	f.Spent, f.Calls = 1_250_000, 96
	if week > 0 {
		f.Previous = m.good.ID
	}
	change(&f)
	if ok, err := m.Whole.AddFire(t.Context(), f); !ok || err != nil {
		t.Fatalf("the fire was not stored: %v", err)
	}
	m.set(f.FinishedAt)
	for range 2 {
		if err := Notify(t.Context(), m.notified.World.Workbench, m.schedule, f); err != nil {
			t.Fatal(err)
		}
	}
	m.deliver(t)
	return f
}

func (m *month) deliver(t *testing.T) int {
	t.Helper()
	made, err := NewNotifier(m.notified.World.Workbench).Deliver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// sent is how many messages each channel has had: mail, generic webhook, chat.
func (m *month) sent() [3]int {
	return [3]int{len(m.smtp.took()), len(m.generic.requests()), len(m.chat.requests())}
}

func (m *month) want(t *testing.T, when string, want [3]int) {
	t.Helper()
	if got := m.sent(); got != want {
		t.Fatalf("%s: %v messages by mail, webhook and chat; want %v\n%s", when, got, want, m.log())
	}
}

// TestScriptedMonth: quiet weeks are silent; a regression, an outage and a changed judge are each told once to every channel, and the
// month is summed up once.
func TestScriptedMonth(t *testing.T) {
	t.Parallel()
	m := newMonth(t)
	quiet := func(*experiments.Fire) {}
	m.fire(t, 0, quiet)
	m.fire(t, 1, quiet)
	m.want(t, "two quiet weeks", [3]int{0, 0, 0})

	worse := m.fire(t, 2, func(f *experiments.Fire) {
		f.RunID, f.Gate, f.Low, f.Workbook = m.bad.ID, "FAIL", 6, "fires/weekly/book.xlsx"
		f.Worse, f.NewlyWorse, f.NeedsCheck = []string{"q0", "q3", "q6"}, []string{"q0", "q3", "q6"}, 1
	})
	m.want(t, "the regression", [3]int{1, 1, 1})
	m.checkRegression(t, worse)

	m.fire(t, 3, func(f *experiments.Fire) { // as bad as before: known already
		f.RunID, f.Gate, f.Low, f.Worse = m.bad.ID, "FAIL", 6, []string{"q0", "q3", "q6"}
	})
	m.want(t, "the week after the regression", [3]int{1, 1, 1})

	// An outage of three slots: the scheduler tells of the newest missed one, and perhaps again after a restart in between.
	for week := 4; week < 7; week++ {
		m.fire(t, week, func(f *experiments.Fire) {
			nominal := f.NominalAt
			*f = timetable.NewFire("weekly", nominal, experiments.FireMissed)
			f.Reason, f.FinishedAt = "down from 2026-10-26 to 2026-11-16", nominal.Add(time.Hour)
		})
	}
	m.want(t, "the outage", [3]int{2, 2, 2})

	m.fire(t, 7, func(f *experiments.Fire) { f.Drift = "judge -0.31 (95% -0.42 to -0.20) on 30 anchors" })
	m.want(t, "the changed judge", [3]int{3, 3, 3})
	m.fire(t, 8, func(f *experiments.Fire) { f.Drift = "judge -0.33 (95% -0.44 to -0.22) on 30 anchors" })
	m.want(t, "the judge is changed still", [3]int{3, 3, 3})

	if err := NewNotifier(m.notified.World.Workbench).Heal(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.deliver(t)
	m.want(t, "looking for what was lost", [3]int{3, 3, 3})
	m.checkDigest(t)
	m.checkLog(t)
}

// checkWorst holds the worse answers of a message against those of the two runs, and what is overdue against the agreement.
func (m *month) checkWorst(t *testing.T, facts experiments.NoticeFacts, mail apptest.Opened) {
	t.Helper()
	_, both, err := m.notified.World.Compare(t.Context(), m.good.ID, m.bad.ID)
	if err != nil {
		t.Fatal(err)
	}
	answers := [2]map[string]string{{}, {}}
	for side, e := range both {
		for _, r := range e.Results {
			answers[side][r.QuestionID] = r.Answer.Text
		}
	}
	if len(facts.Worst) != 3 || len(facts.Overdue) != 1 || !strings.Contains(facts.Overdue[0].EN, "2026-10-01") {
		t.Fatalf("the worst answers are %+v, overdue is %+v", facts.Worst, facts.Overdue)
	}
	page := html.UnescapeString(mail.HTML)
	if !strings.Contains(mail.Text, "The causes are not known yet: workbench diagnose "+m.bad.ID) {
		t.Errorf("the mail does not say what to do next:\n%s", mail.Text)
	}
	for _, a := range facts.Worst {
		if !slices.Contains(facts.Fire.NewlyWorse, a.ID) {
			t.Errorf("%s is shown and is not newly worse", a.ID)
		}
		if a.Before != line(answers[0][a.ID], noticeAnswer) || a.After != line(answers[1][a.ID], noticeAnswer) ||
			a.Link != facts.Link+"&question="+a.ID {
			t.Errorf("a worse answer is %+v; it was %q and is %q", a, answers[0][a.ID], answers[1][a.ID])
		}
		for _, want := range []string{a.Question, a.Before, a.After, a.Why.JA, a.Link} {
			if want == "" || !strings.Contains(page, want) || !strings.Contains(mail.Text, want) {
				t.Errorf("the mail does not say %q", want)
			}
		}
	}
	compared := 0
	for _, c := range facts.Changes {
		compared += c.N
	}
	if compared != len(both[1].Questions) {
		t.Errorf("the verdicts %v are on %d of %d answers", facts.Changes, compared, len(both[1].Questions))
	}
}

func (m *month) checkRegression(t *testing.T, f experiments.Fire) {
	t.Helper()
	mail := m.smtp.took()[0]
	if mail.From != "bench@example.org" || !slices.Equal(mail.To, []string{"owner@example.org", "second@example.org"}) {
		t.Errorf("the mail is from %s to %v", mail.From, mail.To)
	}
	got := mail.Open(t)
	for _, want := range []string{"weekly", "3 answers got worse", "悪化した回答 3件"} {
		if !strings.Contains(got.Subject, want) {
			t.Errorf("the subject %q does not hold %q", got.Subject, want)
		}
	}
	for _, want := range []string{
		apptest.AskedQuestions[0], apptest.AskedQuestions[6], "Low-score answers went from 5 to 8, of 8 scored answers.",
		"Release check failed: Trust fell by 4 on average, and fell by 3 with the loss of the 2 mixed questions taken as 0; " +
			"even allowing for chance, that is more than the limit of 0.2 allows; 6 of 8 answers (75%)",
		"; and 1 of 1 critical questions, marked as ones that must never get worse, got worse: q0.",
		"Cost: 1.25 USD in 96 calls.", "2026-10-19 06:00 JST", "fires/weekly/book.xlsx", "新たに悪化した質問", "a simple built-in checker",
	} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("the mail does not say %q:\n%s", want, got.Text)
		}
	}
	const attached = "closed-2026-10-19.xlsx" // in the zone of the schedule
	if len(got.Kinds) != 4 || len(got.Files) != 1 || !bytes.Equal(got.Files[attached], m.book) {
		t.Fatalf("the mail has parts %v and %d files; want text, HTML, a picture and the workbook", got.Kinds, len(got.Files))
	}
	if z, err := zip.NewReader(bytes.NewReader(got.Files[attached]), int64(len(m.book))); err != nil {
		t.Errorf("the workbook does not open: %v", err)
	} else if _, err := z.Open("xl/workbook.xml"); err != nil {
		t.Errorf("the attachment is no workbook: %v", err)
	}

	r := m.generic.requests()[0]
	var body noticeBody
	if err := json.Unmarshal(r.body, &body); err != nil {
		t.Fatal(err)
	}
	if body.Version != 1 || body.Kind != experiments.NoticeAlert || body.Facts.Fire.ID != f.ID || len(body.Facts.Questions) != 3 ||
		body.Facts.Questions[0].Text != apptest.AskedQuestions[0] ||
		!slices.Equal(body.Reasons, []experiments.NoticeReason{experiments.ReasonWorse, experiments.ReasonGate}) || body.Text["en"] == "" {
		t.Errorf("the webhook got %s", r.body)
	}
	m.checkWorst(t, body.Facts, got)
	if got, want := r.header.Get(headerSignature), signature("hook-key-123", m.now(), r.body); got != want ||
		!strings.HasPrefix(got, fmt.Sprintf("t=%d,v1=", m.now().Unix())) {
		t.Errorf("the signature is %q; want %q", got, want)
	}
	if chat := string(m.chat.requests()[0].body); !strings.Contains(chat, "weekly：") || !strings.Contains(chat, apptest.AskedQuestions[6]) {
		t.Errorf("the chat got %s", chat)
	}
}

func (m *month) checkDigest(t *testing.T) {
	t.Helper()
	n := NewNotifier(m.notified.World.Workbench)
	digest := func(at time.Time) {
		m.set(at)
		if err := n.Digest(t.Context()); err != nil {
			t.Fatal(err)
		}
		m.deliver(t)
	}
	digest(time.Date(2026, 11, 30, 22, 59, 0, 0, time.UTC)) // 07:59 on the first of December in Tokyo: October's is due
	m.want(t, "before the day of the digest", [3]int{4, 3, 3})
	digest(time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC))
	digest(time.Date(2026, 12, 9, 23, 0, 0, 0, time.UTC))
	m.want(t, "the digest", [3]int{5, 3, 3})
	october, november := m.smtp.took()[3].Open(t), m.smtp.took()[4].Open(t)
	for _, want := range []string{"Ran 4 times; 1 with something to tell.", "Low scores: 12.5% at first, 75% at last.",
		"Cost: 5.00 USD in 384 calls.", "実行4回、うち通知対象1回。", "Agreed, and overdue:", "2026-10-01",
		"https://bench.example.org/compare?baseline=" + m.good.ID + "&candidate=" + m.bad.ID} {
		if !strings.Contains(october.Text, want) {
			t.Errorf("October's digest does not say %q:\n%s", want, october.Text)
		}
	}
	for _, want := range []string{"Ran 2 times; 2 with something to tell.", "Missed 3, failed 0, skipped 0.", "Release check passed."} {
		if !strings.Contains(november.Text, want) {
			t.Errorf("November's digest does not say %q:\n%s", want, november.Text)
		}
	}
	if !strings.Contains(november.Subject, "2026-11") {
		t.Errorf("the subject of November's digest is %q", november.Subject)
	}
}

// checkLog: every message is in the log with one attempt, and no address or key is anywhere.
func (m *month) checkLog(t *testing.T) {
	t.Helper()
	all, _, err := m.Whole.Notices(t.Context(), experiments.NoticeFilter{}, experiments.Part{Sort: "created_at", Down: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 11 {
		t.Errorf("%d messages are stored; want 3 alerts to 3 channels and 2 digests", len(all))
	}
	for _, n := range all {
		if n.State != experiments.NoticeDelivered || len(n.Attempts) != 1 || n.Attempts[0].Outcome != experiments.AttemptDelivered {
			t.Errorf("message %s to %s is %s with %v", n.Kind, n.Channel, n.State, n.Attempts)
		}
	}
	body, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"secret", "hook-key", "127.0.0.1"} {
		if strings.Contains(string(body)+m.log(), secret) {
			t.Errorf("%q is in the messages or the log:\n%s", secret, m.log())
		}
	}
}

// TestPing: a schedule with a ping is heard of after every fire that went well, and only then.
func TestPing(t *testing.T) {
	t.Parallel()
	m := newMonth(t)
	m.schedule.Notify, m.schedule.Ping = nil, "alive"
	m.fire(t, 0, func(*experiments.Fire) {})
	m.fire(t, 1, func(f *experiments.Fire) { f.State, f.Reason = experiments.FireFailed, "the provider is down" })
	m.fire(t, 2, func(f *experiments.Fire) { f.NewlyWorse, f.Gate = []string{"q1"}, "FAIL" })
	m.want(t, "three fires", [3]int{0, 2, 0})
	if r := m.generic.requests()[0]; r.header.Get(headerEvent) != "ping" || r.header.Get(headerSignature) != "" {
		t.Errorf("the ping has the headers %v", r.header)
	}
}

// TestFailuresAreToldOnce: the first failure and the stop are told, what is between is not.
func TestFailuresAreToldOnce(t *testing.T) {
	t.Parallel()
	m := newMonth(t)
	fail := func(f *experiments.Fire) {
		*f = timetable.NewFire("weekly", f.NominalAt, experiments.FireFailed)
		f.Reason, f.FinishedAt = "the provider openai refuses the key", f.NominalAt.Add(time.Minute)
	}
	m.fire(t, 0, fail)
	m.fire(t, 1, fail)
	m.want(t, "two failures", [3]int{1, 1, 1})
	m.schedule.Paused, m.schedule.PausedWhy = true, "it failed 3 times in a row; the last time: the provider openai refuses the key"
	m.fire(t, 2, fail)
	m.want(t, "the third failure, which stops the schedule", [3]int{2, 2, 2})
	if got := m.smtp.took()[1].Open(t); !strings.Contains(got.Subject, "the schedule is paused") ||
		!strings.Contains(got.Text, "workbench schedule resume weekly") {
		t.Errorf("the mail about the stop is %q:\n%s", got.Subject, got.Text)
	}
}
