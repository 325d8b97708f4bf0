package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// jsonOf is a value as the body of a request.
func jsonOf(t *testing.T, v any) string {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// desk is a server with a folder of notebooks of its own, over the demo.
func desk(t *testing.T) (*client, string) {
	t.Helper()
	dir := t.TempDir()
	return serve(t, Options{Workbench: demoed(t).workbench, Notebooks: dir, Every: quick}), dir
}

// smallDesk is a server over a few pages and questions of its own.
func smallDesk(t *testing.T) *client {
	t.Helper()
	w, dir := fresh(t), t.TempDir()
	var asked strings.Builder
	for i := range 12 {
		page := fmt.Sprintf("Page %d says that item %d costs %d yen at every counter.", i, i, 100*i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("page%d.md", i)), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&asked, "{\"question_id\":\"q%d\",\"question\":\"What does item %d cost?\",\"reference\":\"%d yen\"}\n", i, i, 100*i)
	}
	if _, err := w.ImportCorpus(t.Context(), dir, "pages", false); err != nil {
		t.Fatal(err)
	}
	sheet := filepath.Join(t.TempDir(), "asked.jsonl")
	if err := os.WriteFile(sheet, []byte(asked.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.ImportDataset(t.Context(), sheet, "asked", "pages", nil); err != nil {
		t.Fatal(err)
	}
	return serve(t, Options{Workbench: w, Every: quick})
}

func quick(time.Duration) (<-chan time.Time, func()) {
	ticks := time.NewTicker(20 * time.Millisecond)
	return ticks.C, ticks.Stop
}

// rested reads the events of a notebook until nothing is being run, and returns them.
func (c *client) rested(name string) []studies.NotebookEvent {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet,
		c.url+requests.Prefix+"/notebooks/"+url.PathEscape(name)+"/events", http.NoBody)
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), "event: end") {
		c.t.Fatalf("%v %d %s", err, response.StatusCode, body)
	}
	var out []studies.NotebookEvent
	for line := range strings.SplitSeq(string(body), "\n") {
		if data, ok := strings.CutPrefix(line, "data: {\"seq\""); ok {
			var e studies.NotebookEvent
			if err := json.Unmarshal([]byte("{\"seq\""+data), &e); err != nil {
				c.t.Fatal(err)
			}
			out = append(out, e)
		}
	}
	return out
}

func cellOf(t *testing.T, d studies.NotebookDetail, name string) studies.NotebookCell {
	t.Helper()
	for _, c := range d.Cells {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no cell %s", name)
	return studies.NotebookCell{}
}

func statesOf(d studies.NotebookDetail) map[string]string {
	out := map[string]string{}
	for _, c := range d.Cells {
		out[c.Name] = string(c.State)
	}
	return out
}

// TestTheAirlineStudyIsTheSameHeadlessAndHere runs the study of the gallery over HTTP and by the use case of the command line, over
// the same data, and compares the value of every cell.
func TestTheAirlineStudyIsTheSameHeadlessAndHere(t *testing.T) {
	t.Parallel()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("takes a minute, and the browser tests compare a study with one run without a browser: set WORKBENCH_SLOW_TESTS=1")
	}
	c, _ := desk(t)
	c.send("POST", "/notebooks", `{"name":"study","from":"airline-study"}`, 200, nil)
	var plan studies.NotebookPlan
	c.send("POST", "/notebooks/study/plan", `{}`, 200, &plan)
	if len(plan.Cells) != 4 || plan.Calls != 0 || len(plan.Later) != 2 {
		t.Errorf("the plan is %+v", plan)
	}
	c.send("POST", "/notebooks/study/run", `{}`, 202, nil)
	events := c.rested("study")
	if last := events[len(events)-1]; last.Job == nil || last.Job.State != "done" {
		t.Fatalf("the last event is %+v", last)
	}
	var here studies.NotebookDetail
	c.get("/notebooks/study", &here)

	path := filepath.Join(t.TempDir(), "study.rag.md")
	text, err := templates.FromGallery("airline-study")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := studies.OpenNotebook(demoed(t).workbench, path, "test")
	if err != nil {
		t.Fatal(err)
	}
	v, err := n.Run(t.Context(), notebooks.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, headless := range v.Cells {
		got := cellOf(t, here, headless.Name)
		if string(got.State) != "fresh" || headless.State != notebooks.Fresh {
			t.Errorf("%s is %s here and %s headless", headless.Name, got.State, headless.State)
		}
		if diff := cmp.Diff(jsonOf(t, headless.Value), jsonOf(t, json.RawMessage(jsonOf(t, got.Value)))); diff != "" {
			var a, b any
			_, _ = json.Unmarshal([]byte(jsonOf(t, headless.Value)), &a), json.Unmarshal([]byte(jsonOf(t, got.Value)), &b)
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("%s: %s", headless.Name, diff)
			}
		}
	}
	if here.Embeds["c1.better.count"].EN == "" || !here.Offline || here.Digest == "" || len(here.Params) != 3 {
		t.Errorf("embeds %v, offline %v", here.Embeds, here.Offline)
	}
	var joined strings.Builder
	for _, b := range here.Blocks {
		joined.WriteString(b.Text)
	}
	if joined.String() != string(text) || here.Text != string(text) {
		t.Error("the blocks are not the text")
	}
	c.oneEdit(here)
	c.downloads()
}

