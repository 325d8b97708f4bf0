package stats

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// vectorRunners compute the cases of each group from their inputs alone.
var vectorRunners = map[string]func(*vectorCase){
	"prng_splitmix64": runRandom, "special": runSpecial, "paired_t": runPairedT, "noninferiority": runNonInferiority,
	"wilcoxon_signed_rank": runWilcoxon, "sign_test": runSignTest, "mcnemar": runMcNemar,
	"permutation_sign_flip": runSignFlip, "slices": runSlices, "multiplicity": runMultiplicity,
	"proportion_ci": runProportion, "bootstrap": runBootstrap, "cluster_robust": runCluster,
	"agreement": runAgreement, "correlation": runCorrelation, "retrieval": runRetrieval, "planner": runPlanner,
	"noise_floor": runNoise, "guard": runGuard, "guard_end_to_end": runGuardToEnd, "ppi": runPPI,
	"claim_matrix": runSupport, "attribution": runAttribution, "partitions": runPartitions, "sweep": runSweep, "drift": runDrift,
}

func runRandom(c *vectorCase) {
	random := NewSplitMix64(c.seed())
	if c.given("n") && !c.given("count") {
		c.set(random.Permutation(c.integer("n")), "permutation", "values")
		return
	}
	kind := strings.ToLower(c.Name)
	values, _ := c.Expected["values"].([]any)
	var out []any
	for range c.integer("count") {
		switch {
		case len(values) > 0 && isText(values[0]):
			out = append(out, json.Number(formatUint(random.Uint64())).String())
		case strings.Contains(kind, "sign"):
			out = append(out, random.Sign())
		case c.given("n"):
			out = append(out, random.Below(c.integer("n")))
		default:
			out = append(out, random.Float64())
		}
	}
	for i, v := range out {
		out[i] = plain(v)
	}
	c.set(out, "values")
}

func isText(v any) bool { _, ok := v.(string); return ok }

// each calls f for every place of the parallel lists.
func each(f func(v []float64) float64, lists ...[]float64) []float64 {
	var out []float64
	for _, l := range lists {
		if len(l) == 0 {
			return nil
		}
	}
	for i := range lists[0] {
		var v []float64
		for _, l := range lists {
			v = append(v, l[min(i, len(l)-1)])
		}
		out = append(out, f(v))
	}
	return out
}

func runSpecial(c *vectorCase) {
	for key, p := range c.levels("q", "") {
		c.set(each(func(v []float64) float64 { return StudentQuantile(p, v[0]) }, c.floats("df")), key)
	}
	switch {
	case c.given("k"):
		n := [][]float64{c.floats("k"), c.floats("n"), c.floats("p")}
		c.set(each(func(v []float64) float64 { return BinomialCDF(int(v[0]), int(v[1]), v[2]) }, n...), "cdf")
		c.set(each(func(v []float64) float64 { return BinomialPMF(int(v[0]), int(v[1]), v[2]) }, n...), "pmf")
	case c.given("a") && c.given("x"):
		c.set(each(func(v []float64) float64 { return BetaCDF(v[0], v[1], v[2]) }, c.floats("x"), c.floats("a"), c.floats("b")), "I", "cdf")
	case c.given("a") && c.given("p"):
		c.set(each(func(v []float64) float64 { return BetaQuantile(v[0], v[1], v[2]) }, c.floats("p"), c.floats("a"), c.floats("b")), "x",
			"quantile", "q")
	case c.given("t"):
		c.set(each(func(v []float64) float64 { return StudentTwoSided(v[0], v[1]) }, c.floats("t"), c.floats("df")), "p", "p_two_sided")
		c.set(each(func(v []float64) float64 { return StudentCDF(v[0], v[1]) }, c.floats("t"), c.floats("df")), "cdf")
	case c.given("df") && c.given("p"):
		c.set(each(func(v []float64) float64 { return StudentQuantile(v[0], v[1]) }, c.floats("p"), c.floats("df")), "t", "q",
			"x", "quantile")
	case c.given("df") && (c.given("x") || c.given("chi2")):
		c.set(each(func(v []float64) float64 { return ChiSquareTail(v[0], v[1]) }, c.floats("x", "chi2"), c.floats("df")),
			"p", "sf", "tail")
		c.set(each(func(v []float64) float64 { return 1 - ChiSquareTail(v[0], v[1]) }, c.floats("x", "chi2"), c.floats("df")), "cdf")
	case c.given("x"):
		c.set(each(func(v []float64) float64 { return NormalCDF(v[0]) }, c.floats("x")), "cdf", "p")
		c.set(each(func(v []float64) float64 { return NormalCDF(-v[0]) }, c.floats("x")), "sf")
	case c.given("p"):
		c.set(each(func(v []float64) float64 { return NormalQuantile(v[0]) }, c.floats("p")), "x", "z", "q", "quantile")
	}
}

