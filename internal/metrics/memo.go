package metrics

import "github.com/rag-workbench/workbench/internal/text"

// What the offline judge prepares of texts is remembered: at some kilobytes each, tens of megabytes when full.
var (
	passages = text.NewMemo(4096, preparePassage)
	claims   = text.NewMemo(4096, prepareClaim)

	statements = text.NewMemo(8192, prepareStatement)
	sentences  = text.NewMemo(4096, cutSentences)
	refusing   = text.NewMemo(4096, onlyRefusing)
)

// splits remembers splitClaims; it is set apart because claims are themselves prepared while a text is cut.
var splits = text.NewMemo(4096, cutClaims)

// newPassage prepares a text to support claims.
func newPassage(s string) passage { return passages.Of(s) }

// distinctTerms prepares a claim. A claim of grammar only, without a content word or number, has no terms.
func distinctTerms(s string) claimTerms { return claims.Of(s) }
