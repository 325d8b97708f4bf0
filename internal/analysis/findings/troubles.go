package findings

import "github.com/rag-workbench/workbench/internal/experiments"

// Trouble is what went wrong with calls of a run for one cause, and the sentence that tells it.
type Trouble struct {
	experiments.Trouble
	Text Text `json:"text"`
}

// TroublesOf are what went wrong with the calls of a run, told in the words of the server or of the model where there are any.
func TroublesOf(list []experiments.Trouble) []Trouble {
	out := make([]Trouble, len(list))
	for i, t := range list {
		cause := CauseText(t.Cause)
		args := []any{"calls", t.Calls, "model", t.Provider + "/" + t.Model, "cause", cause}
		switch {
		case t.Server != "":
			out[i] = Trouble{t, say("trouble.server", append(args, "words", t.Server)...)}
		case t.Reply != "":
			out[i] = Trouble{t, say("trouble.reply", append(args, "words", t.Reply)...)}
		default:
			out[i] = Trouble{t, say("trouble.silent", args...)}
		}
	}
	return out
}

// CauseText is what people read for why calls failed or a run stands still: the cause itself where there is no word.
func CauseText(cause string) Text {
	return Text{Code: "trouble.cause." + cause, EN: causeWord("en", cause), JA: causeWord("ja", cause)}
}

// CauseIn is [CauseText] in one language.
func CauseIn(lang, cause string) string { return causeWord(lang, cause) }

// Stopped says that a run stands still, and why.
func Stopped(run, cause string) Text {
	return say("trouble.stopped", "run", run, "cause", CauseText(cause))
}

// causeWord is what people read for a cause of the ledger: its code where there is no word.
func causeWord(lang, cause string) string {
	if word := Word(lang, "trouble.cause."+cause); word != "trouble.cause."+cause {
		return word
	}
	return cause
}
