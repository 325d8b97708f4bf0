// Package schedules evaluates experiments again at their times.
package schedules
