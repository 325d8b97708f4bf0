package timetable

import "time"

// day is a day of the calendar, wherever a clock shows it.
type day struct{ year, month, day int }

func dayOf(t time.Time) day {
	y, m, d := t.Date()
	return day{y, int(m), d}
}

func (d day) at(minute int) time.Time {
	return time.Date(d.year, time.Month(d.month), d.day, 0, minute, 0, 0, time.UTC)
}

func (d day) next() day { return dayOf(d.at(24 * 60)) }

// mostDays bounds the search for a day: weekdays and leap years repeat within 40 years, even over a century without a leap day.
const mostDays = 41 * 366

// fits reports whether a timetable has slots on a day. Where both day fields are restricted, either decides, as cron has it.
func (t *Timetable) fits(d day) bool {
	if t.month&(1<<d.month) == 0 {
		return false
	}
	dom := t.dom&(1<<d.day) > 0
	dow := t.dow&(1<<int(d.at(0).Weekday())) > 0
	if t.anyDom || t.anyDow {
		return dom && dow
	}
	return dom || dow
}

// nextDay is the first day from d on that fits.
func (t *Timetable) nextDay(d day) (day, bool) {
	for range mostDays {
		switch {
		case t.month&(1<<d.month) == 0: // not a day of this month
			d = dayOf(time.Date(d.year, time.Month(d.month)+1, 1, 0, 0, 0, 0, time.UTC))
		case t.fits(d):
			return d, true
		default:
			d = d.next()
		}
	}
	return d, false
}

// nextShown is the first time after a time on the clock that fits. Clock times are written as if they were UTC.
func (t *Timetable) nextShown(after time.Time) (time.Time, bool) {
	from := after.Truncate(time.Minute).Add(time.Minute)
	d, minute := dayOf(from), 60*from.Hour()+from.Minute()
	for range mostDays {
		found, ok := t.nextDay(d)
		if !ok {
			return time.Time{}, false
		}
		if found != d {
			minute = 0
		}
		for ; minute < 24*60; minute++ {
			h := minute / 60
			if t.hour&(1<<h) == 0 {
				minute = 60*h + 59 // the whole hour is passed over
				continue
			}
			if t.minute&(1<<(minute%60)) > 0 {
				return found.at(minute), true
			}
		}
		d, minute = found.next(), 0
	}
	return time.Time{}, false
}

// Next is the first slot after an instant, in UTC; the zero time where there is none.
func (t *Timetable) Next(after time.Time) time.Time {
	switch {
	case t.zone == nil:
		return time.Time{}
	case t.every > 0:
		if after.Before(t.anchor) {
			return t.anchor.Add(t.every)
		}
		n := after.Sub(t.anchor)/t.every + 1
		return t.anchor.Add(n * t.every)
	case t.elapsed():
		return t.nextElapsed(after)
	}
	shown := t.shown(after) // this and anything less was reached before
	for {
		var ok bool
		if shown, ok = t.nextShown(shown); !ok {
			return time.Time{}
		}
		if at := t.first(shown); at.After(after) {
			return at
		}
	}
}

// NextN returns the n slots after an instant, or fewer where there are no more.
func (t *Timetable) NextN(after time.Time, n int) []time.Time {
	var out []time.Time
	for len(out) < n {
		if after = t.Next(after); after.IsZero() {
			break
		}
		out = append(out, after)
	}
	return out
}

// shown is what a clock in the zone shows, as if it were UTC.
func (t *Timetable) shown(at time.Time) time.Time {
	_, offset := at.In(t.zone).Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}

// first is the first instant at which a clock in the zone shows a time or a later one.
func (t *Timetable) first(shown time.Time) time.Time {
	at := shown.Add(-26 * time.Hour) // no offset is that large, so the clock shows less
	for {
		_, offset := at.In(t.zone).Zone()
		_, end := at.In(t.zone).ZoneBounds()
		if reached := shown.Add(-time.Duration(offset) * time.Second); reached.After(at) {
			at = reached
		}
		if end.IsZero() || at.Before(end) {
			return at.UTC()
		}
		at = end.UTC()
	}
}

// nextElapsed is the first instant after another at which the clock shows a time that fits.
func (t *Timetable) nextElapsed(after time.Time) time.Time {
	at, from := after, after
	for {
		_, offset := at.In(t.zone).Zone()
		_, end := at.In(t.zone).ZoneBounds()
		shift := time.Duration(offset) * time.Second
		shown, ok := t.nextShown(from.UTC().Add(shift))
		if !ok {
			return time.Time{}
		}
		found := shown.Add(-shift)
		if end.IsZero() || found.Before(end) {
			return found.UTC()
		}
		at, from = end, end.Add(-time.Nanosecond) // the change itself may be a slot, by the clock after it
	}
}