// oneEdit changes one configuration of the study: exactly what rests on it is stale.
func (c *client) oneEdit(d studies.NotebookDetail) {
	t := c.t
	t.Helper()
	text := strings.Replace(d.Text, "retrieve: {k: ${p.k}}", "retrieve: {k: 7}", 1)
	var shown document.Words
	c.send("POST", "/notebooks/prose", `{"markdown":"*{{ r.x }}* <b>","values":{"r.x":{"en":"5"}}}`, 200, &shown)
	if want := `<p><em><span class="value" title="r.x">5</span></em> &lt;b&gt;</p>`; strings.TrimSpace(shown.JA) != want {
		t.Errorf("%q", shown.JA)
	}
	var edited studies.NotebookDetail
	c.send("POST", "/notebooks/evaluate", jsonOf(t, map[string]any{"name": "study", "text": text}), 200, &edited)
	var stale []string
	for _, cell := range edited.Cells {
		if cell.State != "fresh" {
			stale = append(stale, cell.Name)
		}
	}
	if diff := cmp.Diff([]string{"after", "c1", "result", "left", "goals", "monthly"}, stale); diff != "" {
		t.Error(diff)
	}
	after := cellOf(t, edited, "after")
	if after.Price == nil || after.Reasons[0].Code != "edited" || after.Reasons[0].Params["cell"] != "change" || cellOf(t, edited, "left").
		Price != nil {
		t.Errorf("%+v", after)
	}
	var byParam studies.NotebookDetail
	c.get("/notebooks/study?param=p.k%3D7", &byParam)
	if after := cellOf(t, byParam, "after"); after.Reasons[0].Code != "param_changed" || after.Why[0] != "p.k was 4 and is 7" {
		t.Errorf("%+v", after)
	}
	var plain studies.NotebookDetail
	if c.get("/notebooks/study", &plain); plain.Digest != d.Digest {
		t.Error("evaluating wrote something")
	}
	if p := c.refused("GET", "/notebooks/study?param=k%3D700", "", 422); p.Code != "param_value" {
		t.Errorf("%+v", p)
	}
}

