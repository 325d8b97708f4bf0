package compare

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// mostDraws bounds the work of the test of the slices: sign patterns times places.
const mostDraws = 400_000_000

// taggedGains are the questions of one tag, as places in the gains.
type taggedGains struct {
	tag string
	in  []int
}

// slices tests every tag with enough questions at once, so that looking at many raises no false alarm (docs/adr/0069). A tag
// fails when it is worse beyond chance, and by the margin at least. A tag whose questions stand on so few documents that nothing could
// ever be beyond chance is not tested; it is named where it fell by the margin. Where themes stand in for documents, the questions count
// each by itself: a theme would be one group, and no fall of it could ever be told.
func (m GateMetric) slices(arms GateArms, rules GateRules, margin float64) []GateCheck {
	gains, places, _, _ := m.gains()
	clusters := m.clusters(places)
	if m.Themed {
		clusters = nil
	}
	judged, apart := m.tagged(places, clusters, rules)
	tests := testedTags(gains, clusters, judged, arms)
	c := GateCheck{Name: "slice", Metric: m.ID, Decision: stats.Pass, N: len(judged)}
	var failed, unsure, open listed
	var worse, fell []string // the tags of failed and of open
	for i, t := range tests {
		if t.Mean > -margin {
			continue
		}
		if by := fellBy(judged[i].tag, t.Mean, t.N); t.Adjusted <= rules.Alpha {
			failed, worse = append(failed, by), append(worse, judged[i].tag)
		} else {
			unsure = append(unsure, by)
		}
	}
	for _, tag := range apart {
		own := make([]float64, len(tag.in))
		for k, i := range tag.in {
			own[k] = gains[i]
		}
		if mean := stats.Mean(own); mean <= -margin {
			open, fell = append(open, fellBy(tag.tag, mean, len(own))), append(fell, tag.tag)
		}
	}
	metric := metricNote(m.ID)
	switch {
	case len(judged) == 0 && len(open) == 0:
		return nil
	case len(failed) > 0:
		c.Decision, c.Tags = stats.Fail, worse
		c.says("gate.tags_worse", "metric", metric, "which", failed)
		if len(unsure) > 0 {
			c.says("gate.tags_too", "margin", LimitWords(margin), "which", unsure)
		}
	case len(judged) == 0:
		c.Decision, c.N, c.Tags = stats.Inconclusive, len(apart), fell
		c.says("gate.tags_unjudged", "metric", metric, "margin", LimitWords(margin), "which", open)
		return []GateCheck{c}
	case len(unsure) > 0:
		c.says("gate.tags_chance", "metric", metric, "n", len(judged), "least", rules.Slice, "margin", LimitWords(margin),
			"which", unsure)
	default:
		c.says("gate.tags", "metric", metric, "n", len(judged), "least", rules.Slice)
	}
	if len(apart) > 0 {
		c.says("gate.tags_apart", "n", len(apart))
	}
	if len(open) > 0 {
		c.says("gate.tags_apart_fell", "margin", LimitWords(margin), "which", open)
	}
	return []GateCheck{c}
}

func fellBy(tag string, mean float64, n int) Note {
	return newNote("gate.tag", "tag", tag, "loss", LimitWords(-mean), "n", n)
}

// tagged are the tags with enough questions, in the order of their names: those that can be found worse beyond chance, and those whose
// questions share so few documents that they cannot, because even all documents falling together is too likely by chance.
func (m GateMetric) tagged(places, clusters []int, rules GateRules) (judged, apart []taggedGains) {
	byTag := map[string][]int{}
	for i, place := range places {
		for _, tag := range m.Items[place].Tags {
			byTag[tag] = append(byTag[tag], i)
		}
	}
	for tag, in := range byTag {
		if len(in) < rules.Slice {
			continue
		}
		units := len(in)
		if clusters != nil {
			own := map[int]bool{}
			for _, i := range in {
				own[clusters[i]] = true
			}
			units = len(own)
		}
		if likeliest := math.Pow(2, float64(1-units)); likeliest <= rules.Alpha { // both patterns with one sign
			judged = append(judged, taggedGains{tag, in})
		} else {
			apart = append(apart, taggedGains{tag, in})
		}
	}
	byName := func(a, b taggedGains) int { return strings.Compare(a.tag, b.tag) }
	slices.SortFunc(judged, byName)
	slices.SortFunc(apart, byName)
	return judged, apart
}

// testedTags are the tests of some tags, in their order.
func testedTags(gains []float64, clusters []int, tags []taggedGains, arms GateArms) []stats.SliceTest {
	members, total := make([][]int, len(tags)), 0
	for i, t := range tags {
		members[i], total = t.in, total+len(t.in)
	}
	if len(tags) == 0 {
		return nil
	}
	units := len(gains)
	if clusters != nil {
		units = slices.Max(clusters) + 1
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(arms.Baseline + "\x00" + arms.Candidate)) // a hash takes every byte
	flips := stats.FlipsFor(units, seed.Sum64())
	flips.Draws = min(flips.Draws, max(999, mostDraws/total))
	tests, err := stats.StepDown(gains, members, clusters, flips)
	if err != nil {
		return nil // it fails only on input that the lines above do not make
	}
	return tests
}
