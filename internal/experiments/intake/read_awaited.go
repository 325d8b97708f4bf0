package intake

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// awaited is what people write in the place of a right answer that nobody has written yet.
var awaited = text.Lazy(`(?i)^(?:未(?:確認|作成|記入|入力|調査)|(?:確認|作成|調査|調整|記入|照会|問い?合わ?せ)中|要(?:確認|調査|記入|作成|追記)` +
	`|(?:後日|追って|別途)(?:記入|追記|回答|確認|連絡)|tb[acd]|to be (?:added|announced|confirmed|clarified|completed|decided|defined|` +
	`determined|done|filled(?: in)?|provided|written)|to ?do|pending|wip|work in progress|` +
	`not (?:yet )?(?:checked|confirmed|verified|written|reviewed)|x{3,}|[?？]+)(?:です)?[。.]?$`)

// isAwaited reports whether a right answer only says that it is still to be written.
func isAwaited(reference string) bool {
	s := strings.TrimSpace(norm.NFKC.String(reference))
	if inside := inBrackets.FindStringSubmatch(s); inside != nil {
		s = strings.TrimSpace(inside[1])
	}
	return awaited.MatchString(s)
}