// differences are given as such or as two lists.
func differences(c *vectorCase) []float64 {
	if n, ok := c.has("diff", "diffs", "differences", "d"); ok {
		return toFloats(c.Input[n])
	}
	out := []float64{}
	baseline, candidate := c.floats("baseline"), c.floats("candidate")
	for i := range baseline {
		out = append(out, candidate[i]-baseline[i])
	}
	return out
}

func runPairedT(c *vectorCase) {
	baseline, candidate := c.floats("baseline"), c.floats("candidate")
	if baseline == nil {
		candidate = differences(c)
		baseline = make([]float64, len(candidate))
	}
	r, err := PairedT(baseline, candidate)
	c.put(r.N, err, "n")
	c.put(r.MeanDiff, err, "mean_diff", "mean")
	c.put(r.SD, err, "sd_diff", "sd")
	c.put(r.SE, err, "se")
	c.put(r.T, err, "t")
	c.put(r.DF, err, "df")
	c.put(r.P, err, "p_two_sided", "p")
	c.put(r.Lower(), err, "p_less")
	c.put(1-r.Lower(), err, "p_greater")
	for key, level := range c.levels("ci", "") {
		half := StudentQuantile(0.5+level/2, float64(r.DF)) * r.SE
		c.put(Interval{r.MeanDiff - half, r.MeanDiff + half}, err, key)
	}
	c.put(Interval{r.CILow, r.CIHigh}, err, "ci95")
	c.put(r.CohenDz(), err, "cohen_dz", "dz")
	c.put(r.HedgesGz(), err, "hedges_gz", "gz")
}

func runNonInferiority(c *vectorCase) {
	r, err := NonInferiority(differences(c), c.numberOr(0.05, "margin"), c.numberOr(0.05, "alpha"))
	c.put(r.N, err, "n")
	c.put(r.Mean, err, "mean", "mean_diff")
	c.put(r.SE, err, "se")
	c.put(r.T, err, "t_ni", "t")
	c.put(r.P, err, "p_ni", "p")
	c.put(r.Lower, err, "lower_one_sided", "lower")
	c.put(r.Upper, err, "upper_one_sided", "upper")
	c.put(r.Decision, err, "decision")
}

func runWilcoxon(c *vectorCase) {
	r, err := Wilcoxon(differences(c))
	c.put(r.Plus, err, "w_plus")
	c.put(r.Minus, err, "w_minus")
	c.put(min(r.Plus, r.Minus), err, "w", "w_min")
	c.put(r.N, err, "n_used", "n")
	c.put(r.Zeros, err, "n_zero", "zeros", "n_zeros", "n_dropped")
	c.put(r.Exact, err, "p_exact_two_sided", "p_exact", "p_two_sided", "p_exact_conditional_two_sided")
	c.put(r.Greater, err, "p_exact_greater", "p_greater")
	c.put(r.Less, err, "p_exact_less", "p_less")
	c.put(r.Z, err, "z", "z_no_cc", "z_tie_corrected", "z_nocc")
	c.put(r.P, err, "p_normal", "p_normal_two_sided", "p_normal_no_cc", "p_asymptotic", "p_approx", "p_normal_nocc")
	c.put(r.ZCorrected, err, "z_cc")
	c.put(r.PCorrected, err, "p_normal_cc", "p_cc")
}

func runSignTest(c *vectorCase) {
	r, err := SignTest(c.integer("worse"), c.integer("better"))
	c.put(r.TwoSided, err, "p_two_sided", "p")
	c.put(r.Worse, err, "p_worse_one_sided", "p_worse", "p_one_sided")
}

func runMcNemar(c *vectorCase) {
	r, err := McNemar(c.integer("b_pass_to_fail", "b"), c.integer("c_fail_to_pass", "c"), c.integer("n"))
	c.put(r.Exact, err, "p_exact")
	c.put(r.MidP, err, "p_mid")
	c.put(r.ChiSquare, err, "chi2")
	c.put(r.P, err, "p_chi2")
	c.put(r.Corrected, err, "chi2_cc")
	c.put(r.PCorrected, err, "p_chi2_cc")
	c.put(r.Diff, err, "diff")
	c.put(Interval{r.Low, r.High}, err, "bonett_price_ci95")
}

