package llm_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/problem"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func rubric(question string) llm.Request {
	return llm.Request{
		Purpose: "judge.correctness", Model: "reader-1", Instruction: "Rate the answer.",
		Data: json.RawMessage(`{"question":"` + question + `"}`),
		Schema: &replies.Schema{Name: "rubric", Body: json.RawMessage(
			`{"type":"object","properties":{"rating":{"type":"integer"}},"required":["rating"],"additionalProperties":false}`)},
	}
}

// player is a recording in a fresh folder and a provider over it.
func player(t *testing.T) (*llm.Recording, llm.Provider, *memory) {
	t.Helper()
	recording, err := llm.OpenRecording(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	book := newMemory()
	p, err := llm.NewRecorded(llm.OpenAIConfig{
		Name: "reader", Ledger: book, Secret: []byte("0123456789abcdef"), Owner: "test", Now: func() time.Time { return noon },
		NewID: func() string { return "call-" + string(rune('a'+len(book.rows()))) },
	}, recording)
	if err != nil {
		t.Fatal(err)
	}
	return recording, p, book
}

func line(t *testing.T, key llm.Key, text any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"key": key, "text": text})
	if err != nil {
		t.Fatal(err)
	}
	return string(body) + "\n"
}

func TestRecordedRepliesArePlayedOverTheLedger(t *testing.T) {
	t.Parallel()
	recording, p, book := player(t)
	ctx, unheard := llm.WithUnheard(llm.WithScope(t.Context(), llm.Scope{QuestionID: "q7"}))
	if _, err := p.Complete(ctx, rubric("how?")); llm.CauseOf(err) != llm.CauseNotRecorded || llm.Fatal(err) || unheard() != 1 {
		t.Fatalf("an unknown request gives %v, %d unheard", err, unheard())
	}
	if len(book.rows()) != 0 {
		t.Errorf("%d calls stand in the ledger although nothing was asked", len(book.rows()))
	}
	open, err := recording.Open()
	if err != nil || len(open) != 1 || open[0].Question != "q7" || open[0].System != "Rate the answer." ||
		string(open[0].Data) != `{
    "question": "how?"
  }` {
		t.Fatalf("%v, waiting: %+v", err, open)
	}
	taken, err := recording.Take(strings.NewReader(line(t, open[0].Key, map[string]int{"rating": 4})), "a reader", noon)
	if err != nil || taken.Taken != 1 {
		t.Fatalf("%v: %+v", err, taken)
	}
	if open, err = recording.Open(); err != nil || len(open) != 0 {
		t.Errorf("%v, still waiting: %+v", err, open)
	}
	for i, cached := range []bool{false, true} {
		reply, err := p.Complete(ctx, rubric("how?"))
		if err != nil || reply.Text != `{"rating":4}` || reply.Cached != cached || reply.Model != "reader-1" || reply.CostKnown {
			t.Errorf("play %d: %v %+v", i, err, reply)
		}
	}
	if len(book.rows()) != 1 || unheard() != 1 {
		t.Errorf("%d calls, %d unheard; want one of each", len(book.rows()), unheard())
	}
}

