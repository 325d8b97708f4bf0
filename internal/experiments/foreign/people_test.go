package foreign

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestTablesOfPeopleAreReadAsMeant holds tables as different people have them against what each door has to read of them: the scores of a
// comparison, the answer and its scores of an import of results, and the right answer of a dataset. A code is a refusal, and "" nothing:
// the scores are named as not read, or the column with the answer is asked about.
func TestTablesOfPeopleAreReadAsMeant(t *testing.T) {
	t.Parallel()
	const bot, right = "You need two weeks.", "Fourteen days."
	const frist, tage = "Die Frist beträgt zwei Wochen.", "Vierzehn Tage zum Monatsende."
	for _, c := range []struct{ file, scores, answer, results, reference string }{
		{"de_excel_cp1252.csv", "Genauigkeit 0.85, Vollständigkeit 0.9", frist, "genauigkeit 0.85, vollständigkeit 0.9", tage},
		{"de_utf8bom_janein.csv", "Korrekt (ja/nein) 1, Bewertung (1-5) 4", "direction_unknown", "", ""},
		{"fr_short_looks_sjis.csv", "score 0.85", "Le réparateur a huit jours.", "score 0.85", ""},
		{"ja_marks_cp932.csv", "scores_no_metric", "2週間前までに申し出てください。", "", "14日前までです。"},
		{"langsmith.csv", "langsmith.correctness 0.85, langsmith.concision 0.9", bot, "correctness 0.85, concision 0.9", right},
		{"langfuse_traces.csv", "langfuse.faithfulness 0.85, langfuse.helpfulness 0.9", bot, "faithfulness 0.85, helpfulness 0.9", ""},
		{"phoenix_experiment.json", "phoenix.correctness 0.85", bot, "correctness 0.85", right},
		{"promptfoo.csv", "promptfoo.score 0.85, promptfoo.pass 1, promptfoo.relevance 0.9", bot, "score 0.85, pass 1, relevance 0.9", right},
		{"azure.jsonl", "outputs.groundedness.groundedness 4, outputs.f1_score.f1_score 0.9", bot,
			"outputs_f1_score_f1_score 0.9, outputs_groundedness_groundedness 4", right},
		{"grades_af.csv", "scores_no_metric", bot, "", ""},
		{"out_of_five.csv", "Helpfulness 4, Accuracy 4", bot, "helpfulness 4, accuracy 4", ""},
		{"totals_row.xlsx", "Score (0-10) 8", bot, "score_0_10 8", right},
		{"notes_above.csv", "Punkte 8.5", frist, "punkte 8.5", tage},
		{"transposed.csv", "scores_turned", "scores_turned", "", ""},
		{"de_thousands.csv", "Punkte 1234.5, Genauigkeit 0.85", frist, "punkte 1234.5, genauigkeit 0.85", ""},
		{"three_decimals.csv", "Bewertung 1.25", "direction_unknown", "", ""},
		{"dates_of_grades.csv", "scores_no_metric", bot, "", ""},
		{"unusual_scores.csv", "judge opinion (0-10) 8, vibes 0.9", "direction_unknown", "", ""},
		{"dataset_numbers_beside.csv", "", right, "", right},
		{"utf16_tabs.csv", "Relevanz 0.85", frist, "relevanz 0.85", tage},
		{"es_cp1252.csv", "Puntuación 0.85", "Dos semanas según la política.", "puntuación 0.85", "Catorce días."},
		{"likert_de.csv", "scores_no_metric", frist, "", ""},
		{"ja_faq_views.csv", "scores_no_metric", "14日前までです。", "", "14日前までです。"},
		{"mac_roman.csv", "text_encoding_unknown", "text_encoding_unknown", "", "text_encoding_unknown"},
	} {
		file := filepath.Join("testdata", "people", c.file)
		scores := ""
		if table, err := ReadScores(file, ForeignOptions{}); err != nil {
			scores = problem.CodeOf(err)
		} else if len(table.Metrics) > 0 {
			scores = scoresSaid(table)
		}
		answer, results := "", ""
		if read, err := ReadForeign(file, ForeignOptions{}); err != nil {
			answer = problem.CodeOf(err)
		} else {
			answer, results = *read.Items[0].Answer, resultsSaid(read)
		}
		reference := ""
		dataset, report, err := intake.ReadDataset(file, "people", nil, intake.ReadOptions{})
		if err != nil {
			reference = problem.CodeOf(err)
		} else {
			reference = dataset.Questions[0].Reference
		}
		if scores != c.scores || answer != c.answer || results != c.results || reference != c.reference {
			t.Errorf("%s: compared %q, want %q; imported %q with %q, want %q with %q; right answer %q, want %q", c.file, scores, c.scores,
				answer, results, c.answer, c.results, reference, c.reference)
		}
		if err != nil {
			continue
		}
		if q := dataset.Questions[0].Text; strings.ContainsAny(q, "{}") || len(dataset.Questions) < 4 {
			t.Errorf("%s: %d questions, the first is %q", c.file, len(dataset.Questions), q)
		}
		aside := slices.ContainsFunc(report.Columns, func(u intake.ColumnUse) bool {
			return u.Field == "metadata" && intake.MayBeRight(u.Source)
		})
		if told := strings.Contains(fmt.Sprint(report.Notes), "=reference"); reference == "" && aside && !told {
			t.Errorf("%s: nobody is told of the column that may hold the right answers: %v", c.file, report.Notes)
		}
	}
}

// scoresSaid are the scores of the first question of a table.
func scoresSaid(table *ScoreTable) string {
	said := make([]string, len(table.Metrics))
	for i, name := range table.Metrics {
		said[i] = fmt.Sprint(name, " ", table.Items[0].Scores[i][0])
	}
	return strings.Join(said, ", ")
}

// resultsSaid are the scores of the first answer of results.
func resultsSaid(read *Foreign) string {
	said := make([]string, len(read.Metrics))
	for i, m := range read.Metrics {
		at := slices.IndexFunc(read.Items[0].Scores, func(s rag.LoggedScore) bool { return s.Metric == m.ID })
		_, name, _ := strings.Cut(m.ID, ".")
		said[i] = fmt.Sprint(cmp.Or(name, m.ID), " ", *read.Items[0].Scores[at].Value)
	}
	return strings.Join(said, ", ")
}
