package metrics

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag"
)

// KindVerdict is the kind of the stages that keep the verdict on one claim and one passage.
const KindVerdict = "verdict"

// pair is what a cell's verdict depends on: the words of the claim and of the passage, wherever they come from.
type pair struct{ claim, passage string }

// missingCells is a set of cells to find. Equal claims, and equal passages, share their cells.
type missingCells struct {
	judge    string // key of judge and instruction
	claims   []string
	passages []string
	most     int // claims of a call
	extra    int // passages that come on top of the limit of a call
	need     map[pair]bool
	got      map[pair]cellVerdict
	why      map[pair]string // cause, of cells whose last verdict was of no use
}

// newSheet lays matrices over each other. The passages of the smaller matrices, the reference or the answer, come first.
func newSheet(matrices []*claimMatrix, judge string) *missingCells {
	s := &missingCells{judge: judge, need: map[pair]bool{}, got: map[pair]cellVerdict{}, why: map[pair]string{}}
	ordered := slices.SortedStableFunc(slices.Values(matrices), func(a, b *claimMatrix) int { return len(a.passages) - len(b.passages) })
	for _, g := range ordered {
		for _, passage := range g.passages {
			if !slices.Contains(s.passages, passage) {
				s.passages = append(s.passages, passage)
			}
			for _, claim := range g.claims {
				s.need[pair{claim, passage}] = true
			}
		}
		for _, claim := range g.claims {
			if !slices.Contains(s.claims, claim) {
				s.claims = append(s.claims, claim)
			}
		}
	}
	for _, passage := range s.passages {
		if !slices.Contains(ordered[len(ordered)-1].passages, passage) {
			s.extra++
		}
	}
	if s.most = maxClaims; len(matrices) > 1 && len(s.passages) > 0 {
		s.most = max(maxClaims, maxClaims*maxPassages/len(s.passages))
	}
	return s
}

func (s *missingCells) missing(claim, passage string) bool {
	p := pair{claim, passage}
	if !s.need[p] {
		return false
	}
	_, ok := s.got[p]
	return !ok
}

// find finds the cells in the stages and the judge. What stays missing after the last try is left missing.
//
// Verdicts are kept together when all cells have been asked about to the end, and not before: an asking that was broken off is begun
// again with the very requests it began with, and the ledger knows the replies to those. Were they kept one by one, what is missing would
// be cut into other calls then, and pairs that were paid would be asked about again in other company.
func (b matrixJudge) find(ctx context.Context, s *missingCells) error {
	// A judge that costs nothing is asked rather than looked up: that is faster than reading and writing every cell.
	bought := !b.judge.Info().Free
	if bought {
		if err := b.recallCells(ctx, s); err != nil {
			return err
		}
	}
	var fresh []pair
	for try := 0; try <= maxReasks; try++ {
		found, err := b.askAbout(ctx, s, try)
		if err != nil {
			return err
		}
		fresh = append(fresh, found...)
	}
	if !bought {
		return nil
	}
	return b.keepCells(ctx, s, fresh)
}

// askAbout sends the calls for what is missing, side by side since no two of them have a cell in common, and returns the cells found.
func (b matrixJudge) askAbout(ctx context.Context, s *missingCells, try int) ([]pair, error) {
	calls := s.calls()
	replies, errs, traces := make([]verifyReply, len(calls)), make([]error, len(calls)), make([]*llm.Trace, len(calls))
	llm.SideBySide(len(calls), func(i int) {
		t := verifyTask(calls[i], b.sample.Lang, try)
		t.criterion = s.wrong(calls[i], b.sample.Lang)
		var traced context.Context
		traced, traces[i] = llm.WithTrace(ctx)
		replies[i], errs[i] = complete[verifyReply](traced, b.Suite, t, b.request(ctx, t))
	})
	var fresh []pair
	for i, data := range calls {
		if errs[i] != nil {
			return nil, errs[i]
		}
		fresh = append(fresh, s.read(data, replies[i], traces[i].Calls())...)
	}
	return fresh, nil
}

func verifyTask(data verifyData, lang string, try int) task {
	cells := len(data.Claims) * len(data.Passages)
	return task{purpose: PurposeVerify, lang: lang, data: data, maxTokens: replyTokens + 60*cells, try: try}
}

// wrong says what was wrong with the last verdicts on the pairs of a call: quotes that their passages do not hold. It names numbers
// only, so that no text of an answer or a document comes among our words.
func (s *missingCells) wrong(data verifyData, lang string) string {
	var lines []string
	for _, claim := range data.Claims {
		for _, passage := range data.Passages {
			if s.missing(claim.Text, passage.Text) && s.why[pair{claim.Text, passage.Text}] == CauseQuoteNotFound {
				lines = append(lines, fmt.Sprintf(say(lang,
					"Your quote for claim %d does not occur in passage %d: copy one contiguous piece of it. A passage may break off inside a word; never complete it.",
					"主張%dに対する引用は文章%dにありません。文章から連続した一節をそのまま写してください。文章は単語の途中で切れていることがありますが、補わないでください。"),
					claim.Number, passage.Number))
			}
		}
	}
	return strings.Join(lines, "\n")
}

