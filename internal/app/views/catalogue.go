package views

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
)

// Catalogue is everything that the user interface has to name in two languages.
type Catalogue struct {
	Metrics    []CatalogueMetric      `json:"metrics"` // in display order
	Suites     []CatalogueSuite       `json:"suites"`
	Labels     []listing.Word         `json:"labels"`     // of a question in a comparison
	Details    []listing.Word         `json:"details"`    // behind the labels
	Classes    []listing.Word         `json:"classes"`    // why a question changed
	Components []causes.Component     `json:"components"` // causes, in the order of the pipeline
	Categories []experiments.Category `json:"categories"` // of questions

	CauseNames    []listing.Word  `json:"cause_names"` // of the components
	DataCauses    []listing.Word  `json:"data_causes"`
	CategoryNames []listing.Word  `json:"category_names"`
	PatternNames  []listing.Word  `json:"pattern_names"` // how low-score answers fail, in the order of every table
	CornerNames   []listing.Word  `json:"corner_names"`  // which scores are low, the same
	ChunkUnits    []CatalogueUnit `json:"chunk_units"`   // what chunk.by can be, the usual one first

	// Names are the words of small vocabularies, by what they name: answer_kind, cause_method, judge_check, judge_light,
	// judge_light_says, review_verdict, notebook_state, priority; param are the parameters of setups, and under the name of each
	// stand its values that have words.
	Names map[string][]listing.Word `json:"names"`

	Languages  []string `json:"languages"`
	Providers  []string `json:"providers"` // that experiments can name
	Embedders  []string `json:"offline_embedders"`
	Generators []string `json:"offline_generators"`

	Presets []CataloguePreset  `json:"presets"`         // where pipelines of other libraries begin
	Known   llm.KnownEmbedders `json:"known_embedders"` // what makers say of their embedding models
}

// CataloguePreset is a configuration with the chunks and hits of another library.
type CataloguePreset struct {
	Name     string       `json:"name"`
	Chunk    rag.Chunking `json:"chunk"`
	Retrieve rag.Retrieve `json:"retrieve"`
}

// CatalogueMetric is a metric with its words and its formula.
type CatalogueMetric struct {
	metrics.Spec
	HigherIsBetter bool        `json:"higher_is_better"`
	Whole          bool        `json:"whole"` // values are whole numbers: rubrics
	Doc            metrics.Doc `json:"doc"`
}

// CatalogueUnit is something that chunks are counted in.
type CatalogueUnit struct {
	listing.Word
	Usual int `json:"usual_size"` // a size that a first try begins with
}

// CatalogueSuite is a named list of metrics.
type CatalogueSuite struct {
	Name    string   `json:"name"`
	Metrics []string `json:"metrics"`
}

// Catalogue returns the names of everything.
func (v *machineViews) Catalogue() (Catalogue, error) {
	known, err := v.w.Known()
	if err != nil {
		return Catalogue{}, err
	}
	c := Catalogue{
		Labels: []listing.Word{}, Details: []listing.Word{}, Classes: []listing.Word{}, Components: causes.Components(),
		Categories: append(experiments.Categories(), experiments.CategoryOf(experiments.Unanswerable, "")), Languages: []string{"en", "ja"},
		Providers: known.Names(), Embedders: offline.EmbedderNames(), Generators: []string{"extractive", "terse"},
		Known: llm.Embedders(), Names: names(),
	}
	for _, s := range metrics.Catalogue() {
		doc, _ := metrics.DocOf(s.ID)
		c.Metrics = append(c.Metrics, CatalogueMetric{Spec: s, HigherIsBetter: !s.LowerIsBetter, Whole: s.Min == 1 && s.Max == 5, Doc: doc})
	}
	for _, name := range rag.Presets() {
		preset, err := rag.Preset(name)
		if err != nil {
			return c, err
		}
		c.Presets = append(c.Presets, CataloguePreset{Name: name, Chunk: preset.Chunk, Retrieve: preset.Retrieve})
	}
	for _, name := range metrics.SuiteNames() {
		specs, err := metrics.Resolve([]string{name})
		if err != nil {
			return c, err
		}
		suite := CatalogueSuite{Name: name}
		for _, s := range specs {
			suite.Metrics = append(suite.Metrics, s.ID)
		}
		c.Suites = append(c.Suites, suite)
	}
	for _, cause := range c.Components {
		c.CauseNames = append(c.CauseNames, named(string(cause), cause.Word))
	}
	for _, cause := range causes.DataCauses() {
		c.DataCauses = append(c.DataCauses, named(string(cause), cause.Word))
	}
	for _, category := range experiments.KnownCategories() {
		c.CategoryNames = append(c.CategoryNames,
			named(string(category), func(lang string) string { return questions.CategoryName(category, lang) }))
	}
	for _, p := range findings.Patterns() {
		c.PatternNames = append(c.PatternNames, named(string(p), p.Word))
	}
	for _, corner := range findings.Corners() {
		c.CornerNames = append(c.CornerNames, named(string(corner), corner.Word))
	}
	for _, u := range rag.ChunkUnits() {
		c.ChunkUnits = append(c.ChunkUnits, CatalogueUnit{listing.Word{Code: u.Code, EN: u.EN, JA: u.JA}, u.Usual})
	}
	for _, l := range compare.Labels() {
		c.Labels = append(c.Labels, listing.Word{Code: string(l), EN: l.Word("en"), JA: l.Word("ja")})
	}
	for _, d := range []compare.Detail{
		compare.Confirmed, compare.Suspected, compare.Unresolved, compare.NoRegression, compare.UnchangedIdentical, compare.Improved,
	} {
		c.Details = append(c.Details, listing.Word{Code: string(d), EN: d.Word("en"), JA: d.Word("ja")})
	}
	for _, class := range compare.Classes() {
		c.Classes = append(c.Classes, listing.Word{Code: string(class), EN: class.Word("en"), JA: class.Word("ja")})
	}
	return c, nil
}