// flipsOf are the random patterns that a case asks for, else all of them.
func flipsOf(c *vectorCase) Flips {
	if n, ok := c.has("B", "b", "draws", "n_perm", "permutations", "resamples"); ok {
		return Flips{Seed: c.seed(), Draws: int(toFloat(c.Input[n]))}
	}
	return Flips{}
}

func runSignFlip(c *vectorCase) {
	if _, ok := c.has("slice", "slices", "group", "groups"); ok {
		runSlices(c)
		return
	}
	r, err := SignFlip(differences(c), c.ints("cluster", "clusters"), flipsOf(c))
	c.put(r.Mean, err, "mean", "observed_mean", "observed")
	c.put(r.TwoSided, err, "p_two_sided", "p")
	c.put(r.Less, err, "p_less")
	c.put(r.Greater, err, "p_greater")
	c.put(r.Units, err, "n_clusters", "clusters", "G")
}

func runSlices(c *vectorCase) {
	switch {
	case c.given("effect"):
		r, err := PartialPool(c.floats("effect"), c.floats("se"))
		c.put(r.Fixed, err, "fixed_mean")
		c.put(r.Q, err, "Q")
		c.put(r.Tau2, err, "tau2")
		c.put(r.Random, err, "random_mean")
		c.put(r.Shrunk, err, "shrunk")
		c.put(r.ShrunkSE, err, "shrunk_se")
		c.put(r.BelowZero, err, "prob_below_zero")
	case c.given("diff"):
		n, _ := c.has("slice", "slices", "group", "groups")
		places := groupsOf(c.ints(n))
		if rows, ok := c.Input[n].([]any); ok && len(rows) > 0 {
			if _, nested := rows[0].([]any); nested {
				places = c.intTable(n)
			}
		}
		tests, err := maxT(differences(c), places, c.ints("cluster", "clusters"), flipsOf(c))
		putSlices(c, tests, err)
	case c.given("diff_by_slice") || c.given("diffs_by_slice"):
		var diffs []float64
		var places [][]int
		for _, row := range c.table("diff_by_slice", "diffs_by_slice") {
			var own []int
			for _, d := range row {
				own, diffs = append(own, len(diffs)), append(diffs, d)
			}
			places = append(places, own)
		}
		tests, err := maxT(diffs, places, nil, flipsOf(c))
		putSlices(c, tests, err)
	default:
		r, err := Standardise(c.floats("mean_baseline", "baseline_mean", "baseline_means", "baseline"),
			c.floats("n_baseline", "baseline_n", "weight_baseline", "baseline_weights"),
			c.floats("mean_candidate", "candidate_mean", "candidate_means", "candidate"),
			c.floats("n_candidate", "candidate_n", "weight_candidate", "candidate_weights"))
		c.put(r.Raw, err, "raw", "raw_diff", "raw_difference")
		c.put(r.Diff, err, "standardised", "standardized", "standardised_diff", "standardized_diff", "standardised_difference",
			"standardized_difference")
		c.put(r.Reversal, err, "reversal", "sign_reversal", "simpson")
	}
}

func putSlices(c *vectorCase, tests []SliceTest, err error) {
	var means, ts, absolute, adjusted []float64
	for _, s := range tests {
		means, ts, absolute, adjusted = append(means, s.Mean), append(ts, s.T), append(absolute, math.Abs(s.T)),
			append(adjusted, s.Adjusted)
	}
	c.put(means, err, "mean", "means", "slice_means")
	c.put(ts, err, "t")
	c.put(absolute, err, "abs_t")
	c.put(adjusted, err, "p_adjusted", "p_adj", "p_maxt", "p_max_t", "adjusted_p")
}

