package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// prices are those of the configuration file and of the provider's bill.
var prices = llm.Prices{"small": {Input: 2, Output: 8}}

// provider answers over real HTTP, deterministically, after 3 to 9 milliseconds, and bills each request.
type provider struct {
	server *httptest.Server
	fake   *fakeprovider.Server

	mu     sync.Mutex
	asked  map[string]int // how often each request came, by what it asks
	booked int            // ledger entries of earlier trials
}

func newProvider() *provider {
	p := &provider{asked: map[string]int{}}
	p.fake = fakeprovider.New(fakeprovider.Options{Behave: p.count, Responder: answer})
	p.server = httptest.NewServer(p.fake)
	return p
}

func (p *provider) url() string { return p.server.URL + "/v1" }
func (p *provider) close()      { p.server.Close() }

// count notes a request and takes its time.
func (p *provider) count(r fakeprovider.Request) fakeprovider.Behaviour {
	sum := sha256.Sum256(append([]byte(r.System+"\n"), data(r.User)...))
	p.mu.Lock()
	p.asked[string(sum[:])]++
	p.mu.Unlock()
	time.Sleep(time.Duration(3+sum[0]%7) * time.Millisecond) // real latency of a real server
	return fakeprovider.Behaviour{}
}

// reset begins a new bill.
func (p *provider) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = map[string]int{}
	p.booked = len(p.fake.Ledger())
}

// bill is what the provider has charged since reset, and how many requests it charged more than once.
func (p *provider) bill() (calls int, micros int64, again int) {
	entries := p.fake.Ledger()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range entries[p.booked:] {
		if !e.Charged {
			continue
		}
		calls++
		cost, _ := prices.Cost(e.Model, llm.Usage{PromptTokens: e.PromptTokens, CompletionTokens: e.CompletionTokens})
		micros += cost
	}
	for _, n := range p.asked {
		again += n - 1
	}
	return calls, micros, again
}

// data is the one line of JSON between the fences of a prompt: what is asked, without the mark of the installation.
func data(user string) []byte {
	for line := range strings.Lines(user) {
		if strings.HasPrefix(line, "{") {
			return bytes.TrimSpace([]byte(line))
		}
	}
	return nil
}

// answer writes a reply that depends on nothing but what is asked.
func answer(_, system, user string, schema []byte) (string, error) {
	sum := sha256.Sum256(append([]byte(system[:min(40, len(system))]), data(user)...))
	n := binary.BigEndian.Uint32(sum[:4])
	if len(schema) == 0 {
		return fmt.Sprintf("The answer is number %d.", n%10_000), nil
	}
	reply, err := json.Marshal(map[string]any{"reason": fmt.Sprintf("because of %d", n%100), "score": 1 + n%5})
	return string(reply), err
}