// names puts the small vocabularies together.
func names() map[string][]listing.Word {
	out := map[string][]listing.Word{"judge_check": {}, "review_verdict": {}, "priority": {}}
	for _, kind := range compare.AnswerKinds() {
		out["answer_kind"] = append(out["answer_kind"], listing.Word{Code: string(kind), EN: kind.Word("en"), JA: kind.Word("ja")})
	}
	for _, m := range causes.Methods() {
		out["cause_method"] = append(out["cause_method"], listing.Word{Code: string(m), EN: m.Word("en"), JA: m.Word("ja")})
	}
	for _, s := range causes.Standings() {
		out["cause_standing"] = append(out["cause_standing"], listing.Word{Code: string(s), EN: s.Word("en"), JA: s.Word("ja")})
	}
	for _, light := range validation.Lights() {
		out["judge_light"] = append(out["judge_light"], named(string(light), light.Word))
		out["judge_light_says"] = append(out["judge_light_says"], named(string(light), light.Says))
	}
	for id, title := range validation.Titles() {
		out["judge_check"] = append(out["judge_check"], listing.Word{Code: id, EN: title[0], JA: title[1]})
	}
	for en, ja := range validation.LostReasons() {
		out["judge_lost"] = append(out["judge_lost"], listing.Word{Code: en, EN: en, JA: ja})
	}
	slices.SortFunc(out["judge_lost"], func(a, b listing.Word) int { return strings.Compare(a.Code, b.Code) })
	for _, s := range notebooks.States() {
		out["notebook_state"] = append(out["notebook_state"], listing.Word{Code: string(s), EN: s.Words("en"), JA: s.Words("ja")})
	}
	for _, param := range experiments.ParamNames() {
		out["param"] = append(out["param"], named(param, func(lang string) string { return experiments.ParamName(param).In(lang) }))
		for _, value := range experiments.ValueNames(param) {
			out[param] = append(out[param], named(value, func(lang string) string { return experiments.ValueText(param, value).In(lang) }))
		}
	}
	slices.SortFunc(out["judge_check"], func(a, b listing.Word) int { return strings.Compare(a.Code, b.Code) })
	for _, column := range reviewform.Columns() {
		name := map[string]string{reviewform.Verdict: "review_verdict", reviewform.Priority: "priority"}[column.Key]
		for _, v := range column.Values {
			if name != "" {
				out[name] = append(out[name], listing.Word{Code: v.Key, EN: v.EN, JA: v.JA})
			}
		}
	}
	return out
}

// named is a code with its words, as a name that stands by itself begins.
func named(code string, word func(lang string) string) listing.Word {
	en := word("en")
	return listing.Word{Code: code, EN: strings.ToUpper(en[:1]) + en[1:], JA: word("ja")}
}

// Home is where the user interface opens.
type Home struct {
	Kind      string `json:"kind"` // "comparison" or "runs"
	Baseline  string `json:"baseline,omitempty"`
	Candidate string `json:"candidate,omitempty"`
}

