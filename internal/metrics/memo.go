package metrics

import "github.com/rag-workbench/workbench/internal/text"

// What the offline judge prepares of texts is remembered: at some kilobytes each, tens of megabytes when full.
var (
	passages = text.NewMemo(4096, preparePassage)
	claims   = text.NewMemo(4096, prepareClaim)
)

// newPassage prepares a text to support claims.
func newPassage(s string) passage { return passages.Of(s) }

// distinctTerms prepares a claim. A claim of grammar only, without a content word or number, has no terms.
func distinctTerms(s string) claimTerms { return claims.Of(s) }
