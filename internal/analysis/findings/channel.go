package findings

import "slices"

// Channel is a way in which findings reach people or programs. There are no others than those of [Channels].
type Channel struct{ name string }

// String is the channel's name.
func (c Channel) String() string { return c.name }

// The channels. A new one is added here, and then needs a reader in the reading test.
var (
	CommandText  = register("command text")
	CommandJSON  = register("command JSON")
	API          = register("API")
	Page         = register("page")
	Workbook     = register("workbook")
	HTML         = register("HTML")
	Markdown     = register("Markdown")
	CSV          = register("CSV")
	JSONL        = register("JSON Lines")
	GateText     = register("gate text")
	GateJSON     = register("gate JSON")
	GateJUnit    = register("gate JUnit")
	GateMarkdown = register("gate Markdown")
	Mail         = register("mail")
	Webhook      = register("webhook")
	Slack        = register("Slack")
	Teams        = register("Teams")
	Notebook     = register("notebook values")
	Reading      = register("notebook reading page")
	Trend        = register("trend")
)

var channels []Channel

func register(name string) Channel {
	c := Channel{name}
	channels = append(channels, c)
	return c
}

// Channels lists every channel.
func Channels() []Channel { return slices.Clone(channels) }

// Opening is what a channel says first, in one language.
type Opening struct {
	Headline  string
	Sentences []string // a significant fall first
	Release   string   // may we release this?
	Offline   string   // how far to believe the scores; "" where a real judge scored
}

// Open is the beginning of the findings in a channel: it says it in this order and in these words, and adds no sentence about the
// result. The zero Channel is refused, so that nothing speaks without being listed.
func (f Findings) Open(c Channel, lang string) Opening {
	if !slices.Contains(Channels(), c) {
		panic("findings are opened for a channel that is not registered")
	}
	o := Opening{Headline: f.Headline.In(lang), Sentences: Texts(f.Sentences, lang), Release: f.Release.Text.In(lang)}
	if f.Offline {
		o.Offline = OfflineJudge(lang)
	} else if f.Recorded.EN != "" {
		o.Offline = f.Recorded.In(lang)
	}
	return o
}

// OfflineJudge says how far to believe scores of the offline judge.
func OfflineJudge(lang string) string { return Word(lang, "judge.offline") }

// OfflineGate says what a gate's decision is worth where the offline judge scored: the gate counts, and does not answer whether to release.
func OfflineGate() Text { return say("gate.offline", "judge", say("judge.offline")) }

// Gate is what a gate says first, in one language: its decision with the checks that made it and what that is worth, then the sentences of
// the comparison. A mean that may have moved by chance is left to its check, which allows for chance by a rule of its own: a release is
// held against one bound, and whoever compares looks both ways.
func (f Findings) Gate(lang string) []string {
	out := []string{}
	if f.Opening.EN != "" {
		out = append(out, f.Opening.In(lang))
	}
	if f.Agreed.Missed+f.Agreed.Unmeasured > 0 { // the check is about a change, and these are what it leaves to people
		out = append(out, say("gate.agreed", "stands", f.Agreed.Text).In(lang))
	}
	if f.Offline && !f.Imported {
		out = append(out, OfflineGate().In(lang))
	}
	if f.ScoredHere.EN != "" {
		out = append(out, f.ScoredHere.In(lang))
	}
	return append(out, Texts(slices.DeleteFunc(slices.Clone(f.Sentences), func(t Text) bool {
		return t.Code == "say.level" || t.Code == "say.few"
	}), lang)...)
}
