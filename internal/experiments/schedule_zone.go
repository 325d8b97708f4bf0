package experiments

import (
	"cmp"
	_ "embed"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

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
	p := problem.New(problem.Invalid, "zone_unknown", "there is no time zone %q", shown).With("field", "zone").With("zone", shown).With("position", 0)
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
