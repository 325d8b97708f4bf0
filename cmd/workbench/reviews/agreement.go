package reviews

import (
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	analysisprogress "github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/stats"
)

// AgreementCmd is the verb agreement.
type AgreementCmd struct {
	Show    agreementShowCmd    `cmd:"" help:"Show what was agreed about a dataset, and where a run stands against it."`
	Set     agreementSetCmd     `cmd:"" help:"Record what was agreed, as the next version."`
	History agreementHistoryCmd `cmd:"" help:"List the versions of an agreement."`
}

type agreementSetCmd struct {
	Dataset  string   `arg:"" help:"Dataset that the agreement is about, whatever its version."`
	File     string   `arg:"" optional:"" help:"Agreement file (YAML); fields it leaves out stay as they are."`
	LowScore *float64 `help:"Correctness or trust at or below this is a low score." placeholder:"2"`
	Target   []string `help:"A target, added or in the place of the one of the same theme, metric and category. Repeatable." placeholder:"'{metric: …, target: …}'" sep:"none"`
	Item     []string `help:"What is done about a group of low-score answers, added or in the place of the one about the same group. Repeatable." placeholder:"'{theme: …, action: …}'" sep:"none"`
	By       []string `help:"Who agreed. Repeatable." placeholder:"NAME" sep:"none"`
	On       string   `help:"When it was agreed; default today." placeholder:"YYYY-MM-DD"`
	OnRun    string   `name:"run" help:"Run on whose results it was agreed; what it measures is kept in the agreement." placeholder:"RUN"`
	Note     *string  `help:"Anything else to remember."`
}

// Help shows a file with every field.
func (agreementSetCmd) Help() string {
	return `An agreement file; everything but agreed_by may be left out:

  low_score: 2                    # correctness or trust at or below this is a low score, in every new run on the dataset
  targets:                        # metric: a metric id or low_score_share
    - {theme: refunds, metric: low_score_share, target: 0.05, owner: CS, due: 2026-12-18}
    - {category: multi_hop_specific, metric: correctness, target: 4}
  items:                          # a group: data, component, param, theme, category, questions; all that are given must fit
    - {component: retriever, theme: refunds, action: raise k to 5, priority: high, owner: Search, due: 2026-12-01}
    - {questions: [q12, q40], action: rewrite the references, priority: low, owner: CS}
    - {theme: legal, out_of_scope: true, why: the legal desk answers these}
  agreed_by: [CS (lead), IT (lead)]
  agreed_on: 2026-11-20           # default today
  run: 9c41                       # the run it was agreed on: id, its beginning, or an experiment's name
  note: Reviewed again in January.

Versions are kept. A new one takes over what it does not change, but never who agreed, when, and on which run.
Questions that are out of scope by theme, category or id count for no target.

Examples:
  workbench agreement set faq agreement.yaml
  workbench agreement set faq --by "CS (lead)" --run faq --low-score 3
  workbench agreement set faq --by CS --target '{metric: low_score_share, target: 0.1}' --item '{theme: legal, out_of_scope: true, why: not ours}'`
}

// Run records.
func (c agreementSetCmd) Run(p *program.Program) error {
	change, err := c.change()
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		a, created, err := reviews.SetAgreement(p.Context, w, c.Dataset, change)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(map[string]any{"agreement": a, "created": created})
		}
		if !created {
			p.Say("unchanged: agreement %d on %s says this already", a.Version, a.Dataset)
			return nil
		}
		p.Say("recorded agreement %d on %s, agreed on %s by %s", a.Version, a.Dataset, a.AgreedOn, strings.Join(a.AgreedBy, ", "))
		p.Say("new runs on %s call correctness or trust of %s or less a low score", a.Dataset, thresholdText(a.LowScore))
		if a.RunID == "" {
			p.Note("no run was named, so nobody can see later how far things have come; add --run RUN")
		}
		return nil
	})
}

// change reads file and flags; flags win.
func (c agreementSetCmd) change() (reviews.AgreementChange, error) {
	var out reviews.AgreementChange
	if c.File != "" {
		var err error
		if out.File, err = experiments.ReadAgreement(c.File); err != nil {
			return out, err
		}
	}
	for _, s := range c.Target {
		t, err := experiments.ParseTarget(s)
		if err != nil {
			return out, inFlag("--target", err)
		}
		out.Targets = append(out.Targets, t)
	}
	for _, s := range c.Item {
		item, err := experiments.ParseAgreementItem(s)
		if err != nil {
			return out, inFlag("--item", err)
		}
		out.Items = append(out.Items, item)
	}
	if c.LowScore != nil {
		out.File.LowScore = c.LowScore
	}
	if c.By != nil {
		out.File.AgreedBy = &c.By
	}
	if c.On != "" {
		out.File.AgreedOn = &c.On
	}
	if c.OnRun != "" {
		out.File.Run = &c.OnRun
	}
	if c.Note != nil {
		out.File.Note = c.Note
	}
	return out, nil
}

