package causes

import (
	"context"
	"fmt"
)

// Diagnose finds the cause of one low-score answer by replacing one part of the system at a time, from the input on, until the
// answer heals (science.md 3.3). What the lab cannot do is left out, and the detail says so. It fails where the lab fails.
//
// The steps: is the answer low when it is judged again; was it low before post-processing; where does the corpus hold what the
// reference claims; is that in the contexts; which change of the retrieval alone brings it there, and does the answer heal then;
// does it heal with nothing but the evidence as contexts; does it heal with a good prompt, a good model, or both.
func Diagnose(ctx context.Context, lab Lab, c LabCase, rules CauseRules) (Diagnosis, error) {
	x := &diagnosing{
		lab: lab, c: c, rules: rules.filled(), config: lab.Config(), powers: lab.Can(),
		d:   Diagnosis{QuestionID: c.Question.ID, Method: Tested},
		now: tried{contexts: c.Hits(), trials: 1},
	}
	x.now.last = x.stored()
	x.finish(Undetermined, 0)
	for _, step := range []func(context.Context) (bool, error){x.rejudge, x.rawAnswer, x.searching().evidence,
		x.searching().retrieval, x.generating().generation} {
		done, err := step(ctx)
		if err != nil {
			return Diagnosis{}, fmt.Errorf("diagnose question %s: %w", c.Question.ID, err)
		}
		if done {
			break
		}
	}
	x.doubt()
	x.d.Evidence = x.quoted()
	x.toldApart()
	x.d.Rationale = rationaleOf(x)
	return x.d, nil
}

// rejudge is step 0: is the answer low at all, or was it the judge? That the run found it low is the first vote.
func (x *diagnosing) rejudge(ctx context.Context) (bool, error) {
	answer, _ := x.c.Answer()
	good, votes, err := x.vote(ctx, 1, func(ctx context.Context, vote int) (bool, error) {
		return x.lab.Pass(ctx, x.c, answer, x.c.Hits(), vote)
	})
	if err != nil {
		return false, err
	}
	x.against, x.judgements = votes-good, votes
	x.step("rejudge", "", good, votes, votes-1)
	if 2*good <= votes {
		return false, nil
	}
	x.finish(NoFault, float64(good)/float64(votes))
	return true, nil
}

// rawAnswer is step 1: was the answer good before post-processing?
func (x *diagnosing) rawAnswer(ctx context.Context) (bool, error) {
	text, raw := x.c.Answer()
	if !x.powers.Raw || raw == "" || raw == text {
		return false, nil
	}
	good, votes, err := x.vote(ctx, 0, func(ctx context.Context, vote int) (bool, error) {
		return x.lab.Pass(ctx, x.c, raw, x.c.Hits(), vote)
	})
	if err != nil {
		return false, err
	}
	x.step("raw_answer", "post_process none", good, votes, votes)
	if 2*good <= votes {
		return false, nil
	}
	repair := x.withoutPostProcessing()
	repair.Passes, repair.Trials = good, votes
	x.d.Repairs = []Repair{repair}
	x.finish(PostProcessing, float64(good)/float64(votes))
	return true, nil
}

func (x *diagnosing) withoutPostProcessing() Repair {
	return Repair{Component: PostProcessing, Param: "post_process", From: []string(x.config.PostProcess), To: "none", ContextCost: 1}
}

// clear asks whether the question says what is asked and whether the reference answers it; again where it seems not to, because
// then the diagnosis ends. Votes of an earlier call count, and each is two calls: two readings that are compared.
func (x *diagnosing) clear(ctx context.Context) (plain bool, why string, share float64, err error) {
	before := x.readings
	for more := true; more; {
		ok, said, err := x.lab.Clear(ctx, x.c.Question, x.readings)
		if err != nil {
			return false, "", 0, err
		}
		x.readings++
		if ok {
			x.clearly++
		} else {
			x.unclearWhy = said
		}
		no := x.readings - x.clearly
		more = no > 0 && (x.readings < x.rules.Votes || x.readings < x.rules.MoreVotes && x.clearly > 0 && no > 0)
	}
	x.step("question", "", x.clearly, x.readings, 2*(x.readings-before))
	share = float64(x.clearly) / float64(x.readings)
	if plain = 2*x.clearly >= x.readings; !plain {
		share = 1 - share
	}
	return plain, x.unclearWhy, share, nil
}

// unclear closes the diagnosis of a question or reference that does not say what it should.
func (x *diagnosing) unclear(why string, confidence float64) {
	component := unclearComponent(why)
	to := "reword"
	if component == ReferenceText {
		to = "correct"
	}
	x.why = why
	x.d.Detail = "unclear"
	x.d.Repairs = []Repair{{Component: component, To: to, ContextCost: 1}}
	x.finish(component, confidence)
}

// quoted lists the evidence, with its place in the contexts: of each claim the place that stands for it, then others that are there.
func (x *diagnosing) quoted() []QuotedSpan {
	var out []QuotedSpan
	for _, c := range x.claims {
		at := c.place(x.c.Hits())
		for i, s := range c.spans {
			whole, split, rank := c.holds(i, x.c.Hits())
			s.InContext = whole || split
			if s.Rank == 0 {
				s.Rank = rank
			}
			if i == at || s.InContext {
				out = append(out, s)
			}
		}
		for _, s := range c.against {
			s.Contradicts = true
			out = append(out, s)
		}
		if c.lost != nil && c.lost.Instead != "" && len(c.spans) == 0 && len(c.against) == 0 {
			out = append(out, QuotedSpan{Span: c.lost.Now, Quote: c.lost.Instead, Contradicts: true})
		}
	}
	return out
}
