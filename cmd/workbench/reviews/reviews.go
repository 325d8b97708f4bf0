// Package reviews holds the verbs for what people agree and say: agreement, reviews, import-review.
package reviews

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// reviewPrinter tells what people agreed, said and have yet to look at.
type reviewPrinter struct{ *program.Program }

func printerOf(p *program.Program) reviewPrinter { return reviewPrinter{p} }

// Cmd is the verb reviews.
type Cmd struct {
	Queue reviewsQueueCmd `cmd:"" help:"Deal answers of a run to reviewers."`
	Next  reviewsNextCmd  `cmd:"" help:"Show the answer that waits first, and decide."`
	Say   reviewsSayCmd   `cmd:"" help:"Decide on the answer that waits first."`
	Skip  reviewsSkipCmd  `cmd:"" help:"Pass the answer that waits first over; it comes again last."`
	Undo  reviewsUndoCmd  `cmd:"" help:"Take the newest decision back."`
	Show  reviewsShowCmd  `cmd:"" help:"How far the reviewers are, how far they agree, and how often the judge errs."`
	Align reviewsAlignCmd `cmd:"" help:"Test examples of people's verdicts in the judge's prompt, and apply them where that helps."`
}

type reviewsQueueCmd struct {
	RunID     string   `arg:"" name:"run" help:"Finished run: id, its beginning, or an experiment's name."`
	Reviewers []string `help:"Who gets answers; default those of before, else one person." placeholder:"NAME,NAME"`
	Answers   int      `help:"How many answers are dealt, at most." default:"40" placeholder:"N" type:"count"`
	Twice     int      `help:"How many of them two reviewers get, from which their agreement is told; -1 for none, default 10." placeholder:"N" type:"none"`
	Seed      uint64   `help:"Seed of the choice." default:"1" placeholder:"N"`
}

// Help explains.
func (reviewsQueueCmd) Help() string {
	return `Answers are drawn at random, equally many of what the judge calls wrong, ungrounded, both, and neither. Nobody sees what the judge says
before they have said what they say. Dealing again adds answers that nobody has reviewed.

Examples:
  workbench reviews queue faq                                    for one person
  workbench reviews queue faq --reviewers Ann,Ben --answers 60 --twice 20
  workbench reviews next faq --as Ann
  workbench reviews show faq`
}

// Run deals.
func (c reviewsQueueCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		q, err := reviews.DealQueue(p.Context, w, c.RunID,
			reviews.QueueOrder{Reviewers: c.Reviewers, Answers: c.Answers, Twice: c.Twice, Seed: c.Seed})
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(q)
		}
		printerOf(p).queue(q)
		p.Note("next: workbench reviews next %s --as NAME, or the page /runs/%s/reviews", c.RunID, q.RunID)
		return nil
	})
}

func (p reviewPrinter) queue(q reviews.Queue) {
	p.Say("run %s: %d answers are dealt, %d of them to two reviewers or more", q.RunID, q.Answers, q.Twice)
	rows := make([][]string, len(q.Reviewers))
	for i, r := range q.Reviewers {
		rows[i] = []string{r.Name, strconv.Itoa(r.Dealt), strconv.Itoa(r.Done), strconv.Itoa(r.Left()), strconv.Itoa(r.Later)}
	}
	if len(rows) > 0 {
		p.Table([]string{"REVIEWER", "DEALT", "DONE", "LEFT", "PASSED OVER"}, rows)
	}
}

type whoReviews struct {
	RunID string `arg:"" name:"run" help:"Finished run: id, its beginning, or an experiment's name."`
	As    string `help:"Who you are; may be left out where there is one reviewer." placeholder:"NAME"`
}

type reviewsNextCmd struct{ whoReviews }

// Run shows the answer, and on a terminal takes the decision.
func (c reviewsNextCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		item, at, err := reviews.NextItem(p.Context, w, c.RunID, c.As)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(map[string]any{"reviewer": at, "next": item})
		}
		printerOf(p).waiting(item, at)
		if !p.Interactive {
			return nil
		}
		in := bufio.NewReader(p.Stdin)
		for item != nil {
			p.Say("c correct   i incorrect   u unsure   s skip   z undo   q quit")
			line, err := in.ReadString('\n')
			key := strings.ToLower(strings.TrimSpace(line))
			if err != nil && key == "" || key == "q" {
				return nil
			}
			turn, known, err := c.key(p, w, key, item)
			switch {
			case !known:
				continue
			case err != nil:
				p.Warn("%s", problem.From(err).Message)
				continue
			}
			printerOf(p).turn(turn)
			item = turn.Next
		}
		return nil
	})
}