func inFlag(flag string, err error) error {
	what := *problem.From(err)
	what.Message = flag + ": " + what.Message
	return what.With("flag", flag).WithHint("write it as in the file: workbench agreement set --help shows one")
}

type agreementShowCmd struct {
	Dataset string `arg:"" help:"Dataset."`
	OnRun   string `name:"run" help:"Run to set beside it; default the newest finished run on the dataset that is no part of a sweep." placeholder:"RUN"`
}

// Run shows.
func (c agreementShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		a, err := reviews.Agreement(p.Context, w, c.Dataset)
		if err != nil {
			return err
		}
		progress, err := reviews.AgreementProgress(p.Context, w, c.Dataset, c.OnRun)
		switch {
		case problem.Is(err, problem.NotFound) && c.OnRun == "":
			progress = analysisprogress.AgreementProgress{Agreement: a, LowScore: a.LowScore}
			err = nil
		case err != nil:
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(progress)
		}
		printerOf(p).agreement(a)
		if progress.RunID == "" {
			p.Say("no run on %s has finished yet", a.Dataset)
		}
		if progress.RunID != "" && c.OnRun == "" {
			p.Say("set beside run %s, the newest finished one on %s that is no part of a sweep; --run RUN takes another", progress.RunID, a.Dataset)
		}
		printerOf(p).progressOf(progress)
		return err
	})
}

func (p reviewPrinter) agreement(a experiments.Agreement) {
	p.Say("agreement %d on %s, agreed on %s by %s", a.Version, a.Dataset, a.AgreedOn, p.Lang().List(a.AgreedBy))
	p.Say("low score: correctness or trust ≤ %s", thresholdText(a.LowScore))
	if a.RunID != "" {
		p.Say("agreed on the results of run %s", a.RunID)
	}
	if a.Note != "" {
		p.Say("note: %s", program.Printable(a.Note))
	}
}

// progressOf prints targets and items with what a run measured.
func (p reviewPrinter) progressOf(g analysisprogress.AgreementProgress) {
	today := p.Now().UTC().Format(time.DateOnly)
	if g.RunID != "" {
		p.low(g)
		switch {
		case len(g.OwnLow) > 0:
			p.Note("the run says in its own terms what a low score is, %s: it counts here, and the agreed threshold does not apply to these scores",
				g.Rule().Short(string(p.Lang())))
		case g.Unsaid:
		case g.RunLow != g.LowScore:
			p.Note("the run counted low scores with %s; here the agreed %s counts", thresholdText(g.RunLow), thresholdText(g.LowScore))
		}
	}
	var rows [][]string
	for _, t := range g.Targets {
		rows = append(rows, []string{
			dashFor(p.theme(t.Target.Theme, t.By)), dashFor(p.category(t.Target.Category)), p.metric(t.Target.Metric), targetSign(t) +
				agreedAmount(&t.Target.Goal.Target, t.Share, t.Decimals()), agreedAmount(t.Target.Was, t.Share, t.Decimals()),
			agreedAmount(t.Now, t.Share, t.Decimals()), strconv.Itoa(t.N),
			strconv.Itoa(t.OutOfScope), p.state(string(t.State), t.Overdue(today)),
			dashFor(t.Target.Owner), dashFor(t.Target.Due),
		})
	}
	if len(rows) > 0 {
		p.Say("")
		p.Table([]string{"THEME", "CATEGORY", "METRIC", "TARGET", "AGREED AT", "NOW", "N", "LEFT OUT", "STATE", "OWNER", "DUE"}, rows)
	}
	rows = nil
	for _, i := range g.Items {
		what := i.Item.Action
		if i.Item.OutOfScope {
			what = p.Lang().Text("out of scope: %s", i.Item.Why)
		}
		state := p.state(string(i.State), i.Overdue(today))
		if i.Untold > 0 && !i.Item.OutOfScope {
			state += p.Lang().Text(" (%d without a score)", i.Untold)
		}
		if i.Needs != "" {
			state += p.Lang().Text(": not analysed for %s", p.Lang().Format(i.Needs))
		}
		rows = append(rows, []string{p.group(i), what, dashFor(p.priority(i.Item.Priority)), dashFor(i.Item.Owner),
			dashFor(i.Item.Due), countOrDash(i.Item.Was), countOrDash(i.Now), state})
	}
	if len(rows) > 0 {
		p.Say("")
		p.Table([]string{"GROUP", "ACTION", "PRIORITY", "OWNER", "DUE", "AGREED AT", "NOW", "STATE"}, rows)
	}
	if len(g.Open) > 0 {
		p.Say("")
		p.Say("low scores that no item is about: %s", program.FirstOf(g.Open, 20))
	}
}