func (s *missingCells) key(p pair) string {
	return rag.StageKey(KindVerdict, matrixVersion, s.judge, p.claim, p.passage)
}

// recallCells reads the verdicts that were found before. Another process may commit those of all cells while they are read: they are
// read again until nothing comes any more, so that never a part of them is taken.
func (b matrixJudge) recallCells(ctx context.Context, s *missingCells) error {
	for {
		before := len(s.got)
		if err := b.recallMissing(ctx, s); err != nil || len(s.got) == before || len(s.got) == len(s.need) {
			return err
		}
	}
}

func (b matrixJudge) recallMissing(ctx context.Context, s *missingCells) error {
	for _, claim := range s.claims {
		for _, passage := range s.passages {
			p := pair{claim, passage}
			if !s.missing(claim, passage) {
				continue
			}
			body, found, err := b.stages.Stage(ctx, s.key(p))
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			var r cellVerdict
			if err := json.Unmarshal(body, &r); err != nil {
				return fmt.Errorf("stored verdict %s: %w", s.key(p), err)
			}
			s.got[p] = r
		}
	}
	return nil
}

func (b matrixJudge) keepCells(ctx context.Context, s *missingCells, found []pair) error {
	cells := make([]rag.Stage, len(found))
	for i, p := range found {
		body, err := json.Marshal(s.got[p])
		if err != nil {
			return fmt.Errorf("store verdict: %w", err)
		}
		cells[i] = rag.Stage{Key: s.key(p), Kind: KindVerdict, Body: body, Calls: s.got[p].Calls}
	}
	return rag.PutStages(ctx, b.stages, cells)
}

// calls cuts the missing cells into calls of at most maxClaims claims and maxPassages passages; where several lists of claims come
// together, of more claims as long as there are no more cells. A claim whose cells are
// not all missing names those that are.
func (s *missingCells) calls() []verifyData {
	claims := slices.DeleteFunc(slices.Clone(s.claims), func(c string) bool {
		return !slices.ContainsFunc(s.passages, func(p string) bool { return s.missing(c, p) })
	})
	passages := slices.DeleteFunc(slices.Clone(s.passages), func(p string) bool {
		return !slices.ContainsFunc(claims, func(c string) bool { return s.missing(c, p) })
	})
	var out []verifyData
	for row := range slices.Chunk(claims, s.most) {
		for first, limit := 0, maxPassages+s.extra; first < len(passages); first, limit = first+limit, maxPassages {
			if data, ok := s.call(row, passages[first:min(first+limit, len(passages))]); ok {
				out = append(out, data)
			}
		}
	}
	return out
}

func (s *missingCells) call(claims, passages []string) (verifyData, bool) {
	var data verifyData
	passages = slices.DeleteFunc(slices.Clone(passages), func(p string) bool {
		return !slices.ContainsFunc(claims, func(c string) bool { return s.missing(c, p) })
	})
	for _, claim := range claims {
		var check []int
		for k, passage := range passages {
			if s.missing(claim, passage) {
				check = append(check, k+1)
			}
		}
		switch {
		case len(check) == 0:
			continue
		case len(check) == len(passages):
			check = nil
		}
		data.Claims = append(data.Claims, numbered{Number: len(data.Claims) + 1, Text: claim, Check: check})
	}
	data.Passages = number(passages)
	return data, len(data.Claims) > 0
}

// read takes the usable cells of a reply and returns them. A cell is of no use when the reply gives it two verdicts or none,
// or a quote that the passage does not hold; pairs that were never asked about decide nothing.
func (s *missingCells) read(data verifyData, reply verifyReply, calls []string) []pair {
	said := map[pair]cellVerdict{}
	at := func(claim, passage int) (pair, bool) {
		if claim < 1 || claim > len(data.Claims) || passage < 1 || passage > len(data.Passages) {
			return pair{}, false
		}
		p := pair{data.Claims[claim-1].Text, data.Passages[passage-1].Text}
		return p, s.missing(p.claim, p.passage)
	}
	say := func(claim, passage int, r cellVerdict) {
		p, asked := at(claim, passage)
		if !asked {
			return
		}
		if before, twice := said[p]; twice && before.Verdict != r.Verdict {
			r = cellVerdict{} // which of the two is meant, nobody knows
		}
		said[p] = r
	}
	for _, c := range reply.Verdicts {
		say(c.Claim, c.Passage, cellVerdict{Verdict: c.Verdict, Quote: c.Quote})
	}
	for _, n := range reply.Neither {
		for _, passage := range n.Passages {
			say(n.Claim, passage, cellVerdict{Verdict: neither})
		}
	}
	var fresh []pair
	for _, claim := range data.Claims {
		for _, passage := range data.Passages {
			p := pair{claim.Text, passage.Text}
			if r, ok := said[p]; ok && s.usable(p, r) {
				r.Calls = calls
				s.got[p] = r
				fresh = append(fresh, p)
			}
		}
	}
	return fresh
}

func (s *missingCells) usable(p pair, r cellVerdict) bool {
	switch r.Verdict {
	case neither:
		return true
	case supported, contradicted:
		if textual.Proves(p.passage, r.Quote) {
			return true
		}
		s.why[p] = CauseQuoteNotFound
		return false
	}
	s.why[p] = CauseVerdictMissing
	return false
}
