package intake

import (
	"strings"
	"testing"
)

// TestJudgedAnswersAreNoRightAnswers: of a table of results an answer beside its score is a system's, a column that says whether it is
// right is no right answer, and statistics below ask nothing.
func TestJudgedAnswersAreNoRightAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, want string }{
		{"id,question,answer,faithfulness\nq1,Late?,Yes.,0.5\nq2,Early?,No.,1\n", "Late?=;Early?="},
		{"id,question,answer,correct\nq1,Late?,At ten.,Yes\nq2,Early?,At six.,No\n", "Late?=;Early?="},
		{"id,question,response,correct\nq1,Late?,At ten.,True\nq2,Early?,At six.,False\n", "Late?=;Early?="},
		{"id,question,correct\nq1,Late?,Yes\nq2,Early?,No\n", "Late?=Yes;Early?=No"},
		{"ID,質問,AIの回答,正確性\n1,始業は？,9時です,5\n2,日当は？,3000円です,4\n", "始業は？=;日当は？="},
		{"ID,質問,回答,配点\n1,始業は？,9時です,5\n2,日当は？,3000円です,4\n", "始業は？=9時です;日当は？=3000円です"},
		{"id,question,answer,retrieved_chunks\nq1,Late?,Yes.,p\nq2,Early?,No.,q\n", "Late?=;Early?="},
		{"ID,質問,スコア\nQ1,始業は？,5\nQ2,日当は？,2\n,平均,3.5\n,中央値,3.5\n,最高,5\n,標準偏差,1.5\n", "始業は？=;日当は？="},
	} {
		d, _, err := readDataset([]byte(c.body), "a.csv", "a", nil, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		var got []string
		for _, q := range d.Questions {
			got = append(got, q.Text+"="+q.Reference)
		}
		if s := strings.Join(got, ";"); s != c.want {
			t.Errorf("%s: %s, want %s", c.body, s, c.want)
		}
	}
}
