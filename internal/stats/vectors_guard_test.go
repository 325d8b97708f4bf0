package stats

import "math"

// scaleOf is the scale that a case names or implies.
func scaleOf(c *vectorCase) *GuardScale {
	kind, _ := c.Input["kind"].(string)
	theta, isList := c.Input["theta"].([]any)
	switch {
	case kind == "binary":
		return BinaryScale()
	case kind == "ordinal" || kind == "rubric" || kind == "1-5":
		return OrdinalScale(int(c.numberOr(5, "levels")))
	case kind != "":
		return UnitScale()
	case !c.given("scales") && !c.given("eps") && isList:
		s, err := BinaryScaleOn(toFloats(theta))
		if err != nil {
			panic(err)
		}
		return s
	}
	for _, arm := range []string{"baseline", "candidate"} {
		for _, row := range c.table(arm) {
			for _, v := range row {
				if v != math.Trunc(v) {
					return UnitScale()
				}
			}
		}
	}
	if c.numberOr(1, "delta") < 0.5 {
		return UnitScale()
	}
	return OrdinalScale(5)
}

func runGuard(c *vectorCase) {
	switch {
	case c.given("paired_drops"):
		var e []float64
		lambdas := c.floats("lambdas")
		if lambdas == nil {
			lambdas = BettingLambdas()
		}
		for _, drops := range c.table("paired_drops") {
			e = append(e, orNaN(BettingE(drops, lambdas)))
		}
		c.set(e, "e")
	case c.given("sigma"):
		kernelRows(c)
	case c.given("baseline"):
		posteriors(c)
	}
}

func kernelRows(c *vectorCase) {
	centres, half := []float64{1, 2, 3, 4, 5}, 0.5
	rows, _ := c.Expected["rows"].([]any)
	if len(rows) > 0 {
		if cells := rows[0].([]any)[0].([]any); len(cells) == 21 {
			centres, half = UnitScale().Theta, 0.025
		}
	}
	var out [][][]float64
	for _, theta := range c.floats("theta") {
		var row [][]float64
		for _, sigma := range c.floats("sigma") {
			row = append(row, NormalKernel(theta, sigma, centres, half, c.numberOr(contamination, "eps")))
		}
		out = append(out, row)
	}
	c.set(out, "rows")
}

func posteriors(c *vectorCase) {
	s := scaleOf(c)
	baseline, candidate := c.table("baseline"), c.table("candidate")
	if s.Name == "binary" { // pairs of passes and replicates
		baseline, candidate = votes(baseline), votes(candidate)
	}
	pi := [3]float64{0.9, 0.05, 0.05}
	copy(pi[:], c.floats("pi"))
	mix := FlatMix(s, pi)
	if g := c.floats("g"); len(g) == len(mix.Theta) {
		mix.Theta = g
	}
	if w := c.floats("w"); len(w) == len(mix.Sigma) {
		mix.Sigma = w
	}
	posteriors, err := GuardPosteriors(s, mix, c.numberOr(s.Drop, "delta"), baseline, candidate)
	var null, worse, better []float64
	for _, p := range posteriors {
		null, worse, better = append(null, p.Null), append(worse, p.Regression), append(better, p.Improvement)
	}
	c.put(null, err, "p_null")
	c.put(worse, err, "p_regression")
	c.put(better, err, "p_improvement")
	if len(posteriors) > 0 {
		c.put(posteriors[0].Sigma, err, "scale_posterior_item0")
	}
}

func votes(pairs [][]float64) [][]float64 {
	var out [][]float64
	for _, p := range pairs {
		row := make([]float64, int(p[1]))
		for i := range int(p[0]) {
			row[i] = 1
		}
		out = append(out, row)
	}
	return out
}

