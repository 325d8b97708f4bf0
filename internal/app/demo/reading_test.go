package demo

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/notify"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/reports"
)

// figuresRead is what a channel says of a comparison, read back out of its artefact; -1 for what the channel has no place for.
type figuresRead struct{ Matched, Worse, Mixed, NeedsCheck, NoChange, Better, Undecided, LowBefore, LowAfter int }

// readWords are the sentences and headings of a language as a reader meets them. They are written here once more on purpose: a wording
// that changes is seen.
var readWords = map[string]struct {
	counts  []string // patterns of which one has to be there; the groups are called as the figures are
	others  []string // patterns of what may be there
	heads   [5]string
	listing string // sheet
}{
	"en": {
		counts: []string{`Of (?P<Matched>\d+) questions asked in both runs, (?P<Worse>\d+) got worse and (?P<Better>\d+) got better`,
			`Of (?P<Matched>\d+) questions asked in both runs, none got worse and (?P<Better>\d+) got better`,
			`Of (?P<Matched>\d+) questions asked in both runs, (?P<Worse>\d+) got worse and none got better`,
			`None of (?:the )?(?P<Matched>\d+) questions`},
		others: []string{`Low-score answers went from (?P<LowBefore>\d+) to (?P<LowAfter>\d+)`,
			`(?P<Mixed>\d+) (?:questions are|question is) mixed`,
			`(?P<NeedsCheck>\d+) (?:more )?(?:questions need|question needs|need|needs) a check`,
			`(?P<Undecided>\d+) questions? (?:was|were) not scored in both runs`},
		heads: [5]string{"worse", "mixed", "needs check", "no change", "better"}, listing: "Worse or to check",
	},
	"ja": {
		counts: []string{`両方の実行で回答した(?P<Matched>\d+)問のうち、(?P<Worse>\d+)問が悪化し、(?P<Better>\d+)問が改善しました`,
			`両方の実行で回答した(?P<Matched>\d+)問のうち、悪化した質問はなく、(?P<Better>\d+)問が改善しました`,
			`両方の実行で回答した(?P<Matched>\d+)問のうち、(?P<Worse>\d+)問が悪化し、改善した質問はありません`,
			`両方の実行で回答した(?P<Matched>\d+)問に、(?:確実な)?悪化も改善もありません`},
		others: []string{`低スコア回答は、採点した\d+件中(?P<LowBefore>\d+)件から(?P<LowAfter>\d+)件`, `(?P<Mixed>\d+)問は一長一短`, `(?P<NeedsCheck>\d+)問[はが]要確認で`,
			`(?P<Undecided>\d+)問は、少なくとも一方の実行で採点できず`},
		heads: [5]string{"悪化", "一長一短", "要確認", "変化なし", "改善"}, listing: "悪化・要確認",
	},
}

