package program

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Language is that of what the program prints: "en" or "ja".
type Language string

// The languages of the program.
const (
	English  Language = "en"
	Japanese Language = "ja"
)

// Lang is the language asked for with --lang, else that of the locale.
func (p *Program) Lang() Language {
	if p.Flags != nil && (p.Flags.Lang == "en" || p.Flags.Lang == "ja") {
		return Language(p.Flags.Lang)
	}
	return localeOf(p.Getenv)
}

// localeOf is the language of the environment, by the rules of POSIX: LC_ALL before LC_MESSAGES before LANG.
func localeOf(getenv func(string) string) Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "ja") {
				return Japanese
			}
			return English
		}
	}
	return English
}

// Written is the language of what the verb writes: the one asked for, else that of the locale.
func (p *Program) Written() string {
	if p.Flags.Lang != "" {
		return p.Flags.Lang
	}
	return string(p.Lang())
}

//go:embed japanese.json
var japaneseJSON string

//go:embed japanese_help.json
var japaneseHelpJSON string

// japaneseTexts holds the Japanese of every English text, by the English one. Formats take the same arguments; where their order differs
// they are numbered, as in %[2]s. Help has a catalogue of its own, which few commands read.
var japaneseTexts, japaneseHelp = problem.NewCatalogue(japaneseJSON), problem.NewCatalogue(japaneseHelpJSON)

// Format is an English format in this language; one that is not translated stays English.
func (l Language) Format(english string) string {
	if l == Japanese {
		if text, ok := japaneseTexts.Find(english); ok {
			return text
		}
	}
	return english
}

// Help is what the help of a verb, an argument or a flag says in this language.
func (l Language) Help(english string) string {
	if l == Japanese {
		if text, ok := japaneseHelp.Find(english); ok {
			return text
		}
	}
	return english
}

// Text is an English format in this language, filled in.
func (l Language) Text(format string, args ...any) string {
	return fmt.Sprintf(l.Format(format), args...)
}

// Noted is a sentence of the rooms below, such as what was noticed at work, in this language; one that nobody here wrote stays as it is.
func (l Language) Noted(english string) string {
	if l != Japanese {
		return english
	}
	said, _ := problem.Japanese(english)
	return said
}

// Many is "1 call" or "3 calls".
func (l Language) Many(n int, noun string) string {
	if l == Japanese {
		if counted, ok := japaneseTexts.Find("%d " + noun); ok {
			return fmt.Sprintf(counted, n)
		}
	}
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Metric is the name of a metric: its id in English, because tables and files have it; its title in Japanese. One of another tool has the
// name that sentences and reports give it: its key stands in what machines read.
func (l Language) Metric(id string) string {
	if en, ja, imported := metrics.ImportedTitle(id); imported {
		return map[bool]string{true: ja, false: en}[l == Japanese]
	}
	if spec, ok := metrics.Find(id); ok && l == Japanese {
		return spec.TitleJA
	}
	return id
}

// Heading is a metric as the heading of a column.
func (l Language) Heading(id string) string {
	if _, _, imported := metrics.ImportedTitle(id); imported {
		return l.Metric(id)
	}
	return strings.ToUpper(id)
}

// Decided names the metrics that decide a comparison, the first one first.
func (l Language) Decided(by []string) string {
	names := make([]string, len(by))
	for i, id := range by {
		names[i] = Printable(l.Metric(id))
	}
	return strings.Join(names, l.Format(", then "))
}

// List joins parts as the language does.
func (l Language) List(parts []string) string {
	if l == Japanese {
		return strings.Join(parts, "、")
	}
	return strings.Join(parts, ", ")
}

// Parts joins parts that may have commas of their own.
func (l Language) Parts(parts []string) string {
	if l == Japanese {
		return strings.Join(parts, "、")
	}
	return strings.Join(parts, "; ")
}

// Aside is what stands in brackets behind a word, with the space that the language sets before them.
func (l Language) Aside(said string) string {
	if l == Japanese {
		return "（" + said + "）"
	}
	return " (" + said + ")"
}

// Day is a date with its day of the week.
func (l Language) Day(at time.Time) string {
	if l == Japanese {
		return at.Format(time.DateOnly) + "（" + string([]rune("日月火水木金土")[at.Weekday()]) + "）"
	}
	return at.Format("Mon " + time.DateOnly)
}

// Word is one of the program, such as the state of a run: in Japanese what the pages call it, by its group there.
func (l Language) Word(group, word string) string {
	path := group + "." + word
	if said := frontend.Words("ja", path); l == Japanese && word != "" && said != path {
		return said
	}
	return word
}

// Said is a code as the pages say it in this language, in English too: where only a reader and no script meets it. What has no words
// stays the code.
func (l Language) Said(group, code string) string {
	path := group + "." + code
	if said := frontend.Words(string(l), path); code != "" && said != path {
		return said
	}
	return code
}

// MetricHead is a metric at the head of a column: its id in capitals, or its title in Japanese.
func (l Language) MetricHead(id string) string {
	if l == Japanese {
		return l.Metric(id)
	}
	return strings.ToUpper(id)
}

// problem is a problem in this language. One whose message has no Japanese is called as on the pages, with the English below it.
func (l Language) problem(what *problem.Problem) (message, detail, hint string) {
	said := what.In(string(l))
	if l != Japanese || said.Message != what.Message {
		return said.Message, "", said.Hint
	}
	title := frontend.ProblemTitle(string(l), what.Code, what.Params)
	if title == "" {
		return what.Message, "", said.Hint
	}
	return title, what.Message, said.Hint
}
