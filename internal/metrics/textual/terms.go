package textual

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	// Passages remembers prepared passages.
	Passages = text.NewMemo(2048, PreparePassage)
	// Claims remembers prepared claims.
	Claims = text.NewMemo(2048, PrepareClaim)
	// Statements remembers prepared statements.
	Statements = text.NewMemo(4096, PrepareStatement)
	// Sentences remembers the sentences of texts.
	Sentences = text.NewMemo(4096, CutSentences)
)

// Splits remembers SplitClaims; it is set apart because claims are themselves prepared while a text is cut.
var Splits = text.NewMemo(4096, CutClaims)

// NewPassage prepares a text to support claims.
func NewPassage(s string) Passage { return Passages.Of(s) }

// DistinctTerms prepares a claim. A claim of grammar only, without a content word or number, has no terms.
func DistinctTerms(s string) ClaimTerms { return Claims.Of(s) }

// FBeta is the F measure of precision and recall; 0 when both are. Beta 2 weighs recall double, beta 0.5 precision.
func FBeta(precision, recall, beta float64) float64 {
	if precision == 0 && recall == 0 {
		return 0
	}
	b := beta * beta
	return (1 + b) * precision * recall / (b*precision + recall)
}

// RatioOrZero is part over whole, and 0 where the whole is 0.
func RatioOrZero(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// NoText reports whether a text is blank.
func NoText(s string) bool { return strings.TrimSpace(s) == "" }

// Truth is 1 for true and 0 for false.
func Truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
