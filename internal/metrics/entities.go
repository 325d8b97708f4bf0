package metrics

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// entityRecall is the share of the reference's entities that stand in the contexts. The entities are found once for each
// dataset version; whether one stands in a context is looked up, not asked, so that it cannot be made up.
func (b *evaluation) entityRecall(ctx context.Context) (Score, error) {
	if code := b.lacks(referenceByContexts); code != "" {
		return notApplicable(code), nil
	}
	if len(b.sample.Contexts) == 0 {
		return scored(0, "0/0"), nil
	}
	reply, key, err := ask[entitiesReply](ctx, b.Suite, task{
		kind: "entities", purpose: PurposeEntities, lang: b.sample.Lang, data: entitiesData{Text: b.sample.Reference},
		maxTokens: listTokens(b.sample.Reference),
	})
	if err != nil {
		return Score{}, err
	}
	var contexts strings.Builder
	for _, c := range b.sample.Contexts {
		contexts.WriteString(closeUp(c.Text) + "\n")
	}
	var named, found []string
	for _, e := range reply.Entities {
		if closeUp(e) == "" {
			continue
		}
		named = append(named, e)
		if strings.Contains(contexts.String(), closeUp(e)) {
			found = append(found, e)
		}
	}
	r := formula.EntityRecall(textual.ProfileFixed, named, found)
	return reduced(r, b.say("found: ", "見つかったもの：")+strings.Join(found, ", "), key), nil
}

// closeUp folds a name and takes out the white space in it, which line breaks put anywhere in Japanese.
func closeUp(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }
