package main

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// cell is a claim and a passage.
type cell struct{ claim, passage string }

// tap is the reader, with a look at what it is asked and says.
type tap struct {
	llm.Provider
	rewrite func(llm.Request) llm.Request // nil asks as the program does

	mu      sync.Mutex
	checks  int             // verify requests
	tokens  int             // of their prompts, estimated
	said    map[cell]string // the last verdict on each cell
	replied []llm.Reply     // replies to the purpose that is tried
	tried   string          // that purpose; "" is none
}

// only is a registry that knows nobody else.
type only struct{ *tap }

// Provider gives the reader, whatever it is called.
func (o only) Provider(string) (llm.Provider, error) { return o.tap, nil }

// Complete asks the reader.
func (t *tap) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if t.rewrite != nil {
		req = t.rewrite(req)
	}
	reply, err := t.Provider.Complete(ctx, req)
	t.mu.Lock()
	defer t.mu.Unlock()
	if req.Purpose == metrics.PurposeVerify {
		t.checks++
		t.tokens += promptTokens(req)
	}
	if err != nil {
		return reply, err
	}
	if req.Purpose == metrics.PurposeVerify {
		t.note(req, reply)
	}
	if req.Purpose == t.tried {
		t.replied = append(t.replied, reply)
	}
	return reply, nil
}

// note keeps the verdicts of a reply by the words of claim and passage.
func (t *tap) note(req llm.Request, reply llm.Reply) {
	said := read(req.Data, reply.Text)
	for at, verdict := range said {
		t.said[at] = verdict
	}
}

// numbered is a claim or a passage of a request.
type numbered struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
	Check  []int  `json:"check,omitempty"`
}

// asked is the data of a request.
type asked struct {
	Claims   []numbered `json:"claims"`
	Passages []numbered `json:"passages"`
}

// said is a reply in either form.
type said struct {
	Verdicts []struct {
		Claim   int    `json:"claim"`
		Passage int    `json:"passage"`
		Verdict string `json:"verdict"`
	} `json:"verdicts"`
	Neither []struct {
		Claim    int   `json:"claim"`
		Passages []int `json:"passages"`
	} `json:"neither"`
	Compared []int `json:"compared"` // of the wording tried: claims that were compared with every passage
}

// neither is the verdict on a pair of which the passage decides nothing.
const neither = "neither"

// read is what a reply says, cell by cell.
func read(data json.RawMessage, reply string) map[cell]string {
	var of asked
	var says said
	if json.Unmarshal(data, &of) != nil || json.Unmarshal([]byte(reply), &says) != nil {
		return nil
	}
	out := map[cell]string{}
	put := func(claim, passage int, verdict string) {
		if claim > 0 && claim <= len(of.Claims) && passage > 0 && passage <= len(of.Passages) {
			out[cell{of.Claims[claim-1].Text, of.Passages[passage-1].Text}] = verdict
		}
	}
	for _, claim := range says.Compared {
		for passage := range of.Passages {
			put(claim, passage+1, neither)
		}
	}
	for _, n := range says.Neither {
		for _, passage := range n.Passages {
			put(n.Claim, passage, neither)
		}
	}
	for _, v := range says.Verdicts {
		put(v.Claim, v.Passage, v.Verdict)
	}
	return out
}

// promptTokens is how long a request is as it is sent.
func promptTokens(req llm.Request) int {
	system, user := llm.Render(req, "0123456789abcdef")
	return llm.EstimateTokens(system) + llm.EstimateTokens(user)
}
