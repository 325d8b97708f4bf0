package experiments

import "strings"

// Rationale is the analysis rationale 分析根拠 in both languages: what was missing, what was changed, and what came of it.
type Rationale struct {
	EN string `json:"en"`
	JA string `json:"ja"`
}

// In returns the rationale in a language, "ja" or else English.
func (r Rationale) In(lang string) string {
	if lang == "ja" {
		return r.JA
	}
	return r.EN
}

// Hops says how many places of the corpus an answer needs.
type Hops string

// Scope says what kind of answer a question asks for.
type Scope string

// The two axes of a question's category.
const (
	SingleHop Hops = "single_hop" // one contiguous section of one document entails the reference
	MultiHop  Hops = "multi_hop"

	Unanswerable Hops = "unanswerable" // no place does, as the dataset registers it: a class apart, whatever the question asks for

	Specific Scope = "specific" // a checkable item: entity, number, date, yes or no, listed procedure
	Abstract Scope = "abstract" // explanation, comparison, summary, reason
)

// Category is a question's category: "single_hop_specific", "single_hop_abstract", "multi_hop_specific", "multi_hop_abstract",
// "unanswerable".
type Category string

// CategoryOf joins the two axes. What the documents do not answer is one category.
func CategoryOf(h Hops, s Scope) Category {
	if h == Unanswerable {
		return Category(h)
	}
	return Category(string(h) + "_" + string(s))
}

// guessed ends the category of a question that is called multi-hop by its wording alone.
const guessed = "_guessed"

// Guessed is the category of a question whose hops are read off its wording. One place of the documents is what is usual, so only several
// places are a guess that has to be called one.
func (c Category) Guessed() Category {
	if strings.HasPrefix(string(c), string(MultiHop)) {
		return c.Sure() + guessed
	}
	return c
}

// Sure is the category without the doubt whether it is a guess: what targets and people's labels name.
func (c Category) Sure() Category { return Category(strings.TrimSuffix(string(c), guessed)) }

// KnownCategories lists the four categories, behind them the guessed ones, and last that of what the documents do not answer.
func KnownCategories() []Category {
	out := Categories()
	for _, c := range Categories() {
		if g := c.Guessed(); g != c {
			out = append(out, g)
		}
	}
	return append(out, CategoryOf(Unanswerable, ""))
}

// Categories lists the four categories of questions that documents answer, in the paper's order.
func Categories() []Category {
	return []Category{
		CategoryOf(SingleHop, Specific), CategoryOf(SingleHop, Abstract), CategoryOf(MultiHop, Specific), CategoryOf(MultiHop, Abstract),
	}
}

// QuestionLabels is what the question analysis says of one question.
type QuestionLabels struct {
	QuestionID    string              `json:"question_id"`
	Category      Category            `json:"category"`
	Hops          Hops                `json:"hops"`
	HopsBy        string              `json:"hops_by"` // "evidence", "dataset" where it has no answer, or "text": a guess
	Scope         Scope               `json:"scope"`
	Theme         string              `json:"theme"` // id of the taxonomy's label; "other"
	SecondTheme   string              `json:"second_theme,omitempty"`
	Keywords      []string            `json:"keywords"`
	Labels        map[string][]string `json:"labels,omitempty"`     // of further taxonomies, by taxonomy id
	Quality       []string            `json:"quality,omitempty"`    // "ambiguous", "missing_entity"
	Answerable    *bool               `json:"answerable,omitempty"` // the corpus holds evidence; nil when not looked for
	Confidence    float64             `json:"confidence"`           // the least vote share of category and theme, in [0, 1]
	TaxonomyTheme string              `json:"taxonomy_theme"`       // name@version of the theme taxonomy it was assigned from

	TextDigest string              `json:"text_digest,omitempty"` // of the question's wording: labels of equal digests must agree
	Votes      map[string][]string `json:"votes,omitempty"`       // "scope", "hops", and by taxonomy id: what each vote said
}
