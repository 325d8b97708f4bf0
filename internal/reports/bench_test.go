//go:build unix

package reports

import (
	"io"
	"runtime"
	"runtime/metrics"
	"syscall"
	"testing"
	"time"
)

// BenchmarkReport10000 writes 10,000 questions, six in ten with a low score, with every analysis ("bare": with none). It prints the
// size of the file, the largest heap while it
// is written ("peak-MB": everything, the report's own data included) and what of it is the report ("data-MB"). The bars are 2 s and
// 150 MB for the workbook.
func BenchmarkReport10000(b *testing.B) {
	r := analysed(large(10_000))
	for name, write := range map[string]func(io.Writer) error{
		"xlsx": r.WriteXLSX, "xlsx-bare": large(10_000).WriteXLSX, "html": r.WriteHTML, "md": r.WriteMarkdown, "csv": r.WriteCSV,
		"jsonl": r.WriteJSONL,
	} {
		b.Run(name, func(b *testing.B) { measured(b, write) })
	}
}

// BenchmarkReport100000 writes the workbook of ten times as many questions: what it takes grows with them.
func BenchmarkReport100000(b *testing.B) { measured(b, analysed(large(100_000)).WriteXLSX) }

// measured measures writing a report.
func measured(b *testing.B, write func(io.Writer) error) {
	b.Helper()
	runtime.GC()
	data := heap()
	b.ReportAllocs()
	var peak uint64
	var size counter
	before := cpu()
	for b.Loop() {
		size = 0
		most, err := watched(func() error { return write(&size) })
		if err != nil {
			b.Fatal(err)
		}
		peak = max(peak, most)
	}
	b.ReportMetric((cpu()-before)/float64(b.N), "cpu-s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(data)/1e6, "data-MB")
	b.ReportMetric(float64(size)/1e6, "file-MB")
}

// counter is a writer that keeps nothing.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// cpu is the processor time spent so far, in seconds: what counts on a machine that others use at the same time.
func cpu() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() + sample[1].Value.Uint64()
}

// watched runs work and returns the largest heap seen meanwhile, looking every millisecond.
func watched(work func() error) (uint64, error) {
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		var peak uint64
		for {
			select {
			case <-done:
				most <- peak
				return
			case <-tick.C:
				peak = max(peak, heap())
			}
		}
	}()
	err := work()
	close(done)
	return <-most, err
}
