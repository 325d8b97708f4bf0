package doctor

// Unattested are the kinds of sealed rows of which some can be taken away together with their seals without anything telling of it, and
// which ones: the help of `workbench doctor` says in general that there are such. Where nothing but the row itself and its seal says that
// it was ever there, nothing can.
var Unattested = map[string]string{
	"corpora":     "the newest version of a corpus, dataset or log with all of its rows, when no run rests on it",
	"datasets":    "the newest version of a corpus, dataset or log with all of its rows, when no run rests on it",
	"logs":        "the newest version of a corpus, dataset or log with all of its rows, when no run rests on it",
	"taxonomies":  "the first or last version of a list of themes",
	"agreements":  "the last version of an agreement, when no run was started under it",
	"reviews":     "a reviewer's last word on an answer",
	"events":      "the last events of a run that is not over",
	"runs":        "a run with all of its rows, when it bought nothing and no other row names it",
	"runs_seq":    "the order of such a run",
	"fires":       "fires that no run was made for",
	"runs_end":    "how such a run ended",
	"answers":     "answers and scores of such a run",
	"cells":       "answers and scores of such a run",
	"stages":      "outputs of stages that no answer or score names",
	"calls":       "calls that belong to no run and that no score rests on",
	"vectors":     "vectors, which are computed again",
	"judge_cards": "judge cards",
	"baselines":   "pinned baselines",
	"endpoints":   "endpoints",
	"audit_log":   "entries of the audit log",
	"schedules":   "schedules", "share_links": "links to pages", "notebook_versions": "versions of notebooks",
	"notebook_comments": "comments", "run_notes": "notes", "run_tags": "tags",
}