// Home is the comparison of the demo's recorded story while there is nothing but the demo, in the language of the page where that was
// evaluated, and the list of runs from then on.
func (v *machineViews) Home(ctx context.Context, lang string) (Home, error) {
	home := Home{Kind: "runs"}
	all, err := v.w.Store.Experiments(ctx, true)
	if err != nil {
		return home, err
	}
	if slices.ContainsFunc(all, func(e experiments.Experiment) bool { return !strings.HasPrefix(e.Name, "airline-") }) {
		return home, nil
	}
	for _, lang := range []string{lang, "en", "ja"} {
		before, after := app.DemoShown(lang)
		pair := Home{Kind: "comparison"}
		if pair.Baseline, err = v.widest(ctx, before); err != nil {
			return home, err
		}
		if pair.Candidate, err = v.widest(ctx, after); err != nil {
			return home, err
		}
		if pair.Baseline != "" && pair.Candidate != "" {
			return pair, nil
		}
	}
	return home, nil
}

// widest returns the id of the experiment's finished run over most questions, the newest of those, or "".
func (v *machineViews) widest(ctx context.Context, experiment string) (string, error) {
	evaluated := experiments.RunFilter{Experiment: experiment, State: experiments.Finished, Kind: experiments.KindEvaluate}
	runs, err := v.w.Store.Runs(ctx, evaluated)
	if err != nil || len(runs) == 0 {
		return "", err
	}
	return slices.MaxFunc(runs, func(a, b experiments.Run) int { return cmp.Compare(a.Totals.Questions, b.Totals.Questions) }).ID, nil
}

// Settings is what is in force, without any secret: of a key only the name of the environment variable and whether it is set.
type Settings struct {
	Engine     string            `json:"engine"` // sqlite or postgres
	DataDir    string            `json:"data_dir"`
	ConfigPath string            `json:"config_path"` // "" when there is none
	Currency   string            `json:"currency"`
	Prices     []ModelPrice      `json:"prices"`
	Public     app.PublicPrices  `json:"public_prices"` // list prices that come with the program: source, day, address
	Providers  []ProviderSetting `json:"providers"`
	LowScore   float64           `json:"default_low_score"`
	Limits     map[string]int    `json:"limits"`               // what uploads and lists may hold
	LastBackup time.Time         `json:"last_backup,omitzero"` // when the last good backup was made; absent when there was none
	TimeZones  string            `json:"time_zones"`           // whose rules schedules go by
}

// ModelPrice is the price of a model for a million tokens.
type ModelPrice struct {
	Model string `json:"model"`
	llm.Price
}

// ProviderSetting is one provider without its key.
type ProviderSetting struct {
	Name        string `json:"name"`
	Kind        string `json:"kind"`               // offline, openai or azure
	Origin      string `json:"origin"`             // scheme and host of its address; "" of the offline one
	KeyName     string `json:"key_name,omitempty"` // environment variable that holds the key
	KeySet      bool   `json:"key_set"`
	Proxy       bool   `json:"proxy,omitempty"` // an explicit proxy is used
	PerMinute   int    `json:"requests_per_minute,omitempty"`
	Concurrency int    `json:"concurrency,omitempty"`
	// what is known of its models, by model and purpose
	Probes []llm.Probe `json:"probes,omitempty"`
	// Added is what people said of a provider that they added; absent for one of the configuration file
	Added *AddedSetting `json:"added,omitempty"`
}

// AddedSetting is what people said of a provider that they added. An address of the configuration file is not shown: it may hold a key.
type AddedSetting struct {
	BaseURL  string    `json:"base_url"`
	Models   []string  `json:"models"`
	By       string    `json:"added_by"`
	At       time.Time `json:"added_at"`
	KeyBound bool      `json:"key_bound"` // a key of the machine is sent to this origin, and to no other
}

// Settings returns what is in force.
func (v *machineViews) Settings(ctx context.Context) (Settings, error) {
	backup, _, err := archive.LastBackup(ctx, v.w)
	if err != nil {
		return Settings{}, err
	}
	c, err := v.w.Known()
	if err != nil {
		return Settings{}, err
	}
	s := Settings{
		Engine: v.w.Engine, DataDir: filepath.Base(v.w.Options.DataDir), ConfigPath: filepath.Base(c.Path), Currency: c.Currency,
		Prices: []ModelPrice{}, Public: app.Public(),
		Providers: []ProviderSetting{{Name: "offline", Kind: "offline"}}, LowScore: experiments.DefaultLowScore,
		Limits: map[string]int{"upload_bytes": MaxUploadBytes, "page": listing.MaxPage,
			"definition_bytes": experiments.MaxDefinitionBytes},
		LastBackup: backup, TimeZones: timetable.ZoneRules(),
	}
	if c.Path == "" {
		s.ConfigPath = ""
	}
	for _, model := range slices.Sorted(maps.Keys(c.Prices)) {
		s.Prices = append(s.Prices, ModelPrice{model, c.Prices[model]})
	}
	probes, err := v.w.Whole.Probes(ctx)
	if err != nil {
		return s, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		p := c.Providers[name]
		setting := v.setting(name, p)
		setting.Probes = slices.DeleteFunc(slices.Clone(probes), func(b llm.Probe) bool { return b.Provider != name })
		s.Providers = append(s.Providers, setting)
	}
	return s, nil
}

