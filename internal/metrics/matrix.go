package metrics

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Limits of one verify call (science.md 5.3); longer lists are split over several calls.
const (
	maxClaims   = 10
	maxPassages = 8 // of the contexts; in a joint call the reference and the answer come on top
)

// maxReasks is how often cells that a judge left out or did not prove are asked for again, alone.
const maxReasks = 2

// Causes of cells that stayed without a usable verdict.
const (
	CauseVerdictMissing = "verdict_missing" // the judge never gave one verdict for the pair
	CauseQuoteNotFound  = "quote_not_found" // it gave one, with a quote that the passage does not hold
)

// matrixVersion covers how verdicts are read and kept; it changes when they would be read differently.
const matrixVersion = "2"

// The three verdicts on a claim and a passage.
const (
	supported    = "supported"
	contradicted = "contradicted"
	neither      = "neither"
)

// block is one part of the claim matrix: whose claims stand against which passages.
type block string

// The blocks (science.md 5.1: RR, AR, RA, RS).
const (
	answerByContexts    block = "answer_by_contexts"
	answerByReference   block = "answer_by_reference"
	referenceByContexts block = "reference_by_contexts"
	referenceByAnswer   block = "reference_by_answer"
)

// ofAnswer reports whether the block's claims are the answer's.
func (k block) ofAnswer() bool { return k == answerByContexts || k == answerByReference }

// cellVerdict is the verdict in one cell; the zero value has none.
type cellVerdict struct {
	Verdict string   `json:"verdict"`
	Quote   string   `json:"quote,omitempty"`
	Calls   []string `json:"calls,omitempty"` // ids of the ledger rows it came from
}

// claimMatrix holds the verdicts of one block.
type claimMatrix struct {
	block    block
	claims   []string
	passages []string
	at       [][]cellVerdict // by claim, by passage
	stage    string          // key under which it is stored
	err      error           // why there are no verdicts

	unread      []place // cells without a verdict of use, and why the last of them has none
	unreadCause string
}

// matrixBody is a matrix as a stage keeps it. Pairs that are not listed are neither supported nor contradicted. The claims stand
// in a stage of their own; the passages are the contexts of the answer in their order, or the reference, or the answer.
type matrixBody struct {
	Block    block  `json:"block"`
	Claims   int    `json:"claims"`
	Passages int    `json:"passages"`
	Cells    []cell `json:"cells"`
}

func (g *claimMatrix) is(claim, passage int, verdict string) bool {
	return g.at[claim][passage].Verdict == verdict
}

// some reports whether any passage has this verdict on a claim.
func (g *claimMatrix) some(claim int, verdict string) bool {
	for _, r := range g.at[claim] {
		if r.Verdict == verdict {
			return true
		}
	}
	return false
}

// fill finds the verdicts of matrices: as a whole where they were found before, cell by cell where claim and passage met before
// in other company, and from the judge for what is missing. Matrices that are filled together are asked about together.
func (b matrixJudge) fill(ctx context.Context, matrices []*claimMatrix) {
	judge := llm.KeyOf(b.judge.Info(), b.request(ctx, task{purpose: PurposeVerify, lang: b.sample.Lang}))
	var open []*claimMatrix
	for _, g := range matrices {
		found, err := b.recallAny(ctx, g, judge)
		switch {
		case err != nil:
			g.err = err
		case !found:
			open = append(open, g)
		}
	}
	if len(open) == 0 {
		return
	}
	s := newSheet(open, b.cellScope(judge))
	s.claims = shuffled(s.claims, b.order(ctx, "claims", len(s.claims)))
	s.passages = shuffled(s.passages, b.order(ctx, "passages", len(s.passages)))
	err := b.find(ctx, s)
	for _, g := range open {
		if g.err = err; err == nil {
			g.err = g.take(s)
		}
		if g.err == nil {
			g.err = b.keep(ctx, g)
		}
	}
}

