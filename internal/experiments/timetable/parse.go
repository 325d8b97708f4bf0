package timetable

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"time"
	_ "time/tzdata"

	"github.com/robfig/cron/v3"

	"github.com/rag-workbench/workbench/internal/problem"
)

// LeastInterval is the least time between two slots of a schedule.
const LeastInterval = 5 * time.Minute

// Timetable says when a schedule fires. The zero value never does.
//
// A timetable of whole hours (its hour field allows all 24) follows elapsed time: every instant at which a clock in the zone shows a
// time that fits. Any other names times of day, and each fires exactly once: at the first instant at which the clock shows that time or a
// later one. So a time that a change to summer time leaves out fires when the gap is over, and a time that comes twice in autumn fires
// at the first. @every counts elapsed time from when the schedule was made.
type Timetable struct {
	minute, hour, dom, month, dow uint64 // sets of numbers
	anyDom, anyDow                bool   // the field is open, so the other alone decides about the day
	every                         time.Duration
	anchor                        time.Time
	zone                          *time.Location
}

// cronFields are the fields of a cron text in their order, with the numbers that each allows.
var cronFields = [5]struct {
	name     string
	from, to uint
	option   cron.ParseOption
}{
	{"minute", 0, 59, cron.Minute}, {"hour", 0, 23, cron.Hour}, {"day of month", 1, 31, cron.Dom}, {"month", 1, 12, cron.Month},
	{"day of week", 0, 6, cron.Dow},
}

// mostCron bounds the text of a timetable in bytes.
const mostCron = 200

// openField is how the parser marks a field written with a star.
const openField = 1 << 63

// ParseTimetable reads when a schedule fires: five cron fields, or @every DURATION, @hourly, @daily, @weekly, @monthly, @yearly. zone is
// an IANA name. anchor is where @every counts from. A text that is wrong, names a zone of its own, never fires or fires
// more often than every five minutes is an Invalid Problem with parameters "field" (cron or zone) and "position" (of the fault in the text,
// in bytes from 0).
func ParseTimetable(text, zone string, anchor time.Time) (Timetable, error) {
	loc, err := ParseZone(zone)
	if err != nil {
		return Timetable{}, err
	}
	t := Timetable{zone: loc, anchor: anchor.UTC().Truncate(time.Second)}
	switch {
	case len(text) > mostCron:
		return t, badCron(text, mostCron, "cron_text", "it is %d bytes long, and %d are allowed", len(text), mostCron)
	case strings.TrimSpace(text) == "":
		return t, badCron(text, 0, "cron_text", "it is empty")
	case strings.Contains(text, "="):
		return t, badCron(text, strings.Index(text, "="), "cron_zone", "a time zone does not belong into it").
			WithHint("give the zone by itself, for example --zone Europe/Berlin")
	case strings.HasPrefix(strings.TrimSpace(text), "@"):
		err = t.parseWord(text)
	default:
		err = t.parseFields(text)
	}
	if err != nil {
		return Timetable{}, err
	}
	return t, t.check(text)
}

// badCron is the Problem of a cron text.
func badCron(text string, position int, code, format string, args ...any) *problem.Problem {
	shown := text
	if len(shown) > mostCron {
		shown = strings.ToValidUTF8(shown[:mostCron], "") + "…"
	}
	reason := fmt.Sprintf(format, args...)
	p := problem.New(problem.Invalid, code, "%q is no time that a schedule can follow: %s", shown, reason)
	if strings.TrimSpace(text) == "" {
		p = problem.New(problem.Invalid, code, "the schedule has no time")
	}
	return p.With("field", "cron").With("cron", shown).With("position", position).With("reason", reason).
		WithHint("write five fields: minute hour day-of-month month day-of-week, for example \"0 6 * * 1\" for Mondays at 06:00, or @daily, @every 12h")
}

