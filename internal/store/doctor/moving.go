package doctor

// movedRows say of rows that people and processes change, by kind, what to do where one is not what this program wrote last: whatever the
// program does to it afterwards, it seals none that did not fit its seal.
var movedRows = map[string]string{
	"schedules": "it is not what this program last wrote: somebody changed it outside of it, or an older server that still ran after an upgrade did; " +
		"look at its limits and times, and save the schedule again",
	"share_links": "it is not what this program last wrote: somebody changed it outside of it, or an older server that still ran after an upgrade did; " +
		"revoke it, and share anew",
	"notebook_versions": "it is not what this program last wrote: somebody changed it outside of it, or an older server that still ran after an " +
		"upgrade did; compare who made it, and when, with a backup",
	"notebook_comments": "it is not what this program last wrote: somebody changed it outside of it, or an older server that still ran after an " +
		"upgrade did; ask whose comment it is, then remove it, and write it again where it is right",
	"run_notes": "it is not what this program last wrote: somebody changed it outside of it, or an older server that still ran after an upgrade did; " +
		"write the note again",
	"run_tags": "it is not what this program last wrote: somebody changed it outside of it, or an older server that still ran after an upgrade did; " +
		"remove the tag, and add it again where it is right",
}

// The other things that can be wrong with them.
const (
	movedIn = "it has no seal: somebody put it there outside of this program, or an older server that still ran after an upgrade did; " +
		"remove it, and make it again where it is right"
	movedAway = "it was sealed and is gone: somebody took it away outside of this program, or an older server that still ran after an upgrade did"
)

// saidOf is what is said of a row of a kind that is not what was sealed, has no seal, and is gone.
func saidOf(kind string) (other, unsealed, gone string) {
	if moved := movedRows[kind]; moved != "" {
		return moved, movedIn, movedAway
	}
	return "it is not what it was when it was sealed", "it is there, but nobody put it there: it has no seal", "it was sealed and is gone"
}
