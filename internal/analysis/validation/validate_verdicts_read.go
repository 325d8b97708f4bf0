package validation

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

const pairsHint = "one pair of answers on each line, as docs/verdicts.md describes: id, lang, question, reference, answerable, before, after, reader"

// mostBadRows is how many bad rows are named at once.
const mostBadRows = 5

// ReadPairs reads pairs of answers with the verdicts of readers from JSON lines. Empty lines and a byte order mark do not count; fields
// that it does not know are left aside. A row that cannot be used is refused by its line and field, and nothing is taken.
func ReadPairs(body []byte) ([]ReadersPair, error) {
	var out []ReadersPair
	var bad []string
	seen := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	lines.Buffer(nil, 1<<26)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		p, wrong := readPair(lines.Bytes())
		if before, twice := seen[p.ID]; wrong == "" && twice {
			wrong = fmt.Sprintf("id: %q stands on line %d already", p.ID, before)
		}
		if wrong != "" {
			bad = append(bad, fmt.Sprintf("line %d, %s", n, wrong))
			continue
		}
		seen[p.ID] = n
		out = append(out, p)
	}
	switch {
	case lines.Err() != nil:
		return nil, problem.New(problem.Invalid, "pairs_line", "the pairs cannot be read").Because(lines.Err()).WithHint(pairsHint)
	case len(bad) > 0:
		more := ""
		if len(bad) > mostBadRows {
			more = fmt.Sprintf("; and %d more", len(bad)-mostBadRows)
		}
		return nil, problem.New(problem.Invalid, "pairs_line", "%s%s", strings.Join(bad[:min(len(bad), mostBadRows)], "; "), more).
			WithHint(pairsHint)
	case len(out) == 0:
		return nil, problem.New(problem.Invalid, "pairs_none", "there are no pairs to judge").WithHint(pairsHint)
	}
	return out, nil
}

// readPair reads one line. wrong is the field with what is wrong with it, "" where nothing is.
func readPair(line []byte) (p ReadersPair, wrong string) {
	if err := json.Unmarshal(line, &p); err != nil {
		var typed *json.UnmarshalTypeError
		if errors.As(err, &typed) && typed.Field != "" {
			return p, fmt.Sprintf("%s: %s is not what belongs there", typed.Field, typed.Value)
		}
		return p, "the whole line: is not a JSON object"
	}
	for _, f := range []struct{ name, value string }{{"id", p.ID}, {"question", p.Question}, {"before", p.Before}, {"after", p.After}} {
		if strings.TrimSpace(f.value) == "" {
			return p, f.name + ": is missing or empty"
		}
	}
	answerable := p.Answerable == nil || *p.Answerable
	switch {
	case p.Lang != "" && p.Lang != "en" && p.Lang != "ja":
		return p, fmt.Sprintf("lang: %q is neither en nor ja", p.Lang)
	case answerable && strings.TrimSpace(p.Reference) == "":
		return p, "reference: is missing or empty; without a right answer correctness cannot be judged"
	}
	if wrong = p.Reader.wrong("reader"); wrong == "" && p.Second != nil {
		wrong = p.Second.wrong("second_reader")
	}
	if p.Lang == "" {
		p.Lang = text.Language(p.Question + p.Reference)
	}
	return p, wrong
}

func (r Reading) wrong(field string) string {
	if r.Label() == "" {
		return fmt.Sprintf("%s.verdict: %q is none of worse, mixed, same, better", field, r.Verdict)
	}
	if r.Correctness != nil {
		for _, grade := range r.Correctness {
			if grade < 1 || grade > 5 {
				return fmt.Sprintf("%s.correctness: %d is not from 1 to 5", field, grade)
			}
		}
	}
	return ""
}
