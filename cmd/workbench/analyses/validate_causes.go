package analyses

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

type validateCausesCmd struct {
	Noise      []float64 `help:"Shares of the scripted judge's calls that err, in percent." default:"0,5,10" placeholder:"0,5,10"`
	Lasting    float64   `help:"Of these errors, the percentage that every vote repeats." default:"0" placeholder:"PERCENT"`
	Batches    int       `help:"Made-up corpora for each fault, of 50 answers each; of real text, draws of generator and judge. Default 10, of real text 1." placeholder:"N" type:"count"`
	Condition  []string  `help:"Only this fault; default all. Repeatable." placeholder:"NAME"`
	Seed       uint64    `help:"Of all chance: equal seeds give equal figures." default:"1" placeholder:"N"`
	Misses     bool      `help:"List the wrong answers whose cause was missed, too."`
	Items      string    `help:"Put the faults into real text: a folder with corpus.jsonl and questions.jsonl, or a dataset." placeholder:"DIR|DATASET"`
	Corpus     string    `help:"With --items DATASET: the corpus." placeholder:"NAME"`
	Judge      string    `help:"With --items: a judge as provider/model, such as offline, instead of the scripted one." placeholder:"PROVIDER/MODEL"`
	N          int       `help:"With --items: at most N answers for each fault." name:"n" default:"50" placeholder:"N" type:"count"`
	Whole      bool      `help:"With --items: run the product itself on whole faulty systems, from the answers to what its first recommendation did. All models are scripted; the first of --noise counts."`
	Lenient    bool      `help:"With --whole: the judge takes a passage that holds a part of what a claim needs for evidence."`
	Unlabelled bool      `help:"With --judge or --whole: hide the labelled evidence, so that it has to be found."`
	Budget     string    `help:"With --judge: what may be spent, as an amount (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Help shows examples.
func (validateCausesCmd) Help() string {
	return `Shows how far a named cause can be trusted: puts known faults into a system, one at a time and in pairs, and counts which causes
are found, as tables 2 and 3 of the founding paper do. Corpus, chunks and search are real; generator and judge are scripted, and
the judge errs in a known share of its calls. Beside ours stand the paper's method on the same answers and its published figures.
With --items the faults are put into your own text: documents are taken away, the retrieval is worsened, and where the questions
bring answer_ungrounded and answer_poor, model and prompt are. --judge has a real judge find the causes.

Faults: ` + strings.Join(validation.CauseConditions(), ", ") + `.
With --whole: ` + strings.Join(validation.WorldConditions(), ", ") + `.

Examples:
  workbench validate causes                                    all faults, 500 answers each, some minutes
  workbench validate causes --batches 1 --noise 5              a first look
  workbench validate causes --condition database_deleted --json
  workbench validate causes --items ../shared/data/wikieval    real text, scripted judge
  workbench validate causes --items ../shared/data/hotpotqa_100 --whole --unlabelled --n 20 --noise 5
  workbench validate causes --items faq --corpus manual --judge openai/gpt-4.1-mini --n 20 --budget 2000calls`
}

// mostCauseBatches keeps a typing mistake from working for days.
const mostCauseBatches = 1000

// Run validates.
func (c validateCausesCmd) Run(p *program.Program) error {
	if err := c.check(); err != nil {
		return err
	}
	noise := make([]float64, len(c.Noise))
	for i, percent := range c.Noise {
		noise[i] = percent / 100
	}
	var missed []validation.CauseFinding
	hear := func(f validation.CauseFinding) {
		if c.Misses && f.Wrong && !f.Right {
			missed = append(missed, f)
		}
	}
	if c.Items == "" {
		h := validation.CauseHarness{
			Noise: noise, Lasting: c.Lasting / 100, Batches: c.Batches, Seed: c.Seed, Conditions: c.Condition, Hear: hear,
		}
		rows, err := h.Run(p.Context, func(done, of int, what string) error { return stepped(p, done, of, what) })
		if err != nil {
			return err
		}
		return causeRows(p, rows, missed)
	}
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	v := validations.CauseValidation{
		Items: c.Items, Corpus: c.Corpus, Judge: c.Judge, N: c.N, Noise: noise, Lasting: c.Lasting / 100,
		Batches: c.Batches, Seed: c.Seed,
		Conditions: c.Condition, Unlabelled: c.Unlabelled, Whole: c.Whole, Lenient: c.Lenient, Budget: budget,
		Tell: func(done, of int, what string) error { return stepped(p, done, of, what) }, Hear: hear,
	}
	return p.With(func(w *app.Workbench) error {
		if c.Whole {
			rows, err := validations.ValidateSystems(p.Context, w, v)
			return firstError(err, func() error { return worldRows(p, rows) })
		}
		rows, err := validations.ValidateCauses(p.Context, w, v)
		return firstError(err, func() error { return causeRows(p, rows, missed) })
	})
}

func worldRows(p *program.Program, rows []validation.WorldRow) error {
	if p.Flags.JSON {
		return p.PrintJSON(rows)
	}
	lang := string(p.Lang())
	p.Say("%s", program.Printable(validation.CauseWorldTable(rows, lang)+"\n"+validation.CauseWorldSummary(rows, lang)))
	return nil
}

func (c validateCausesCmd) check() error {
	switch {
	case c.Batches < 0 || c.Batches > mostCauseBatches:
		return problem.New(problem.Invalid, "usage", "--batches %d: 1 to %d make sense", c.Batches, mostCauseBatches).
			WithHint("10 are 500 answers for each fault")
	case c.Items == "" && (c.Judge != "" || c.Corpus != "" || c.Unlabelled || c.Budget != ""):
		return problem.New(problem.Invalid, "usage",
			"--judge, --corpus, --unlabelled and --budget belong to --items; the made-up corpus has its own judge and buys nothing").
			WithHint("workbench validate causes --items DIR --judge offline")
	case c.Whole && (c.Items == "" || c.Judge != "" || c.Budget != ""), c.Lenient && !c.Whole:
		return problem.New(problem.Invalid, "usage",
			"--whole needs --items and takes neither --judge nor --budget; --lenient belongs to it").
			WithHint("workbench validate causes --items DIR --whole --unlabelled")
	case c.Judge == "" && !c.Whole && (c.Unlabelled || c.Budget != ""):
		return problem.New(problem.Invalid, "usage",
			"--unlabelled and --budget belong to --judge; the scripted judge sees no labels and buys nothing").
			WithHint("workbench validate causes --items DIR --judge offline")
	}
	return nil
}

// stepped shows how far a long computation is, and ends it when the program is interrupted.
func stepped(p *program.Program, done, of int, what string) error {
	switch {
	case p.Flags.Quiet:
	case done == of:
		fmt.Fprint(p.Stderr, clearLine(p.Live))
	default:
		fmt.Fprintf(p.Stderr, "%s%d/%d %s%s", clearLine(p.Live), done+1, of, what, map[bool]string{false: "\n"}[p.Live])
	}
	return p.Context.Err()
}

func causeRows(p *program.Program, rows []validation.CauseRow, missed []validation.CauseFinding) error {
	if p.Flags.JSON {
		return p.PrintJSON(rows)
	}
	p.Say("%s", program.Printable(validation.CauseTables(rows, string(p.Lang()))))
	for _, f := range missed {
		p.Say("%s, noise %g%%, %s: expected %s, named %s %s (confidence %.2f)", f.Condition, 100*f.Noise,
			f.Case.Question.ID, validation.ExpectedCause(f.Expected, string(p.Lang())),
			validation.ExpectedCause(string(f.Diagnosis.Component), string(p.Lang())), f.Diagnosis.Detail, f.Diagnosis.Confidence)
		p.Say("  question: %s", program.OneLine(f.Case.Question.Text, 200))
		p.Say("  answer: %s", program.OneLine(f.Case.Result.Answer.Text, 200))
		p.Say("  reference: %s", program.OneLine(f.Case.Question.Reference, 200))
		p.Say("  why: %s", program.OneLine(f.Diagnosis.Rationale.In(string(p.Lang())), 400))
		for _, s := range f.Diagnosis.Steps {
			p.Say("  %s %s: %d of %d, %s", s.Step, program.OneLine(s.Change, 120), s.Passes, s.Trials, p.Lang().Many(s.Calls, "call"))
		}
	}
	return nil
}
