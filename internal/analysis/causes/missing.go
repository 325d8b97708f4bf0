package causes

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// longLabel is the length in code points above which a label is no piece of evidence but a passage that holds it somewhere: no
// contexts need to hold all of it.
const longLabel = 600

// evidence is step 2: where the corpus holds what the reference claims. Evidence that is not there ends the diagnosis.
func (x contextRepair) evidence(ctx context.Context) (bool, error) {
	if !x.c.Question.Answerable {
		return false, nil // nothing is claimed, so nothing has to be found
	}
	lost, labelled := x.labels()
	x.lost = lost
	if labelled && lost == nil && len(x.passages) == 0 {
		x.known = true
		x.step("evidence", "labels", len(x.claims), len(x.claims), 0)
		return false, nil
	}
	enough, err := x.sufficient(ctx)
	if err != nil {
		return false, err
	}
	if !x.powers.Corpus || x.c.Question.Reference == "" {
		x.why = "no_corpus"
		if x.c.Question.Reference == "" {
			x.why = "no_reference"
		}
		return false, nil
	}
	if enough && !x.powers.SameVerdicts { // a search would be bought to quote what is there in any case
		if lost == nil && len(x.passages) > 0 {
			x.somewhere(x.claims)
		}
		return false, nil
	}
	return x.search(ctx, lost)
}

// search looks for the claims of the reference in the documents.
func (x contextRepair) search(ctx context.Context, lost *EvidenceLabel) (bool, error) {
	labels := x.claims
	claims, err := x.lab.Claims(ctx, x.c.Question)
	if err != nil {
		return false, err
	}
	x.step("evidence", "claims", len(claims), len(claims), 1)
	searches, err := x.searchNear(ctx, claims)
	if err != nil {
		return false, err
	}
	x.sumUp(searches, lost)
	switch {
	case x.enough:
		x.claims = slices.DeleteFunc(x.claims, func(c claimEvidence) bool { return !c.found() })
		return false, nil
	case lost == nil && len(x.passages) > 0:
		x.somewhere(labels)
		return false, nil
	}
	return x.missing(ctx, searches)
}

// sufficient tries the best prompt and model on the contexts that are there, before anything is looked for: contexts that a good answer
// can be written from hold what is needed, wherever it stands, and no search has to be paid for.
func (x contextRepair) sufficient(ctx context.Context) (bool, error) {
	best := x.generating().best()
	if !x.powers.Contexts || !x.powers.Asks() || best == (Swap{}) || len(x.c.Hits()) == 0 {
		return false, nil
	}
	first := tried{contexts: x.c.Hits(), swap: best}
	step, change := best.step()
	t, err := x.try(ctx, step, change, first, max(1, x.rules.Trials/2))
	if err == nil && t.passes+t.bare > 0 && t.passes+t.bare < t.trials { // one good answer of two may be a slip of the judge
		t, err = x.try(ctx, step, change, t, max(1, x.rules.Trials/2))
	}
	x.enough = 2*(t.passes+t.bare) > t.trials
	x.lacks = !x.enough
	return x.enough, err
}

// notEnough goes back to the search where contexts that seemed to be enough healed nothing after all.
func (x contextRepair) notEnough(ctx context.Context) error {
	x.enough, x.lacks, x.claims = false, true, nil
	done, err := x.search(ctx, x.lost)
	if err == nil && !done {
		done, err = x.retrieval(ctx)
	}
	if err == nil && !done {
		err = x.generating().alone(ctx, x.now)
	}
	return err
}

// labels takes over the evidence that the dataset names. It returns the first label that no longer stands in the corpus. Labels that
// are whole passages are kept apart: the claims are looked for in them.
func (x contextRepair) labels() (lost *EvidenceLabel, labelled bool) {
	knows, ok := x.lab.(EvidenceLab)
	if !ok {
		return nil, false
	}
	for _, l := range knows.Labels(x.c.Question) {
		labelled = true
		span := QuotedSpan{Span: l.Now, Quote: l.Quote}
		if l.Found {
			x.named = append(x.named, span)
		}
		switch {
		case !l.Found:
			lost = &l
		case l.Now.Range().Len() > longLabel:
			x.passages = append(x.passages, span)
		default:
			found := claimEvidence{claim: l.Quote, spans: []QuotedSpan{span}, share: 1, labelled: true}
			if l.Around.Text != "" {
				found.windows = []Window{l.Around}
			}
			x.claims = append(x.claims, found)
		}
	}
	return lost, labelled
}

