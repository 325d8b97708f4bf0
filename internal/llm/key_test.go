package llm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
)

// encodedKey is the key as it is defined: the hash of what the encoder writes. Keys are stored, so their bytes stay.
func encodedKey(info llm.Info, req llm.Request) llm.Key {
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]string{"k1", info.Kind, info.Origin})
	_ = enc.Encode(req)
	return llm.Key(hex.EncodeToString(h.Sum(nil)))
}

func FuzzKeyIsThatOfTheEncodedRequest(f *testing.F) {
	for _, s := range []string{"", "plain", `"data":0`, `\"data\":0`, "<b>&\u2028\u2029", "料金は\n2,000円\x00\xff", `{"data":0}`} {
		f.Add(s, s, s, 0.0, 3)
		f.Add("judge", s, "question", math.NaN(), 0)
	}
	f.Fuzz(func(t *testing.T, purpose, instruction, data string, temperature float64, n int) {
		info := llm.Info{Kind: "offline", Origin: purpose}
		marshalled, err := json.Marshal(map[string]any{"question": data, "data": n})
		if err != nil {
			t.Fatal(err)
		}
		req := llm.Request{Purpose: purpose, Model: data, Instruction: instruction, Data: marshalled, Temperature: temperature,
			Replicate: n, Schema: &replies.Schema{Name: data, Body: json.RawMessage(`{"type": "object", "data":0}`)}}
		want := encodedKey(info, req)
		for _, compact := range []bool{false, true} {
			if req.Compact = compact; llm.KeyOf(info, req) != want {
				t.Errorf("compact %t: the key of %+v is another one", compact, req)
			}
		}
		if json.Valid([]byte(data)) { // as it came, not on one line
			req.Compact, req.Data = false, json.RawMessage(data)
			if llm.KeyOf(info, req) != encodedKey(info, req) {
				t.Errorf("the key of data %q is another one", data)
			}
		}
	})
}

// TestKeyOfDataThatStandOnOneLineUnescaped: what [llm.Completer] compacts keeps its characters, and the key covers them escaped.
func TestKeyOfDataThatStandOnOneLineUnescaped(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`{"a":"<"}`, `{"a":"&>"}`, "{\"a\":\"\u2028\"}", "{\"a\":\"\u2029\"}", `{"a":"é〠"}`, ""} {
		req := llm.Request{Purpose: "p", Data: json.RawMessage(data), Compact: true}
		if llm.KeyOf(llm.Info{}, req) != encodedKey(llm.Info{}, req) {
			t.Errorf("the key of data %q is another one", data)
		}
	}
}

// TestDataAreReadAsTheyAreSent: a reader in this process gets what one gets who decodes the data, also of bytes that are no text.
func TestDataAreReadAsTheyAreSent(t *testing.T) {
	t.Parallel()
	type data struct {
		Question string   `json:"question"`
		Contexts []string `json:"contexts"`
	}
	for _, want := range []data{
		{}, {Question: "<料金>&\u2028\x00\uFFFD", Contexts: []string{}}, {Question: `\ufffd`, Contexts: []string{"a", ""}},
		{Question: "\xff"},
	} {
		req, err := llm.Request{Purpose: "p"}.WithData(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := llm.DataOf[data](req)
		var sent data
		if err := errors.Join(err, json.Unmarshal(req.Data, &sent)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sent, got); diff != "" {
			t.Errorf("%q is read otherwise than it is sent:\n%s", want.Question, diff)
		}
		if other, err := llm.DataOf[map[string]any](req); err != nil || len(other) != 2 {
			t.Errorf("of another type the data are %v, %v", other, err)
		}
		if req.Value != nil && llm.KeyOf(llm.Info{}, req) != encodedKey(llm.Info{}, req) {
			t.Errorf("the key of data %q is another one", want.Question)
		}
	}
}

// TestDataThatWereChangedAreReadAgain: only the data that [llm.Request.WithData] made are taken for one line, whatever the request says.
func TestDataThatWereChangedAreReadAgain(t *testing.T) {
	t.Parallel()
	made, err := judgeRequest().WithData(map[string]string{"answer": "42"})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, fakeprovider.Options{})
	for data, want := range map[string]string{
		string(made.Data): `{"answer":"42"}`, "{\"answer\":\n\"forged\"}": `{"answer":"forged"}`, `{"answer":"42"`: "", `{"answer"`: "",
	} {
		req := made
		if data != string(made.Data) {
			req.Data = json.RawMessage(data)
		}
		if data == `{"answer"` {
			req.Data = made.Data[:len(data)]
		}
		_, err := r.provider.Complete(t.Context(), req)
		if want == "" {
			if llm.CauseOf(err) != llm.CauseRequest {
				t.Errorf("data %q are sent: %v", data, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if b, err := llm.ReadBanked(*r.ledger.calls[len(r.ledger.calls)-1], scoreSchema); err != nil || string(b.Data) != want {
			t.Errorf("of %q are sent %q, %v", data, b.Data, err)
		}
	}
}
