package foreign

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestTextsUnderOtherNames: question, answer, right answer and contexts are found under the shortest names, inside objects, and in other
// languages; a column of numbers or of judgements is no answer.
func TestTextsUnderOtherNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, body, row string }{
		{"letters", "a.csv", "Q;A;Score [0-10]\nWhy?;So.;8\nHow?;Thus.;5\n", "|Why?||none|So.|table.score_0_10=8"},
		{"letters of systems", "a.csv", "Q,A,B\nWhy?,3,4\nHow?,2,3\n", "results_column_missing"},
		{"a score called A", "a.csv", "Q,A,score\nWhy?,3,4\nHow?,2,3\n", "results_column_missing"},
		{"inside objects", "a.jsonl", `{"query":{"id":"q7","text":"Why?"},"generation":{"text":"So.","model":"m"},` +
			`"retrieval":{"chunks":[{"text":"Because."}]},"scores":{"faithfulness":0.5}}` + "\n", "q7|Why?||1|So.|table.faithfulness=0.5"},
		{"an id of its own", "a.jsonl", `{"id":"a1","query":{"id":"q7","text":"Why?"},"output":"So.","scores":{"faithfulness":0.5}}` + "\n",
			"a1|Why?||none|So.|table.faithfulness=0.5"},
		{"LangChain", "a.csv", "query,answer,result,grade\n" +
			"Why?,It is so.,It may well be so.,CORRECT\nHow?,Thus it is.,Nobody knows that.,INCORRECT\n",
			"|Why?|It is so.|none|It may well |table.grade=1"},
		{"a result that judges", "a.csv", "query,answer,result\nWhy?,It is so.,pass\nHow?,Thus it is.,fail\n", "|Why?||none|It is so."},
		{"the name of a model", "a.csv", "question,answer,model,score\nWhy?,So.,gpt-4.1,0.5\nHow?,Thus.,gpt-4.1,1\n", "|Why?||none|So.|table.score=0.5"},
		{"what was approved", "a.csv", "question,answer,approved,score\nWhy?,So.,yes,0.5\nHow?,Thus.,no,1\n", "|Why?||none|So.|table.score=0.5"},
		{"brackets", "a.csv", "Q,A (expected),A (bot),OK?\nWhy?,So.,Thus.,y\nHow?,Thus.,So.,n\n", "|Why?|So.|none|Thus.|table.ok=1"},
		{"a text of a generation", "a.jsonl", `{"question":"Why?","generation.text":"So.","generation.model":"m","reference.text":"Thus.","score":1}` +
			"\n", "|Why?|Thus.|none|So.|table.score=1"},
		{"letters as marks", "a.csv", "question,response,judgement\nWhy?,So.,O\nHow?,Thus.,X\n", "|Why?||none|So.|table.judgement=1"},
		{"ticks", "a.csv", "question,response,correct\nWhy?,So.,x\nHow?,Thus.,\n", "|Why?||none|So."},
		{"thumbs", "a.csv", "question,response,rating\nWhy?,So.,👎\nHow?,Thus.,👍\n", "|Why?||none|So.|table.rating=0"},
		{"a French average", "a.csv", "Numéro;Question;Réponse générée;Note /20\n1;Pourquoi ?;Ainsi.;15\n2;Comment ?;Voilà.;12\nMoyenne;;;13,5\n",
			"1|Pourquoi ?||none|Ainsi.|table.note_20=15"},
		{"Korean times", "a.csv", "질문,챗봇 답변,점수,응답 시간(초)\n왜?,그래서.,5,1.2\n어떻게?,이렇게.,3,1.4\n",
			"|왜?||none|그래서.|table.점수=5"},
		{"Chinese", "a.csv", "序号,问题,参考答案,回答,是否正确,耗时(ms)\n" +
			"1,为什么？,因为如此。,就是如此。,是,800\n2,怎么办？,这样做。,那样做。,否,900\n",
			"1|为什么？|因为如此。|none|就是如此。|table.是否正确=1"},
		{"Korean", "a.csv", "번호,질문,정답,답변,정확도\n" +
			"1,왜 그런가요?,그래서입니다.,그렇습니다.,0.9\n2,어떻게 하나요?,이렇게 합니다.,저렇게 합니다.,0.5\n",
			"1|왜 그런가요?|그래서입니다.|none|그렇습니다.|table.정확도=0.9"},
		{"Spanish", "a.csv", "Pregunta,Respuesta esperada,Respuesta generada,Precisión\n" +
			"¿Por qué?,Porque sí.,Por eso.,90%\n¿Cómo?,Así.,De otro modo.,50%\n",
			"|¿Por qué?|Porque sí.|none|Por eso.|table.precisión=0.9"},
	} {
		path := broughtFile(t, c.file, c.body, nil)
		f, err := ReadForeign(path, ForeignOptions{})
		got := problem.CodeOf(err)
		if err == nil {
			got = shown(f.Items[0])
		}
		if !strings.HasPrefix(got, c.row) || got == "" {
			t.Errorf("%s: read as %s, want %s (%v)", c.name, got, c.row, err)
		}
	}
}

