package server

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/rag-workbench/workbench/internal/app/traces"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// sentBody is a request as opentelemetry-sdk 1.45.2 sent it (testdata/otlp/send.py): a part of two traces.
func sentBody(t *testing.T, n int) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "otlp", fmt.Sprint(n, ".pb.gz")))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// exports sends a body as an exporter does.
func (c *client) exports(kind, encoding, body string) (int, http.Header, string) {
	c.t.Helper()
	c.header = map[string]string{"Content-Type": kind, "Content-Encoding": encoding}
	defer func() { c.header = nil }()
	return c.do(http.MethodPost, otlpPath, body)
}

// TestTracesArrive: the requests of an exporter come in another order, one of them twice, with the death of the process between them; what
// was asked is there once, with contexts and answer, and no file of the data directory holds what is masked.
func TestTracesArrive(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), testNow
	for i, n := range []int{3, 1, 1, 2} {
		w, err := openIn(dir)
		if err != nil {
			t.Fatal(err)
		}
		w.Config.Traces.Accept, w.Options.Now = true, func() time.Time { return now }
		c := serve(t, Options{Workbench: w})
		if status, header, body := c.exports(protobufType, "gzip", sentBody(t, n)); status != http.StatusOK || body != "" ||
			header.Get("Content-Type") != protobufType {
			t.Fatalf("request %d: %d %q", n, status, body)
		}
		status, err := traces.StatusOf(t.Context(), w)
		if err != nil || status.Questions != 0 || status.Open == 0 || !status.Accept {
			t.Errorf("after %d requests: %+v, %v", i+1, status, err)
		}
		if i < 3 {
			_ = w.CloseStore() // nothing else is put in order
			continue
		}
		now = now.Add(31 * time.Second)
		asked, err := traces.Asked(t.Context(), w, traces.Window{Last: 200, Days: 7, Now: now})
		if err != nil || len(asked.Items) != 2 {
			t.Fatalf("%+v, %v", asked, err)
		}
		slices.SortFunc(asked.Items, func(a, b foreign.ForeignItem) int { return cmp.Compare(a.Question, b.Question) })
		for i, want := range [][2]string{{"How long may a parcel wait? Write to [email].", "Fourteen days, says [email]."},
			{"図書室は何時に閉まりますか。", "午後八時に閉まります。"}} {
			item := asked.Items[i]
			if item.Question != want[0] || item.Answer == nil || *item.Answer != want[1] {
				t.Errorf("%+v", item)
			}
			passage := rag.LoggedContext{DocID: "rules.md", Text: "Parcels wait at the counter for fourteen days."}
			if d := gocmp.Diff([]rag.LoggedContext{passage}, item.Contexts); d != "" {
				t.Error(d)
			}
		}
		if _, _, body := c.exports(protobufType, "gzip", sentBody(t, n)); body != "" {
			t.Errorf("what is sent again after it was read: %q", body)
		}
		if status, err := traces.StatusOf(t.Context(), w); err != nil || status.Questions != 2 || status.Week != 2 || status.Open != 0 {
			t.Errorf("%+v, %v", status, err)
		}
		c.server.resources.SettleTraces(t.Context())
		now = now.Add(31 * 24 * time.Hour)
		c.server.resources.SettleTraces(t.Context())
		if status, err := traces.StatusOf(t.Context(), w); err != nil || status.Questions != 0 {
			t.Errorf("after a month: %+v, %v", status, err)
		}
		_ = w.CloseStore()
	}
	nowhere(t, dir, "@mail.example")
}

// nowhere fails when a file of a folder holds a text.
func nowhere(t *testing.T, dir, text string) {
	t.Helper()
	read := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if read += len(body); bytes.Contains(body, []byte(text)) {
			t.Errorf("%s holds %q", d.Name(), text)
		}
		return err
	})
	if err != nil || read == 0 {
		t.Errorf("%d bytes: %v", read, err)
	}
}

