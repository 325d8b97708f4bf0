package app

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"path/filepath"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports"
)

// figuresRead is what a channel says of a comparison, read back out of its artefact; -1 for what the channel has no place for.
type figuresRead struct{ Matched, Worse, Mixed, NeedsCheck, NoChange, Better, LowBefore, LowAfter int }

// The sentences of the findings as a reader meets them. They are written here once more on purpose: a wording that changes is seen.
var (
	countsRead = regexp.MustCompile(`Of (\d+) questions asked in both runs, (\d+) got worse and (\d+) got better`)
	lowRead    = regexp.MustCompile(`Low-score answers went from (\d+) to (\d+)`)
	mixedRead  = regexp.MustCompile(`(\d+) (?:questions are|question is) mixed`)
	checkRead  = regexp.MustCompile(`(\d+) (?:questions need|question needs|need|needs) a check`)
)

// readSentences reads the numbers out of a text.
func readSentences(t *testing.T, text string) figuresRead {
	t.Helper()
	text = strings.Join(strings.Fields(strings.NewReplacer(`\`, "", "&#39;", "'").Replace(text)), " ")
	number := func(re *regexp.Regexp, group int) int {
		m := re.FindStringSubmatch(text)
		if m == nil {
			return 0
		}
		n, err := strconv.Atoi(m[group])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if !countsRead.MatchString(text) {
		t.Fatalf("it does not count the questions: %.600s", text)
	}
	out := figuresRead{
		Matched: number(countsRead, 1), Worse: number(countsRead, 2), Better: number(countsRead, 3), Mixed: number(mixedRead, 1), NeedsCheck: number(checkRead, 1),
		LowBefore: number(lowRead, 1), LowAfter: number(lowRead, 2),
	}
	out.NoChange = out.Matched - out.Worse - out.Better - out.Mixed - out.NeedsCheck
	return out
}

// TestEveryChannelSaysTheSame makes the artefact of every channel that this package serves, of a fire with a baseline, and reads the
// numbers back out of it. A channel of the registry without a reader here or among readElsewhere fails.
func TestEveryChannelSaysTheSame(t *testing.T) {
	t.Parallel()
	w, dir, baseline := demoWeeks(t)
	ctx := t.Context()
	k := newWeeks(t, w.Workbench, ScheduleOrder{Experiment: "production", Lang: "en"})
	if _, err := w.ImportCorpus(ctx, filepath.Join(dir, "corpus-small"), "airline", false); err != nil {
		t.Fatal(err)
	}
	fire := k.fire(t)
	comparison, both, err := w.Compare(ctx, baseline.ID, fire.RunID)
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Findings(ctx, comparison, both)
	if err != nil {
		t.Fatal(err)
	}
	v := found.Verdicts
	want := figuresRead{found.Matched, v.Worse, v.Mixed, v.NeedsCheck, v.NoChange + v.Undecided, v.Better, found.Low.Before, found.Low.After}
	if want.Worse == 0 || want.LowBefore == want.LowAfter {
		t.Fatalf("the fire shows nothing to read: %+v", want)
	}
	report, err := w.Report(ctx, baseline.ID, fire.RunID, "en", "test")
	if err != nil {
		t.Fatal(err)
	}
	gate, err := NewViews(w.Workbench).Gate(ctx, baseline.ID, fire.RunID, GateAsked{})
	if err != nil {
		t.Fatal(err)
	}
	facts := w.factsOf(experiments.Schedule{Name: "weekly", Experiment: "production", Zone: "Asia/Tokyo", Lang: "en"})
	facts.Fire = &fire
	w.explainWorse(ctx, &facts)
	notice := experiments.Notice{ID: "n", Kind: experiments.NoticeAlert, Reasons: []experiments.NoticeReason{experiments.ReasonWorse, experiments.ReasonGate}, Facts: facts}

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
		body, err := webhookBody(notice, ChannelConfig{Kind: kind, Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		return textsOf(t, body)
	}
	readers := map[findings.Channel]func(t *testing.T) figuresRead{
		findings.API: func(t *testing.T) figuresRead {
			view, err := NewViews(w.Workbench).Comparison(ctx, baseline.ID, fire.RunID)
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
				LowBefore int                `json:"low_before"`
				LowAfter  int                `json:"low_after"`
				Sentences findings.Sentences `json:"sentences"`
			}
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if said := readSentences(t, strings.Join(got.Sentences.EN, " ")); said.Worse != got.Labels.Worse {
				t.Errorf("sentences %+v, labels %+v", said, got.Labels)
			}
			return figuresRead{got.Matched, got.Labels.Worse, got.Labels.Mixed, got.Labels.NeedsCheck, got.Labels.NoChange, got.Labels.Better, got.LowBefore, got.LowAfter}
		},
		findings.Workbook: func(t *testing.T) figuresRead { return readWorkbook(t, written(report.WriteXLSX), want) },
		findings.HTML: func(t *testing.T) figuresRead {
			return readSentences(t, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(written(report.WriteHTML), " "))
		},
		findings.Markdown: func(t *testing.T) figuresRead { return readSentences(t, written(report.WriteMarkdown)) },
		findings.CSV: func(t *testing.T) figuresRead {
			rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(written(report.WriteCSV), "\ufeff"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			at := map[string]int{}
			for i, name := range rows[0] {
				at[name] = i
			}
			return countRows(len(rows)-1, func(i int) (string, bool) { return rows[i+1][at["change"]], rows[i+1][at["low_score"]] == "true" }, want)
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
				Counts analysis.VerdictCounts
			}
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			out := readSentences(t, strings.Join(got.Said, " "))
			if got.Counts.Worse != out.Worse || got.Counts.Better != out.Better {
				t.Errorf("counts %+v, sentences %+v", got.Counts, out)
			}
			return out
		},
		findings.GateJUnit: func(t *testing.T) figuresRead {
			body := written(func(out io.Writer) error { return gate.WriteJUnit(out, false) })
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
			out := readSentences(t, got.Out)
			counts := map[string]int{}
			for _, p := range got.Properties {
				counts[p.Name] = p.Value
			}
			if counts["worse"] != out.Worse || counts["mixed"] != out.Mixed || counts["better"] != out.Better || counts["needs_check"] != out.NeedsCheck {
				t.Errorf("properties %v, sentences %+v", counts, out)
			}
			return out
		},
		findings.GateMarkdown: func(t *testing.T) figuresRead { return readSentences(t, written(gate.WriteMarkdown)) },
		findings.Mail: func(t *testing.T) figuresRead {
			msg, err := w.mailOf(notice, ChannelConfig{Kind: channelMail, Lang: "en", From: "a@example.com", To: []string{"b@example.com"}})
			if err != nil {
				t.Fatal(err)
			}
			var raw bytes.Buffer
			if _, err := msg.WriteTo(&raw); err != nil {
				t.Fatal(err)
			}
			mail := smtpMail{raw: raw.String()}.open(t)
			if len(mail.files) != 1 {
				t.Fatalf("%d attachments", len(mail.files))
			}
			out := readSentences(t, mail.text)
			for name, book := range mail.files {
				if inside := readWorkbook(t, string(book), want); inside != out {
					t.Errorf("the mail says %+v, its attachment %s %+v", out, name, inside)
				}
			}
			return out
		},
		findings.Webhook: func(t *testing.T) figuresRead { return readSentences(t, posted("webhook")) },
		findings.Slack:   func(t *testing.T) figuresRead { return readSentences(t, posted(channelSlack)) },
		findings.Teams:   func(t *testing.T) figuresRead { return readSentences(t, posted(channelTeams)) },
		findings.Notebook: func(t *testing.T) figuresRead {
			c, err := (&notebookEngine{w: w.Workbench}).Compare(ctx, baseline.ID, fire.RunID)
			if err != nil {
				t.Fatal(err)
			}
			out := readSentences(t, c.Sentences.EN)
			if c.Worse.Count != out.Worse || c.Mixed.Count != out.Mixed || c.Better.Count != out.Better || c.LowBefore != out.LowBefore || c.LowAfter != out.LowAfter {
				t.Errorf("values %+v, sentences %+v", c, out)
			}
			return out
		},
		findings.Trend: func(t *testing.T) figuresRead {
			trend, err := NewViews(w.Workbench).Trend(ctx, "weekly", 0)
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
}

// readElsewhere are the channels that this package does not write. Those of the command line are read in cmd/workbench,
// TestCommandsSayWhatTheFindingsSay. Nothing reads the two pages yet: they need a browser.
var readElsewhere = map[findings.Channel]bool{
	findings.CommandText: true, findings.CommandJSON: true, findings.GateText: true, findings.Page: true, findings.Reading: true,
}

// countRows counts the rows of a table by what became of their questions; the low scores before are not in it.
func countRows(n int, row func(i int) (change string, low bool), want figuresRead) figuresRead {
	out := figuresRead{LowBefore: want.LowBefore}
	for i := range n {
		change, low := row(i)
		switch analysis.Label(change) {
		case analysis.Worse:
			out.Worse++
		case analysis.Mixed:
			out.Mixed++
		case analysis.NeedsCheck:
			out.NeedsCheck++
		case analysis.Better:
			out.Better++
		case analysis.NoChange:
			out.NoChange++
		default:
			continue
		}
		out.Matched++
		if low {
			out.LowAfter++
		}
	}
	return out
}

// readWorkbook reads the first sheet: its sentences, its table of verdicts, and the rows of the sheet of what got worse.
func readWorkbook(t *testing.T, body string, want figuresRead) figuresRead {
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
	counts := map[string]int{}
	for i, row := range rows {
		text = append(text, strings.Join(row, " "))
		if len(row) > 0 && row[0] == "worse" {
			for at, name := range row {
				if name != "" && at < len(rows[i+1]) {
					counts[name], _ = strconv.Atoi(rows[i+1][at])
				}
			}
		}
	}
	out := readSentences(t, strings.Join(text, " "))
	if counts["worse"] != out.Worse || counts["mixed"] != out.Mixed || counts["needs check"] != out.NeedsCheck || counts["better"] != out.Better || counts["no change"] != out.NoChange {
		t.Errorf("the table of verdicts has %v, the sentences %+v", counts, out)
	}
	listed, err := book.GetRows("Got worse")
	if err != nil {
		t.Fatal(err)
	}
	inList := 0
	for _, row := range listed {
		if len(row) > 1 && strings.HasPrefix(row[1], "worse") {
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