func runMultiplicity(c *vectorCase) {
	if c.given("e") {
		r, err := EBH(c.floats("e"), c.numberOr(0.1, "q"))
		c.put(append([]int{}, r...), err, "rejected", "selected")
		return
	}
	if c.given("lfdr") {
		r, running, err := LocalFDRSet(c.floats("lfdr"), c.numberOr(0.05, "q"), c.numberOr(1, "cap"))
		c.put(append([]int{}, r...), err, "selected", "rejected")
		c.put(running, err, "running_mean_sorted")
		sum := 0.0
		for _, i := range r {
			sum += c.floats("lfdr")[i]
		}
		c.put(sum, err, "expected_false", "expected_false_flags")
		return
	}
	p := c.floats("p")
	for name, adjust := range map[string]func([]float64) ([]float64, error){
		"bh": BenjaminiHochberg, "by": BenjaminiYekutieli, "holm": Holm, "bonferroni": Bonferroni, "hochberg": Hochberg,
	} {
		r, err := adjust(p)
		c.put(append([]float64{}, r...), err, name, name+"_adjusted")
		var rejected []int
		for i, v := range r {
			if v <= c.numberOr(0.05, "q", "alpha") {
				rejected = append(rejected, i)
			}
		}
		c.put(append([]int{}, rejected...), err, name+"_rejected")
	}
	s, err := Simes(p)
	c.put(s, err, "simes", "simes_p")
}

func runProportion(c *vectorCase) {
	x, n, confidence := c.integer("x", "k"), c.integer("n"), c.numberOr(0.95, "level")
	for name, interval := range map[string]func(int, int, float64) (Interval, error){
		"wilson": Wilson, "clopper_pearson": ClopperPearson, "jeffreys": Jeffreys,
	} {
		r, err := interval(x, n, confidence)
		c.put(r, err, name)
	}
	c.set(float64(x)/float64(n), "p", "estimate", "rate")
}

func runBootstrap(c *vectorCase) {
	diffs := c.floats("diff", "values", "x")
	c.set(Mean(diffs), "mean")
	n, ok := c.has("B", "b", "draws", "resamples")
	if !ok {
		runExactBootstrap(c, diffs)
		return
	}
	draws := int(toFloat(c.Input[n]))
	means, err := BootstrapMeans(diffs, c.seed(), draws)
	if clusters := c.ints("cluster", "clusters"); clusters != nil {
		means, err = ClusterBootstrapMeans(diffs, clusters, c.seed(), draws)
	}
	c.put(means[:min(3, len(means))], err, "first_three_means", "first_three")
	c.put(math.Sqrt(Variance(means, 1)), err, "se", "sd", "bootstrap_se")
	for key, confidence := range c.levels("percentile", "") {
		c.put(PercentileInterval(means, confidence), err, key)
	}
	confidence := c.numberOr(0.95, "level")
	for _, level := range c.levels("bca", "") {
		confidence = level
	}
	b, err := BCa(diffs, means, confidence)
	c.put(b.Z0, err, "z0")
	c.put(b.Acceleration, err, "acceleration")
	c.put(b.Levels, err, "bca_levels")
	for key := range c.levels("bca", "") {
		c.put(b.Interval, err, key)
	}
}

func runExactBootstrap(c *vectorCase, values []float64) {
	d, err := ExactBootstrap(values)
	c.put(d.Resamples, err, "resamples", "n_resamples", "count", "n")
	c.put(d.SD(), err, "sd", "se", "bootstrap_sd", "bootstrap_se", "se_bootstrap", "sd_of_means")
	c.put(d.SD()*d.SD(), err, "variance", "var")
	for key, confidence := range c.levels("percentile", "") {
		c.put(Interval{d.Quantile((1 - confidence) / 2), d.Quantile((1 + confidence) / 2)}, err, key)
	}
	for key, p := range c.levels("q", "") {
		c.put(d.Quantile(p), err, key)
	}
}

// runCluster reads cases of the textbook's form, which has a number of its own only where clusters differ in size.
func runCluster(c *vectorCase) {
	r, err := ClusterCR1(differences(c), c.ints("cluster", "clusters"), c.numberOr(0.95, "level"))
	c.put(r.Mean, err, "mean")
	c.put(r.IID, err, "se_iid")
	c.put(r.CR0, err, "se_cr0")
	c.put(r.SE, err, "se_cr1")
	c.put(r.DF, err, "df")
	c.put(r.Clusters, err, "G", "clusters", "n_clusters")
	c.put(r.T, err, "t_cr1", "t")
	c.put(r.P, err, "p_two_sided", "p")
	c.put(r.DesignEffect, err, "design_effect")
	c.put(IntraclusterCorrelation(differences(c), c.ints("cluster", "clusters")), nil, "icc")
	for key := range c.Expected {
		if digits, ok := strings.CutPrefix(key, "ci"); ok {
			confidence := 0.95
			for _, l := range c.levels("ci", strings.TrimLeft(digits, "0123456789")) {
				confidence = l
			}
			at, err := ClusterCR1(differences(c), c.ints("cluster", "clusters"), confidence)
			c.put(Interval{at.Low, at.High}, err, key)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