// packed is a text as gzip packs it.
func packed(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRepliesToExporters: what is taken, what is taken in part, and what is refused, in the words of OTLP/HTTP.
func TestRepliesToExporters(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	c := serve(t, Options{Workbench: w})
	refused := func(kind, encoding, body string, want int, says string) {
		t.Helper()
		status, header, got := c.exports(kind, encoding, body)
		if status != want || !strings.Contains(got, says) {
			t.Errorf("%d %q, want %d with %q", status, got, want, says)
		}
		if kind == jsonType && !strings.HasPrefix(got, `{"code":`) || header.Get("Content-Type") == requests.ProblemType {
			t.Errorf("the reply is no Status: %s %q", header.Get("Content-Type"), got)
		}
	}
	const span = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"},
		{"traceId":"%s","spanId":"b7ad6b7169203332"}]}]}]}`
	whole := fmt.Sprintf(span, "0af7651916cd43dd8448eb211c80319c")
	refused(jsonType, "", whole, http.StatusForbidden, "nobody has allowed traces here")
	w.Config.Traces.Accept = true
	for _, body := range []struct{ encoding, text string }{{"", whole}, {"gzip", packed(t, whole)}, {"identity", `{"resourceSpans":[]}`}} {
		if status, header, got := c.exports(jsonType+"; charset=utf-8", body.encoding, body.text); status != http.StatusOK || got != "{}" ||
			!strings.HasPrefix(header.Get("Content-Type"), jsonType) {
			t.Errorf("%d %q", status, got)
		}
	}
	status, _, got := c.exports(jsonType, "", fmt.Sprintf(span, "0000"))
	if want := `{"partialSuccess":{"errorMessage":"span 2 has no ids of 16 and 8 bytes","rejectedSpans":"1"}}`; status != 200 || got != want {
		t.Errorf("%d %q, want %q", status, got, want)
	}
	large := strings.Repeat(" ", maxUnpackedBytes+1)
	refused(jsonType, "", `{"resourceSpans":`, http.StatusBadRequest, "no ExportTraceServiceRequest")
	refused(protobufType, "", "no protobuf", http.StatusBadRequest, "no ExportTraceServiceRequest")
	refused(protobufType, "gzip", "no gzip", http.StatusBadRequest, "could not be read to its end")
	refused(protobufType, "gzip", packed(t, whole)[:40], http.StatusBadRequest, "could not be read to its end")
	refused(protobufType, "br", "x", http.StatusUnsupportedMediaType, "packed by gzip")
	refused("text/plain", "", "x", http.StatusUnsupportedMediaType, "application/x-protobuf")
	refused(jsonType, "gzip", packed(t, large), http.StatusRequestEntityTooLarge, "larger than the limit")
	if status, _, _ := c.exports(jsonType, "", large[:maxTraceBytes+1]); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that announces too much: %d", status)
	}
	many := `{"resourceSpans":[{"scopeSpans":[{"spans":[`
	for i := range traces.MaxRequestSpans + 1 {
		many += fmt.Sprintf(`{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"%016x"},`, i+1)
	}
	refused(jsonType, "", strings.TrimSuffix(many, ",")+`]}]}]}`, http.StatusBadRequest, "send smaller batches")
	if status, _, _ := c.do(http.MethodGet, otlpPath, ""); status != http.StatusMethodNotAllowed {
		t.Errorf("GET is %d", status)
	}
	c.header = map[string]string{"Sec-Fetch-Site": "cross-site"}
	if status, _, _ := c.do(http.MethodPost, otlpPath, whole); status != http.StatusForbidden {
		t.Errorf("a page of another site may send traces: %d", status)
	}
	number, field, n := protowire.ConsumeTag(partialSuccess(traces.Received{Rejected: 3, Why: "why"}))
	if number != 1 || field != protowire.BytesType || n != 1 {
		t.Errorf("partial_success is field %d", number)
	}
}

// TestWhoMaySendTraces: editors, and whoever has the token of the traces, which opens nothing else.
func TestWhoMaySendTraces(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	o := x.options()
	o.TracesToken, o.Workbench.Config.Traces.Accept = "only-traces", true
	c := serve(t, o)
	for token, want := range map[string]int{"": 401, "only": 401, "only-traces": 200, x.tokens[requests.Viewer]: 403,
		x.tokens[requests.Editor]: 200} {
		c.token = token
		if status, _, body := c.exports(jsonType, "", `{}`); status != want {
			t.Errorf("with %q = %d, want %d: %s", token, status, want, body)
		}
	}
	c.token = "only-traces"
	for _, path := range []string{requests.Prefix + "/runs", "/metrics", requests.Prefix + "/traces"} {
		if status, _, _ := c.do(http.MethodGet, path, ""); status != http.StatusUnauthorized {
			t.Errorf("%s with the token of the traces = %d", path, status)
		}
	}
}
