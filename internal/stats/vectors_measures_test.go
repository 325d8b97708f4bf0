package stats

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

func formatUint(v uint64) string { return strconv.FormatUint(v, 10) }

func runAgreement(c *vectorCase) {
	switch {
	case c.given("human") && c.given("judge"):
		k, err := NewConfusion(c.bools("human"), c.bools("judge"))
		c.put(k.TP, err, "tp")
		c.put(k.FP, err, "fp")
		c.put(k.FN, err, "fn")
		c.put(k.TN, err, "tn")
		c.put(k.Sensitivity(), err, "sensitivity", "recall")
		c.put(k.Specificity(), err, "specificity")
		c.put(k.Precision(), err, "precision")
		c.put(k.Accuracy(), err, "accuracy")
		c.put(k.BalancedAccuracy(), err, "balanced_accuracy")
		c.put(k.MCC(), err, "mcc")
		two(c, c.ints("human"), c.ints("judge"))
	case c.given("a") && c.given("b"):
		two(c, c.ints("a"), c.ints("b"))
	case c.given("half1"):
		r := Pearson(c.floats("half1"), c.floats("half2"))
		c.set(r, "r", "pearson")
		c.set(SpearmanBrown(r, 2), "spearman_brown")
	case c.given("counts") || c.given("counts_item_by_category") || c.given("table"):
		k, err := FleissKappa(c.intTable("counts", "counts_item_by_category", "table"))
		c.put(k, err, "fleiss_kappa", "kappa")
	default:
		severalRaters(c)
	}
}

func two(c *vectorCase, a, b []int) {
	r, err := TwoRaters(a, b, int(c.numberOr(0, "levels", "categories", "k")))
	c.put(r.Percent, err, "percent_agreement")
	c.put(r.Kappa, err, "cohen_kappa", "kappa")
	c.put(r.Linear, err, "weighted_kappa_linear")
	c.put(r.Quadratic, err, "weighted_kappa_quadratic")
	c.put(r.AC1, err, "gwet_ac1", "ac1")
	c.put(r.PABAK, err, "pabak")
}

var (
	byName = regexp.MustCompile(`_(item|unit|question)s?_by_`)
	byTurn = regexp.MustCompile(`_by_(item|unit|question)s?$|^raters$|^reliability_data$`)
	brownK = regexp.MustCompile(`^spearman_brown_k(\d+)$`)
)

// severalRaters finds the one table of ratings, which names in its key what its rows are.
func severalRaters(c *vectorCase) {
	var ratings [][]float64
	for _, key := range sortedKeys(c.Input) {
		rows, ok := c.Input[key].([]any)
		if !ok || len(rows) == 0 {
			continue
		}
		if _, nested := rows[0].([]any); !nested {
			continue
		}
		ratings = toTable(c.Input[key])
		// A key that does not say so is read as the longer side being the items.
		unnamed := !byName.MatchString(key) && len(ratings) < len(ratings[0])
		if byTurn.MatchString(key) && !byName.MatchString(key) || unnamed && !strings.Contains(key, "_by_") {
			ratings = transposed(ratings)
		}
	}
	for key, distance := range map[string]Distance{"nominal": Nominal, "ordinal": Ordinal, "interval": IntervalDist} {
		a, err := KrippendorffAlpha(ratings, distance)
		c.put(a, err, "alpha_"+key, "krippendorff_"+key, "krippendorff_alpha_"+key, key)
	}
	v := OneWay(ratings)
	c.set(v.Between, "ms_between")
	c.set(v.Within, "ms_within")
	c.set(v.ICC1, "icc1")
	c.set(v.ICC1K, "icc1_k")
	icc2, err := ICC2(ratings)
	c.put(icc2, err, "icc2_1", "icc2")
	for key := range c.Expected {
		if m := brownK.FindStringSubmatch(key); m != nil {
			k, _ := strconv.Atoi(m[1])
			c.set(SpearmanBrown(v.ICC1, float64(k)), key)
		}
	}
	if counts, ok := countedRatings(ratings); ok {
		k, err := FleissKappa(counts)
		c.put(k, err, "fleiss_kappa", "fleiss")
	}
}

func transposed(table [][]float64) [][]float64 {
	out := make([][]float64, len(table[0]))
	for _, row := range table {
		for j, v := range row {
			out[j] = append(out[j], v)
		}
	}
	return out
}

// countedRatings counts how many ratings of an item fall into each category.
func countedRatings(ratings [][]float64) ([][]int, bool) {
	places := map[float64]int{}
	for _, row := range ratings {
		for _, v := range row {
			if math.IsNaN(v) {
				return nil, false
			}
			if _, ok := places[v]; !ok {
				places[v] = len(places)
			}
		}
	}
	counts := make([][]int, len(ratings))
	for i, row := range ratings {
		counts[i] = make([]int, len(places))
		for _, v := range row {
			counts[i][places[v]]++
		}
	}
	return counts, true
}

