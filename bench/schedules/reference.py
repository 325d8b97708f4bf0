#!/usr/bin/env python3
"""When schedules fire, computed without a line of the workbench, for internal/experiments/testdata/slots.txt.

    python3 bench/schedules/reference.py > internal/experiments/testdata/slots.txt

Nothing is solved here: the script walks through every minute of twenty years, reads the clock of each zone from Python's zoneinfo, and
notes when a schedule is due. A line is zone, cron text, number of slots, and the SHA-256 of the slots, one UTC minute a line.

 * A schedule of whole hours fires at every minute at which the clock shows a time that fits.
 * Any other names times of day. Each fires at the first minute at which the clock has reached it; times that are reached in one and
   the same minute, because the clock jumped over them, fire together, once.
"""

import datetime as dt
import hashlib
import sys
import zoneinfo

FIRST, LAST = 2006, 2025  # the years whose rules are settled history

ZONES = """America/New_York Europe/London Europe/Berlin Europe/Dublin Asia/Tokyo Asia/Kolkata Australia/Lord_Howe Pacific/Apia America/Sao_Paulo
America/Santiago Asia/Beirut Africa/Cairo Africa/Casablanca Antarctica/Troll America/Caracas Asia/Pyongyang Europe/Istanbul Asia/Tehran
America/Havana America/St_Johns Pacific/Chatham UTC""".split()

# fires at 02:30; in the repeated hour; at midnight; every hour; every quarter in the night; Mondays; by day of month or of week
SPECS = ["30 2 * * *", "30 1 * * *", "0 0 * * *", "0 * * * *", "*/15 0-3 * * *", "0 6 * * 1", "5 2 1,15 * 0", "*/20 * * 3,10 *"]

EPOCH = dt.datetime(1970, 1, 1)


def numbers(field, low, high):
    out = set()
    for part in field.split(","):
        step = 1
        if "/" in part:
            part, _, by = part.partition("/")
            step = int(by)
        if part == "*":
            a, b = low, high
        elif "-" in part:
            a, b = map(int, part.split("-"))
        else:
            a = b = int(part)
        out |= set(range(a, b + 1, step))
    return out


class Spec:
    def __init__(self, text):
        minute, hour, dom, month, dow = text.split()
        self.minute, self.hour = numbers(minute, 0, 59), numbers(hour, 0, 23)
        self.dom, self.month, self.dow = numbers(dom, 1, 31), numbers(month, 1, 12), numbers(dow, 0, 6)
        self.open = dom.startswith("*") or dow.startswith("*")
        self.elapsed = len(self.hour) == 24

    def fits(self, clock):
        if clock.minute not in self.minute or clock.hour not in self.hour or clock.month not in self.month:
            return False
        dom, dow = clock.day in self.dom, clock.isoweekday() % 7 in self.dow
        return (dom and dow) if self.open else (dom or dow)


def minutes(d):
    return int((d - EPOCH).total_seconds()) // 60


def clocks(zone):
    """Every minute of the years in UTC with what the clock shows, both in minutes since 1970. Two days more at both ends."""
    tz = zoneinfo.ZoneInfo(zone)
    block = 1 if zone == "America/St_Johns" else 15  # St. John's changed at a minute past midnight, the others at quarters of an hour
    at, end = minutes(dt.datetime(FIRST, 1, 1)) - 2880, minutes(dt.datetime(LAST + 1, 1, 1)) + 2880
    while at < end:
        now = dt.datetime.fromtimestamp(at * 60, tz)
        offset = int(now.utcoffset().total_seconds()) // 60
        for _ in range(block):
            yield at, at + offset
            at += 1


def main():
    specs = [Spec(s) for s in SPECS]
    marks = set().union(*(s.minute for s in specs))
    first, end = minutes(dt.datetime(FIRST, 1, 1)), minutes(dt.datetime(LAST + 1, 1, 1))
    for zone in ZONES:
        slots = [[] for _ in specs]
        reached = None
        for at, clock in clocks(zone):
            new = range(clock if reached is None else reached + 1, clock + 1)  # clock times that were reached just now
            reached = clock if reached is None else max(reached, clock)
            if not first <= at < end or clock % 60 not in marks and len(new) < 2:
                continue
            shown = EPOCH + dt.timedelta(minutes=clock)
            times = [EPOCH + dt.timedelta(minutes=m) for m in new]
            for i, s in enumerate(specs):
                due = s.fits(shown) if s.elapsed else any(s.fits(c) for c in times)
                if due:
                    slots[i].append((EPOCH + dt.timedelta(minutes=at)).strftime("%Y-%m-%dT%H:%MZ\n"))
        for text, found in zip(SPECS, slots):
            digest = hashlib.sha256("".join(found).encode()).hexdigest()
            print(zone, text.replace(" ", "_"), len(found), digest, sep="\t", flush=True)


if __name__ == "__main__":
    sys.exit(main())
