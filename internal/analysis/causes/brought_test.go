package causes

import (
	"fmt"
	"strings"
	"testing"
)

// TestChangesThatOnlyBringTheEvidenceAreToldToFail: where a rank beyond k invites to raise it, it is said how many changes bring the
// evidence and that none of those that were answered from helped; where a change repairs the answer, or none was answered from, nothing is.
func TestChangesThatOnlyBringTheEvidenceAreToldToFail(t *testing.T) {
	t.Parallel()
	for bring := range 4 {
		for answered := range 4 {
			for _, repaired := range []bool{false, true} {
				d := Diagnosis{Component: Retriever, Method: Tested, Detail: noiseBesides,
					Steps: []CauseStep{{Step: "retrieval", Passes: bring, Trials: 8}, {Step: "oracle", Passes: 1, Trials: 1}}}
				for i := range answered {
					d.Steps = append(d.Steps, CauseStep{Step: "regenerate", Change: fmt.Sprintf("retrieve.k 4 -> %d", 5+i), Trials: 1})
				}
				if repaired {
					d.Repairs = []Repair{{Component: Retriever, Param: "retrieve.k", From: 4, To: 9}}
				}
				en, ja := toldOf(d, []claimEvidence{labelledAt(10, "a")})
				want := map[bool]string{true: fmt.Sprintf("%d changes of the search", bring), false: "One change of the search"}[bring > 1]
				is := bring > 0 && answered > 0 && !repaired
				if strings.Contains(en, want) != is || strings.Contains(en, "changes of the search") && !is ||
					strings.Contains(ja, "良い回答にはなりませんでした") != is {
					t.Errorf("%d bring it, %d were answered from, repaired %t: %s\n%s", bring, answered, repaired, en, ja)
				}
				if some := is && answered < bring; strings.Contains(en, fmt.Sprintf("%d of them were answered from", answered)) != some {
					t.Errorf("%d of %d: %s", answered, bring, en)
				}
			}
		}
	}
}

// TestATestedCauseThatNoChangeRepairsSaysWhatTestedMeans: of the answers that the evidence alone made good, where nothing is recommended.
func TestATestedCauseThatNoChangeRepairsSaysWhatTestedMeans(t *testing.T) {
	t.Parallel()
	for good := range 3 {
		for _, recommended := range []bool{false, true} {
			r := CauseReport{LowScores: 4, Diagnosed: 4, Method: Tested}
			for i := range 4 {
				r.Diagnoses = append(r.Diagnoses, Diagnosis{QuestionID: fmt.Sprint(i), Component: Retriever, Method: Tested,
					Steps: []CauseStep{{Step: "oracle", Passes: counted(i < good), Trials: 1}}})
			}
			if recommended {
				wider := Repair{Component: Retriever, Param: "retrieve.k", From: 4, To: 9}
				r.Recommendations = []Recommendation{{Repair: wider, LowScores: 4}}
			}
			said := told(factsOf(r)...)
			is := good > 0 && !recommended
			if strings.Contains(said.EN, fmt.Sprintf("The retriever counts as tested for %d of them", good)) != is ||
				strings.Contains(said.JA, fmt.Sprintf("このうち%d件で文書検索を検証済み", good)) != is ||
				strings.Contains(said.EN, "No change was found") == recommended {
				t.Errorf("%d tested, recommended %t: %s\n%s", good, recommended, said.EN, said.JA)
			}
		}
	}
}