// key does what a key stands for.
func (c reviewsNextCmd) key(p *program.Program, w *app.Workbench, key string, item *reviews.QueueItem) (turn reviews.Turn, known bool,
	err error) {
	verdicts := map[string]experiments.Verdict{"c": experiments.CorrectAnswer, "i": experiments.IncorrectAnswer,
		"u": experiments.UnsureVerdict}
	switch key {
	case "c", "i", "u":
		turn, err = reviews.Decide(p.Context, w, item.RunID, reviews.Decision{Reviewer: item.Reviewer.Name, QuestionID: item.QuestionID,
			Shown: item.Shown, Verdict: verdicts[key]})
	case "s":
		turn, err = reviews.Skip(p.Context, w, item.RunID, item.Reviewer.Name, item.QuestionID)
	case "z":
		turn, err = reviews.Undo(p.Context, w, item.RunID, item.Reviewer.Name)
	default:
		return turn, false, nil
	}
	return turn, true, err
}

// waiting prints an answer that waits for a reviewer.
func (p reviewPrinter) waiting(item *reviews.QueueItem, at reviews.ReviewerProgress) {
	if item == nil {
		p.Say("%s: all %d answers are decided", at.Name, at.Dealt)
		return
	}
	p.Say("%s: %d of %d decided · question %s", item.Reviewer.Name, item.Reviewer.Done, item.Reviewer.Dealt, item.QuestionID)
	p.Say("")
	p.Say("QUESTION   %s", program.Printable(item.Question))
	switch {
	case !item.Answerable:
		p.Say("REFERENCE  the documents do not hold the answer: saying so is right")
	default:
		p.Say("REFERENCE  %s", program.Printable(item.Reference))
	}
	p.Say("ANSWER     %s", program.Printable(item.Answer))
	for i, c := range item.Contexts {
		p.Say("CONTEXT %d  %s: %s", i+1, program.Printable(c.Document), program.OneLine(program.Printable(c.Text), 600))
	}
	p.Say("")
}

// turn prints what came of a step in the queue.
func (p reviewPrinter) turn(t reviews.Turn) {
	if t.Judge != nil {
		said := p.Lang().Text("the judge says: correctness %s, trust %s", levelText(t.Judge.Correctness), levelText(t.Judge.Trust))
		if t.Differs {
			said += p.Lang().Text(": the contrary")
		}
		p.Say("%s", said)
	}
	p.waiting(t.Next, t.Reviewer)
}

type reviewsSayCmd struct {
	whoReviews
	Verdict     string `arg:"" help:"correct, incorrect or unsure." enum:"correct,incorrect,unsure"`
	Question    string `help:"The question that was looked at; default the one that waits first." placeholder:"ID"`
	Correctness *int   `help:"A level from 1 to 5 besides." placeholder:"LEVEL"`
	Trust       *int   `help:"How far the answer rests on the contexts, from 1 to 5." placeholder:"LEVEL"`
	Comment     string `help:"Why."`
}

// Run decides.
func (c reviewsSayCmd) Run(p *program.Program) error {
	return step(p, func(w *app.Workbench) (reviews.Turn, error) {
		return reviews.Decide(p.Context, w, c.RunID, reviews.Decision{Reviewer: c.As, QuestionID: c.Question,
			Verdict: experiments.Verdict(c.Verdict), Correctness: c.Correctness, Trust: c.Trust, Comment: c.Comment})
	})
}

type reviewsSkipCmd struct{ whoReviews }

// Run passes over.
func (c reviewsSkipCmd) Run(p *program.Program) error {
	return step(p, func(w *app.Workbench) (reviews.Turn, error) { return reviews.Skip(p.Context, w, c.RunID, c.As, "") })
}

type reviewsUndoCmd struct{ whoReviews }

// Run takes back.
func (c reviewsUndoCmd) Run(p *program.Program) error {
	return step(p, func(w *app.Workbench) (reviews.Turn, error) { return reviews.Undo(p.Context, w, c.RunID, c.As) })
}

func step(p *program.Program, do func(*app.Workbench) (reviews.Turn, error)) error {
	return p.With(func(w *app.Workbench) error {
		t, err := do(w)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(t)
		}
		printerOf(p).turn(t)
		return nil
	})
}

type reviewsShowCmd struct {
	RunID string `arg:"" name:"run" help:"Finished run: id, its beginning, or an experiment's name."`
}

// Run shows.
func (c reviewsShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		q, err := reviews.QueueOf(p.Context, w, c.RunID)
		if err != nil {
			return err
		}
		figures, err := reviews.ReviewFigures(p.Context, w, q.RunID)
		if err != nil {
			return err
		}
		align, err := validations.AlignmentOf(p.Context, w, validations.AlignOrder{Run: q.RunID})
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(map[string]any{"queue": q, "figures": figures, "alignment": align})
		}
		printerOf(p).queue(q)
		printerOf(p).reviewFigures(figures)
		if len(figures.Errors) > 0 {
			p.Say("")
			for _, e := range figures.Errors {
				p.Say("%s", e.Says(string(p.Lang())))
			}
		}
		printerOf(p).aligned(align)
		return nil
	})
}

