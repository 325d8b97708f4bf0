package requests

import (
	"bytes"
	"encoding/json"
	"io"
)

// Indented is v as JSON that people can read, with a line feed at its end.
func Indented(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// writeJSON writes v to a client, who may be gone.
func writeJSON(w io.Writer, v any) {
	_ = json.NewEncoder(w).Encode(v)
}