// words are the names of common timetables.
var words = map[string]string{
	"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *",
	"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}

func (t *Timetable) parseWord(text string) error {
	word := strings.TrimSpace(text)
	at := strings.Index(text, "@")
	if fields, ok := words[word]; ok {
		return t.parseFields(fields)
	}
	spec, ok := strings.CutPrefix(word, "@every ")
	if !ok {
		return badCron(text, at, "cron_text", "%q is no such word; there are @every, @hourly, @daily, @weekly, @monthly and @yearly", word)
	}
	d, err := time.ParseDuration(strings.TrimSpace(spec))
	if err != nil {
		return badCron(text, at+len("@every "), "cron_text", "%q is no duration such as 90m or 12h", spec)
	}
	if d > 366*24*time.Hour {
		return badCron(text, at+len("@every "), "cron_text", "%s is longer than a year", d)
	}
	t.every = d.Truncate(time.Second)
	return nil
}

func (t *Timetable) parseFields(text string) error {
	fields := strings.Fields(text)
	if len(fields) != len(cronFields) {
		reason := "it has %d fields in the place of five"
		if len(fields) == len(cronFields)+1 {
			reason = "it has %d fields in the place of five: there is no field for seconds, and none for a year"
		}
		return badCron(text, len(text), "cron_text", reason, len(fields))
	}
	sets := [5]uint64{}
	position := 0
	for i, field := range fields {
		position += strings.Index(text[position:], field)
		set, err := parseField(field, i)
		if err != nil {
			return badCron(text, position, "cron_text", "its %s %q is wrong: %s", cronFields[i].name, field, err)
		}
		sets[i] = set
		position += len(field)
	}
	t.anyDom, t.anyDow = sets[2]&openField > 0, sets[4]&openField > 0
	for i := range sets {
		sets[i] &^= openField
	}
	t.minute, t.hour, t.dom, t.month, t.dow = sets[0], sets[1], sets[2], sets[3], sets[4]
	return nil
}

// parseField reads one field with the library. It panics on some texts, which are then as wrong as others.
func parseField(field string, i int) (set uint64, err error) {
	bounds := cronFields[i]
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("it is not written like one")
		}
	}()
	if i == 4 && (field == "7" || strings.Contains(field, "7")) {
		return 0, errors.New("days are 0 to 6 from Sunday, or SUN to SAT")
	}
	s, err := cron.NewParser(bounds.option).Parse(field)
	if err != nil {
		return 0, fmt.Errorf("it takes numbers from %d to %d, with * , - and /", bounds.from, bounds.to)
	}
	spec, ok := s.(*cron.SpecSchedule)
	if !ok {
		return 0, errors.New("it is not written like one")
	}
	return [5]uint64{spec.Minute, spec.Hour, spec.Dom, spec.Month, spec.Dow}[i], nil
}

// elapsed reports whether the timetable follows elapsed time: every hour fits.
func (t *Timetable) elapsed() bool { return bits.OnesCount64(t.hour&(1<<24-1)) == 24 }

// check refuses what fires never or too often.
func (t *Timetable) check(text string) error {
	often := func(every time.Duration) error {
		return badCron(text, 0, "cron_often", "it would fire %s after it fired; %s is the least", every, LeastInterval).
			With("seconds", int(every.Seconds())).
			WithHint("a schedule fires at most every five minutes")
	}
	if t.every != 0 || strings.HasPrefix(strings.TrimSpace(text), "@every") {
		if t.every < LeastInterval {
			return often(t.every)
		}
		return nil
	}
	first, ok := t.nextDay(day{year: 2000, month: 1, day: 1})
	if !ok {
		return badCron(text, 0, "cron_never", "it never fires: there is no such day").WithHint("30 February, for example, does not exist")
	}
	if least := t.closest(first); least < LeastInterval {
		return often(least)
	}
	return nil
}

// closest is the least time between two slots that follow each other on a clock without changes.
func (t *Timetable) closest(first day) time.Duration {
	var minutes []int
	for h := range 24 {
		for m := range 60 {
			if t.hour&(1<<h) > 0 && t.minute&(1<<m) > 0 {
				minutes = append(minutes, 60*h+m)
			}
		}
	}
	least := 24 * 60
	for i := 1; i < len(minutes); i++ {
		least = min(least, minutes[i]-minutes[i-1])
	}
	if over := 24*60 - minutes[len(minutes)-1] + minutes[0]; over < least && t.neighbours(first) {
		least = over
	}
	return time.Duration(least) * time.Minute
}

// neighbours reports whether two days that follow each other fit, within the 28 years after which weekdays repeat.
func (t *Timetable) neighbours(first day) bool {
	for d, n := first, 0; n < 28*366; n++ {
		next := d.next()
		if t.fits(d) && t.fits(next) {
			return true
		}
		d = next
	}
	return false
}