// readSentences reads the numbers out of a text.
func readSentences(t *testing.T, lang, text string) figuresRead {
	t.Helper()
	text = strings.Join(strings.Fields(strings.NewReplacer(`\`, "", "&#39;", "'").Replace(text)), " ")
	var out figuresRead
	read := func(pattern string) bool {
		re := regexp.MustCompile(pattern)
		m := re.FindStringSubmatch(text)
		for i, name := range re.SubexpNames() {
			if m != nil && name != "" {
				n, err := strconv.Atoi(m[i])
				if err != nil {
					t.Fatal(err)
				}
				reflect.ValueOf(&out).Elem().FieldByName(name).SetInt(int64(n))
			}
		}
		return m != nil
	}
	if !slices.ContainsFunc(readWords[lang].counts, read) {
		t.Fatalf("it does not count the questions: %.600s", text)
	}
	for _, pattern := range readWords[lang].others {
		read(pattern)
	}
	out.NoChange = out.Matched - out.Worse - out.Better - out.Mixed - out.NeedsCheck - out.Undecided
	return out
}

// readPair is a comparison whose artefacts are read: two runs, of which the second may be a fire.
type readPair struct {
	*apptest.World
	lang          string
	before, after string
	fire          *experiments.Fire // nil for runs that no schedule made: they have no messages
}

// TestEveryChannelSaysTheSame makes the artefact of every channel that this package serves and reads the numbers back out of it: of a fire
// with a baseline in both languages, and of a pair of results that another tool scored. A channel of the registry without a reader here or
// among readElsewhere fails.
func TestEveryChannelSaysTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("evaluates the demo in both languages; what it compares is text")
	}
	for _, lang := range []string{"en", "ja"} {
		t.Run("fire "+lang, func(t *testing.T) {
			t.Parallel()
			w, dir, baseline := demoWeeks(t, lang)
			k := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Experiment: "production", Lang: lang})
			if _, err := w.ImportCorpus(t.Context(), filepath.Join(dir, "corpus-small"), "airline", false); err != nil {
				t.Fatal(err)
			}
			fire := k.Fire(t)
			want := readPair{w, lang, baseline.ID, fire.RunID, &fire}.read(t)
			if want.Worse == 0 || want.LowBefore == want.LowAfter {
				t.Errorf("the fire shows nothing to read: %+v", want)
			}
		})
	}
	t.Run("imported", func(t *testing.T) {
		t.Parallel()
		w := apptest.NewWorld(t, "")
		var runs [2]string
		for i, edit := range []string{"", ",1.0,0.93"} {
			raw, err := os.ReadFile(exportedStudy("ragas.csv"))
			if err != nil {
				t.Fatal(err)
			}
			body := string(raw)
			if edit != "" {
				body = strings.NewReplacer(edit, ",0.2,0.93", "It waits fourteen", "It never waits fourteen").Replace(body)
			}
			got, err := w.ImportResults(t.Context(), w.Write(t, fmt.Sprintf("r%d.csv", i), body), app.ResultsOptions{})
			if err != nil {
				t.Fatal(err)
			}
			runs[i] = got.RunID
		}
		if want := (readPair{w, "en", runs[0], runs[1], nil}).read(t); want.NeedsCheck == 0 {
			t.Errorf("the imported pair shows nothing to read: %+v", want)
		}
	})
}

// read makes every artefact of the pair and compares what it says with the findings, which it returns.
func (r readPair) read(t *testing.T) figuresRead {
	t.Helper()
	w, lang, ctx := r.World, r.lang, t.Context()
	comparison, both, err := w.Compare(ctx, r.before, r.after)
	if err != nil {
		t.Fatal(err)
	}
	found, err := reporting.Findings(ctx, w.Workbench, comparison, both, compare.DefaultGateRules())
	if err != nil {
		t.Fatal(err)
	}
	v := found.Verdicts
	want := figuresRead{found.Matched, v.Worse, v.Mixed, v.NeedsCheck, v.NoChange, v.Better, v.Undecided, found.Low.Before, found.Low.After}
	report, err := reporting.Report(ctx, w.Workbench, r.before, r.after, lang, "test", reporting.GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	gate, err := views.NewViews(w.Workbench).Gate(ctx, r.before, r.after, reporting.GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	var notice experiments.Notice
	if r.fire != nil {
		facts := notify.FactsOf(w.Workbench, experiments.Schedule{Name: "weekly", Experiment: "production", Zone: "Asia/Tokyo", Lang: lang})
		facts.Fire = r.fire
		notify.ExplainWorse(ctx, w.Workbench, &facts)
		notice = experiments.Notice{ID: "n", Kind: experiments.NoticeAlert,
			Reasons: []experiments.NoticeReason{experiments.ReasonWorse, experiments.ReasonGate}, Facts: facts}
	}

	written := func(write func(io.Writer) error) string {
		t.Helper()
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	posted := func(kind string) string {
		t.Helper()
		body, err := notify.WebhookBody(notice, app.ChannelConfig{Kind: kind, Lang: lang})
		if err != nil {
			t.Fatal(err)
		}
		return textsOf(t, body)
	}
	readers := map[findings.Channel]func(t *testing.T) figuresRead{
		findings.API: func(t *testing.T) figuresRead {
			view, err := views.NewViews(w.Workbench).Comparison(ctx, r.before, r.after, reporting.GateAsked{})
			if err != nil {
				t.Fatal(err)
			}
			body, err := json.Marshal(view)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Matched int `json:"matched"`
				Labels  struct {
					Worse, Mixed, Better int
					NeedsCheck           int `json:"needs_check"`
					NoChange             int `json:"no_change"`
				} `json:"labels"`
				Findings struct {
					Verdicts struct{ Undecided int } `json:"verdicts"`
				} `json:"findings"`
				LowBefore int                `json:"low_before"`
				LowAfter  int                `json:"low_after"`
				Sentences findings.Sentences `json:"sentences"`
			}
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if said := readSentences(t, lang, strings.Join(map[string][]string{"en": got.Sentences.EN, "ja": got.Sentences.JA}[lang],
				" ")); said.Worse != got.Labels.Worse {
				t.Errorf("sentences %+v, labels %+v", said, got.Labels)
			}
			return figuresRead{got.Matched, got.Labels.Worse, got.Labels.Mixed, got.Labels.NeedsCheck, got.Labels.NoChange,
				got.Labels.Better, got.Findings.Verdicts.Undecided, got.LowBefore, got.LowAfter}
		},
		findings.Workbook: func(t *testing.T) figuresRead { return readWorkbook(t, r, written(report.WriteXLSX), want) },
		findings.HTML: func(t *testing.T) figuresRead {
			page := written(report.WriteHTML)
			head, _, _ := strings.Cut(page, `<section class="part">`)
			if _, body, ok := strings.Cut(head, "<article"); !ok {
				t.Error("the page has no article")
			} else {
				managersWords(t, r, "the head of the page", "<article"+body)
			}
			return readSentences(t, lang, tags.ReplaceAllString(page, " "))
		},
		findings.Markdown: func(t *testing.T) figuresRead { return readSentences(t, lang, written(report.WriteMarkdown)) },
		findings.CSV: func(t *testing.T) figuresRead {
			rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(written(report.WriteCSV), "\ufeff"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			at := map[string]int{}
			for i, name := range rows[0] {
				at[name] = i
			}
			return countRows(len(rows)-1, func(i int) (string, bool) {
				return rows[i+1][at["change"]],
					rows[i+1][at["low_score"]] == "true"
			}, want)
		},
		findings.JSONL: func(t *testing.T) figuresRead {
			var rows []reports.Row
			dec := json.NewDecoder(strings.NewReader(written(report.WriteJSONL)))
			for dec.More() {
				var r reports.Row
				if err := dec.Decode(&r); err != nil {
					t.Fatal(err)
				}
				rows = append(rows, r)
			}
			return countRows(len(rows), func(i int) (string, bool) {
				return string(rows[i].Change), rows[i].LowScore != nil && *rows[i].LowScore
			}, want)
		},
		findings.GateJSON: func(t *testing.T) figuresRead {
			body, err := json.Marshal(gate)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Said   []string `json:"said"`
				Counts compare.VerdictCounts
			}
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			out := readSentences(t, "en", strings.Join(got.Said, " "))
			if got.Counts.Worse != out.Worse || got.Counts.Better != out.Better {
				t.Errorf("counts %+v, sentences %+v", got.Counts, out)
			}
			return out
		},
		findings.GateJUnit: func(t *testing.T) figuresRead {
			body := written(func(out io.Writer) error { return gate.WriteJUnit(out, "en", false) })
			var got struct {
				Properties []struct {
					Name  string `xml:"name,attr"`
					Value int    `xml:"value,attr"`
				} `xml:"properties>property"`
				Out string `xml:"system-out"`
			}
			if err := xml.Unmarshal([]byte(body), &got); err != nil {
				t.Fatal(err)
			}
			out := readSentences(t, "en", got.Out)
			counts := map[string]int{}
			for _, p := range got.Properties {
				counts[p.Name] = p.Value
			}
			if counts["worse"] != out.Worse || counts["mixed"] != out.Mixed || counts["better"] != out.Better ||
				counts["needs_check"] != out.NeedsCheck {
				t.Errorf("properties %v, sentences %+v", counts, out)
			}
			return out
		},
		findings.GateMarkdown: func(t *testing.T) figuresRead {
			return readSentences(t, "en", written(func(out io.Writer) error { return gate.WriteMarkdown(out, "en") }))
		},
		findings.Mail: func(t *testing.T) figuresRead {
			msg, err := notify.MailOf(w.Workbench, notice,
				app.ChannelConfig{Kind: app.ChannelMail, Lang: lang, From: "a@example.com", To: []string{"b@example.com"}})
			if err != nil {
				t.Fatal(err)
			}
			var raw bytes.Buffer
			if _, err := msg.WriteTo(&raw); err != nil {
				t.Fatal(err)
			}
			mail := apptest.Mail{Raw: raw.String()}.Open(t)
			if len(mail.Files) != 1 {
				t.Fatalf("%d attachments", len(mail.Files))
			}
			managersWords(t, r, "the mail", mail.Text)
			out := readSentences(t, lang, mail.Text)
			for name, book := range mail.Files {
				if inside := readWorkbook(t, r, string(book), want); inside != out {
					t.Errorf("the mail says %+v, its attachment %s %+v", out, name, inside)
				}
			}
			return out
		},
		findings.Webhook: func(t *testing.T) figuresRead { return readSentences(t, lang, posted("webhook")) },
		findings.Slack:   func(t *testing.T) figuresRead { return readSentences(t, lang, posted(app.ChannelSlack)) },
		findings.Teams:   func(t *testing.T) figuresRead { return readSentences(t, lang, posted(app.ChannelTeams)) },
		findings.Notebook: func(t *testing.T) figuresRead {
			c, err := (&studies.NotebookEngine{W: w.Workbench}).Compare(ctx, r.before, r.after, document.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			out := readSentences(t, lang, map[string]string{"en": c.Sentences.EN, "ja": c.Sentences.JA}[lang])
			if c.Worse.Count != out.Worse || c.Mixed.Count != out.Mixed || c.Better.Count != out.Better || c.LowBefore != out.LowBefore ||
				c.LowAfter != out.LowAfter {
				t.Errorf("values %+v, sentences %+v", c, out)
			}
			return out
		},
		findings.Reading: func(t *testing.T) figuresRead { return readReadingPage(t, r, found) },
		findings.Trend: func(t *testing.T) figuresRead {
			trend, err := views.NewViews(w.Workbench).Trend(ctx, "weekly", 0)
			if err != nil {
				t.Fatal(err)
			}
			out := want // a point of a trend has room for three of them
			p := trend.Points[len(trend.Points)-1]
			out.Worse, out.LowAfter = p.Worse, p.Run.Low
			for _, b := range trend.Baselines {
				out.LowBefore = b.Low
			}
			return out
		},
	}
	for _, c := range findings.Channels() {
		if r.fire == nil && ofFires[c] {
			continue
		}
		read, ok := readers[c]
		if !ok {
			if !readElsewhere[c] {
				t.Errorf("the channel %q has no reader", c)
			}
			continue
		}
		t.Run(c.String(), func(t *testing.T) {
			got := read(t)
			t.Logf("%-18s %+v", c, got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-findings +%s):\n%s", c, diff)
			}
		})
	}
	return want
}

// ofFires are the channels that only a fire has.
var ofFires = map[findings.Channel]bool{findings.Mail: true, findings.Webhook: true, findings.Slack: true, findings.Teams: true,
	findings.Trend: true}

// readElsewhere are the channels that this package does not write. Those of the command line are read in cmd/workbench,
// TestCommandsSayWhatTheFindingsSay; the page of a comparison is read in a browser, frontend/e2e/stories.spec.ts.
var readElsewhere = map[findings.Channel]bool{
	findings.CommandText: true, findings.CommandJSON: true, findings.GateText: true, findings.Page: true,
}

// countRows counts the rows of a table by what became of their questions; the low scores before are not in it.
func countRows(n int, row func(i int) (change string, low bool), want figuresRead) figuresRead {
	out := figuresRead{LowBefore: want.LowBefore}
	for i := range n {
		change, low := row(i)
		switch compare.Label(change) {
		case compare.Worse:
			out.Worse++
		case compare.Mixed:
			out.Mixed++
		case compare.NeedsCheck:
			out.NeedsCheck++
		case compare.Better:
			out.Better++
		case compare.NoChange:
			out.NoChange++
		default:
			out.Undecided++
		}
		out.Matched++
		if low {
			out.LowAfter++
		}
	}
	return out
}

// tags are the marks of a page.
var tags = regexp.MustCompile(`<[^>]*>`)

// managersWords fails where a manager's page holds a command, the id of a run, or a name of code.
func managersWords(t *testing.T, r readPair, where, text string) {
	t.Helper()
	text = regexp.MustCompile(`https?://\S+`).ReplaceAllString(tags.ReplaceAllString(text, " "), " ")
	for _, technical := range []*regexp.Regexp{regexp.MustCompile(`workbench [a-z-]+ `), regexp.MustCompile(`--[a-z]+`),
		regexp.MustCompile(`\b[a-z]+_[a-z_]+\b`), regexp.MustCompile(r.before + "|" + r.after)} {
		if found := technical.FindString(text); found != "" {
			t.Errorf("%s, %s: %q is no word for a manager", where, r.lang, found)
		}
	}
}

// readWorkbook reads the first sheet: its sentences, its table of verdicts, and the rows of the sheet of what got worse.
func readWorkbook(t *testing.T, r readPair, body string, want figuresRead) figuresRead {
	t.Helper()
	book, err := excelize.OpenReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	rows, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	heads := readWords[r.lang].heads
	counts := map[string]int{}
	for i, row := range rows {
		text = append(text, strings.Join(row, " "))
		if len(row) > 0 && row[0] == heads[0] {
			for at, name := range row {
				if name != "" && at < len(rows[i+1]) {
					counts[name], _ = strconv.Atoi(rows[i+1][at])
				}
			}
		}
	}
	said := strings.Join(text, " ")
	managersWords(t, r, "page 1", said)
	out := readSentences(t, r.lang, said)
	if diff := cmp.Diff([5]int{out.Worse, out.Mixed, out.NeedsCheck, out.NoChange, out.Better},
		[5]int{counts[heads[0]], counts[heads[1]], counts[heads[2]], counts[heads[3]], counts[heads[4]]}); diff != "" {
		t.Errorf("the table of verdicts has %v, the sentences %+v", counts, out)
	}
	listed, err := book.GetRows(readWords[r.lang].listing)
	if err != nil {
		t.Fatal(err)
	}
	inList := 0
	for _, row := range listed {
		if len(row) > 1 && strings.HasPrefix(row[1], heads[0]) {
			inList++
		}
	}
	if inList != want.Worse {
		t.Errorf("the sheet lists %d worse questions, not %d", inList, want.Worse)
	}
	return out
}

// textsOf are all texts of a JSON body, in order.
func textsOf(t *testing.T, body []byte) string {
	t.Helper()
	var out []string
	dec := json.NewDecoder(bytes.NewReader(body))
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return strings.Join(out, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(string); ok {
			out = append(out, s)
		}
	}
}
