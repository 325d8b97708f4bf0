package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// row is one line of the table that stands in the end: what was measured, and the bar that was set for it.
type row struct {
	item, figure, bar string
	met               bool
}

// note keeps a line for the last table. A bar of 0 is none.
func (r *rig) note(item string, figure, bar float64, unit string) {
	told := row{item: item, figure: fmt.Sprintf("%.4g %s", figure, unit), bar: "none", met: true}
	if bar > 0 {
		told.bar, told.met = fmt.Sprintf("%g %s", bar, unit), figure <= bar
	}
	r.table = append(r.table, told)
}

// summary prints the last table, with the load of the machine that the figures were taken under.
func (r *rig) summary() {
	load, err := os.ReadFile("/proc/loadavg")
	under := "unknown"
	if fields := strings.Fields(string(load)); err == nil && len(fields) > 2 {
		under = strings.Join(fields[:3], ", ")
	}
	fmt.Printf("\nLoad of the machine in the last 1, 5 and 15 minutes: %s. Seconds are of the processor, user and system, but for those on the clock.\n", under)
	fmt.Print("\n| item | measured | bar | |\n|---|---|---|---|\n")
	for _, t := range r.table {
		met := "met"
		switch {
		case t.bar == "none":
			met = ""
		case !t.met:
			met = "missed"
		}
		fmt.Printf("| %s | %s | %s | %s |\n", t.item, t.figure, t.bar, met)
	}
}

// rest measures what other rigs measure: calls, and a sweep over documents of folders.
func (r *rig) rest(folders []string) error {
	if err := r.calls(); err != nil {
		return err
	}
	if len(folders) == 0 {
		return nil
	}
	out, err := r.other("./bench/retrieval/sweep", append([]string{"-workbench", r.binary}, folders...)...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		var megabytes int64
		var seconds float64
		if n, _ := fmt.Sscanf(line, "sweep: %d MB at most, %f s of processor", &megabytes, &seconds); n == 2 {
			r.note("sweep of 28 × 150 over 8 MB of documents, memory", float64(megabytes), 300, "MB")
			r.note("the same, processor", seconds, 60, "s")
		}
	}
	return nil
}

// calls has the layer that buys calls measured.
func (r *rig) calls() error {
	out, err := r.other("./bench/latency", "-workbench", r.binary, "-run=false")
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		cells := strings.Split(line, "|") // what, latency, in flight, callers, calls, wall, ideal, wall ÷ ideal, processor of a call
		if len(cells) < 11 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[1] != "layer, SQLite ledger" || cells[2] != "50ms" || cells[3] != "64" || cells[4] != "64" {
			continue
		}
		ratio, err := strconv.ParseFloat(cells[8], 64)
		if err != nil {
			return err
		}
		each, err := strconv.ParseFloat(strings.TrimSuffix(cells[9], " ms"), 64)
		if err != nil {
			return err
		}
		r.note("a bought call in the layer with ledger, 50 ms × 64 in flight", each, 0.5, "ms")
		r.note("the same, time on the clock by the ideal", ratio, 1.1, "×")
	}
	return nil
}

// other runs another rig, shows what it prints and returns it.
func (r *rig) other(path string, args ...string) (string, error) {
	cmd := exec.CommandContext(context.Background(), "go", append([]string{"run", path}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	err := cmd.Run()
	fmt.Printf("\n%s\n\n%s", strings.TrimPrefix(path, "./"), out.String())
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return out.String(), nil
}

// packed is how many bytes a file has after gzip.
func packed(path string) (int, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := w.Write(body); err != nil {
		return 0, err
	}
	return out.Len(), w.Close()
}
