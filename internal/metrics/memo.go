package metrics

import "github.com/rag-workbench/workbench/internal/text"

// What the offline judge prepares of texts is remembered: at some kilobytes each, tens of megabytes when full.
var (
	refusing = text.NewMemo(4096, onlyRefusing)
)