// recallAny looks for a matrix under the key it is kept under, which it notes. Matrices of a judge that is bought are kept by question,
// as their cells are; they once were shared by all questions, and one of that time is taken as it stands, so that nothing is bought again.
func (b matrixJudge) recallAny(ctx context.Context, g *claimMatrix, judge llm.Key) (bool, error) {
	key := func(scope string) string {
		return rag.StageKey("matrix", matrixVersion, scope, g.block, g.claims, g.passages)
	}
	keys := []string{key(string(judge))}
	if !b.judge.Info().Free {
		keys = []string{key(b.cellScope(judge)), key(string(judge))}
	}
	for _, g.stage = range keys {
		if found, err := b.recall(ctx, g); found || err != nil {
			return found, err
		}
	}
	g.stage = keys[0]
	return false, nil
}

// recall reads a matrix that was filled before.
func (b matrixJudge) recall(ctx context.Context, g *claimMatrix) (bool, error) {
	body, found, err := b.stages.Stage(ctx, g.stage)
	if err != nil || !found {
		return false, err
	}
	var kept stored[matrixBody]
	if err := json.Unmarshal(body, &kept); err != nil {
		return false, fmt.Errorf("stored matrix %s: %w", g.stage, err)
	}
	g.clear(neither)
	for _, c := range kept.Reply.Cells {
		if c.Claim < 1 || c.Claim > len(g.claims) || c.Passage < 1 || c.Passage > len(g.passages) {
			return false, fmt.Errorf("stored matrix %s has a cell (%d, %d) outside itself", g.stage, c.Claim, c.Passage)
		}
		g.at[c.Claim-1][c.Passage-1] = cellVerdict{Verdict: c.Verdict, Quote: c.Quote}
		if c.Verdict == unread {
			g.unread, g.unreadCause = append(g.unread, place{c.Claim - 1, c.Passage - 1}), c.Quote
			g.at[c.Claim-1][c.Passage-1].Quote = ""
		}
	}
	return true, nil
}

func (g *claimMatrix) clear(verdict string) {
	g.at = make([][]cellVerdict, len(g.claims))
	for i := range g.at {
		g.at[i] = make([]cellVerdict, len(g.passages))
		for k := range g.at[i] {
			g.at[i][k].Verdict = verdict
		}
	}
}

func (b matrixJudge) keep(ctx context.Context, g *claimMatrix) error {
	out := matrixBody{Block: g.block, Claims: len(g.claims), Passages: len(g.passages), Cells: []cell{}}
	var calls []string
	for i, row := range g.at {
		for k, r := range row {
			calls = append(calls, r.Calls...)
			if r.Verdict == unread {
				r.Quote = g.unreadCause // there is no other
			}
			if r.Verdict != neither {
				out.Cells = append(out.Cells, cell{Claim: i + 1, Passage: k + 1, Verdict: r.Verdict, Quote: r.Quote})
			}
		}
	}
	body, err := json.Marshal(stored[matrixBody]{Purpose: PurposeVerify, Reply: out})
	if err != nil {
		return fmt.Errorf("store matrix %s: %w", g.stage, err)
	}
	return b.stages.PutStage(ctx, rag.Stage{Key: g.stage, Kind: "matrix", Body: body,
		Calls: slices.Compact(slices.Sorted(slices.Values(calls)))})
}

// take copies a matrix's cells from those that were found. Cells that are missing are unread; more than a few of them are an error.
func (g *claimMatrix) take(s *missingCells) error {
	g.clear(unread)
	g.unread, g.unreadCause = nil, CauseVerdictMissing
	for i, claim := range g.claims {
		for k, passage := range g.passages {
			if r, ok := s.got[pair{claim, passage}]; ok {
				g.at[i][k] = r
				continue
			}
			g.unread = append(g.unread, place{i, k})
			if why := s.why[pair{claim, passage}]; why != "" {
				g.unreadCause = why
			}
		}
	}
	if len(g.unread) <= mostUnread {
		return nil
	}
	return missingError(g.unreadCause, len(g.unread), len(g.claims)*len(g.passages))
}

// matrixJudge has the judge say which claims follow from what, for the scores that rest on it.
type matrixJudge struct{ *evaluation }

func (b *evaluation) matrix() matrixJudge { return matrixJudge{b} }