func runCorrelation(c *vectorCase) {
	if c.given("x") {
		x, y := c.floats("x"), c.floats("y")
		c.set(Pearson(x, y), "pearson")
		c.set(Spearman(x, y), "spearman")
		c.set(KendallTauB(x, y), "kendall_tau_b", "tau_b")
		return
	}
	labels, scores := c.bools("label", "labels", "y"), c.floats("prob", "score", "scores", "probs")
	if pos := c.floats("pos", "positive", "positives"); pos != nil {
		neg := c.floats("neg", "negative", "negatives")
		labels, scores = make([]bool, len(pos)+len(neg)), append(append([]float64{}, pos...), neg...)
		for i := range pos {
			labels[i] = true
		}
	}
	a, err := AUROC(labels, scores)
	c.put(a, err, "auroc", "auc")
	b, err := Brier(labels, scores)
	c.put(b, err, "brier")
	e, err := CalibrationError(labels, scores, int(c.numberOr(5, "bins", "n_bins")))
	c.put(e, err, "ece")
}

var atK = regexp.MustCompile(`^(recall|precision|ndcg_linear|ndcg_exponential|ndcg)_at_(\d+)$`)

func runRetrieval(c *vectorCase) {
	if c.given("spans") {
		coveredSpans(c)
		return
	}
	name := ""
	for _, key := range sortedKeys(c.Input) {
		for _, prefix := range []string{"rel", "gain", "grade"} {
			if _, isList := c.Input[key].([]any); isList && name == "" && strings.HasPrefix(key, prefix) {
				name = key
			}
		}
	}
	if name == "" {
		return
	}
	rows, single := c.Input[name].([]any), true
	if len(rows) > 0 {
		_, nested := rows[0].([]any)
		single = !nested
	}
	if single {
		gradedRanking(c, toFloats(c.Input[name]))
		return
	}
	table, totals := c.table(name), c.ints("total_relevant")
	lists := map[string][]float64{}
	add := func(key string, v float64) { lists[key] = append(lists[key], v) }
	for i, row := range table {
		relevant := make([]bool, len(row))
		for j, r := range row {
			relevant[j] = r > 0
		}
		total := count(relevant)
		if totals != nil {
			total = totals[i]
		}
		add("ap", AveragePrecision(relevant, total))
		add("rr", ReciprocalRank(relevant))
		add("context_precision_retrieved_only", RankedPrecision(relevant))
		add("context_precision", RankedPrecision(relevant))
		for key := range c.Expected {
			if m := atK.FindStringSubmatch(key); m != nil {
				k, _ := strconv.Atoi(m[2])
				top := relevant[:min(k, len(relevant))]
				switch m[1] {
				case "recall":
					add(key, Recall(top, total))
				case "precision":
					add(key, Precision(append(append([]bool{}, top...), make([]bool, k-len(top))...)))
				}
			}
		}
	}
	for key, values := range lists {
		c.set(values, key)
	}
	c.set(Mean(lists["ap"]), "map")
	c.set(Mean(lists["rr"]), "mrr")
}

func gradedRanking(c *vectorCase, gains []float64) {
	ideal := gains
	for _, key := range sortedKeys(c.Input) {
		if strings.Contains(key, "ideal") || strings.HasPrefix(key, "all") {
			ideal = c.floats(key)
		}
	}
	cut := func(k int) (float64, float64, float64, float64) {
		top := gains[:min(k, len(gains))]
		best := sortedDown(ideal)
		best = best[:min(k, len(best))]
		return NDCG(top, best), NDCG(ExponentialGains(top), ExponentialGains(best)), DCG(top), DCG(ExponentialGains(top))
	}
	k := int(c.numberOr(float64(max(len(gains), len(ideal))), "k"))
	linear, exponential, dcg, dcgExp := cut(k)
	c.set(linear, "ndcg", "ndcg_linear")
	c.set(exponential, "ndcg_exponential", "ndcg_exp")
	c.set(dcg, "dcg", "dcg_linear")
	c.set(dcgExp, "dcg_exponential", "dcg_exp")
	for key := range c.Expected {
		prefix, digits, ok := strings.Cut(key, "_at_")
		if k, err := strconv.Atoi(digits); ok && err == nil {
			linear, exponential, dcg, dcgExp := cut(k)
			switch prefix {
			case "ndcg", "ndcg_linear":
				c.set(linear, key)
			case "ndcg_exponential", "ndcg_exp":
				c.set(exponential, key)
			case "dcg", "dcg_linear":
				c.set(dcg, key)
			case "dcg_exponential", "dcg_exp":
				c.set(dcgExp, key)
			}
		}
	}
}

func sortedDown(values []float64) []float64 {
	out := make([]float64, len(values))
	for k, i := range ascending(values) {
		out[len(values)-1-k] = values[i]
	}
	return out
}

func coveredSpans(c *vectorCase) {
	var covered []bool
	shares := []float64{}
	chunks := c.intTable("chunks")
	for _, s := range c.intTable("spans") {
		var intervals [][2]int
		for _, chunk := range chunks {
			if chunk[0] == s[0] {
				intervals = append(intervals, [2]int{chunk[1], chunk[2]})
			}
		}
		share := Coverage([2]int{s[1], s[2]}, intervals)
		shares, covered = append(shares, share), append(covered, share == 1)
	}
	c.set(covered, "covered")
	c.set(shares, "coverage_fraction")
	c.set(Mean(shares), "mean_coverage")
}

