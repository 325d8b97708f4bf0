package questions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// assigned is what the votes say of one question and taxonomy.
type assigned struct {
	labels []string // primary first, at most one second; every label of a taxonomy with several; never empty for one without
	share  float64  // of the votes for the primary label; for several the least share by which a label was decided
	votes  []string // the primary label of each vote, or its labels joined by commas
}

// assign puts a question under a taxonomy. Labels that a later version appended for questions without a label are offered only to
// those: so extending a taxonomy changes nobody else's label and asks nobody else again.
func (j *questionJudge) assign(ctx context.Context, q experiments.Question, t experiments.Taxonomy) (assigned, error) {
	steps := []int{0}
	for _, l := range t.Labels {
		steps = append(steps, l.Since)
	}
	slices.Sort(steps)
	var a assigned
	for _, since := range slices.Compact(steps) {
		var offered []experiments.TaxonomyLabel
		for _, l := range t.Labels {
			if l.Since <= since {
				offered = append(offered, l)
			}
		}
		if len(offered) == 0 {
			continue
		}
		var err error
		if a, err = j.assignFrom(ctx, q, t, offered); err != nil {
			return a, err
		}
		if len(a.labels) > 0 && a.labels[0] != experiments.OtherLabel {
			break
		}
	}
	return a, nil
}

func (j *questionJudge) assignFrom(ctx context.Context, q experiments.Question, t experiments.Taxonomy,
	offered []experiments.TaxonomyLabel) (assigned, error) {
	lang := langOfQuestion(q)
	known := labelsData(offered, lang)
	schema := assignSchema(t, offered)
	replies := make([]assignReply, questionVotes)
	for vote := range replies {
		data := assignData{Question: q.Text, Several: t.Multi, Labels: make([]labelData, len(known))}
		for to, from := range stats.NewSplitMix64(orderSeed(t.ID, q.Text, vote)).Permutation(len(known)) {
			data.Labels[to] = known[from]
		}
		var err error
		replies[vote], err = askQuestion[assignReply](ctx, j, questionTask{
			purpose: PurposeQuestionAssign, lang: lang, data: data, schema: schema, maxTokens: 1000, vote: vote,
		})
		if err != nil {
			return assigned{}, err
		}
		replies[vote] = replies[vote].within(offered)
	}
	if t.Multi {
		return severalOf(replies), nil
	}
	return oneOf(replies), nil
}

// orderSeed decides in which order the labels are shown to a vote: one that does not depend on anything but the question.
func orderSeed(taxonomy, question string, vote int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", taxonomy, question, vote))
	return binary.BigEndian.Uint64(sum[:8])
}

// within drops what a reply names and was not offered. Providers hold replies to the schema; this is for those that do not.
func (r assignReply) within(offered []experiments.TaxonomyLabel) assignReply {
	isOffered := func(id string) bool {
		return slices.ContainsFunc(offered, func(l experiments.TaxonomyLabel) bool { return l.ID == id })
	}
	if !isOffered(r.Primary) {
		r.Primary = experiments.OtherLabel
	}
	if !isOffered(r.Second) || r.Second == r.Primary || r.Primary == experiments.OtherLabel {
		r.Second = noSecond
	}
	r.Labels = slices.DeleteFunc(slices.Clone(r.Labels), func(id string) bool { return !isOffered(id) })
	slices.Sort(r.Labels)
	r.Labels = slices.Compact(r.Labels)
	return r
}

// oneOf takes the label with most votes; between equals the one that also has more votes as the second, then the first by id. The
// second label needs the majority of the votes, as first or second.
func oneOf(replies []assignReply) assigned {
	first, either := map[string]int{}, map[string]int{}
	var a assigned
	for _, r := range replies {
		a.votes = append(a.votes, r.Primary)
		first[r.Primary]++
		either[r.Primary]++
		if r.Second != noSecond {
			either[r.Second]++
		}
	}
	order := slices.SortedFunc(maps.Keys(first), func(x, y string) int {
		return cmp.Or(cmp.Compare(first[y], first[x]), cmp.Compare(either[y], either[x]), cmp.Compare(x, y))
	})
	a.labels = []string{order[0]}
	a.share = float64(first[order[0]]) / float64(len(replies))
	rest := slices.SortedFunc(maps.Keys(either), func(x,
		y string) int {
		return cmp.Or(cmp.Compare(either[y], either[x]), cmp.Compare(x, y))
	})
	for _, id := range rest {
		if id != order[0] && id != experiments.OtherLabel && 2*either[id] > len(replies) && order[0] != experiments.OtherLabel {
			a.labels = append(a.labels, id)
			break
		}
	}
	return a
}

// severalOf takes every label that the majority of votes has.
func severalOf(replies []assignReply) assigned {
	count := map[string]int{}
	a := assigned{share: 1}
	for _, r := range replies {
		a.votes = append(a.votes, strings.Join(r.Labels, ","))
		for _, id := range r.Labels {
			count[id]++
		}
	}
	n := float64(len(replies))
	for _, id := range slices.Sorted(maps.Keys(count)) {
		share := float64(count[id]) / n
		if share > .5 {
			a.labels = append(a.labels, id)
		}
		a.share = min(a.share, max(share, 1-share))
	}
	return a
}
