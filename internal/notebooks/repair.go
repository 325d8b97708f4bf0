package notebooks

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// repair is the configuration of a diagnosed run with what the diagnosis recommends.
func (n *Notebook) repair(ctx context.Context, v *View, c *document.Cell) (document.Config, error) {
	of := c
	if why := n.Document.Cell(document.TextOf(c.Values["of"])); why != nil && why.Type == "cause" {
		of = why // a diagnosis that found nothing names no run, and its cell does
	}
	run, err := n.run(v, of, "of")
	if err != nil {
		return document.Config{}, err
	}
	take := document.TextsOf(c.Values["take"])
	if len(take) == 1 && take[0] == "auto" {
		take = nil
	}
	out, err := n.Engine.Repair(ctx, run, take)
	out.Name = c.Name
	return out, err
}

// repaired says in reading mode what was changed, why, and what is expected of it.
func (p *ReadingBlock) repaired(x document.Repaired, lang string) {
	p.Text = x.Reason.In(lang)
	p.Figures = []Figure{{say(lang, "change", "変更"), x.Change.In(lang)}}
	if len(x.Names) == 0 {
		return
	}
	if x.Tried { // the reason tells what came of it
		return
	}
	p.Figures = append(p.Figures, Figure{say(lang, "expected to be repaired", "改善の見込み"), say(lang,
		fmt.Sprintf("up to %s of %s low scores", document.Thousands(x.Repairs), document.Thousands(x.LowScores)),
		fmt.Sprintf("低スコア%s件のうち最大%s件", document.Thousands(x.LowScores), document.Thousands(x.Repairs)))})
	if x.AtRisk > 0 {
		p.Figures = append(p.Figures, Figure{say(lang, "good answers at risk", "悪化の恐れがある良い回答"), document.Thousands(x.AtRisk)})
	}
}
