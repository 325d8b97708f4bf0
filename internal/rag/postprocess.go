package rag

import (
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"strings"
)

// truncateTo is where the truncate step cuts, in code points.
const truncateTo = 120

// apply runs the steps over a generated answer.
func (p PostModes) apply(answer string) string {
	for _, mode := range p {
		switch mode {
		case "truncate":
			if runes := []rune(answer); len(runes) > truncateTo {
				answer = string(runes[:truncateTo])
			}
		case "strip_citations":
			answer = strings.TrimSpace(prompts.Citation.ReplaceAllString(answer, ""))
		}
	}
	return answer
}
