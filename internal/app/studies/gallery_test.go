package studies

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// ownPairs are corpora of one's own with questions about them: in English with themes and two versions, in Japanese with themes, and one
// without any theme.
func ownPairs(t *testing.T, w *apptest.World) []string {
	t.Helper()
	pages := map[string]string{
		"en/pump.md":  "# Pump\n\nThe pump runs at 40 litres a minute. Clean the filter every second week.\n\nIt is bolted to the floor.\n",
		"en/lamp.md":  "# Lamp\n\nThe lamp is bought with a warranty of 3 years. It needs 12 volts.\n\nIt hangs from the ceiling.\n",
		"en/dryer.md": "# Dryer\n\nClean the filter of the dryer after every use. How often the dryer is used is up to you.\n",
		"en/oven.md":  "# Oven\n\nHow fast the oven heats is written inside its door. The filter of the oven is cleaned by hand.\n",
		"ja/dryer.md": "# 乾燥機\n\n乾燥機のフィルターは使うたびに清掃します。いつ使うかは自由です。\n",
		"ja/oven.md":  "# オーブン\n\nオーブンの温度は扉の内側にあります。フィルターは手で清掃します。\n",
		"ja/pump.md":  "# ポンプ\n\nポンプの流量は毎分40リットルです。フィルターは2週間ごとに清掃します。\n\n床に固定して使います。\n",
		"ja/lamp.md":  "# ランプ\n\nランプの保証期間は3年です。電圧は12ボルトが必要です。\n\n天井から吊り下げます。\n",
	}
	sheets := map[string]string{
		"en": "question,reference,theme\nHow fast does the pump run?,40 litres a minute,pump\nHow often is the filter cleaned?,every second week,pump\n" +
			"How long is the warranty of the lamp?,3 years,lamp\nWho sells spare bulbs?,The shop in Kyoto sells spare bulbs.,lamp\n",
		"ja": "question,reference,theme\nポンプの流量はどのくらいですか,毎分40リットル,ポンプ\nフィルターは手で使うたびにいつ清掃しますか,2週間ごと,ポンプ\n" +
			"ランプの保証期間は何年ですか,3年,ランプ\n交換用の電球はどこで買えますか,京都の店で買えます。,ランプ\n",
		"plain": "question,reference\nHow fast does the pump run?,40 litres a minute\nHow many volts does the lamp need?,12 volts\n" +
			"How often is the filter cleaned?,every second week\nWho sells spare bulbs?,The shop in Kyoto sells spare bulbs.\n",
	}
	for name, body := range pages {
		w.Write(t, name, body)
		w.Write(t, strings.Replace(name, "en/", "plain/", 1), body)
	}
	names := []string{"en", "ja", "plain"}
	for _, name := range names {
		imported := func() {
			if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.Dir, name), name, false); err != nil {
				t.Fatal(err)
			}
		}
		if imported(); name == "en" {
			w.Write(t, "en/lamp.md", strings.Replace(pages["en/lamp.md"], "3 years", "5 years", 1))
			imported()
		}
		if _, _, err := w.ImportDataset(t.Context(), w.Write(t, name+".csv", sheets[name]), name, "", nil); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// TestTenTemplatesOnOwnData makes a notebook of each template on each of three pairs: none has a mistake, a cell with an error or a word of
// the demo's data, and what the data lack is said. Some are run to their end here, all of them with WORKBENCH_SLOW_TESTS=1.
func TestTenTemplatesOnOwnData(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	quick := []string{"compare plain", "why en", "why plain", "founding ja", "languages ja", "judge en", "weekly plain"}
	ran := 0
	for _, pair := range ownPairs(t, w) {
		for _, from := range templates.Gallery() {
			text, err := Gallery{From: from, Slots: map[string]string{"corpus": pair, "dataset": pair}, Lang: "ja"}.
				Read(t.Context(), w.Workbench)
			if err != nil {
				t.Errorf("%s on %s: %v", from, pair, err)
				continue
			}
			for word, wanted := range map[string]bool{
				"airline": false, "p.lang": false, "lang: [ja, en]": true, "note lacks": from == "judge" && pair != "en",
				"note no_baseline": from == "weekly", "note no_endpoint": from == "endpoint", "note one_language": from == "languages",
				"note no_themes": pair == "plain" && slices.Contains([]string{"compare", "hard", "languages", "founding"}, from),
			} {
				if bytes.Contains(text, []byte(word)) != wanted {
					t.Errorf("%s on %s: %q is in it: %v\n%s", from, pair, word, !wanted, text)
				}
			}
			q, err := Quoted(t.Context(), w.Workbench, EngineOf(w.Workbench, app.NoFolder, "test"), text)
			if err != nil || q.Wrong != nil || q.Runs == 0 || q.Answers < q.Runs {
				t.Errorf("%s on %s does not open: %v %+v", from, pair, err, q)
			}
			if os.Getenv("WORKBENCH_SLOW_TESTS") == "1" || slices.Contains(quick, from+" "+pair) {
				runTemplate(t, w, from+"-"+pair, text)
				ran++
			}
		}
	}
	if w.Billed("") != 0 {
		t.Error("the gallery bought something")
	}
	t.Logf("%d of %d notebooks ran to their end", ran, 3*len(templates.Gallery()))
}

