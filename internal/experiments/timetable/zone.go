package timetable

import (
	"cmp"
	_ "embed"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// zoneFolders are where a system keeps its time zones, in the order in which package time looks.
var zoneFolders = []string{"/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/usr/lib/locale/TZ", "/etc/zoneinfo"}

// ZoneRules says whose rules of time zones this machine goes by: its own, with their version where it names one, because a system is
// updated when a government changes its clocks; else those that this program was built with.
func ZoneRules() string { return zoneRules(os.Getenv("ZONEINFO"), zoneFolders) }

func zoneRules(own string, folders []string) string {
	if own != "" {
		return own
	}
	if runtime.GOOS != "windows" {
		for _, folder := range folders {
			if f, err := os.Stat(folder); err != nil || !f.IsDir() {
				continue
			}
			return folder + zoneVersion(folder)
		}
	}
	return "built in (" + runtime.Version() + ")"
}

// zoneVersion is what the first line of a database says of itself, such as " 2026a"; "" when it says nothing.
func zoneVersion(folder string) string {
	f, err := os.Open(filepath.Join(folder, "tzdata.zi"))
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // only read
	first := make([]byte, 32)
	n, _ := io.ReadFull(f, first) // a short file is none
	version, found := strings.CutPrefix(string(first[:n]), "# version ")
	version, _, ended := strings.Cut(version, "\n")
	if !found || !ended {
		return ""
	}
	return " " + version
}

//go:embed schedule_zones.txt
var zoneNames string

// Zones are the names of time zones that are offered, sorted. Others that exist are taken too.
func Zones() []string { return strings.Fields(zoneNames) }

// mostZone bounds the name of a time zone in bytes.
const mostZone = 64

// ParseZone finds a time zone by its IANA name; an unknown one is an Invalid Problem that names the nearest. The empty name is UTC.
func ParseZone(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	if len(name) <= mostZone && name != "Local" {
		if loc, err := time.LoadLocation(name); err == nil {
			return loc, nil
		}
	}
	shown := strings.ToValidUTF8(name[:min(len(name), mostZone)], "")
	p := problem.New(problem.Invalid, "zone_unknown", "there is no time zone %q", shown).With("field", "zone").With("zone", shown).
		With("position", 0)
	near := nearestZones(shown)
	p = p.With("nearest", near)
	return nil, p.WithHint("did you mean %s? Zones have the names of the IANA time zone database", strings.Join(near, ", "))
}

// nearestZones are the three names that look most like one, the city counting as much as the whole.
func nearestZones(name string) []string {
	wanted := strings.ToLower(strings.ReplaceAll(name, " ", "_"))
	wantedCity := path.Base(wanted)
	zones := Zones()
	far := make(map[string]int, len(zones))
	for _, zone := range zones {
		low := strings.ToLower(zone)
		far[zone] = min(spelling(wanted, low), spelling(wantedCity, path.Base(low)))
	}
	slices.SortStableFunc(zones, func(a, b string) int { return cmp.Compare(far[a], far[b]) })
	return zones[:3]
}

// spelling is how many letters must be put in, taken out or changed to make one word of the other.
func spelling(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
