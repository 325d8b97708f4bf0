package causes

import (
	"context"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// EvidenceOf looks for the evidence of a question: the dataset's own labels where they still stand, else, where the laboratory can
// search documents, one place for each key claim of the reference. found says whether every claim has one.
func EvidenceOf(ctx context.Context, lab Lab, rules CauseRules, q experiments.Question, searchable bool) (
	spans []rag.Span, found bool, err error,
) {
	x := &diagnosing{lab: lab, c: LabCase{Question: q}, rules: rules.filled(), config: lab.Config(), powers: lab.Can()}
	lost, labelled := x.searching().labels()
	if !labelled || lost != nil || len(x.passages) > 0 {
		if !searchable || q.Reference == "" {
			return nil, false, nil
		}
		claims, err := lab.Claims(ctx, q)
		if err != nil {
			return nil, false, err
		}
		searches, err := x.searching().searchNear(ctx, claims)
		if err == nil {
			err = x.searching().searchFar(ctx, searches)
		}
		if err != nil {
			return nil, false, err
		}
		x.searching().sumUp(searches, nil)
	}
	found = len(x.claims) > 0
	for _, c := range x.claims {
		if !c.found() {
			found = false
			continue
		}
		span, whole, ok := x.meant(c)
		found = found && ok && whole
		if ok {
			spans = append(spans, span)
		}
	}
	return spans, found, nil
}

// TableLab is what a Lab offers besides where it can read the tables that places lie in.
type TableLab interface {
	// Row is the row of a table that a question and a claim speak of, where place is one: the place itself, or another row of its table,
	// which is there instead. whole says whether it states the claim's quantities; ok is false where nothing tells the place from its
	// neighbours.
	Row(place rag.Span, asked, claim string) (row rag.Span, whole, ok bool)
}

// meant is the first place of a claim that is evidence: rows of a table that differ in one name and one figure are alike to whoever
// compares words. What a dataset labels stands as it is.
func (x *diagnosing) meant(c claimEvidence) (span rag.Span, whole, ok bool) {
	lab, reads := x.lab.(TableLab)
	if c.labelled || !reads {
		return c.spans[0].Span, true, true
	}
	for _, s := range c.spans {
		if row, whole, ok := lab.Row(s.Span, x.c.Question.Text, c.claim); ok && row == s.Span {
			return row, whole, true
		}
	}
	return lab.Row(c.spans[0].Span, x.c.Question.Text, c.claim)
}

// The words of a verdict on a window.
const (
	Entails     = "entail"
	Contradicts = "contradict"
	Neutral     = "neutral"
)

// A window is believed to entail or contradict a claim when so many more votes say so than not: three among the first windows that
// are looked at, which are few; four among the many others, since of sixty windows some will be mistaken twice.
const (
	beliefNear = 3
	beliefFar  = 4
	mostVotes  = 9
	patience   = 2 // in the second search
)

// windowVotes is what was said of one window.
type windowVotes struct {
	window      Window
	votes       int
	entail      int
	against     int
	quote, anti rag.Span
	need        int
	patience    int // how far behind it may fall and still be asked about
}

// lead is how many more votes gave this verdict than did not.
func (w *windowVotes) lead(n int) int { return 2*n - w.votes }

func (w *windowVotes) believed() bool { return w.lead(w.entail) >= w.need }

func (w *windowVotes) disputed() bool { return w.lead(w.against) >= w.need }

// open reports whether a further vote may decide: the last word is not spoken and the window still has a chance.
func (w *windowVotes) open() bool {
	has := func(n int) bool { return n > 0 && w.lead(n) > -w.patience }
	return !w.believed() && !w.disputed() && w.votes < mostVotes && (has(w.entail) || has(w.against))
}

func (w *windowVotes) add(v WindowVerdict) {
	w.votes++
	switch {
	case v.Verdict == Entails && quoteWithin(v.Quote, w.window):
		w.entail++
		w.quote = v.Quote
	case v.Verdict == Contradicts && quoteWithin(v.Quote, w.window):
		w.against++
		w.anti = v.Quote
	}
}

// quoteWithin reports whether a quote lies in its window: a verdict without words that decide it counts as neutral.
func quoteWithin(q rag.Span, w Window) bool {
	return q.DocID == w.DocID && q.Start >= w.Start && q.End <= w.End && q.End > q.Start
}

// newSearch readies the search for one claim. Windows that the contexts hold are looked at first, since the answer was written from
// them.
func (x contextRepair) newSearch(ctx context.Context, claim string) (*searching, error) {
	windows, err := x.lab.Candidates(ctx, x.c.Question, claim)
	if err != nil {
		return nil, err
	}
	alone, glued := strings.CutPrefix(claim, x.c.Question.Text+" ")
	if !glued {
		return &searching{x: x.diagnosing, claim: claim, all: x.ordered(windows)}, nil
	}
	literal, err := x.lab.Candidates(ctx, x.c.Question, alone) // the words of the question may lead away from the figure that answers it
	if err != nil {
		return nil, err
	}
	literal = slices.DeleteFunc(slices.Clone(literal), func(w Window) bool { return standsIn(alone, w).DocID == "" })
	windows = slices.DeleteFunc(slices.Clone(windows), func(w Window) bool { return slices.Contains(literal, w) })
	return &searching{x: x.diagnosing, claim: claim, all: x.ordered(append(literal, windows...))}, nil
}

// near looks at the first batch of windows.
func (s *searching) near(ctx context.Context) error { return s.look(ctx, s.first(1), s.first(1)) }

// first are the windows of the first n batches.
func (s *searching) first(n int) []*windowVotes { return s.all[:min(n*s.x.rules.Batch, len(s.all))] }

// far looks at the windows behind the first batch. Then, since it is expensive to be wrong about a claim that was neither found nor
// contradicted, it looks at the better windows once more, and is more patient with them.
func (s *searching) far(ctx context.Context) error {
	if err := s.look(ctx, s.all[len(s.first(1)):], s.all); err != nil || s.settled() {
		return err
	}
	for _, w := range s.all {
		w.patience = patience
	}
	return s.look(ctx, s.first(2), s.all)
}

func (s *searching) look(ctx context.Context, screened, confirmed []*windowVotes) error {
	if err := s.screen(ctx, screened); err != nil {
		return err
	}
	return s.confirm(ctx, confirmed)
}

// settled reports whether the claim was found or contradicted.
func (s *searching) settled() bool {
	return s.found() || s.pair != nil || slices.ContainsFunc(s.all, (*windowVotes).disputed)
}

// ordered puts the windows that the contexts or labelled passages hold first, and keeps the best of the others. Contexts that the
// candidates leave out are windows too: what the answer was written from must not be overlooked. Contexts from which the best prompt and
// model could not answer come in no particular order: the claim is likelier to stand elsewhere.
func (x contextRepair) ordered(windows []Window) []*windowVotes {
	all := make([]*windowVotes, 0, len(windows))
	put := func(w Window) {
		if len(all) < x.rules.Windows {
			all = append(all, &windowVotes{window: w, need: beliefFar})
		}
	}
	preferred := func(w Window) bool {
		return !x.lacks && slices.ContainsFunc(x.c.Hits(), func(h rag.Hit) bool { return 2*h.Overlap(w.Span) >= w.Range().Len() }) ||
			slices.ContainsFunc(x.passages, func(p QuotedSpan) bool { return p.Overlap(w.Span) > 0 })
	}
	contexts := func() {
		for _, h := range x.c.Hits() {
			if h.DocID != "" && h.Text != "" && !mostlyHeld(h, windows) {
				put(Window{Span: h.Span, Text: h.Text})
			}
		}
	}
	if !x.lacks {
		contexts()
	}
	for _, first := range []bool{true, false} {
		for _, w := range windows {
			if preferred(w) == first {
				put(w)
			}
		}
	}
	if x.lacks {
		contexts()
	}
	for i := range min(x.rules.Batch, len(all)) {
		all[i].need = beliefNear
	}
	return all
}

// mostlyHeld reports whether windows hold most of a context.
func mostlyHeld(h rag.Hit, windows []Window) bool {
	held := 0
	for _, w := range windows {
		held += h.Overlap(w.Span)
	}
	return 2*held >= h.Range().Len()
}

// searching is the search for one claim.
type searching struct {
	x     *diagnosing
	claim string
	all   []*windowVotes
	pair  []claimEvidence // the two places that hold the claim together
	calls int
	told  int // of calls, those that a step tells of
}

func (s *searching) found() bool { return slices.ContainsFunc(s.all, (*windowVotes).believed) }

// screen gives each window one vote.
func (s *searching) screen(ctx context.Context, all []*windowVotes) error {
	for batch := range slices.Chunk(all, s.x.rules.Batch) {
		// Votes are numbered by window, and a call asks for one number: windows of another number go into a call of their own.
		byVote := map[int][]*windowVotes{}
		var order []int
		for _, w := range batch {
			if len(byVote[w.votes]) == 0 {
				order = append(order, w.votes)
			}
			byVote[w.votes] = append(byVote[w.votes], w)
		}
		for _, vote := range order {
			if err := s.ask(ctx, byVote[vote], vote); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *searching) ask(ctx context.Context, batch []*windowVotes, vote int) error {
	windows := make([]Window, len(batch))
	for i, w := range batch {
		windows[i] = w.window
	}
	verdicts, err := s.x.lab.Supports(ctx, s.x.c.Question, s.claim, windows, vote)
	if err != nil {
		return err
	}
	s.calls++
	for i, w := range batch {
		v := WindowVerdict{Verdict: Neutral}
		if i < len(verdicts) {
			v = verdicts[i]
		}
		w.add(v)
	}
	return nil
}

// confirm votes on until every window with a chance is decided.
func (s *searching) confirm(ctx context.Context, all []*windowVotes) error {
	for {
		var open []*windowVotes
		for _, w := range all {
			if w.open() {
				open = append(open, w)
			}
		}
		if len(open) == 0 {
			return nil
		}
		if err := s.screen(ctx, open); err != nil {
			return err
		}
	}
}

// result sums up the search: one piece of evidence, or two that hold the claim together.
func (s *searching) result() []claimEvidence {
	if !s.found() && s.pair != nil {
		return s.pair
	}
	out := claimEvidence{claim: s.claim, share: 1}
	agree, votes := 0, 0
	for _, w := range s.all {
		switch {
		case w.believed():
			out.spans = append(out.spans, QuotedSpan{Span: w.quote, Quote: cutWindow(w.window, w.quote)})
			out.windows = append(out.windows, s.x.around(w.window, w.quote))
			if agree+votes == 0 {
				agree, votes = w.entail, w.votes
			}
		case w.disputed() && len(out.against) == 0:
			out.against = []QuotedSpan{{Span: w.anti, Quote: cutWindow(w.window, w.anti), Contradicts: true}}
		}
	}
	switch {
	case votes > 0:
		out.share = float64(agree) / float64(votes)
		out.against = nil
	default:
		out.share = missingShare(s.all, len(out.against) > 0)
	}
	return []claimEvidence{out}
}

// missingShare is the share of votes for what was found of a claim that no window entails, on the window that came closest.
func missingShare(all []*windowVotes, disputed bool) float64 {
	share := 1.0
	for _, w := range all {
		switch {
		case w.votes == 0:
		case disputed && w.disputed():
			return float64(w.against) / float64(w.votes)
		case !disputed:
			share = min(share, 1-float64(w.entail)/float64(w.votes))
		}
	}
	return share
}

// cutWindow is the text of a place in a window.
func cutWindow(w Window, s rag.Span) string {
	runes := []rune(w.Text)
	from, to := s.Start-w.Start, s.End-w.Start
	if from < 0 || to > len(runes) || from >= to {
		return ""
	}
	return string(runes[from:to])
}

// CauseTopic are the words that carry what a text is about.
func CauseTopic(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Terms(s) {
		if t.Class == text.Content {
			out[t.Text] = true
		}
	}
	return out
}

// WindowChars is the length of a window in code points, on sentence borders.
const WindowChars = 400
