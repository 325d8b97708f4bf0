package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// offer is one change with the diagnoses that it would repair by itself.
type offer struct {
	repair Repair
	heals  []int // indices of diagnoses
	cost   float64
	length float64 // sum of context costs, for the mean
}

// leastCost bounds how much a change gains by making contexts shorter: repairing answers is what it is chosen for.
const leastCost = 0.8

// offers lists every single change that repairs some diagnosis: a larger k serves all that need a smaller one. Answers with a second
// fault are repaired by no single change.
func offers(diagnoses []Diagnosis, expensive bool) []offer {
	var all []offer
	at := map[string]int{}
	add := func(i int, r Repair) {
		if r.Expensive && !expensive {
			return
		}
		n, ok := at[r.Key()]
		if !ok {
			n = len(all)
			at[r.Key()] = n
			all = append(all, offer{repair: r})
		}
		if !slices.Contains(all[n].heals, i) {
			all[n].heals = append(all[n].heals, i)
			all[n].length += r.ContextCost
		}
	}
	for i, d := range diagnoses {
		if d.Method != Tested || len(d.Further) > 0 || d.Component == NoFault || d.Component == Unstable {
			continue
		}
		for _, r := range singleRepairs(d) {
			add(i, r)
		}
	}
	all = sharedDepth(all)
	for i := range all {
		all[i].cost = max(leastCost, all[i].length/float64(len(all[i].heals)))
		all[i].repair.ContextCost = all[i].length / float64(len(all[i].heals))
		all[i].repair.Passes, all[i].repair.Trials = 0, 0
		slices.Sort(all[i].heals)
	}
	slices.SortStableFunc(all, func(a, b offer) int {
		return cmp.Or(cmp.Compare(rankOf(!a.repair.Applies()), rankOf(!b.repair.Applies())), cmp.Compare(a.repair.Key(), b.repair.Key()))
	})
	return all
}

// singleRepairs are the changes that repair an answer by themselves: the repair set when it is one change, and the alternatives to it.
func singleRepairs(d Diagnosis) []Repair {
	var out []Repair
	if len(d.Repairs) == 1 {
		out = append(out, d.Repairs[0])
	}
	if len(d.Repairs) == 0 {
		return nil // what brings the evidence was tried, and did not heal the answer
	}
	for _, r := range d.Alternatives {
		if d.Detail != "reference_or_stale" {
			out = append(out, r)
		}
	}
	return out
}

// sharedDepth lets each k serve every answer that a smaller k repairs, at the cost in proportion.
func sharedDepth(all []offer) []offer {
	for i := range all {
		k, ok := depthOf(all[i].repair)
		if !ok {
			continue
		}
		for _, other := range all {
			shallow, ok := depthOf(other.repair)
			if !ok || shallow >= k || k <= presentDepth(all[i].repair) {
				continue
			}
			for _, d := range other.heals {
				if !slices.Contains(all[i].heals, d) {
					all[i].heals = append(all[i].heals, d)
					all[i].length += k / max(1, presentDepth(all[i].repair))
				}
			}
		}
	}
	return all
}

func depthOf(r Repair) (float64, bool) {
	if r.Param != "retrieve.k" {
		return 0, false
	}
	return numberOf(r.To), true
}

func presentDepth(r Repair) float64 { return numberOf(r.From) }

// numberOf reads a number that may have been stored as JSON.
func numberOf(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// recommend chooses changes by greedy set cover: the one that repairs most low-score answers at least context cost, then the next for
// what is left. assigned names the change for each question. Expensive changes are looked at only where no other repairs anything.
func recommend(diagnoses []Diagnosis, risks map[string]RepairRisk) (out []Recommendation, assigned map[string]Repair) {
	assigned = map[string]Repair{}
	all := offers(diagnoses, false)
	if len(all) == 0 {
		all = offers(diagnoses, true)
	}
	sets, costs := make([][]int, len(all)), make([]float64, len(all))
	for i, o := range all {
		sets[i], costs[i] = o.heals, o.cost
	}
	chosen, covers, err := stats.GreedyCover(sets, costs)
	if err != nil {
		return nil, assigned // costs are bounded from below, so there is nothing it could refuse
	}
	total := map[int]bool{}
	for n, c := range chosen {
		o := all[c]
		for _, i := range covers[n] {
			assigned[diagnoses[i].QuestionID] = o.repair
			total[i] = true
		}
		r := Recommendation{Repair: o.repair, LowScores: len(diagnoses), AtRisk: []string{}, Applies: o.repair.Applies()}
		for _, i := range o.heals {
			r.Heals = append(r.Heals, diagnoses[i].QuestionID)
		}
		if risk, ok := risks[o.repair.Key()]; ok {
			r.AtRisk, r.Changed, r.Good, r.Unmeasured = risk.AtRisk, risk.Changed, risk.Good, risk.Unmeasured
		}
		r.Rationale = recommendationWords(r, len(total), n > 0)
		out = append(out, r)
	}
	return out, assigned
}

// recommendationWords says what to change, what it repairs, and what it puts at risk.
func recommendationWords(r Recommendation, together int, further bool) Rationale {
	var en, ja strings.Builder
	fmt.Fprintf(&en, "Change: %s.", adviceWords(r.Repair, "en"))
	fmt.Fprintf(&ja, "変更：%s。", adviceWords(r.Repair, "ja"))
	fmt.Fprintf(&en, " It repairs %d of %d low-score answers.", len(r.Heals), r.LowScores)
	fmt.Fprintf(&ja, "低スコア回答%d件のうち%d件の改善が見込まれます。", r.LowScores, len(r.Heals))
	if further {
		fmt.Fprintf(&en, " Together with the changes before it, %d.", together)
		fmt.Fprintf(&ja, "ここまでの変更を合わせると%d件です。", together)
	}
	if r.Repair.ContextCost > 1.05 {
		fmt.Fprintf(&en, " The contexts become %.1f times as long.", r.Repair.ContextCost)
		fmt.Fprintf(&ja, "コンテキストの長さは%.1f倍になります。", r.Repair.ContextCost)
	}
	if len(r.AtRisk) > 0 {
		fmt.Fprintf(&en, " At risk: %d of %d good answers lose their evidence.", len(r.AtRisk), r.Good)
		fmt.Fprintf(&ja, "一方、良い回答%d件のうち%d件で根拠が失われるおそれがあります。", r.Good, len(r.AtRisk))
	}
	return Rationale{EN: en.String(), JA: ja.String()}
}

// adviceWords is a repair as an advice.
func adviceWords(r Repair, lang string) string {
	words := map[Component][2]string{
		QuestionText: {"ask users for what the question leaves out", "質問に足りない情報を利用者に確認する"}, ReferenceText: {"correct the reference", "正解を見直す"},
		Database: {"add or update the documents", "文書を追加・更新する"},
	}
	if w, ok := words[r.Component]; ok && !r.Applies() {
		if lang == "ja" {
			return w[1]
		}
		return w[0]
	}
	return r.Words(lang)
}
