package server

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// exposition writes numbers in the text format of Prometheus, version 0.0.4.
type exposition struct{ b bytes.Buffer }

// family begins a metric. kind is gauge, counter or histogram.
func (e *exposition) family(name, kind, help string) {
	fmt.Fprintf(&e.b, "# HELP %s %s\n# TYPE %s %s\n", name, strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(help), name, kind)
}

// sample writes one number; labels are names and values in turn.
func (e *exposition) sample(name string, value float64, labels ...string) {
	e.b.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		e.b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		e.b.WriteString(labels[i] + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(labels[i+1]) + `"`)
	}
	if len(labels) > 0 {
		e.b.WriteByte('}')
	}
	e.b.WriteString(" " + number(value) + "\n")
}

// gauge writes a metric of one number.
func (e *exposition) gauge(name, help string, value float64) {
	e.family(name, "gauge", help)
	e.sample(name, value)
}

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// buckets are the upper bounds of the times that are counted, in seconds.
var buckets = []float64{.005, .025, .1, .25, .5, 1, 2.5, 10, 60, math.Inf(1)}

// durations count times by labels. The zero value is ready. It is safe for concurrent use.
type durations struct {
	mu    sync.Mutex
	times map[durationKey]*histogram
}

// durationKey has a fixed set of values in each field.
type durationKey struct{ route, method, status string }

type histogram struct {
	counts []uint64 // by bucket, each alone
	sum    float64
}

// observe counts a time in seconds.
func (d *durations) observe(key durationKey, seconds float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h := d.times[key]
	if h == nil {
		if d.times == nil {
			d.times = map[durationKey]*histogram{}
		}
		h = &histogram{counts: make([]uint64, len(buckets))}
		d.times[key] = h
	}
	h.counts[slices.IndexFunc(buckets, func(bound float64) bool { return seconds <= bound })]++
	h.sum += seconds
}

// write writes all that was counted, in the order of the labels.
func (d *durations) write(e *exposition, name, help string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e.family(name, "histogram", help)
	keys := make([]durationKey, 0, len(d.times))
	for key := range d.times {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b durationKey) int {
		return strings.Compare(a.route+" "+a.method+" "+a.status, b.route+" "+b.method+" "+b.status)
	})
	for _, key := range keys {
		h, labels := d.times[key], []string{"route", key.route, "method", key.method, "status", key.status}
		n := uint64(0)
		for i, bound := range buckets {
			n += h.counts[i]
			e.sample(name+"_bucket", float64(n), append(slices.Clone(labels), "le", number(bound))...)
		}
		e.sample(name+"_sum", h.sum, labels...)
		e.sample(name+"_count", float64(n), labels...)
	}
}