var (
	effectKey = regexp.MustCompile(`^n_for_effect_(\d+)_(\d+)$`)
	niKey     = regexp.MustCompile(`^ni_n_margin_(\d+)_(\d+)_true_(-?\d+)(?:_(\d+))?$`)
	deffKey   = regexp.MustCompile(`^mde_design_effect_(\d+)(?:_(\d+))?$`)
	mdeKey    = regexp.MustCompile(`^mde(\d+)$`)
)

// decimal reads the 0_05 of a key as 0.05.
func decimal(whole, fraction string) float64 {
	v, err := strconv.ParseFloat(whole+"."+fraction+"0", 64)
	if err != nil {
		panic(err)
	}
	return v
}

func runPlanner(c *vectorCase) {
	if c.given("sd_question") {
		se := each(func(v []float64) float64 {
			return SEOfMeanDiff(v[0], v[1], int(v[2]), int(v[3]))
		}, c.spread("sd_question"), c.spread("sd_judge_single_arm"), c.spread("n"), c.spread("r"))
		c.set(se, "se")
		for key := range c.Expected {
			if m := mdeKey.FindStringSubmatch(key); m != nil {
				plan := Plan{Alpha: c.numberOr(0.05, "alpha"), Power: decimal("0", m[1])}
				c.set(each(func(v []float64) float64 { return orNaN(plan.DetectableFromSE(v[0])) }, se), key)
			}
		}
		return
	}
	if c.given("level") && !c.given("sd_diff") {
		c.set(each(func(v []float64) float64 { return orNaN(ZeroFailureBound(int(v[0]), c.number("level"))) }, c.floats("n")),
			"exact_upper")
		return
	}
	plan, sd := Plan{Alpha: c.numberOr(0.05, "alpha"), Power: c.numberOr(0.8, "power")}, c.number("sd_diff", "sd")
	mde := func(p Plan) []float64 {
		return each(func(v []float64) float64 { return orNaN(p.Detectable(sd, int(v[0]))) }, c.floats("n"))
	}
	if c.given("n") {
		c.set(mde(plan), "mde")
	}
	if c.given("cluster_size") || c.given("m") {
		c.set(DesignEffect(c.number("cluster_size", "m"), c.number("icc")), "deff", "design_effect")
	}
	for key := range c.Expected {
		if m := effectKey.FindStringSubmatch(key); m != nil {
			n, err := plan.ItemsFor(decimal(m[1], m[2]), sd)
			c.put(n, err, key)
		}
		if m := niKey.FindStringSubmatch(key); m != nil {
			n, err := plan.ItemsForNonInferiority(decimal(m[1], m[2]), decimal(m[3], m[4]), sd)
			c.put(n, err, key)
		}
		if m := deffKey.FindStringSubmatch(key); m != nil {
			inflated := plan
			inflated.DesignEffect = decimal(m[1], m[2])
			c.set(mde(inflated), key)
		}
	}
}

// spread repeats single numbers so that they line up with the longest of the lists.
func (c *vectorCase) spread(name string) []float64 {
	values, longest := c.floats(name), 1
	for _, v := range c.Input {
		if l, ok := v.([]any); ok {
			longest = max(longest, len(l))
		}
	}
	for len(values) > 0 && len(values) < longest {
		values = append(values, values[len(values)-1])
	}
	return values
}

func orNaN(v float64, err error) float64 {
	if err != nil {
		return math.NaN()
	}
	return v
}

func runNoise(c *vectorCase) {
	if c.given("scores") {
		nested := [][][]float64{}
		for _, item := range c.Input["scores"].([]any) {
			nested = append(nested, toTable(item))
		}
		v, err := NestedANOVA(nested)
		c.put(v.MSJudge, err, "ms_judge")
		c.put(v.MSGeneration, err, "ms_generation")
		c.put(v.MSItem, err, "ms_question")
		c.put(v.VarJudge, err, "var_judge")
		c.put(v.VarGeneration, err, "var_generation")
		c.put(v.VarItem, err, "var_question")
		c.put(BestReplicates(c.numberOr(1, "cost_gen", "cost_generation"), c.numberOr(1, "cost_judge"), v.VarJudge, v.VarGeneration), err,
			"r_star", "best_replicates")
		return
	}
	f := Noise(c.table("replicates"))
	c.set(f.Within, "pooled_within_variance")
	c.set(f.DF, "df")
	c.set(f.Disagreement, "mean_item_disagreement")
	c.set(f.FlipRate, "flip_rate")
	c.set(f.Smallest, "smallest_change", "noise_threshold")
	c.set(math.Sqrt(f.Within), "pooled_sd", "sd_within")
	c.set(OneWay(c.table("replicates")).ICC1, "icc1")
}