// downloads asks for every file of the study, and opens the sealed one.
func (c *client) downloads() {
	t := c.t
	t.Helper()
	for format, head := range map[string]string{"html": "<!doctype html>", "xlsx": "PK", "ragsnap": "PK", "ipynb": "{\n \"cells\""} {
		status, header, body := c.do("GET", requests.Prefix+"/notebooks/study/notebook."+format+"?lang=ja", "")
		if status != 200 || !strings.HasPrefix(body, head) || header.Get("Content-Security-Policy") != requests.FilePolicy ||
			!strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s = %d %v %.200s", format, status, header, body)
		}
	}
	var reading notebooks.Reading
	c.get("/notebooks/study/read?lang=ja", &reading)
	if reading.Title != "航空会社の事例：検索の変更の効果" || len(reading.Blocks) < 8 {
		t.Errorf("%+v", reading)
	}
	var sealed studies.SealedNotebook
	c.send("POST", "/notebooks/study/snapshots", "{}", 200, &sealed)
	if sealed.ID != "study.2026-11-20" || len(sealed.Runs) == 0 {
		t.Errorf("%+v", sealed)
	}
	if p := c.refused("POST", "/notebooks/study/snapshots", "{}", 409); p.Code != "file_exists" || strings.Contains(p.Detail, "/") {
		t.Errorf("%+v", p)
	}
	var shown studies.NotebookDetail
	c.get("/notebooks/snapshots/study.2026-11-20", &shown)
	if !shown.ReadOnly || shown.SealedAt == "" || cellOf(t, shown, "c1").State != "fresh" || shown.Embeds["c1.better.count"].EN == "" {
		t.Errorf("%v %v", shown.ReadOnly, statesOf(shown))
	}
	var again notebooks.Reading
	c.get("/notebooks/snapshots/study.2026-11-20/read?lang=ja", &again)
	again.Name = reading.Name
	if diff := cmp.Diff(reading, again); diff != "" {
		t.Errorf("the sealed reading differs: %s", diff)
	}
	if status, _, body := c.do("GET", requests.Prefix+"/notebooks/snapshots/study.2026-11-20/snapshot.ragsnap", ""); status != 200 ||
		!strings.HasPrefix(body, "PK") {
		t.Errorf("%d", status)
	}
	c.refused("GET", "/notebooks/snapshots/..%2Fstudy", "", 404)
}

