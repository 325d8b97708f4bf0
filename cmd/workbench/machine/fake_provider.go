package machine

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// FakeProviderCmd serves the rig's provider, so that tests and benchmarks have it in a process of its own.
type FakeProviderCmd struct {
	Addr    string        `help:"Address to listen on." default:"127.0.0.1:0"`
	Latency time.Duration `help:"Wait before every reply."`
	Faults  float64       `help:"Share of requests that go wrong, 0 to 1." type:"share"`
	Flip    float64       `help:"Share of judgements that are turned round, 0 to 1." type:"share"`
	Seed    uint64        `help:"Seed of faults and flips." default:"1"`
	RPM     int           `help:"Requests allowed in a minute; 0 is no limit." name:"rpm"`
	TPM     int           `help:"Tokens of prompts allowed in a minute; 0 is no limit." name:"tpm"`
	Outage  time.Duration `help:"Fail everything for so long, from the first request on."`
	Ledger  string        `help:"Append the bill to this file, one line of JSON for each request, on disk before the reply is sent." placeholder:"FILE"`
	Plain   bool          `help:"Give the smallest reply that satisfies the schema instead of a plausible one."`
}

// Run serves until it is interrupted. The address is printed as JSON once the server listens.
func (c FakeProviderCmd) Run(p *program.Program) error {
	o := fakeprovider.Options{
		Latency: c.Latency, Mix: fakeprovider.Mix{Share: c.Faults, Seed: c.Seed}, Flip: c.Flip, Seed: c.Seed,
		Limits: fakeprovider.Limits{Requests: c.RPM, Tokens: c.TPM}, Now: p.Now,
	}
	if !c.Plain {
		o.Answer = fakeprovider.Offline()
	}
	if c.Outage > 0 {
		o.Outages = []fakeprovider.Outage{{To: c.Outage}}
	}
	if c.Ledger != "" {
		f, err := os.OpenFile(c.Ledger, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return problem.New(problem.Invalid, "fake_ledger", "cannot write the bill to %s", c.Ledger).Because(err)
		}
		defer func() { _ = f.Close() }()
		o.Bill = f
	}
	listener, err := (&net.ListenConfig{}).Listen(p.Context, "tcp", c.Addr)
	if err != nil {
		return problem.New(problem.Invalid, "fake_address", "cannot listen on %s", c.Addr).Because(err)
	}
	address := listener.Addr().String()
	if err := p.PrintJSON(map[string]string{"address": address, "base_url": "http://" + address + "/v1"}); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{Handler: fakeprovider.New(o), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(p.Context, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