// TestComparisonsFindQuestionsCalledQ: the questions of compared files may be called Q, and match as others do.
func TestComparisonsFindQuestionsCalledQ(t *testing.T) {
	t.Parallel()
	table, err := ReadScores(broughtFile(t, "a.csv", "Q,A,score\nWhy?,So.,0.5\nHow?,Thus.,1\n", nil), ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if item := table.Items[0]; item.ID != "Why?" || item.Texts.Answer != "So." || !slices.Equal(table.Metrics, []string{"score"}) {
		t.Fatalf("read as %+v", table)
	}
}

// TestListsOfLangfuseAreNoFault: a list in each cell is how Langfuse writes scores; nobody is told that it was not read, for it was.
func TestListsOfLangfuseAreNoFault(t *testing.T) {
	t.Parallel()
	body := "id,timestamp,name,input,output,release,correctness\nt1,2026-05-01,qa,Why?,So.,,[0.5]\nt2,2026-05-02,qa,How?,Thus.,,\"[1, 0]\"\n"
	f, err := ReadForeign(broughtFile(t, "a.csv", body, nil), ForeignOptions{})
	if err != nil || !strings.Contains(shown(f.Items[1]), "langfuse.correctness=0.5") {
		t.Fatalf("read as %+v: %v", f, err)
	}
	if len(f.Forms)+len(f.Unread) > 0 || slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, "not read") }) {
		t.Errorf("columns that were read are told as unread: %v %v %v", f.Forms, f.Unread, f.Notes)
	}
}

// TestCostsWithACommaAreFiguresOfOperation: how a figure of operation writes its decimals does not make a column of words of it.
func TestCostsWithACommaAreFiguresOfOperation(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Kosten (€)", "耗时", "비용"} {
		body := "Frage;Antwort des Bots;Genauigkeit;" + name + "\nWarum?;Darum.;0,5;0,012\nWie?;So.;1,0;0,034\n"
		f, err := ReadForeign(broughtFile(t, "a.csv", body, nil), ForeignOptions{})
		if err != nil || !slices.Equal(f.Operation, []string{name}) {
			t.Errorf("%s: read as %+v: %v", name, f, err)
		}
	}
}

// TestJudgesByLettersMayBeVotes: judges that letters tell apart are told as those that numbers do, and fold where that is asked.
func TestJudgesByLettersMayBeVotes(t *testing.T) {
	t.Parallel()
	body := "question,answer,score Judge A,score Judge B\nWhy?,So.,4,5\nHow?,Thus.,2,3\n"
	path := broughtFile(t, "a.csv", body, nil)
	apart, err := ReadScores(path, ForeignOptions{})
	if err != nil || len(apart.Metrics) != 2 ||
		!slices.ContainsFunc(apart.Sheet, func(n text.Said) bool { return strings.Contains(n.In("ja"), "--vote-columns fold") }) {
		t.Fatalf("apart: %+v %v", apart, err)
	}
	folded, err := ReadScores(path, ForeignOptions{VoteColumns: VotesFold})
	if err != nil || !slices.Equal(folded.Folded, []string{"score"}) {
		t.Fatalf("folded in %s: %+v %v", filepath.Base(path), folded, err)
	}
}