func (v *machineViews) setting(name string, p app.ProviderConfig) ProviderSetting {
	kind := p.Kind
	if kind == "" {
		kind = "openai"
	}
	s := ProviderSetting{
		Name: name, Kind: kind, Origin: originOf(p.BaseURL), KeyName: p.APIKeyEnv,
		KeySet: p.APIKeyEnv != "" && v.w.Options.Getenv(p.APIKeyEnv) != "",
		Proxy:  p.Proxy != "", PerMinute: p.RequestsPerMinute, Concurrency: p.Concurrency,
	}
	if a := p.Added; a != nil {
		s.Added = &AddedSetting{BaseURL: a.BaseURL, Models: a.Models, By: a.AddedBy, At: a.AddedAt, KeyBound: a.Key() != ""}
	}
	return s
}

// Provider is one provider as the settings show it.
func (v *machineViews) Provider(name string) (ProviderSetting, error) {
	c, err := v.w.Known()
	return v.setting(name, c.Providers[name]), err
}

// originOf is scheme and host of an address: paths, queries and user names may hold keys.
func originOf(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	if at := strings.LastIndex(host, "@"); at >= 0 {
		host = host[at+1:]
	}
	return scheme + "://" + host
}

// ProviderTest is what one small request to a provider brought.
type ProviderTest struct {
	Provider  string `json:"provider"`
	OK        bool   `json:"ok"`
	LatencyMS int64  `json:"latency_ms"`
	Embedding int    `json:"embedding_dimensions,omitempty"`
	Form      string `json:"form,omitempty"`    // how replies are held to a schema from now on: schema, object or prompt
	Problem   string `json:"problem,omitempty"` // cause code
	Message   string `json:"message,omitempty"`
	// Limits are the bounds that the server named; what it did not say is absent.
	Limits *llm.ModelLimits `json:"limits,omitempty"`
}

// TestProvider asks a configured provider for some answers of a few tokens, or for one embedding, at its configured address only:
// neither the address nor the key can be given by the caller. What it costs is booked to no run.
func (v *machineViews) TestProvider(ctx context.Context, name, model string, embedding bool) (ProviderTest, error) {
	t := ProviderTest{Provider: name}
	if _, err := v.w.Providers.Provider(name); err != nil {
		return t, err
	}
	if model == "" && name != "offline" {
		return t, problem.New(problem.Invalid, "model_missing", "a test needs the name of a model of provider %s", name).
			With("field", "model").
			WithHint("name one that the account may use, such as the judge's")
	}
	purpose := llm.ProbeJudge
	if embedding || name == "offline" {
		purpose = llm.ProbeEmbed
	}
	if name == "offline" {
		model = "hash"
	}
	probes, err := v.w.Probe(ctx, []app.ProbeTarget{{Model: rag.Model{Provider: name, Name: model}, Purpose: purpose}})
	if err != nil {
		return t, err
	}
	probe := probes[0]
	t.OK, t.LatencyMS, t.Embedding, t.Form, t.Problem, t.Message = probe.OK, probe.LatencyMS, probe.Dimensions, probe.Form, probe.Problem,
		probe.Message
	t.Limits = probe.Limits
	return t, nil
}

// JudgeCards returns the newest card of each judge.
func (v *machineViews) JudgeCards(ctx context.Context) ([]JudgeCardView, error) {
	cards, err := v.w.Whole.JudgeCards(ctx)
	out, seen := []JudgeCardView{}, map[string]bool{}
	for _, c := range cards {
		if !seen[c.Judge] {
			seen[c.Judge] = true
			out = append(out, cardView(c))
		}
	}
	return out, err
}

// JudgeCard returns the cards of one judge, "provider/model", the newest first.
func (v *machineViews) JudgeCard(ctx context.Context, judge string) ([]JudgeCardView, error) {
	cards, err := v.w.Whole.JudgeCards(ctx)
	if err != nil {
		return nil, err
	}
	var out []JudgeCardView
	for _, c := range cards {
		if c.Judge == judge {
			out = append(out, cardView(c))
		}
	}
	if len(out) == 0 {
		return nil, problem.New(problem.NotFound, "judge_card_unknown", "judge %s has not been validated", judge).With("judge", judge).
			WithHint("workbench validate judge --judge %s measures it", judge)
	}
	return out, nil
}
