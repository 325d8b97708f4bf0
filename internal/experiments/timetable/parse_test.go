package timetable

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestSlotsOfTwentyYears compares every slot of many zones with a reference that was computed by walking through all minutes; see
// bench/schedules/reference.py.
func TestSlotsOfTwentyYears(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/slots.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(body)), "\n")
	if len(lines) < 14*6 {
		t.Errorf("the reference has only %d lines", len(lines))
	}
	var slots atomic.Int64
	t.Cleanup(func() { t.Logf("%d zones and texts, %d slots", len(lines), slots.Load()) })
	for i, line := range lines {
		if testing.Short() && i%5 > 0 {
			continue
		}
		t.Run(line[:strings.LastIndex(line, "\t")], func(t *testing.T) {
			t.Parallel()
			slots.Add(int64(compareSlots(t, strings.Split(line, "\t"))))
		})
	}
}

// compareSlots compares the slots of one line of the reference: zone, text, number of slots, digest.
func compareSlots(t *testing.T, line []string) int {
	t.Helper()
	from, to := time.Date(2006, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	table, err := ParseTimetable(strings.ReplaceAll(line[1], "_", " "), line[0], from)
	if err != nil {
		t.Fatal(err)
	}
	sum, found := sha256.New(), 0
	for at := table.Next(from.Add(-time.Second)); at.Before(to); at = table.Next(at) {
		fmt.Fprintf(sum, "%s\n", at.Format("2006-01-02T15:04Z"))
		found++
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != line[3] {
		t.Errorf("%d slots, and the reference has %s others", found, line[2])
	}
	return found
}

func TestTimetablesByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, cron, zone, after, want string }{
		{"the gap in New York", "30 2 * * *", "America/New_York", "2026-03-08T05:00Z", "2026-03-08T07:00Z 2026-03-09T06:30Z"},
		{"the repeat in New York", "30 1 * * *", "America/New_York", "2026-11-01T04:00Z", "2026-11-01T05:30Z 2026-11-02T06:30Z"},
		{"within the repeated hour", "30 1 * * *", "America/New_York", "2026-11-01T06:10Z", "2026-11-02T06:30Z 2026-11-03T06:30Z"},
		{"hours in the repeat", "30 * * * *", "America/New_York", "2026-11-01T05:00Z", "2026-11-01T05:30Z 2026-11-01T06:30Z"},
		{"a day that Samoa left out", "0 6 * * *", "Pacific/Apia", "2011-12-29T15:00Z", "2011-12-29T16:00Z 2011-12-30T10:00Z"},
		{"half an hour at Lord Howe", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", "2026-10-03T15:30Z 2026-10-04T15:15Z"},
		{"Mondays in Tokyo", "0 6 * * 1", "Asia/Tokyo", "2026-11-20T00:00Z", "2026-11-22T21:00Z 2026-11-29T21:00Z"},
		{"leap days", "0 0 29 2 *", "UTC", "2096-03-01T00:00Z", "2104-02-29T00:00Z 2108-02-29T00:00Z"},
		{"day of month or of week", "0 0 13 * 5", "UTC", "2026-11-10T00:00Z", "2026-11-13T00:00Z 2026-11-20T00:00Z"},
		{"every 90 minutes", "@every 90m", "Europe/Berlin", "2026-03-29T00:10Z", "2026-03-29T01:30Z 2026-03-29T03:00Z"},
		{"a word", "@weekly", "", "2026-11-20T00:00Z", "2026-11-22T00:00Z 2026-11-29T00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			table, err := ParseTimetable(c.cron, c.zone, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			after, err := time.Parse("2006-01-02T15:04Z", c.after)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, at := range table.NextN(after, 2) {
				got = append(got, at.Format("2006-01-02T15:04Z"))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("after %s: %v, want %s", c.after, got, c.want)
			}
		})
	}
}

func TestTimetablesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cron, zone, code string
		position         int
	}{
		{"TZ=UTC 0 6 * * 1", "UTC", "cron_zone", 2},
		{"CRON_TZ=UTC", "UTC", "cron_zone", 7},
		{"0 0 30 2 *", "UTC", "cron_never", 0},
		{"* * * * *", "UTC", "cron_often", 0},
		{"*/7 * * * *", "UTC", "cron_often", 0},
		{"1,58 0,23 * * *", "UTC", "cron_often", 0},
		{"0 0 6 * * 1", "UTC", "cron_text", 11},
		{"0 6 * 1", "UTC", "cron_text", 7},
		{"0 25 * * *", "UTC", "cron_text", 2},
		{"0 6  * 13 *", "UTC", "cron_text", 7},
		{"0 6 * * 7", "UTC", "cron_text", 8},
		{"", "UTC", "cron_text", 0},
		{"@reboot", "UTC", "cron_text", 0},
		{"@every", "UTC", "cron_text", 0},
		{"@every 1m", "UTC", "cron_often", 0},
		{"@every -1h", "UTC", "cron_often", 0},
		{"@every soon", "UTC", "cron_text", 7},
		{"@every 99999h", "UTC", "cron_text", 7},
		{strings.Repeat("1,", 200) + " * * * *", "UTC", "cron_text", 200},
		{"0 6 * * *", "Europe/Belrin", "zone_unknown", 0},
		{"0 6 * * *", "Local", "zone_unknown", 0},
		{"0 6 * * *", "../../etc/passwd", "zone_unknown", 0},
	} {
		_, err := ParseTimetable(c.cron, c.zone, time.Time{})
		p := problem.From(err)
		if p == nil || p.Kind != problem.Invalid || p.Code != c.code || p.Params["position"] != c.position {
			t.Errorf("%q in %q: %+v, want %s at %d", c.cron, c.zone, p, c.code, c.position)
		}
	}
	_, err := ParseZone("Europe/Belrin")
	if near, _ := problem.From(err).Params["nearest"].([]string); !slices.Contains(near, "Europe/Berlin") {
		t.Errorf("nearest of Belrin: %v", near)
	}
	if _, err := ParseTimetable("1,58 0,23 1 * *", "UTC", time.Time{}); err != nil {
		t.Errorf("no two days follow each other: %v", err)
	}
}

func TestEveryZoneOfTheListExists(t *testing.T) {
	t.Parallel()
	for _, name := range Zones() {
		if _, err := ParseZone(name); err != nil {
			t.Error(err)
		}
	}
}

func FuzzParseTimetable(f *testing.F) {
	for _, s := range []string{"0 6 * * 1", "*/5 * * * *", "@every 1h", "TZ=", "CRON_TZ=UTC", "0 0 29 2 */2", "1-5/2 ? L W #",
		"59 23 31 12 6", "0 0 1 JAN MON"} {
		f.Add(s, "Europe/Berlin")
	}
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text, zone string) {
		table, err := ParseTimetable(text, zone, now)
		if err != nil {
			if p := problem.From(err); p.Kind != problem.Invalid || p.Params["field"] == nil || p.Params["position"] == nil {
				t.Fatalf("%q in %q: %v", text, zone, err)
			}
			return
		}
		slots := table.NextN(now, 10)
		if len(slots) != 10 || !slots[0].After(now) {
			t.Fatalf("%q in %q: %v", text, zone, slots)
		}
		for i := 1; i < len(slots); i++ {
			if !slots[i].After(slots[i-1]) {
				t.Fatalf("%q in %q goes back: %v", text, zone, slots)
			}
		}
	})
}

// A year is the longest interval, a leap year too.
func TestTheLongestIntervalIsALeapYear(t *testing.T) {
	t.Parallel()
	for cron, taken := range map[string]bool{"@every 8784h": true, "@every 8784h0m1s": false} {
		if _, err := ParseTimetable(cron, "UTC", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)); (err == nil) != taken {
			t.Errorf("%s: %v", cron, err)
		}
	}
}