// TestNotebooksAreNamesAndNeverPaths tries to leave the folder, and to name files within a text.
func TestNotebooksAreNamesAndNeverPaths(t *testing.T) {
	t.Parallel()
	c, dir := desk(t)
	outside := filepath.Join(filepath.Dir(dir), "outside.rag.md")
	if err := os.WriteFile(outside, []byte("---\nragnb: 1\n---\nsecret "+canary+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"..%2Foutside", "%2e%2e%2foutside", "..", ".trash", "a.b", "a%2Fb", "a%5Cb", "%00", "a%20b", "gallery",
		"edit", "-a", strings.Repeat("a", 65), url.PathEscape(strings.Repeat("漢", 64))} {
		for _, r := range [][2]string{{"GET", ""}, {"PUT", `{"text":"x","digest":"x"}`}, {"DELETE", ""}} {
			if status, _, body := c.do(r[0], requests.Prefix+"/notebooks/"+name, r[1]); status < 400 && name != "gallery" ||
				status >= 500 ||
				strings.Contains(body, canary) {
				t.Errorf("%s %s = %d %s", r[0], name, status, body)
			}
		}
		unescaped, err := url.PathUnescape(name)
		if err != nil {
			t.Fatal(err)
		}
		if p := c.refused("POST", "/notebooks", jsonOf(t, map[string]string{"name": unescaped}), 422); p.Field != "name" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	c.send("POST", "/notebooks", `{"name":"調査-1_a"}`, 200, nil)
	c.send("GET", "/notebooks/"+url.PathEscape("調査-1_a"), "", 200, nil)

	head := "---\nragnb: 1\n---\n"
	for name, test := range map[string]struct{ body, cell, field string }{
		"a dataset":        {"```rag dataset d\nsource: ../outside.rag.md\n```\n", "d", "source"},
		"an absolute path": {"```rag corpus c\n# x\nsource: /etc\n```\n", "c", "source"},
		"one of windows":   {"```rag corpus c\nsource: 'C:\\x'\n```\n", "c", "source"},
		"by a parameter":   {"```rag params p\nf: ./x\n```\n```rag corpus c\nsource: ${p.f}\n```\n", "c", "source"},
		"a prompt":         {"```rag config c\ngenerate: {prompt: prompts/answer.md}\n```\n", "c", "generate.prompt"},
		"answers":          {"```rag config c\nanswers: ../log.jsonl\n```\n", "c", "answers"},
		"a judge's prompt": {"```rag config b\n{}\n```\n```rag dataset d\nsource: x\n```\n```rag run r\nconfigs: b\ndataset: d\njudge: {prompts: {verify: v.md}}\n```\n", "r", "judge.prompts.verify"},
		"an axis":          {"```rag config b\n{}\n```\n```rag sweep s\nbase: b\naxes: {corpus: [./a]}\n```\n", "s", "axes.corpus"},
		"a prompt's axis": {"```rag config b\n{}\n```\n```rag sweep s\nbase: b\naxes: {generate.prompt: [a.txt]}\n```\n", "s",
			"axes.generate.prompt"},
		"axes that move together": {"```rag config b\n{}\n```\n```rag sweep s\nbase: b\npairs: [{corpus: [./a], retrieve.k: [1]}]\n```\n", "s",
			"pairs.corpus"},
		"prompts that move": {"```rag config b\n{}\n```\n```rag sweep s\nbase: b\npairs: [{generate.prompt: [a.txt], retrieve.k: [1]}]\n```\n",
			"s", "pairs.generate.prompt"},
	} {
		p := c.refused("POST", "/notebooks", jsonOf(t, map[string]string{"name": "files", "text": head + test.body}), 422)
		if p.Code != "notebook_names_file" || p.Params["cell"] != test.cell || p.Field != test.field || p.Params["line"] == nil ||
			p.Hint == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	// What lies there already, written by the machine's user, stays as it is and runs from the command line only.
	own := head +
		"```rag corpus c\nsource: ./docs\n```\n```rag dataset d\nsource: airline-en\n```\n```rag config b\ncorpus: c\n```\n```rag run " +
		"r\nconfigs: b\ndataset: d\n```\n"
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own.rag.md"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	var d studies.NotebookDetail
	c.get("/notebooks/own", &d)
	cell := cellOf(t, d, "c")
	if !cell.CommandLine || cell.State != "blocked" || cell.Reasons[0].Code != "command_line" || cellOf(t, d, "r").
		State != "blocked" || cellOf(t, d, "d").State != "fresh" {
		t.Errorf("%+v", cell)
	}
	var saved studies.NotebookSaved
	c.send("PUT", "/notebooks/own", jsonOf(t, map[string]string{"text": d.Text + "\nprose\n", "digest": d.Digest}), 200, &saved)
	p := c.refused("PUT", "/notebooks/own", jsonOf(t,
		map[string]string{"text": strings.Replace(d.Text, "./docs", "./other", 1), "digest": saved.Digest}), 422)
	if p.Code != "notebook_names_file" {
		t.Errorf("%+v", p)
	}
	c.send("POST", "/notebooks/own/run", `{}`, 202, nil)
	c.rested("own")
	if c.get("/notebooks/own", &d); cellOf(t, d, "r").State != "blocked" {
		t.Errorf("%+v", cellOf(t, d, "r"))
	}
}

// TestSavingNoticesOtherHands changes a file behind the server's back, and goes through rename, trash and back.
func TestSavingNoticesOtherHands(t *testing.T) {
	t.Parallel()
	c, dir := desk(t)
	var saved studies.NotebookSaved
	c.send("POST", "/notebooks", `{"name":"mine"}`, 200, &saved)
	if p := c.refused("POST", "/notebooks", `{"name":"mine"}`, 409); p.Code != "notebook_exists" {
		t.Errorf("%+v", p)
	}
	var d studies.NotebookDetail
	c.get("/notebooks/mine", &d)
	theirs := d.Text + "\nTheirs.\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.rag.md"), []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
	p := c.refused("PUT", "/notebooks/mine", jsonOf(t, map[string]string{"text": d.Text + "\nMine.\n", "digest": d.Digest}), 409)
	if p.Code != "notebook_changed" || p.Params["text"] != theirs || p.Params["digest"] == "" || p.Params["modified"] == "" {
		t.Errorf("%+v", p)
	}
	digest, _ := p.Params["digest"].(string)
	c.send("PUT", "/notebooks/mine", jsonOf(t, map[string]string{"text": "no front matter, ```rag run", "digest": digest}), 200, &saved)
	c.get("/notebooks/mine", &d)
	if len(d.Problems) == 0 || d.Problems[0].Line == 0 || d.Problems[0].Code != "front_missing" {
		t.Errorf("a text with mistakes is saved and shown with them: %+v", d.Problems)
	}
	if p := c.refused("POST", "/notebooks/mine/run", "{}", 422); p.Code != "front_missing" {
		t.Errorf("%+v", p)
	}
	c.send("POST", "/notebooks/mine/rename", `{"name":"改名"}`, 200, nil)
	c.refused("GET", "/notebooks/mine", "", 404)
	c.send("DELETE", "/notebooks/"+url.PathEscape("改名"), "", 204, nil)
	c.refused("POST", "/notebooks/nothing/restore", "", 404)
	c.send("POST", "/notebooks/"+url.PathEscape("改名")+"/restore", "", 200, &saved)
	if saved.Digest != d.Digest {
		t.Error("another text came out of the trash")
	}
	var list api.ItemsOf[studies.NotebookRow]
	c.get("/notebooks", &list)
	if len(list.Items) != 1 || list.Items[0].Name != "改名" || list.Items[0].Problems == 0 {
		t.Errorf("%+v", list)
	}
}

// TestSendToNotebook puts cells behind the last one, and edits a text.
func TestSendToNotebook(t *testing.T) {
	t.Parallel()
	c, _ := desk(t)
	w := demoed(t)
	c.send("POST", "/notebooks", `{"name":"sent"}`, 200, nil)
	var added studies.NotebookCellAdded
	for range 2 {
		c.send("POST", "/notebooks/sent/cells", jsonOf(t, map[string]any{"type": "compare", "name": "diff", "fields": map[string]any{
			"baseline": "run:" + w.before().ID, "candidate": "run:" + w.after().
					ID, "title": map[string]string{"en": "Sent: # <b>", "ja": "送"},
		}}), 200, &added)
	}
	c.send("POST", "/notebooks/sent/cells", jsonOf(t, map[string]any{"type": "failures", "body": "of: run:" + w.after().ID}), 200, nil)
	var d studies.NotebookDetail
	c.get("/notebooks/sent", &d)
	if added.Cell != "diff2" || cellOf(t, d, "diff2").State != "fresh" || cellOf(t, d, "failures").State != "fresh" || cellOf(t, d, "diff").
		Title.EN != "Sent: # <b>" || len(d.Problems) > 0 {
		t.Errorf("%+v %+v", added, statesOf(d))
	}
	var edited studies.NotebookEdited
	for _, step := range []struct{ edit, cell, contains string }{
		{`"operation":"rename","cell":"diff2","name":"second"`, "second", "rag compare second"},
		{`"operation":"insert","block":1,"type":"gate","name":"g"`, "g", "```rag gate g\nof: second\n```"},
		{`"operation":"fields","cell":"g","fields":{"allowance":0.1,"min":["correctness >= 3"]}`, "g", "allowance: 0.1\n"},
		{`"operation":"move","cell":"g","down":true`, "g", "rag compare diff"},
		{`"operation":"front","fields":{"title":"日本"}`, "", "title: 日本\n"},
		{`"operation":"body","cell":"g","body":"of: diff"`, "g", "rag gate g\nof: diff\n"},
		{`"operation":"remove","cell":"failures"`, "", "title: 日本"},
	} {
		text := d.Text
		if edited.Text != "" {
			text = edited.Text
		}
		c.send("POST", "/notebooks/edit", `{"text":`+jsonOf(t, text)+`,`+step.edit+`}`, 200, &edited)
		if step.cell != "" && edited.Cell != step.cell || !strings.Contains(edited.Text, step.contains) || len(edited.Problems) > 0 {
			t.Errorf("%s: %+v", step.edit, edited)
		}
	}
	if strings.Contains(edited.Text, "rag failures") {
		t.Error("the cell was not removed")
	}
	if p := c.refused("POST", "/notebooks/edit", `{"text":"","operation":"remove","cell":"x"}`, 404); p.Code != "cell_unknown" {
		t.Errorf("%+v", p)
	}
}

// TestCommentsOverHTTP says something about a row of a cell, resolves it and takes it back; and the notebook opens in Jupyter.
func TestCommentsOverHTTP(t *testing.T) {
	t.Parallel()
	c := smallDesk(t)
	text := jsonOf(t, map[string]string{"name": "study", "text": "---\nragnb: 1\n---\n```rag params p\nk: 3\n```\n"})
	c.send("POST", "/notebooks", text, 200, nil)
	const path = "/notebooks/study/comments"
	var said studies.Comment
	c.send("POST", path, `{"cell": "p", "run": "r1", "question": "q-1", "text": "**Why?** {{ p.k }}"}`, 200, &said)
	if said.By == "" || said.HTML != "<p><strong>Why?</strong> <span class=\"value\" title=\"p.k\">{{ p.k }}</span></p>\n" {
		t.Errorf("%+v", said)
	}
	if p := c.refused("POST", path, `{"cell": "nothing", "text": "x"}`, 404); p.Code != "cell_unknown" {
		t.Errorf("%+v", p)
	}
	c.send("POST", path+"/"+said.ID+"/resolve", `{"resolved": true}`, 200, &said)
	var list struct{ Items []studies.Comment }
	c.get(path, &list)
	if len(list.Items) != 1 || list.Items[0].ResolvedAt == nil || list.Items[0].Question != "q-1" {
		t.Errorf("%+v", list)
	}
	if status, _, body := c.do("DELETE", requests.Prefix+path+"/"+said.ID, ""); status != 204 {
		t.Errorf("removed: %d %s", status, body)
	}
	if p := c.refused("POST", path+"/"+said.ID+"/resolve", `{"resolved": false}`, 404); p.Code != "comment_unknown" {
		t.Errorf("%+v", p)
	}
	status, header, body := c.do("GET", requests.Prefix+"/notebooks/study/notebook.ipynb", "")
	if status != 200 || !strings.HasPrefix(body, "{\n \"cells\"") || header.Get("Content-Type") != "application/x-ipynb+json" {
		t.Errorf("%d %v %s", status, header, body)
	}
}

// TestRunningIsWatchedAndStopped runs one cell of several, twice under one key, and looks at the events.
func TestRunningIsWatchedAndStopped(t *testing.T) {
	t.Parallel()
	c := smallDesk(t)
	text := "---\nragnb: 1\n---\n```rag corpus docs\nsource: pages\n```\n```rag dataset qa\nsource: asked\nlimit: 9\n```\n```rag config a\ncorpus: docs\nretrieve: {k: 2}\n```\n" +
		"```rag config b\ncorpus: docs\nretrieve: {k: 5}\n```\n```rag run ra\nconfigs: a\ndataset: qa\n```\n```rag run rb\nconfigs: b\ndataset: qa\n```\n```rag compare c\nbaseline: ra\ncandidate: rb\n```\n"
	var saved studies.NotebookSaved
	c.send("POST", "/notebooks", jsonOf(t, map[string]string{"name": "watched", "text": text}), 200, &saved)
	if p := c.refused("POST", "/notebooks/watched/run", `{"cells":["rx"]}`, 404); p.Code != "cell_unknown" || p.Field != "cells" {
		t.Errorf("%+v", p)
	}
	if p := c.refused("POST", "/notebooks/watched/run", `{"digest":"other"}`, 409); p.Code != "notebook_changed" {
		t.Errorf("%+v", p)
	}
	c.header = map[string]string{"Idempotency-Key": "once"}
	var first, second studies.NotebookJob
	order := fmt.Sprintf(`{"cells":["rb"],"digest":%q}`, saved.Digest)
	c.send("POST", "/notebooks/watched/run", order, 202, &first)
	c.send("POST", "/notebooks/watched/run", order, 202, &second)
	c.header = nil
	if first.ID != second.ID || first.State != "running" {
		t.Errorf("%+v %+v", first, second)
	}
	events := c.rested("watched")
	var kinds []string
	for _, e := range events {
		if e.Cell != nil {
			kinds = append(kinds, e.Cell.Name+" "+string(e.Cell.State))
		}
	}
	if !slices.Contains(kinds, "rb fresh") || slices.ContainsFunc(kinds, func(s string) bool { return strings.HasPrefix(s, "ra ") }) {
		t.Errorf("events: %v", kinds)
	}
	for i := 1; i < len(events); i++ {
		if events[i].Seq <= events[i-1].Seq {
			t.Errorf("events are not in order: %+v", events)
		}
	}
	var d studies.NotebookDetail
	c.get("/notebooks/watched", &d)
	if d.Job == nil || d.Job.State != "done" || cellOf(t, d, "rb").State != "fresh" || cellOf(t, d, "ra").
		State != "stale" || cellOf(t, d, "c").State != "blocked" || len(cellOf(t, d, "rb").Runs) != 1 {
		t.Errorf("%+v %v", d.Job, statesOf(d))
	}
	if p := c.refused("POST", "/notebooks/watched/stop", "", 409); p.Code != "notebook_idle" {
		t.Errorf("%+v", p)
	}
	j := c.over(first.ID) // the notebook knows a moment sooner
	if j.State != "done" || j.Kind != "notebook" || len(j.Runs) != 1 {
		t.Errorf("%+v", j)
	}
}