func runGuardToEnd(c *vectorCase) {
	s := scaleOf(c)
	baseline, candidate := c.table("votes_baseline"), c.table("votes_candidate")
	rules := DefaultGuardRules(len(baseline))
	rules.Drop = c.numberOr(rules.Drop, "delta")
	rules.FDR, rules.Cap = c.numberOr(rules.FDR, "q"), c.numberOr(rules.Cap, "cap")
	rules.Replicates, rules.Most = int(c.numberOr(3, "minrep")), int(c.numberOr(8, "Rmax", "rmax"))
	rules.MissedShare, rules.Missed = c.numberOr(0.15, "miss_frac"), c.numberOr(0.5, "miss_abs")
	rules.Budget = int(c.numberOr(float64(rules.Budget), "budget"))
	g, steps, err := Replay(s, rules, c.seed(), baseline, candidate)
	if err != nil {
		for key := range c.Expected {
			c.put(nil, err, key)
		}
		return
	}
	calibration := 0
	if len(steps) > 0 && rules.Calibration > 0 {
		c.set(steps[0].Baseline, "calibration_items")
		calibration = 1
	}
	trace := [][2][]int{}
	for _, step := range steps[calibration:] {
		trace = append(trace, [2][]int{step.Baseline, step.Candidate})
	}
	c.set(trace, "trace")
	summary := g.Summary()
	c.set(summary.Rounds, "rounds")
	c.set(summary.Spent, "extra_calls")
	c.set(summary.Mix.Pi, "pi")
	c.set(summary.Mix.Theta, "g")
	c.set(summary.Mix.Sigma, "w", "scale_weights")
	c.set(summary.ExpectedFalse, "expected_false", "expected_false_flags")
	c.set(summary.ExpectedMissed, "expected_missed")
	var worse, better, null []float64
	var before, after, flagged []int
	var labels []GuardLabel
	for i, v := range g.Verdicts() {
		worse, better, null = append(worse, v.Regression), append(better, v.Improvement), append(null, v.Null)
		before, after = append(before, v.BaselineN), append(after, v.Scores)
		if v.Label == Confirmed {
			flagged = append(flagged, i)
		}
		labels = append(labels, v.Label)
	}
	c.set(worse, "p_regression")
	c.set(better, "p_improvement")
	c.set(null, "p_null")
	c.set(before, "replicates_baseline")
	c.set(after, "replicates_candidate")
	c.set(append([]int{}, flagged...), "confirmed", "flagged")
	c.set(labels, "label", "labels")
}

func runPPI(c *vectorCase) {
	y, f, u := c.floats("human"), c.floats("judge_labelled"), c.floats("judge_unlabelled")
	confidence := c.numberOr(0.95, "level")
	c.set(Mean(y), "classical")
	c.set(math.Sqrt(Variance(y, 1)/float64(len(y))), "classical_se")
	one, err := PPI(y, f, u, 1, confidence)
	c.put(one.Estimate, err, "ppi_lambda1")
	c.put(one.SE, err, "ppi_lambda1_se")
	c.put(Interval{one.Low, one.High}, err, "ppi_lambda1_ci95_z")
	tuned, err := PPIPlusPlus(y, f, u, confidence)
	c.put(tuned.Lambda, err, "lambda_hat")
	c.put(tuned.Estimate, err, "ppi_pp")
	c.put(tuned.SE, err, "ppi_pp_se")
	c.put(Interval{tuned.Low, tuned.High}, err, "ppi_pp_ci95_z")
	cross, lambdas, err := CrossFitPPI(y, f, u, confidence)
	c.put(lambdas, err, "crossfit_lambda_by_item")
	c.put(cross.Estimate, err, "crossfit_estimate")
	c.put(cross.SE, err, "crossfit_se")
	c.put(Interval{cross.Low, cross.High}, err, "crossfit_ci95_t")
}

func boolTable(rows [][]float64) [][]bool {
	var out [][]bool
	for _, row := range rows {
		yes := make([]bool, len(row))
		for i, v := range row {
			yes[i] = v > 0
		}
		out = append(out, yes)
	}
	return out
}