func runTemplate(t *testing.T, w *apptest.World, name string, text []byte) {
	t.Helper()
	n, err := OpenNotebook(w.Workbench, w.Write(t, name+app.NotebookEnding, string(text)), "test")
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	v, err := n.Run(t.Context(), notebooks.Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, c := range v.Cells {
		if c.State != notebooks.Fresh || c.Error != nil {
			t.Errorf("%s: cell %s is %s: %v", name, c.Name, c.State, c.Error)
		}
	}
}

// TestWhatDataHaveIsUsed makes the weekly check again after a run was pinned, and one with an endpoint and two languages.
func TestWhatDataHaveIsUsed(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	ownPairs(t, w)
	run := w.WorkedWhole(t, "name: base\ncorpus: en\ndataset: en\nbase: {retrieve: {k: 1}}\n")
	if _, err := w.SetBaseline(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := app.AddEndpoint(t.Context(), w.Workbench, remote.Endpoint{Name: "service", URL: "http://127.0.0.1:1/ask",
		Method:   "POST",
		Template: `{"q": "{{question}}"}`, Answer: "answer"}); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]struct {
		slots     map[string]string
		has, lack string
	}{
		"weekly":    {nil, "baseline: pinned", "note no_baseline"},
		"endpoint":  {map[string]string{"endpoint": "service"}, "endpoint: service", "note no_endpoint"},
		"languages": {map[string]string{"corpus_2": "ja", "dataset_2": "ja"}, "dataset: qa_2", "note one_language"},
	} {
		slots := map[string]string{"corpus": "en", "dataset": "en"}
		for name, v := range want.slots {
			slots[name] = v
		}
		text, err := Gallery{From: from, Slots: slots}.Read(t.Context(), w.Workbench)
		if err != nil || !bytes.Contains(text, []byte(want.has)) || bytes.Contains(text, []byte(want.lack)) {
			t.Errorf("%s: %v\n%s", from, err, text)
		}
		q, err := Quoted(t.Context(), w.Workbench, EngineOf(w.Workbench, app.NoFolder, "test"), text)
		if err != nil || q.Wrong != nil {
			t.Errorf("%s does not open: %v %+v", from, err, q.Wrong)
		}
	}
}

// TestTheGallerySaysWhichDataItLacks names half of the data, data that are not there, and values that do not fit.
func TestTheGallerySaysWhichDataItLacks(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	type slots = map[string]string
	for want, g := range map[string]Gallery{
		"notebook_data dataset":     {From: "sweep", Slots: slots{"corpus": "rules"}},
		"notebook_data corpus":      {From: "sweep", Slots: slots{"dataset": "asked"}},
		"corpus_unknown corpus":     {From: "sweep", Slots: slots{"corpus": "none", "dataset": "asked"}},
		"dataset_unknown dataset":   {From: "sweep", Slots: slots{"corpus": "rules", "dataset": "none"}},
		"gallery_unknown from":      {From: "weakly", Slots: slots{"corpus": "rules", "dataset": "asked"}},
		"slot_unknown endpoint":     {From: "sweep", Slots: slots{"endpoint": "x"}},
		"slot_value corpus":         {From: "sweep", Slots: slots{"corpus": "../x", "dataset": "asked"}},
		"endpoint_unknown endpoint": {From: "endpoint", Slots: slots{"corpus": "rules", "dataset": "asked", "endpoint": "none"}},
	} {
		_, err := g.Read(t.Context(), w.Workbench)
		if p := problem.From(err); err == nil || p.Code+" "+p.Params["field"].(string) != want {
			t.Errorf("%+v: %v, want %s", g, err, want)
		}
	}
	plain, err := Gallery{From: "sweep"}.Read(t.Context(), nil)
	if demo, _ := templates.FromGallery("sweep"); err != nil || !bytes.Equal(plain, demo) {
		t.Errorf("without data of one's own: %v", err)
	}
}

// TestATeamsOwnTemplates lie in a folder: they are listed first, take the place of one of the same name, and say what is wrong with them.
func TestATeamsOwnTemplates(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	dir := filepath.Join(w.Dir, TemplateFolder)
	study := "---\nragnb: 1\ntitle: Ours\n---\n\n```rag corpus pages\nsource: rules\n```\n\n```rag dataset qa\nsource: asked\n```\n"
	saved, err := SaveTemplate(dir, "ours", []byte(study))
	if err != nil || !saved.Own || len(saved.Slots) != 2 {
		t.Fatalf("%+v %v", saved, err)
	}
	if _, err := SaveTemplate(dir, "ours", []byte(study)); problem.CodeOf(err) != "template_exists" {
		t.Errorf("a second one: %v", err)
	}
	if _, err := SaveTemplate(dir, "sweep", []byte(study)); err != nil {
		t.Error(err)
	}
	w.Write(t, TemplateFolder+"/broken.rag.md", "---\nragnb: 1\n---\n")
	list, err := GalleryOf(dir)
	if err != nil || len(list) != len(templates.Gallery())+2 || list[0].Wrong == nil || list[1].ID != "ours" || !list[2].Own {
		t.Errorf("%v %+v", err, list)
	}
	text, err := Gallery{From: "sweep", Dir: dir, Slots: map[string]string{"corpus": "rules", "dataset": "asked"}}.Read(t.Context(),
		w.Workbench)
	if err != nil || string(text) != study {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := (Gallery{From: "ours", Dir: dir}).Read(t.Context(), w.Workbench); problem.CodeOf(err) != "notebook_data" {
		t.Errorf("without data: %v", err)
	}
}