// aligned says what came of the newest test of examples, where there was one.
func (p reviewPrinter) aligned(a validations.AlignState) {
	if a.Tested == nil {
		return
	}
	p.Say("")
	p.Say("%s", a.Tested.Says(string(p.Lang())))
	if rates := a.Tested.Rates(string(p.Lang())); rates != "" {
		p.Say("%s", rates)
	}
	switch {
	case a.Applied:
		p.Say("experiment %s has these examples; workbench reviews align %s --take-back takes them out", a.Experiment, a.RunID)
	case a.Offered:
		p.Say("apply: workbench reviews align %s --apply", a.RunID)
	}
}

type reviewsAlignCmd struct {
	RunID    string `arg:"" name:"run" help:"Finished run whose answers were reviewed."`
	Examples int    `help:"Examples at most, up to 12." default:"6" placeholder:"N" type:"count"`
	Seed     uint64 `help:"Seed of the choice." default:"1" placeholder:"N"`
	Plan     bool   `help:"Show the examples, what testing them would ask and what it costs, and stop. Makes no call." xor:"what"`
	Apply    bool   `help:"Give the experiment the examples that were tested and offered." xor:"what"`
	TakeBack bool   `help:"Take the examples out of the experiment again." xor:"what"`
	Budget   string `help:"What may be spent: an amount in the price file's currency (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Help explains.
func (reviewsAlignCmd) Help() string {
	return `Reviews are parted in two halves by the question. Examples for the judge's prompt come from the first: answers on which people and judge
differ first, as many accepted as rejected. The other half is kept back: on it the judge is asked without and with the examples, and only
a change that surely lessens its errors is offered. A judge with examples is another judge: its correctness is not compared with scores
of before.

Examples:
  workbench reviews align faq --plan
  workbench reviews align faq --budget 1.00
  workbench reviews align faq --apply
  workbench reviews align faq --take-back`
}

// Run tests, applies or takes back.
func (c reviewsAlignCmd) Run(p *program.Program) error {
	budget, err := experiments.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	o := validations.AlignOrder{Run: c.RunID, Examples: c.Examples, Seed: c.Seed, Budget: budget, Tell: printing.Judges(p).Validating}
	return p.With(func(w *app.Workbench) error {
		switch {
		case c.Apply, c.TakeBack:
			return c.change(p, w)
		case c.Plan:
			return c.plan(p, w, o)
		}
		if _, err := validations.TestAlignment(p.Context, w, o); err != nil {
			return err
		}
		state, err := validations.AlignmentOf(p.Context, w, o)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(state)
		}
		printerOf(p).proposed(state)
		printerOf(p).aligned(state)
		return nil
	})
}

func (c reviewsAlignCmd) plan(p *program.Program, w *app.Workbench, o validations.AlignOrder) error {
	state, err := validations.AlignmentOf(p.Context, w, o)
	if err != nil {
		return err
	}
	plan, err := validations.PlanAlignment(p.Context, w, o)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(map[string]any{"alignment": state, "plan": plan})
	}
	printerOf(p).proposed(state)
	return printing.Runs(p).PrintPlan(plan)
}

// proposed prints the examples and where they come from.
func (p reviewPrinter) proposed(a validations.AlignState) {
	s := a.Proposal
	p.Say("%d reviewed answers may be examples (judge and people differ on %d), %d are kept back for the test", s.First, s.Differs, s.Kept)
	if s.Long+s.Personal > 0 {
		p.Note("%d are too long to be shown, %d seem to hold personal data or a secret", s.Long, s.Personal)
	}
	rows := make([][]string, len(s.Examples))
	for i, x := range s.Examples {
		people := p.Lang().Text("correct")
		if !x.Accepted {
			people = p.Lang().Text("incorrect")
		}
		judge := p.Lang().Text("the same")
		if x.Differs {
			judge = p.Lang().Text("the contrary")
		}
		rows[i] = []string{x.QuestionID, people, judge, program.OneLine(program.Printable(x.Question), 60),
			program.OneLine(program.Printable(x.Answer), 60)}
	}
	if len(rows) > 0 {
		p.Table([]string{"EXAMPLE", "PEOPLE", "JUDGE", "QUESTION", "ANSWER"}, rows)
	}
	if !a.Reads {
		p.Warn("the offline judge does not read examples")
	}
}

func (c reviewsAlignCmd) change(p *program.Program, w *app.Workbench) error {
	do := validations.ApplyAlignment
	if c.TakeBack {
		do = validations.TakeBackAlignment
	}
	e, err := do(p.Context, w, c.RunID)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(map[string]any{"experiment": e.Name, "revision": e.Revision, "examples": len(e.Definition.Judge.Examples)})
	}
	p.Say("revision %d of experiment %s shows its judge %d examples", e.Revision, e.Name, len(e.Definition.Judge.Examples))
	p.Note("an experiment file that is run again replaces this; %s prints a file with the examples",
		fmt.Sprintf("workbench experiment show %s", e.Name))
	return nil
}

func levelText(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'g', 3, 64)
}
