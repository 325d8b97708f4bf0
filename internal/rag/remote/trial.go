package remote

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
)

// EndpointTrial is what one question to an endpoint brought, for people.
type EndpointTrial struct {
	Received []OutlineLine `json:"received"`          // keys of the reply with cut values; empty when it is no JSON
	Answer   string        `json:"answer"`            //
	Contexts []string      `json:"contexts"`          // null: the reply shows none
	IDs      []string      `json:"context_ids"`       // of Contexts, "" where the reply names none
	Notes    []string      `json:"notes"`             // NoteContextsMissing and the like
	Version  string        `json:"version,omitempty"` // what stands at version_path
}

// Trial reads a reply as Map does and says what was found.
func (e Endpoint) Trial(raw []byte) (EndpointTrial, *llm.Error) {
	trial := EndpointTrial{Received: []OutlineLine{}, Notes: []string{}}
	value, err := decodeReply(raw)
	if err != nil {
		return trial, err
	}
	trial.Received = Outline(value)
	parsed, wrong := e.Parse()
	if wrong != nil {
		return trial, &llm.Error{Cause: llm.CauseEndpointMapping, Message: wrong.Error()}
	}
	m, err := parsed.read(value)
	if err != nil {
		return trial, err
	}
	trial.Answer, trial.Version = m.Answer, parsed.version(value)
	trial.Notes = slices.Concat(trial.Notes, m.Notes)
	if m.Contexts != nil {
		trial.Contexts, trial.IDs = []string{}, []string{}
	}
	for _, c := range m.Contexts {
		trial.Contexts, trial.IDs = append(trial.Contexts, c.Text), append(trial.IDs, c.ID)
	}
	return trial, nil
}

// TrialRequest is the request that asks the endpoint one question, outside any run, with the k and the prompt of a configuration. Where
// it takes our contexts it is given none.
func (e Endpoint) TrialRequest(question string, k int, prompt string) (llm.EndpointRequest, error) {
	parsed, err := e.Parse()
	if err != nil {
		return llm.EndpointRequest{}, err
	}
	return parsed.Request(Asking{Question: question, K: k, Prompt: prompt}), nil
}
