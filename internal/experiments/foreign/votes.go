package foreign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/text"
)

// MostVotes bounds the votes of one question in a file: a run is made for each, and a column that asks the same in every row is mostly no
// question.
const MostVotes = 32

// OfVotes says what is made of several votes of one question: the mean of a run is one of questions, and so are comparisons and release
// checks, which measure by the votes how much of a difference is chance.
const OfVotes = "each question counts once, with the mean of its votes that have a score; comparisons and release checks take how far the votes " +
	"of one question lie apart as chance"

// askedKey is what makes two rows ask the same.
type askedKey struct{ id, question, reference string }

// keys tell of each item which question it asks. The tool's ids do where every row has one and each of them stands for one wording; else
// question and right answer do, as they are read and not as they are spaced. Items of one key are votes of one question, for an import
// as for a comparison of two files.
func (f *Foreign) keys() (keys []askedKey, byID bool) {
	worded := map[string]string{}
	byID = true
	for _, item := range f.Items {
		words := text.Fold(item.Question)
		first, known := worded[item.ID]
		byID = byID && item.ID != "" && (!known || first == words)
		if !known {
			worded[item.ID] = words
		}
	}
	keys = make([]askedKey, len(f.Items))
	for i, item := range f.Items {
		keys[i] = askedKey{question: text.Fold(item.Question), reference: item.Reference}
		if byID {
			keys[i] = askedKey{id: item.ID}
		}
	}
	return keys, byID
}

// tooOften refuses a file whose rows ask one question more often than anybody would.
func (r *foreignReader) tooOften() {
	keys, _ := r.out.keys()
	votes := map[askedKey]int{}
	for i, key := range keys {
		if r.out.Items[i].Answer == nil {
			continue
		}
		if votes[key]++; votes[key] == MostVotes+1 {
			if r.out.Items[i].Again {
				r.fault(&r.out.Items[i], intake.FieldQuestion, "the question has more than %d votes", MostVotes)
				continue
			}
			r.fault(&r.out.Items[i], intake.FieldQuestion, "more than %d %ss ask the same; is this the column with the questions?", MostVotes,
				r.out.Unit)
		}
	}
}

// repeated says that rows are votes, and which rows only look like it.
func (f *Foreign) repeated() (notes []string) {
	keys, byID := f.keys()
	votes := map[askedKey]int{}
	ids := map[askedKey][]string{} // rows that ask the same under other ids
	for i, key := range keys {
		item := f.Items[i]
		if item.Answer == nil && !f.scoresOnly || item.Again {
			continue
		}
		votes[key]++
		if byID && !f.scoresOnly && votes[key] == 1 {
			same := askedKey{question: text.Fold(item.Question), reference: item.Reference}
			ids[same] = append(ids[same], item.ID)
		}
	}
	several, most, rows := 0, 0, 0
	for _, n := range votes {
		if n > 1 {
			several, most, rows = several+1, max(most, n), rows+n
		}
	}
	if several > 0 && !f.scoresOnly {
		notes = append(notes, fmt.Sprintf("%s asked in several %ss, up to %d; each of these %d %[2]ss is a vote of its question",
			isOrAre(several, "question"), f.Unit, most, rows), OfVotes)
	} else if slices.ContainsFunc(f.Items, func(item ForeignItem) bool { return item.Again }) {
		notes = append(notes, OfVotes)
	}
	var doubled []string
	for _, same := range ids {
		if len(same) > 1 {
			doubled = append(doubled, strings.Join(same, " = "))
		}
	}
	if len(doubled) > 0 {
		slices.Sort(doubled)
		notes = append(notes, "the same question under other ids is a question of its own and no further vote: "+
			strings.Join(shortList(doubled), ", "))
	}
	return notes
}

// isOrAre is "1 question is" or "2 questions are".
func isOrAre(n int, noun string) string {
	if n == 1 {
		return strconv.Itoa(n) + " " + noun + " is"
	}
	return intake.Plural(n, noun) + " are"
}
