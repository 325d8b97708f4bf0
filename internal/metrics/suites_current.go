package metrics

import "strings"

// Current says which version of a frozen metric this program computes, and whether that is the frozen one. Metrics of
// experiment files are judged by their definition, which the Spec carries; a mark for other prompts stands for itself.
func (s Spec) Current() (version string, same bool) {
	if s.Custom != nil {
		now := s.Custom.Spec().Version
		return now, now == s.Version
	}
	if s.Group == GroupImported {
		return s.Version, true
	}
	now, known := Find(s.ID)
	if !known {
		return "", false
	}
	frozen, mark, marked := strings.Cut(s.Version, "+")
	version = now.Version
	if marked {
		version += "+" + mark
	}
	return version, frozen == now.Version
}