// somewhere settles evidence that is labelled by whole passages, beside labels that are evidence themselves. Claims that were found
// in the corpus are evidence; where none was, any
// part of a passage will do, since the label says that it is in there.
func (x contextRepair) somewhere(labels []claimEvidence) {
	found := labels
	for _, c := range x.claims {
		if c.found() {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		for _, p := range x.passages {
			found = append(found, claimEvidence{claim: shortQuote(p.Quote), spans: []QuotedSpan{p}, share: 1, labelled: true,
				anywhere: true})
		}
	}
	x.claims, x.known = found, true
}

// nearCalls is how many calls the first look at the claims of a reference may take. The claims that are left then are only looked for
// when nothing healed the answer: a reference of many sentences mostly has the same cause by the first of them.
const nearCalls = 12

// searchNear looks for the claims one by one, each among the windows that come nearest, and where none holds it, in two places.
func (x contextRepair) searchNear(ctx context.Context, claims []string) ([]*searching, error) {
	var searches []*searching
	calls := 0
	for i, claim := range claims {
		if calls >= nearCalls {
			x.unread = claims[i:]
			break
		}
		s, err := x.newSearch(ctx, claim)
		if err != nil {
			return nil, err
		}
		if err := s.near(ctx); err != nil {
			return nil, err
		}
		if !s.settled() {
			if err := s.inTwoPlaces(ctx); err != nil {
				return nil, err
			}
		}
		calls += s.calls
		searches = append(searches, s)
	}
	return searches, nil
}

// searchUnread looks for the claims that were left, and comes back to what is missing of them.
func (x contextRepair) searchUnread(ctx context.Context) error {
	if len(x.unread) == 0 || x.later != nil {
		return nil
	}
	left, known := x.unread, x.claims
	x.unread = nil
	searches, err := x.searchNear(ctx, left)
	if err == nil {
		err = x.searchFar(ctx, searches)
	}
	if err != nil {
		return err
	}
	x.sumUp(searches, x.lost)
	x.claims = append(known, x.claims...)
	if g := x.gaps(); g.missing > 0 {
		x.later = &g
	}
	return nil
}

// searchFar goes on with claims that are not settled, among all windows, until one is confirmed to be missing: one missing claim decides
// as much as several.
func (x contextRepair) searchFar(ctx context.Context, searches []*searching) error {
	for _, s := range searches {
		if s.settled() {
			continue
		}
		if err := s.far(ctx); err != nil {
			return err
		}
		if !s.settled() {
			break
		}
	}
	return nil
}

// sumUp takes over what was found.
func (x contextRepair) sumUp(searches []*searching, lost *EvidenceLabel) {
	x.claims = nil
	for _, s := range searches {
		found := s.result()
		for i := range found {
			found[i].lost = lost
		}
		if calls := s.calls - s.told; calls > 0 {
			x.step("evidence", s.claim, counted(found[0].found()), len(s.all), calls)
			s.told = s.calls
		}
		x.claims = append(x.claims, found...)
	}
	x.known = len(x.claims) > 0
}

func counted(b bool) int {
	if b {
		return 1
	}
	return 0
}

// gaps is what the corpus does not hold of a reference.
type gaps struct {
	missing, found int
	share          float64        // of votes for the claim that is missed with least certainty
	contradicted   *claimEvidence // nil when nothing is
	lost           *EvidenceLabel
}

func (x contextRepair) gaps() gaps {
	g := gaps{share: 1}
	for i := range x.claims {
		c := &x.claims[i]
		if c.found() {
			g.found++
			continue
		}
		g.missing++
		g.share, g.lost = min(g.share, c.share), c.lost
		if len(c.against) > 0 && g.contradicted == nil {
			g.contradicted = c
		}
	}
	return g
}

// missing decides what it means that the corpus does not hold some claim. Where it holds most of them, the diagnosis goes on with those,
// and comes back to what is missing when nothing else heals the answer: a search that overlooks one claim of many is likelier than a
// document that lacks it.
func (x contextRepair) missing(ctx context.Context, searches []*searching) (bool, error) {
	g := x.gaps()
	switch {
	case g.missing == 0:
		return false, nil
	case g.lost == nil && g.found > g.missing:
		x.later = &g
		return false, nil
	}
	if g.contradicted == nil { // what nobody can understand is found by luck, if at all
		plain, why, confidence, err := x.clear(ctx)
		if err != nil {
			return false, err
		}
		if !plain {
			x.unclear(why, confidence)
			return true, nil
		}
	}
	if healed, err := x.generating().deep(ctx); err != nil || healed {
		return healed, err
	}
	if err := x.searchFar(ctx, searches); err != nil {
		return false, err
	}
	x.sumUp(searches, g.lost)
	if g = x.gaps(); g.missing == 0 {
		return false, nil
	}
	if g.contradicted != nil {
		x.contradiction(*g.contradicted, g.contradicted.share)
		return true, nil
	}
	if g.found > 0 {
		enough, err := x.suffices(ctx)
		if err != nil || enough {
			return false, err
		}
	}
	x.inVain(g, g.share)
	if g.lost != nil {
		_, err := x.generating().behind(ctx)
		return true, err
	}
	return true, x.unlessTold(ctx, nearlyTold(searches))
}

// toldShare is the share of a claim's words with a meaning from which a window seems to tell it in other words. Of claims whose document
// was taken away, 19 of 20 find less in any other (`go run ./bench/causes -worlds`).
const toldShare = 0.55

// nearlyTold reports whether a claim that was not found finds most of its words in one window: the documents may tell it in other words.
func nearlyTold(searches []*searching) bool {
	return slices.ContainsFunc(searches, func(s *searching) bool {
		words := CauseTopic(s.claim)
		return !s.settled() && slices.ContainsFunc(s.all, func(w *windowVotes) bool { return heldShare(words, w.window.Text) >= toldShare })
	})
}

// leastWords are so many words and figures that a place which lacks them lacks what they say.
const leastWords = 2

// tooShort reports whether a claim that was not found has too few words to be looked for by words: "None.", "It costs nothing.". Where the
// question was put before it, see [WholeClaims], it has.
func (x contextRepair) tooShort() bool {
	return slices.ContainsFunc(x.claims, func(c claimEvidence) bool {
		return !c.found() && c.lost == nil && len(wordsAndFigures(c.claim)) < leastWords
	})
}

// unlessTold looks behind a gap in the documents. A judge that only compares words overlooks what is told in others, and what stands in a
// table without a word of the question: where the documents seem to say it, or the claim is too short to be looked for, no gap is shown
// and the cause is unknown, whether or not the facts of the reference make a good answer.
func (x contextRepair) unlessTold(ctx context.Context, told bool) error {
	facts, err := x.generating().behind(ctx)
	if err != nil || !x.powers.SameVerdicts || facts.trials == 0 {
		return err
	}
	alone, err := x.toldAlone(ctx)
	detail := "in_other_words"
	if facts.bareHealed() {
		detail = "maybe_in_other_words"
	}
	switch {
	case err != nil:
	case x.stands.DocID != "":
		x.d.Repairs, x.d.Further, x.d.Detail = nil, nil, "stands_there"
		x.finish(Undetermined, 0)
	case told || alone || x.tooShort():
		x.d.Repairs, x.d.Further, x.d.Detail = nil, nil, detail
		x.finish(Undetermined, 0)
	case !facts.bareHealed():
		x.finish(Database, min(x.d.Confidence, unprovenShare))
	}
	return err
}

// toldAlone looks for what was not found by the words of the reference alone, whole and piece by piece, since a search for question and
// reference together may miss the place that answers with a figure only. It notes where such words stand as they are, and reports whether
// one window holds most words and figures of a piece.
func (x contextRepair) toldAlone(ctx context.Context) (bool, error) {
	told := false
	for _, piece := range x.unfoundPieces() {
		windows, err := x.lab.Candidates(ctx, x.c.Question, piece)
		if err != nil {
			return false, err
		}
		words := wordsAndFigures(piece)
		for _, w := range windows {
			if at := standsIn(piece, w); at.DocID != "" {
				x.stands = at
				return true, nil
			}
			held := wordsAndFigures(w.Text)
			n := 0
			for word := range words {
				n += counted(held[word])
			}
			told = told || len(words) >= leastPiece && float64(n) >= toldPiece*float64(len(words))
		}
	}
	return told, nil
}

// A passage tells a piece of at least leastPiece words and figures that holds toldPiece of them: of a piece more than of a whole claim,
// since few words are found together by chance.
const (
	leastPiece = 4
	toldPiece  = 0.7
)

var pieceEnds = text.Lazy(`[\n;；。()（）]+|\.\s`)

// unfoundPieces are the claims that were not found, without the question that was put before them, and their pieces.
func (x contextRepair) unfoundPieces() []string {
	reference := strings.TrimSpace(x.c.Question.Reference)
	var claims, out []string
	for _, c := range x.claims {
		if !c.found() && c.lost == nil {
			claims = append(claims, strings.TrimSpace(strings.TrimPrefix(c.claim, x.c.Question.Text)))
		}
	}
	if len(x.claims) == 0 {
		claims = []string{reference}
	}
	for _, claim := range claims {
		for _, piece := range append([]string{claim}, pieceEnds.Split(claim, -1)...) {
			if piece = strings.Trim(piece, " .。、,"); piece != "" && !slices.Contains(out, piece) {
				out = append(out, piece)
			}
		}
	}
	return out
}

func wordsAndFigures(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Terms(s) {
		if t.Class != text.Function {
			out[t.Text] = true
		}
	}
	return out
}

// Lengths in code points from which on words that stand in a document as they are say more than a bare figure or name does.
const (
	leastStandingEN = 12
	leastStandingJA = 8
)

// standsIn is where a window holds words as they are; no document where it does not.
func standsIn(words string, w Window) QuotedSpan {
	length, least := utf8.RuneCountInString(words), leastStandingEN
	if len(words) >= 2*length {
		least = leastStandingJA
	}
	i := strings.Index(w.Text, words)
	if i < 0 || length < least {
		return QuotedSpan{}
	}
	start := w.Start + utf8.RuneCountInString(w.Text[:i])
	return QuotedSpan{Span: rag.Span{DocID: w.DocID, Start: start, End: start + length}, Quote: words}
}

// mediumAtMost is the most that can be made certain by what is short of a proof: a search in vain, since the documents were searched and
// not replaced; a change of which another does as well; one that healed the answer at the second draw only.
const mediumAtMost = 0.94

// inVain closes the diagnosis of documents that lack what the reference says.
func (x contextRepair) inVain(g gaps, confidence float64) {
	x.d.Detail = "not_in_corpus"
	switch {
	case g.lost != nil:
		x.d.Detail = lostDetail(g.lost)
	case g.found > 0:
		x.d.Detail = "partly_missing"
	}
	if g.lost == nil {
		confidence = min(confidence, mediumAtMost)
	}
	x.d.Repairs = []Repair{{Component: Database, Param: "corpus", To: "add", ContextCost: 1}}
	x.finish(Database, confidence)
}

// lostDetail says what became of a label that no longer stands in the documents: out of date where its sentence was found again with other
// words or figures, else removed.
func lostDetail(l *EvidenceLabel) string {
	if l.Instead != "" {
		return "stale"
	}
	return "removed"
}

// comeBack closes a diagnosis that went on although the corpus lacks some claim, or no longer holds the labelled words and others
// were taken for them, and that healed nothing. The confidence is the share of claims that were looked for in vain; one half where only
// the label is lost.
func (x contextRepair) comeBack(ctx context.Context) error {
	g := gaps{lost: x.lost, missing: 1, found: 1}
	if x.later != nil {
		g = *x.later
	}
	confidence := float64(g.missing) / float64(g.missing+g.found)
	x.d.Repairs, x.d.Further = nil, nil
	if g.contradicted != nil {
		x.contradiction(*g.contradicted, confidence)
		return nil
	}
	x.inVain(g, confidence)
	if g.lost != nil {
		return nil
	}
	return x.unlessTold(ctx, true)
}

// contradiction decides between a corpus that is out of date and a wrong reference. Only a label tells them apart: words that stood
// in the corpus when the dataset was made, said what the reference says, and stand there no longer.
func (x contextRepair) contradiction(c claimEvidence, confidence float64) {
	if c.lost != nil {
		x.d.Detail = lostDetail(c.lost)
		x.d.Repairs = []Repair{{Component: Database, Param: "corpus", To: "update", ContextCost: 1}}
		x.finish(Database, confidence)
		return
	}
	x.d.Detail = "reference_or_stale"
	x.d.Repairs = []Repair{{Component: ReferenceText, To: "correct", ContextCost: 1}}
	x.d.Alternatives = []Repair{{Component: Database, Param: "corpus", To: "update", ContextCost: 1}}
	x.finish(ReferenceText, min(confidence, mediumAtMost)) // texts were compared, and nothing was replaced
}

// suffices tests whether what the corpus holds is enough for a good answer although some claim was not found: with the evidence that
// was found, and every part replaced that can be.
func (x contextRepair) suffices(ctx context.Context) (bool, error) {
	if !x.powers.Contexts {
		return false, nil
	}
	t, err := x.settle(ctx, "oracle", "evidence that was found", x.evidenceOnly(x.claims), x.generating().best())
	return t.healed(), err
}
