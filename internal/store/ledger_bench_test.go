//go:build unix

package store

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// cpuTime is what the process has used so far, in nanoseconds.
func cpuTime(b *testing.B) int64 {
	b.Helper()
	var u syscall.Rusage
	ok(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkLedger books, banks and settles calls of 4 kB requests and 2 kB replies. The ledger's share of the bar of 0.5 ms
// CPU per call is half of it.
func BenchmarkLedger(b *testing.B) {
	for _, workers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint("sqlite/concurrency=", workers), func(b *testing.B) { benchLedger(b, newSQLite(b), workers) })
		b.Run(fmt.Sprint("sqlite/alone/concurrency=", workers), func(b *testing.B) { benchAlone(b, newSQLite(b), workers) })
		if os.Getenv(pgtest.Address) != "" { // without the server's CPU
			b.Run(fmt.Sprint("postgres/concurrency=", workers), func(b *testing.B) { benchLedger(b, newPostgres(b), workers) })
		}
	}
}

// benchAlone does it for calls of no run, where there is a key, which counts them.
func benchAlone(b *testing.B, d database, workers int) {
	s := d.open(b)
	_, _, err := s.Vouch(b.Context(), testKey, true)
	ok(b, err)
	benchCalls(b, s, "", workers)
}

func benchLedger(b *testing.B, d database, workers int) {
	s, ctx := d.open(b), b.Context()
	run := budgeted(b, s, 1<<50)
	benchCalls(b, s, run, workers)
	if got := must[experiments.Spending](b)(s.Spent(ctx, run)); got.Calls != b.N || got.ConfirmedMicros != 10*int64(b.N) {
		b.Errorf("the bill of %d calls is %+v", b.N, got)
	}
}

func benchCalls(b *testing.B, s *Store, run string, workers int) {
	ctx := b.Context()
	request, reply := make([]byte, 4000), make([]byte, 2000)
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	before := cpuTime(b)
	for range workers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				id := fmt.Sprintf("%08d", n)
				c := call(id, run, 10)
				c.Request = request
				err := s.Begin(ctx, c)
				if err == nil {
					err = s.Bank(ctx, id, llm.Raw{Status: 200, Body: reply, At: at(2)})
				}
				if err == nil {
					err = s.Settle(ctx, id, llm.Outcome{State: llm.CallUsable, CostMicros: 10, CostKind: "reported", ModelSeen: "m"})
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N)/1e6, "cpu-ms/call")
}

// BenchmarkLookups asks for calls and stage outputs that are not there, as every fresh call does first.
func BenchmarkLookups(b *testing.B) {
	s := newSQLite(b).open(b)
	for name, ask := range map[string]func(key string) (bool, error){
		"Lookup": func(key string) (bool, error) {
			c, err := s.Lookup(b.Context(), llm.Key(key))
			return c != nil, err
		},
		"Stage": func(key string) (bool, error) {
			_, found, err := s.Stage(b.Context(), key)
			return found, err
		},
	} {
		b.Run(name, func(b *testing.B) {
			before := cpuTime(b)
			for i := range b.N {
				if found, err := ask(fmt.Sprint("key ", i)); found || err != nil {
					b.Fatal(found, err)
				}
			}
			b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N)/1e6, "cpu-ms/op")
		})
	}
}
