package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

var ours = fakeprovider.Offline()

// reply is what the server of models says to a tool: every answer has its two sentences as claims, all are supported, and all answers
// are right. Which tool asks is found out from its prompt.
func reply(r fakeprovider.Request) (string, error) {
	asked := r.System + r.User
	switch {
	case strings.Contains(asked, "<<<DATA"):
		return ours(r)
	case strings.Contains(asked, "Now perform the same with the following input"): // Ragas
		return ragas(asked)
	case strings.Contains(asked, "rating is"), strings.Contains(asked, "rating must be only 4, 2 or 0"): // Ragas
		return "4", nil
	case strings.Contains(asked, "Natural language inference"): // promptfoo
		return "1. Explanation: it is written there. Verdict: Yes.\n2. Explanation: it is written there. Verdict: Yes.\n" +
			"Final verdict for each statement in order: Yes. Yes.", nil
	case strings.Contains(asked, "create one or more statements"): // promptfoo
		return strings.Join(sentences(asked), "\n"), nil
	case strings.Contains(asked, "factual content"): // promptfoo
		return `{"category":"C","reason":"Both say the same."}`, nil
	case strings.Contains(asked, "supported by the document"): // MLflow
		return `{"rationale":"Let's think step by step. The document says so.","result":"yes"}`, nil
	}
	return "", fmt.Errorf("nobody knows this prompt: %.200s", asked)
}

// ragas answers its two prompts: one lists the claims of an answer, the other gives verdicts on claims.
func ragas(asked string) (string, error) {
	_, input, _ := strings.Cut(asked, "Now perform the same with the following input")
	input = strings.TrimSpace(input[strings.Index(input, "{"):])
	var data struct {
		Answer     string   `json:"answer"`
		Statements []string `json:"statements"`
	}
	if err := json.NewDecoder(strings.NewReader(input)).Decode(&data); err != nil {
		return "", err
	}
	if data.Answer != "" {
		body, err := json.Marshal(map[string]any{"statements": sentences(data.Answer)})
		return string(body), err
	}
	verdicts := []map[string]any{}
	for _, s := range data.Statements {
		verdicts = append(verdicts, map[string]any{"statement": s, "reason": "It is written there.", "verdict": 1})
	}
	body, err := json.Marshal(map[string]any{"statements": verdicts})
	return string(body), err
}

var answers = regexp.MustCompile(`(The fee for service \d+ is \d+ coins\.) (Children under \d+ pay half\.)`)

// sentences are those of the last answer in a text.
func sentences(text string) []string {
	all := answers.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1][1:]
}