func runSupport(c *vectorCase) {
	m := SupportMatrix{
		GivenBySource: boolTable(c.table("answer_claims_by_chunk")), WantedBySource: boolTable(c.table("ref_claims_by_chunk")),
		GivenInWanted: c.bools("answer_claim_in_reference"), WantedInGiven: c.bools("ref_claim_in_answer"),
	}
	s, err := m.Shares()
	c.put(s.Precision, err, "precision")
	c.put(s.Recall, err, "recall")
	c.put(s.F1, err, "f1")
	c.put(s.SourceRecall, err, "claim_recall", "context_recall")
	c.put(s.UsefulSources, err, "context_precision_share")
	c.put(s.RankedSources, err, "context_precision_ranked")
	c.put(s.Utilisation, err, "context_utilization", "context_utilisation")
	c.put(s.NoiseUseful, err, "noise_sensitivity_relevant")
	c.put(s.NoiseUseless, err, "noise_sensitivity_irrelevant")
	c.put(s.Unsupported, err, "hallucination")
	c.put(s.OwnKnowledge, err, "self_knowledge")
	c.put(s.Supported, err, "faithfulness")
	c.put(s.FactualF1, err, "ragas_factual_f1")
	c.put(1+4*s.Supported, err, "trust", "trust_derived")
	for _, name := range []string{"answer_claim_contradicts_reference", "answer_contradicted_by_reference"} {
		if c.given(name) {
			c.set(count(c.bools(name)), "contradictions", "contradiction_count")
		}
	}
}

func runAttribution(c *vectorCase) {
	if rates, ok := c.Input["pass_rate"].(map[string]any); ok {
		value := func(key string) float64 { return toFloat(rates[key]) }
		// The first digit of a key is the prompt, the second the model.
		shares, err := Shapley([]float64{value("00"), value("10"), value("01"), value("11")})
		if err != nil {
			shares = []float64{math.NaN(), math.NaN()}
		}
		c.put(shares[0], err, "prompt")
		c.put(shares[1], err, "model")
		return
	}
	if _, ok := c.has("pass_swap", "swap_passes", "swap"); ok {
		hits, base := c.floats("pass_swap", "swap_passes", "swap"), c.floats("pass_now", "now_passes", "now")
		trials := c.numberOr(4, "m", "trials", "n")
		if len(hits) == 2 && len(base) == 2 {
			p, err := LiftProbability(int(hits[0]), int(hits[1]), int(base[0]), int(base[1]), c.numberOr(0.2, "delta", "lift"))
			c.put(p, err, "posterior", "confidence", "p")
		} else {
			p, err := LiftProbability(int(hits[0]), int(trials), int(base[0]), int(trials), c.numberOr(0.2, "delta", "lift"))
			c.put(p, err, "posterior", "confidence", "p")
		}
	}
}

func runPartitions(c *vectorCase) {
	r, err := ComparePartitions(c.ints("a"), c.ints("b"))
	c.put(r.ARI, err, "ari")
	c.put(r.NMI, err, "nmi")
}

func runSweep(c *vectorCase) {
	switch {
	case c.given("scores_config_by_question"):
		w, err := ShrunkWinner(c.table("scores_config_by_question"))
		c.put(w.Means, err, "means")
		c.put(w.Noise, err, "noise_var")
		c.put(w.Factor, err, "factor")
		c.put(w.Index, err, "winner")
		c.put(w.Raw, err, "raw")
		c.put(w.Shrunk, err, "shrunk")
	case c.given("points"):
		front, err := ParetoFront(c.table("points"), []float64{1, -1, -1})
		c.put(append([]int{}, front...), err, "front")
	case c.given("scores_question_by_config"):
		f, err := Friedman(c.table("scores_question_by_config"))
		c.put(f.Statistic, err, "statistic")
		c.put(f.P, err, "p")
		c.put(f.RankSums, err, "rank_sums")
	case c.given("design"):
		means, err := MainEffects(c.intTable("design"), c.floats("scores", "score", "y"))
		c.put(means, err, "means", "ls_means", "main_effects")
	}
}

func runDrift(c *vectorCase) {
	shift := c.floats("shift", "shifts")
	c.set(EWMA(shift, c.numberOr(0.3, "lambda", "lam")), "ewma")
	c.set(CUSUMDown(shift, c.numberOr(0.05, "k")), "cusum")
}
