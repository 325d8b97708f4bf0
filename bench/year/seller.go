package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// The shares of what goes wrong with the server of models.
const (
	failsOnce  = 0.01  // requests that get an error of the server the first time
	failsLong  = 0.002 // requests that are answered with what cannot be used, the first six times
	spoils     = 0.02  // answers that say nothing
	rewords    = 0.5   // answers in other words than the week before
	turnsRound = 0.02  // verdicts
)

// wordings are ways to begin an answer that says the same.
var wordings = []string{"According to the documents: ", "The documents say: ", "In short: ", "As it is written there: "}

// newModels is the server of models. What it does to a request follows from the request alone, and every fire makes requests of its own.
func newModels() http.Handler {
	answer := fakeprovider.Offline()
	return fakeprovider.New(fakeprovider.Options{
		Flip: turnsRound, Seed: 27,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			switch x := drawn("fault", r.Hash); {
			case x < failsLong && r.Times <= 6:
				return fakeprovider.Behaviour{Fault: fakeprovider.Malformed}
			case x >= failsLong && x < failsLong+failsOnce && r.Times == 1:
				return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
			}
			return fakeprovider.Behaviour{}
		},
		Answer: func(r fakeprovider.Request) (string, error) {
			said, err := answer(r)
			if err != nil || len(r.Schema) > 0 {
				return said, err
			}
			switch x := drawn("answer", r.Hash); {
			case x < spoils:
				return "Please ask the service desk about it.", nil
			case x < spoils+rewords:
				return wordings[int(drawn("wording", r.Hash)*float64(len(wordings)))] + said, nil
			}
			return said, nil
		},
	})
}

// drawn is a number from 0 to below 1 that follows from its arguments.
func drawn(what, hash string) float64 {
	h := fnv.New64a()
	fmt.Fprint(h, hash, what)
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// serveModels is what the process of the server of models does. It prints its address.
func serveModels(ctx context.Context) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/v1\n", l.Addr())
	server := &http.Server{Handler: newModels(), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// startModels starts this program once more as the server of models and returns its base URL.
func startModels(ctx context.Context) (address string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	c := exec.CommandContext(ctx, self, "-models") //nolint:gosec // this program
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed, and says so
	}
	if _, err := fmt.Fscanln(out, &address); err != nil || !strings.HasPrefix(address, "http://") {
		stop()
		return "", nil, fmt.Errorf("the server of models did not start: %q %w", address, err)
	}
	return address, stop, nil
}
