package rag

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// truncateTo is where the truncate step cuts, in code points.
const truncateTo = 120

var citation = text.Lazy(`\s*\[\d+(?:\s*,\s*\d+)*\]`)

// apply runs the steps over a generated answer.
func (p PostModes) apply(answer string) string {
	for _, mode := range p {
		switch mode {
		case "truncate":
			if runes := []rune(answer); len(runes) > truncateTo {
				answer = string(runes[:truncateTo])
			}
		case "strip_citations":
			answer = strings.TrimSpace(citation.ReplaceAllString(answer, ""))
		}
	}
	return answer
}
