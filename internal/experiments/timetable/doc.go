// Package timetable turns what people write of times into slots: cron text, zones, what was missed.
package timetable
