package metrics

// Refusal says by its phrases whether a text says that the documents do not hold the answer, in English or Japanese, and whether it
// says nothing else.
func Refusal(s string) (says, only bool) { return refuses(s), onlyRefuses(s) }