// low says how many of the answers are low, as far as that can be told.
func (p reviewPrinter) low(g analysisprogress.AgreementProgress) {
	if g.Rated == 0 && (g.Unsaid || len(g.OwnLow) > 0) {
		p.Say("run %s: low scores cannot be told: nobody has said what is low in these scores; import the file again with --low", g.RunID)
		return
	}
	if g.Rated == 0 {
		p.Say("run %s: low scores cannot be told: neither correctness nor trust was measured", g.RunID)
		return
	}
	p.Say("run %s: %d of %d rated answers are low scores; items cover %d of them", g.RunID, g.Low, g.Rated, g.Covered)
	if g.Untold > 0 {
		p.Say("%d answers have no score by which they could be low: whether they are cannot be told", g.Untold)
	}
}

// theme is a theme with the classification that says which questions have it: two of them may have a theme of one name.
func (p reviewPrinter) theme(id, by string) string {
	if id == "" || by == "" {
		return id
	}
	return p.Lang().Text("%s (%s)", id, findings.ThemeBy(by).In(string(p.Lang())))
}

func targetSign(t analysisprogress.TargetProgress) string {
	if t.AtMost {
		return "≤ "
	}
	return "≥ "
}

// state is how a target or an item stands; in Japanese as the pages call it.
func (p reviewPrinter) state(state string, overdue bool) string {
	if p.Lang() == program.Japanese {
		state = frontend.Words("ja", "agreement.state."+state)
	} else {
		if state == string(analysisprogress.TargetMissed) { // whether its day has passed is said behind it
			state = "not met"
		}
		if state == string(analysisprogress.ItemUntold) {
			state = "cannot be told"
		}
		state = strings.ReplaceAll(state, "_", " ")
	}
	if overdue {
		return state + p.Lang().Format(", overdue")
	}
	return state
}

// metric is the name of what a target is about.
func (p reviewPrinter) metric(id string) string {
	if id == experiments.LowScoreShare && p.Lang() == program.Japanese {
		return findings.Word("ja", "metric."+id)
	}
	return p.Lang().Metric(id)
}

// category is a category of questions: its id in English, as the agreement has it, its name in Japanese.
func (p reviewPrinter) category(id string) string {
	if p.Lang() == program.Japanese && id != "" {
		return questions.CategoryName(experiments.Category(id), "ja")
	}
	return id
}

// priority is how urgent an item is; in Japanese as the workbook calls it.
func (p reviewPrinter) priority(is experiments.Priority) string {
	if p.Lang() == program.Japanese && is != "" {
		return wording.Catalogues()["ja"].Say("priority." + string(is))
	}
	return string(is)
}

// group names the answers that an item is about.
func (p reviewPrinter) group(i analysisprogress.ItemProgress) string {
	g := i.Item.CauseGroup
	if p.Lang() != program.Japanese {
		g.Theme = p.theme(g.Theme, i.By)
		return g.String()
	}
	var parts []string
	add := func(id, word string) {
		if id != "" {
			parts = append(parts, word)
		}
	}
	add(g.Data, causes.DataCause(g.Data).Word("ja"))
	add(g.Component, causes.Component(g.Component).Word("ja"))
	add(g.Param, findings.ParamText(g.Param).JA)
	add(g.Theme, p.Lang().Text("theme %s", p.theme(g.Theme, i.By)))
	add(g.Category, p.category(g.Category))
	if len(g.Questions) > 0 {
		add("questions", p.Lang().Text("questions %s", strings.Join(g.Questions, ", ")))
	}
	return p.Lang().List(parts)
}

func agreedAmount(v *float64, share bool, decimals int) string {
	switch {
	case v == nil:
		return "-"
	case share:
		return stats.PerCent(*v, decimals)
	}
	return stats.Fixed(*v, decimals)
}

func countOrDash(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

func dashFor(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// thresholdText writes a threshold as short as it is.
func thresholdText(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

type agreementHistoryCmd struct {
	Dataset string `arg:"" optional:"" help:"Dataset; default all."`
}

// Run lists.
func (c agreementHistoryCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		list, err := reviews.Agreements(p.Context, w, c.Dataset)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(list)
		}
		if len(list) == 0 {
			p.Say("nothing was agreed yet; record it with: workbench agreement set DATASET FILE")
			return nil
		}
		rows := make([][]string, len(list))
		for i, a := range list {
			rows[i] = []string{
				a.Dataset, strconv.Itoa(a.Version), a.AgreedOn, p.Lang().List(a.AgreedBy), thresholdText(a.LowScore),
				strconv.Itoa(len(a.Targets)),
				strconv.Itoa(len(a.Items)), dashFor(a.RunID), a.At.Format("2006-01-02 15:04"), a.Note,
			}
		}
		by := "BY"
		if p.Lang() == program.Japanese { // elsewhere the heading is of who saved something
			by = frontend.Words("ja", "agreement.agreedBy")
		}
		p.Table([]string{"DATASET", "VERSION", "AGREED ON", by, "LOW SCORE", "TARGETS", "ITEMS", "RUN", "RECORDED (UTC)", "NOTE"}, rows)
		return nil
	})
}
