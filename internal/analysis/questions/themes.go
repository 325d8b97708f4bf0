package questions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// The sizes of naming themes: a sample that one request holds and that costs the same for any dataset.
const (
	themeSample     = 150
	themeQuestionAt = 240 // characters of a question that are enough to see what it is about
	themeClusters   = 12
	mostThemes      = 12
	fewestThemes    = 6
	mostExtension   = 4
	mostThemesEver  = 20
	themesPerTheme  = 4   // at least as many questions for each theme
	otherAcceptable = .10 // share of questions without a theme
)

// ThemeRules say how themes are proposed. The zero value is the usual way.
type ThemeRules struct {
	Seed   uint64      // of the sample; another one shows how far the themes depend on it
	Corpus *rag.Corpus // where the evidence of the questions stands; its titles help to name themes; may be nil
}

// ProposeThemes makes a taxonomy of themes for questions: one request names them all, from a sample that is spread over lexical
// clusters and the titles under which the evidence stands. What it buys is booked to the scope of ctx. The taxonomy has version 0
// until it is locked.
func ProposeThemes(ctx context.Context, questions []experiments.Question, judge metrics.JudgeConfig, providers rag.Providers,
	stages rag.Stages, rules ThemeRules) (experiments.Taxonomy, error) {
	t := experiments.Taxonomy{ID: experiments.ThemeTaxonomy, EN: "Theme", JA: "テーマ"}
	j, err := openQuestionJudge(judge, providers, stages)
	if err != nil {
		return t, err
	}
	most := min(mostThemes, max(2, len(questions)/themesPerTheme))
	named, err := j.nameThemes(ctx, questions, nil, most, rules)
	if err != nil {
		return t, err
	}
	t.Labels = themeLabels(named, nil, most, 0)
	if len(t.Labels) == 0 { // nothing is asked twice: a list of other things
		t.Labels = []experiments.TaxonomyLabel{{
			ID: "general", EN: "General", JA: "全般", Include: "General questions about the subject of the documents as a whole.",
		}}
	}
	return t, t.Validate()
}

// ExtendThemes appends themes for questions that fit none of a taxonomy's. The labels that are there stay as they are, and the new
// ones say with Since that only questions without a label are asked about them: so nobody else's label can change. It returns the
// taxonomy unchanged where nothing is to be added.
func ExtendThemes(ctx context.Context, t experiments.Taxonomy, others []experiments.Question, judge metrics.JudgeConfig,
	providers rag.Providers, stages rag.Stages, rules ThemeRules) (experiments.Taxonomy, error) {
	most := min(mostExtension, len(others)/2, mostThemesEver-len(t.Labels))
	if most < 1 {
		return t, nil
	}
	j, err := openQuestionJudge(judge, providers, stages)
	if err != nil {
		return t, err
	}
	named, err := j.nameThemes(ctx, others, labelsData(t.Labels, majorityLang(others)), most, rules)
	if err != nil || len(named) == 0 {
		return t, err
	}
	t.Labels = append(slices.Clone(t.Labels), themeLabels(named, t.Labels, most, t.Version+1)...)
	return t, t.Validate()
}

// OtherTooMany reports whether so many questions fit no theme that themes should be added.
func OtherTooMany(others, questions int) bool {
	return others > 1 && float64(others) > otherAcceptable*float64(questions)
}

func (j *questionJudge) nameThemes(ctx context.Context, questions []experiments.Question, existing []labelData, most int,
	rules ThemeRules) ([]proposedTheme, error) {
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i] = q.Text
	}
	data := proposeData{AtMost: most, Existing: existing}
	for _, i := range spreadSample(texts, themeSample, themeClusters, rules.Seed) {
		data.Questions = append(data.Questions,
			themeQuestion{Question: clipTo(texts[i], themeQuestionAt), Page: pageOf(questions[i], rules.Corpus)})
	}
	reply, err := askQuestion[proposeReply](ctx, j, questionTask{
		purpose: PurposeQuestionPropose, lang: majorityLang(questions), data: data, schema: themesSchema, maxTokens: 6000,
	})
	return reply.usable(), err
}

// majorityLang is the language that most questions are in.
func majorityLang(questions []experiments.Question) string {
	ja := 0
	for _, q := range questions {
		if langOfQuestion(q) == "ja" {
			ja++
		}
	}
	if 2*ja > len(questions) {
		return "ja"
	}
	return "en"
}

func langOfQuestion(q experiments.Question) string {
	if q.Lang == "" {
		return text.Language(q.Text)
	}
	return q.Lang
}

var noSlug = text.Lazy(`[^a-z0-9]+`)

// themeSlug makes an id of words; "" where nothing of them is ASCII.
func themeSlug(s string) string {
	id := strings.Trim(noSlug.ReplaceAllString(text.Fold(s), "-"), "-")
	if len(id) > 40 {
		id = strings.TrimRight(id[:40], "-")
	}
	return id
}

// themeLabels makes labels of what a model wrote, at most n, with ids that are slugs and unlike those in use.
func themeLabels(themes []proposedTheme, existing []experiments.TaxonomyLabel, n, since int) []experiments.TaxonomyLabel {
	used := map[string]bool{experiments.OtherLabel: true, noSecond: true}
	for _, l := range existing {
		used[l.ID] = true
	}
	var out []experiments.TaxonomyLabel
	for _, t := range themes[:min(n, len(themes))] {
		l := experiments.TaxonomyLabel{
			EN: clipTo(t.EN, 60), JA: clipTo(t.JA, 60), Include: clipTo(t.Include, 500), Exclude: clipTo(t.Exclude, 500), Since: since,
			Examples: clipList(t.Examples, 2), Words: clipList(t.Words, maxThemeWords),
		}
		if l.EN == "" {
			l.EN = l.JA
		}
		if l.JA == "" {
			l.JA = l.EN
		}
		base := themeSlug(t.ID)
		if base == "" {
			base = themeSlug(t.EN)
		}
		if base == "" {
			base = fmt.Sprintf("theme-%d", len(existing)+len(out)+1)
		}
		l.ID = base
		for i := 2; used[l.ID]; i++ {
			l.ID = fmt.Sprintf("%s-%d", base, i)
		}
		used[l.ID] = true
		out = append(out, l)
	}
	return out
}

// clipTo is s on one line, at most n code points long and without what a database cannot store.
func clipTo(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", "")), " ")
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n])
	}
	return s
}

func clipList(list []string, n int) []string {
	var out []string
	for _, s := range list {
		if s = clipTo(s, 300); s != "" && len(out) < n && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// labelsData are labels as a judge sees them, in a language.
func labelsData(labels []experiments.TaxonomyLabel, lang string) []labelData {
	out := make([]labelData, len(labels))
	for i, l := range labels {
		out[i] = labelData{ID: l.ID, Name: l.EN, Include: l.Include, Exclude: l.Exclude, Examples: l.Examples, Words: l.Words}
		if lang == "ja" {
			out[i].Name = l.JA
		}
	}
	return out
}
