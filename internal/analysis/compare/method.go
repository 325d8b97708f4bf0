package compare

import (
	"cmp"
	"math"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// Method is how a comparison was computed, for those who check it. People in a hurry read [Sentences].
type Method struct {
	Settled     bool     `json:"settled"`     // one vote settles: generator and judge of both runs are deterministic
	Guarded     bool     `json:"guarded"`     // the regression guard decided from replicates
	Gates       []string `json:"gates"`       // metrics that may confirm
	FDR         float64  `json:"fdr"`         // of each gate
	Interval    string   `json:"interval"`    // "cluster_t", or "paired_t" where questions count as independent
	Clusters    int      `json:"clusters"`    // source documents, or themes where no question has evidence
	Identical   int      `json:"identical"`   // questions whose judge saw the same in both runs
	Votes       [2]int   `json:"votes"`       // of the baseline and of the candidate, on the matched questions
	Replicated  [2]int   `json:"replicated"`  // questions with more than one vote
	Confidence  float64  `json:"confidence"`  // of the intervals
	Power       float64  `json:"power"`       // at which the visible change is found
	Seed        uint64   `json:"seed"`        // of sign patterns and calibration
	Explanation []Note   `json:"explanation"` // in words
}

func (s *session) method() Method {
	m := Method{Settled: s.settled, Gates: []string{}, FDR: s.q, Interval: "paired_t", Confidence: 0.95, Power: 0.8, Seed: s.options.Seed}
	for _, id := range s.DecideBy {
		c, ok := s.Metrics[id]
		if ok {
			m.Gates = append(m.Gates, id)
			m.Clusters = max(m.Clusters, c.Clusters)
		}
		m.Guarded = m.Guarded || c.Guard != nil && c.Guard.Decided
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		if p.identical {
			m.Identical++
		}
		for arm, n := range [2]int{len(p.before), len(p.after)} {
			m.Votes[arm] += n
			if n > 1 {
				m.Replicated[arm]++
			}
		}
	}
	if m.Clusters > 0 {
		m.Interval = "cluster_t"
		code := "method.cluster_t"
		if s.themed {
			code = "method.cluster_theme"
		}
		m.Explanation = append(m.Explanation, newNote(code, "clusters", m.Clusters))
	} else {
		m.Explanation = append(m.Explanation, newNote("method.paired_t"))
	}
	switch {
	case m.Settled && (s.Baseline.Setup.Config.Log != nil || s.Candidate.Setup.Config.Log != nil):
		m.Explanation = append(m.Explanation, newNote("method.settled_log"))
	case m.Settled:
		m.Explanation = append(m.Explanation, newNote("method.settled"))
	case m.Guarded:
		m.Explanation = append(m.Explanation, newNote("method.guard", "share", s.q*100))
	default:
		m.Explanation = append(m.Explanation, newNote("method.one_vote"))
	}
	if m.Identical > 0 {
		code := "method.identical"
		if len(s.Candidate.Setup.Tools()) > 0 { // what their judges saw is not known
			code = "method.identical_import"
		}
		m.Explanation = append(m.Explanation, newNote(code, "n", m.Identical))
	}
	return m
}

// warn adds what a reader must know before believing the comparison.
func (s *session) warn(baseline, candidate experiments.Evaluation) {
	for _, side := range []struct {
		arm Arm
		run experiments.Run
	}{{BaselineArm, s.Baseline}, {CandidateArm, s.Candidate}} {
		t := side.run.Totals
		if t != nil && t.Coverage.Share() < 1 {
			s.note("warn.coverage", "arm", newNote("arm."+string(side.arm)), "scored", t.Coverage.Scored, "applicable",
				t.Coverage.Applicable)
		}
	}
	for _, part := range unasked(s.Comparison, s.Baseline, s.Candidate) {
		s.note("warn.part", "arm", newNote("arm."+string(part.Partial)), "n", part.N)
	}
	b, c := s.Baseline.Setup, s.Candidate.Setup
	if b.Dataset.Digest != c.Dataset.Digest {
		s.note("warn.dataset", "baseline", b.Dataset.String(), "candidate", c.Dataset.String())
	}
	relabelled := 0
	for i := range s.pairs {
		if s.pairs[i].relabelled {
			relabelled++
		}
	}
	if relabelled > 0 {
		s.note("warn.evidence", "n", relabelled)
	}
	switch {
	case s.LowApart:
		s.note("warn.low_apart", "baseline", lowNote(s.rules[0]), "candidate", lowNote(s.rules[1]))
	case b.LowScore != c.LowScore && !s.rules[1].Own: // else no threshold counts
		s.note("warn.low_score", "baseline", b.LowScore, "candidate", c.LowScore)
	}
	if b.Offline && c.Offline && b.OfflineVersion != c.OfflineVersion {
		s.note("warn.offline_version", "baseline", cmp.Or(b.OfflineVersion, unversioned),
			"candidate", cmp.Or(c.OfflineVersion, unversioned))
	}
	if b.Judge.ExplainLang != c.Judge.ExplainLang {
		s.note("warn.judge_language")
	}
	if s.ByGradeAlone > 0 {
		s.Warnings = append(s.Warnings, s.gradeAloneNote())
	}
	s.warnOfMetrics(baseline, candidate)
}

// lowNote says what low means as a note fills it in.
func lowNote(rule experiments.LowRule) Note {
	return newNote("title", "en", rule.Words("en"), "ja", rule.Words("ja"))
}

// unversioned is the version of an offline judge that was not written down.
const unversioned = "≤ 10"

func (s *session) warnOfMetrics(baseline, candidate experiments.Evaluation) {
	for _, spec := range s.specs {
		m, ok := s.Metrics[spec.ID]
		if !ok {
			continue
		}
		name := newNote("title", "en", title(spec, "en"), "ja", title(spec, "ja"))
		if d := m.Drift; d != nil && d.P < driftP {
			s.note("warn.judge_drift", "metric", name, "judge", signed(d.Judge), "system", signed(d.System))
		}
		if g := m.Guard; g != nil && s.gates[spec.ID] && !g.Decided && s.Counts[spec.ID].NeedsCheck > 0 {
			s.note("warn.few_replicates", "metric", name, "pairs", g.Pairs, "needed", enoughPairs)
		}
		if !s.gates[spec.ID] {
			continue
		}
		if raw, differ := s.rawDiff(spec.ID, baseline, candidate); differ {
			least := 0.005 * (spec.Max - spec.Min)
			if raw*m.Diff < 0 && math.Abs(raw) > least && math.Abs(m.Diff) > least {
				code := "warn.sign_reversal"
				if len(s.Added)+len(s.Removed)+len(s.Reworded)+len(s.ReferenceChanged) == 0 {
					code = "warn.sign_reversal_scored" // the same questions: some lack a score
				}
				s.note(code, "metric", name, "raw", signed(raw), "matched", signed(m.Diff))
			}
		}
		for _, slice := range m.Slices {
			if slice.P < 0.05 && slice.Diff*m.Diff < 0 {
				s.note("warn.slice_reversal", "metric", name, "tag", slice.Tag, "slice", signed(slice.Diff), "all", signed(m.Diff))
			}
		}
	}
}

func (s *session) note(code string, args ...any) {
	s.Warnings = append(s.Warnings, newNote(code, args...))
}

// rawDiff is the difference of the runs' own means over all questions each has scored; differ says that they are not the same
// questions. Where it has the other sign than the difference on the matched questions, the change lies in what was asked, not
// in how it was answered (Simpson's paradox).
func (s *session) rawDiff(metric string, baseline, candidate experiments.Evaluation) (diff float64, differ bool) {
	means, counts := [2]float64{}, [2]int{}
	for arm, e := range [2]experiments.Evaluation{baseline, candidate} {
		at := place(e.Run.Setup.Suite, metric)
		standing, _ := experiments.Standing(e.Results) // or questions that were verified would count more
		for i := range standing {
			if score := standing[i].ScoreAt(at, metric); score != nil && score.State == metrics.Scored {
				means[arm] += score.Value
				counts[arm]++
			}
		}
		means[arm] /= float64(max(1, counts[arm]))
	}
	unmatched := len(s.Added) + len(s.Removed) + len(s.Reworded) + len(s.ReferenceChanged) + len(s.Unscored)
	return means[1] - means[0], unmatched > 0 && counts[0] > 0 && counts[1] > 0
}
