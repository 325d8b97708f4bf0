package fakeprovider

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// hands is a clock that the test moves.
type hands struct {
	mutex sync.Mutex
	now   time.Time
}

func (h *hands) Now() time.Time {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.now
}

func (h *hands) move(d time.Duration) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.now = h.now.Add(d)
}

func ask(s *Server, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body))
	if len(header) == 2 {
		r.Header.Set(header[0], header[1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestWindows(t *testing.T) {
	t.Parallel()
	clock := &hands{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	s := New(Options{Limits: Limits{Requests: 2, Per: 10 * time.Second}, Now: clock.Now})
	var got []int
	for range 3 {
		got = append(got, ask(s, chat).Code)
	}
	clock.move(4 * time.Second)
	refused := ask(s, chat)
	got = append(got, refused.Code)
	h := refused.Header()
	if h.Get("Retry-After") != "6" || h.Get("X-Ratelimit-Remaining-Requests") != "0" || h.Get("X-Ratelimit-Reset-Requests") != "6s" {
		t.Errorf("header = %v", h)
	}
	clock.move(6 * time.Second)
	next := ask(s, chat)
	if got = append(got, next.Code); next.Header().Get("X-Ratelimit-Remaining-Requests") != "1" {
		t.Errorf("header of the next window = %v", next.Header())
	}
	if want := [5]int{200, 200, 429, 429, 200}; [5]int(got) != want {
		t.Errorf("statuses = %v, want %v", got, want)
	}
	tokens := New(Options{Limits: Limits{Tokens: 3}, Now: clock.Now})
	if first, second := ask(tokens, chat).Code, ask(tokens, chat).Code; first != 200 || second != 429 {
		t.Errorf("2 tokens of 3, twice: %d, %d", first, second)
	}
}

func TestOutage(t *testing.T) {
	t.Parallel()
	clock := &hands{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	s := New(Options{Outages: []Outage{{From: time.Minute, To: 2 * time.Minute}}, Now: clock.Now})
	var got []int
	for range 5 {
		got = append(got, ask(s, chat).Code)
		clock.move(30 * time.Second)
	}
	if want := [5]int{200, 200, 503, 503, 200}; [5]int(got) != want {
		t.Errorf("statuses = %v, want %v", got, want)
	}
}

func TestMixIsAShareOfEveryKindAndFollowsTheBody(t *testing.T) {
	t.Parallel()
	m := Mix{Share: 0.3, Seed: 7}
	seen := map[Fault]int{}
	const n = 20_000
	for i := range n {
		r := Request{Path: "chat/completions", Hash: strconv.Itoa(i / 4), Times: 1 + i%4, Schema: []byte("{}")}
		b := m.drawn(r)
		seen[b.Fault]++
		if again := m.drawn(r); again.Fault != b.Fault {
			t.Fatal("the same request meets another fate")
		}
	}
	if share := 1 - float64(seen[None])/n; math.Abs(share-0.3) > 0.015 {
		t.Errorf("share of faults = %.3f, want 0.3", share)
	}
	for _, kind := range MixedChat {
		if share := float64(seen[kind]) / n; math.Abs(share-0.3/float64(len(MixedChat))) > 0.006 {
			t.Errorf("share of %s = %.4f", kind, share)
		}
	}
	if b := (Mix{Share: 1, Seed: 7}).drawn(Request{Path: "embeddings", Hash: "x", Times: 1}); b.Fault == None || b.Fault == Refusal {
		t.Errorf("an embedding meets %q", b.Fault)
	}
}

// prompt is a request as the workbench sends it.
func prompt(name, instruction string, data any, schema string) string {
	body, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	_, user := llm.Render(llm.Request{Instruction: instruction, Data: body}, "0123456789abcdef")
	wire := map[string]any{"model": "m", "messages": []map[string]string{{"role": "system", "content": instruction},
		{"role": "user", "content": user}}}
	if schema != "" {
		wire["response_format"] = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": name, "schema": json.RawMessage(schema)}}
	}
	return string(mustJSON(wire))
}

const rubric = `{"type":"object","properties":{"reason":{"type":"string"},"score":{"type":"integer","minimum":1,"maximum":5}},"required":["reason","score"],"additionalProperties":false}`

func contentOf(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var reply struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || len(reply.Choices) != 1 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return reply.Choices[0].Message.Content
}

func TestOfflineAnswersTheWorkbenchsPrompts(t *testing.T) {
	t.Parallel()
	s := New(Options{Answer: Offline()})
	right := map[string]any{"question": "What is the fee?", "answer": "The fee is 2,000 yen.", "reference": "The fee is 2,000 yen.",
		"answerable": true}
	wrong := map[string]any{"question": "What is the fee?", "answer": "Pets fly in the hold.", "reference": "The fee is 2,000 yen.",
		"answerable": true}
	passages := []map[string]any{{"number": 1, "text": "Pets fly in the hold."}, {"number": 2, "text": "The fee is 2,000 yen."}}
	if got := contentOf(t, ask(s, prompt("rubric", "Grade.", right, rubric))); !strings.Contains(got, `"score":5`) {
		t.Errorf("right answer: %s", got)
	}
	if got := contentOf(t, ask(s, prompt("rubric", "Grade.", wrong, rubric))); !strings.Contains(got, `"score":1`) {
		t.Errorf("wrong answer: %s", got)
	}
	trusted := map[string]any{"question": "What is the fee?", "answer": "The fee is 2,000 yen.", "contexts": passages}
	if got := contentOf(t, ask(s, prompt("rubric", "Grade.", trusted, rubric))); !strings.Contains(got, `"score":5`) {
		t.Errorf("trust of a supported answer: %s", got)
	}
	answer := contentOf(t, ask(s, prompt("", "Answer.", map[string]any{"question": "What is the fee?", "contexts": passages}, "")))
	if !strings.Contains(answer, "2,000 yen") {
		t.Errorf("answer: %s", answer)
	}
	order := `{"type":"object","properties":{"order":{"type":"array","items":{"type":"integer"}}},"required":["order"],"additionalProperties":false}`
	if got := contentOf(t, ask(s, prompt("rerank", "Order.", map[string]any{"question": "fee yen", "passages": passages},
		order))); got != `{"order":[2,1]}` {
		t.Errorf("order: %s", got)
	}
	odd := `{"type":"object","properties":{"nobody_has_this":{"type":"integer","minimum":3}},"required":["nobody_has_this"]}`
	if got := contentOf(t, ask(s, prompt("odd", "Do.", right, odd))); got != `{"nobody_has_this":3}` {
		t.Errorf("unknown prompt: %s", got)
	}
	if len(offline.Handlers()) == 0 || len(metrics.OfflineHandlers()) == 0 {
		t.Error("the offline provider has no handlers")
	}
}

func TestFlipTurnsAShareOfJudgements(t *testing.T) {
	t.Parallel()
	s := New(Options{Flip: 0.1, Seed: 3, Answer: func(Request) (string, error) { return `{"reason":"","score":5}`, nil }})
	turned := 0
	const n = 1000
	for i := range n {
		body := prompt("rubric", "Grade.", map[string]any{"i": i}, rubric)
		first := contentOf(t, ask(s, body))
		if first != contentOf(t, ask(s, body)) {
			t.Fatal("asked again, the judge changed its mind")
		}
		if strings.Contains(first, `"score":1`) {
			turned++
		}
	}
	if turned < 70 || turned > 130 {
		t.Errorf("%d of %d judgements were turned, want about 100", turned, n)
	}
	for before, after := range map[string]string{
		`{"score":4}`: `{"score":2}`, `{"score":3}`: `{"score":1}`, `[]`: `[]`, `{"query":"x"}`: `{"query":"x"}`,
		`{"verdicts":[{"verdict":"supported"},{"verdict":"contradicted"}]}`: `{"verdicts":[{"verdict":"contradicted"},{"verdict":"supported"}]}`,
	} {
		if got := flip(before); got != after {
			t.Errorf("flip(%s) = %s, want %s", before, got, after)
		}
	}
}

// disk counts what reached it.
type disk struct {
	bytes.Buffer
	synced int
}

func (d *disk) Sync() error {
	d.synced++
	return nil
}

func TestBillIsOnDiskBeforeTheReplyAndHonoursIdempotency(t *testing.T) {
	t.Parallel()
	var d disk
	s := New(Options{Idempotent: true, Bill: &d})
	first := ask(s, chat, "Idempotency-Key", "a")
	second := ask(s, chat, "Idempotency-Key", "a")
	third := ask(s, chat, "Idempotency-Key", "b")
	if !bytes.Equal(first.Body.Bytes(), second.Body.Bytes()) || bytes.Equal(first.Body.Bytes(), third.Body.Bytes()) {
		t.Error("one key, one reply; another key, another")
	}
	var charged []bool
	for dec := json.NewDecoder(&d.Buffer); dec.More(); {
		var e Entry
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		charged = append(charged, e.Charged)
	}
	if d.synced != 3 || len(charged) != 3 || !charged[0] || charged[1] || !charged[2] {
		t.Errorf("charged %v, synced %d times", charged, d.synced)
	}
}

func TestCutAndChunkedReplies(t *testing.T) {
	t.Parallel()
	for _, fault := range []Fault{Truncated, Chunked, Reset} {
		_, h := start(t, Options{Script: map[int]Behaviour{1: {Fault: fault, Cut: 10}, 2: {Fault: fault, Cut: -1}}})
		if _, body, err := post(t, h.URL+"/chat/completions", chat); err == nil || len(body) > 10 {
			t.Errorf("%s after 10 bytes: %d bytes, %v", fault, len(body), err)
		}
		if _, body, err := post(t, h.URL+"/chat/completions", chat); err == nil || len(body) > 0 {
			t.Errorf("%s at once: %d bytes, %v", fault, len(body), err)
		}
	}
}
