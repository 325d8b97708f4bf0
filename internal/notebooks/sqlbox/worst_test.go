package sqlbox

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkWorst works through statements that never end by themselves, under the clock of a server: how long each takes, and by how
// much the process grows.
func BenchmarkWorst(b *testing.B) {
	endless := "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i+1 FROM n) SELECT %s"
	for name, sql := range map[string]string{
		"recursion":   fmt.Sprintf(endless, "max(i) FROM n"),
		"sorted join": fmt.Sprintf(endless, "a.i, b.i FROM n AS a JOIN (SELECT i FROM n LIMIT 5000) AS b ORDER BY b.i, a.i DESC"),
		"cross join":  "SELECT count(*) FROM scores a, scores b, scores c, scores d, scores e WHERE a.value < b.value",
		"large value": fmt.Sprintf(endless, "group_concat(i) FROM n"),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				box := filled(b)
				rows := func(yield func([]any, error) bool) {
					for i := range 3000 {
						if !yield([]any{fmt.Sprint("run-", i), float64(i % 7)}, nil) {
							return
						}
					}
				}
				if err := box.Fill("scores", []string{"run", "value"}, rows); err != nil {
					b.Fatal(err)
				}
				before, began := resident(), time.Now()
				most := enough
				most.Stop = func() bool { return time.Since(began) > 5*time.Second }
				_, err := box.Query(sql, nil, most)
				b.ReportMetric(time.Since(began).Seconds(), "s")
				b.ReportMetric(resident()-before, "MiB-more")
				if err == nil {
					b.Error("it was answered")
				}
			}
		})
	}
}

// resident is the memory of the process, in MiB; 0 where the system does not say.
func resident() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	return kib / 1024
}