func TestABankedReplyPlaysWithoutTheFolder(t *testing.T) {
	t.Parallel()
	recording, p, book := player(t)
	_, _ = p.Complete(t.Context(), rubric("how?"))
	open, _ := recording.Open()
	if _, err := recording.Take(strings.NewReader(line(t, open[0].Key, `{"rating": 2}`)), "a reader", noon); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Complete(t.Context(), rubric("how?")); err != nil {
		t.Fatal(err)
	}
	empty, err := llm.OpenRecording(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := llm.NewRecorded(llm.OpenAIConfig{
		Name: "reader", Ledger: book, Secret: []byte("another secret of another place"), Owner: "other",
		Now:   func() time.Time { return noon },
		NewID: func() string { return "x" },
	}, empty)
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := elsewhere.Complete(t.Context(), rubric("how?")); err != nil || !reply.Cached || reply.Text != `{"rating": 2}` {
		t.Errorf("%v %+v", err, reply)
	}
}

func TestLinesThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	recording, p, _ := player(t)
	_, _ = p.Complete(t.Context(), rubric("how?"))
	open, _ := recording.Open()
	key := open[0].Key
	unknown := llm.Key(strings.Repeat("0", 64))
	file := "nonsense\n\n" +
		line(t, "../../etc/passwd", "x") + line(t, unknown, "x") + line(t, key, " ") + line(t, key, map[string]string{"rating": "high"}) +
		line(t, key, `{"rating": 3}`) + line(t, key, `{"rating": 3}`) + line(t, key, `{"rating": 1}`)
	taken, err := recording.Take(strings.NewReader(file), "a reader", noon)
	if err != nil {
		t.Fatal(err)
	}
	reasons := []string{}
	lines := []int{}
	for _, r := range taken.Refused {
		reasons, lines = append(reasons, r.Reason), append(lines, r.Line)
	}
	if diff := cmp.Diff([]string{"not_json", "key_unknown", "key_unknown", "empty", "schema", "differs"}, reasons); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 3, 4, 5, 6, 9}, lines); diff != "" || taken.Taken != 1 || taken.Same != 1 {
		t.Errorf("lines (-want +got):\n%s\n%+v", diff, taken)
	}
	replies, err := recording.Replies()
	if err != nil || len(replies) != 1 || replies[0].Text != `{"rating": 3}` || replies[0].By != "a reader" || !replies[0].At.Equal(noon) {
		t.Errorf("%v: %+v", err, replies)
	}
	if _, err := recording.Take(strings.NewReader(strings.Repeat("x", 5<<20)), "a reader", noon); problem.CodeOf(err) != "recording_line" {
		t.Errorf("a line without end gives %v", err)
	}
}

func TestASittingHoldsOneRequestAboutAQuestion(t *testing.T) {
	t.Parallel()
	open := []llm.OpenRequest{}
	for i := range 60 {
		open = append(open, llm.OpenRequest{Key: llm.Key(rune('a' + i)), Question: string(rune('A' + i/3))})
	}
	pick := func(seed uint64, n int) []llm.OpenRequest {
		return llm.Sittings(open, n, 1, rand.New(rand.NewPCG(seed, 0)).Shuffle)[0]
	}
	first := pick(1, 40)
	about := map[string]bool{}
	for _, o := range first {
		if about[o.Question] {
			t.Errorf("two requests are about %s", o.Question)
		}
		about[o.Question] = true
	}
	if len(first) != 20 {
		t.Errorf("%d of 20 questions are in the sitting", len(first))
	}
	if diff := cmp.Diff(first, pick(1, 40)); diff != "" {
		t.Errorf("the same seed gives another sitting:\n%s", diff)
	}
	if cmp.Equal(first, pick(2, 40)) {
		t.Error("another seed gives the same sitting")
	}
	if n := len(pick(1, 7)); n != 7 {
		t.Errorf("%d requests where at most 7 were asked for", n)
	}
	seen := map[llm.Key]bool{}
	for _, sitting := range llm.Sittings(open, 8, 100, rand.New(rand.NewPCG(1, 0)).Shuffle) {
		for _, o := range sitting {
			if seen[o.Key] {
				t.Errorf("%s is in two sittings", o.Key)
			}
			seen[o.Key] = true
		}
	}
	if len(seen) != len(open) {
		t.Errorf("%d of %d requests were dealt", len(seen), len(open))
	}
}

func TestForeignFilesInARecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recording, err := llm.OpenRecording(dir)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, body string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "open", name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("README.md", "notes")
	if open, err := recording.Open(); err != nil || len(open) != 0 {
		t.Errorf("%v: %+v", err, open)
	}
	write(strings.Repeat("a", 64)+".json", "{")
	if _, err := recording.Open(); problem.CodeOf(err) != "recording_file" {
		t.Errorf("a broken file gives %v", err)
	}
	if _, err := llm.OpenRecording(filepath.Join(dir, "open", "README.md")); problem.CodeOf(err) != "recording_folder" {
		t.Errorf("a file instead of a folder gives %v", err)
	}
}

func FuzzTake(f *testing.F) {
	f.Add([]byte(`{"key":"` + strings.Repeat("a", 64) + `","text":{"rating":3}}`))
	f.Add([]byte("{\"key\":\"../x\",\"text\":\"y\"}\n\nnull\n[]\n\xff"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, body []byte) {
		recording, err := llm.OpenRecording(dir)
		if err != nil {
			t.Fatal(err)
		}
		taken, err := recording.Take(strings.NewReader(string(body)), "fuzz", noon)
		if err == nil && taken.Taken+taken.Same != 0 {
			t.Errorf("took %+v although nothing waits", taken)
		}
	})
}
