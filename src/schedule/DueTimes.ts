/**
 * When a schedule is due: the instants of a cron expression in its time zone, and what becomes of those that were missed.
 *
 * A time that does not exist because clocks go forward is due once, at the first moment after it. A time that comes
 * twice because clocks go back is due once, the first time; only if every hour is meant (`*` for the hour) both count.
 * Several times at one instant are due once.
 */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Timing } from "../file/Schedule.ts"

export interface DueTimes {
  /** The first due time after an instant, both in milliseconds since the epoch; undefined: there is none. */
  readonly next: (after: number) => number | undefined
}

export const make = ({ expression, timezone }: Pick<Timing, "expression" | "timezone">): DueTimes => {
  // Wall times are counted as if they were UTC; what clock changes do to them is below.
  const walls = Cron.parseUnsafe(expression, "UTC")
  const zone = Option.getOrElse(DateTime.zoneFromString(timezone), () => DateTime.zoneMakeOffset(0))
  const everyHour = walls.hours.size === 0 || walls.hours.size === 24

  const wallOf = (instant: number): number =>
    instant + DateTime.zonedOffset(DateTime.makeZonedUnsafe(instant, { timeZone: zone }))
  const at = (wall: number, disambiguation: "earlier" | "later"): number =>
    DateTime.makeZonedUnsafe(wall, { timeZone: zone, adjustForTimeZone: true, disambiguation }).epochMilliseconds
  /** The instant of a wall time: the first or second one where it comes twice, the end of the gap where it never does. */
  const resolve = (wall: number, which: "earlier" | "later"): number => {
    const found = at(wall, which)
    if (wallOf(found) === wall) return found
    let [before, after] = [at(wall, "earlier"), at(wall, "later")]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (wallOf(middle) > wall) after = middle
      else before = middle
    }
    return after
  }
  /** In each direction of reading, instants are in the order of their wall times. */
  const nextOf = (after: number, which: "earlier" | "later"): number | undefined => {
    const here = wallOf(after)
    let wall: number | undefined = here - Math.max(0, resolve(here, which) - after)
    for (;;) {
      wall = nextWall(walls, wall)
      if (wall === undefined) return undefined
      const instant = resolve(wall, which)
      if (instant > after) return instant
    }
  }

  return {
    next: (after) => {
      const first = nextOf(after, "earlier")
      if (!everyHour || first === undefined) return first
      return Math.min(first, nextOf(after, "later") ?? first)
    }
  }
}

/**
 * The due times in (after, until], the oldest first; where there are more than `most`, about the newest of them. A machine
 * that was off for a year must not count half a million minutes.
 */
export const between = (times: DueTimes, after: number, until: number, most = 1000): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let due = times.next(after); due !== undefined && due <= until; due = times.next(due)) {
    found.push(due)
    if (found.length > most) return between(times, after + Math.ceil((until - after) / 2), until, most)
  }
  return found
}

/** A calendar without such a day ends the search. */
const nextWall = (walls: Cron.Cron, after: number): number | undefined => {
  try {
    return Cron.next(walls, after).getTime()
  } catch {
    return undefined
  }
}

/** What becomes of due times. */
interface Decision {
  /** To be run, the oldest first. */
  readonly run: ReadonlyArray<{ readonly due: number; readonly makesUp: boolean }>
  /** Times that are not run later, the oldest first. */
  readonly missed: ReadonlyArray<number>
}

/**
 * What becomes of the times that have come since somebody last looked.
 *
 * A due time is run, or it is missed and counted; it is never forgotten. A time that is at most `lateness` old is on
 * time: the scheduler was running.
 */
export const decideDue = (
  catchUp: Timing["catch_up"],
  dues: ReadonlyArray<number>,
  now: number,
  lateness: number
): Decision => {
  const late = dues.filter((due) => due < now - lateness)
  const onTime = dues.slice(late.length).map((due) => ({ due, makesUp: false }))
  const made = (times: ReadonlyArray<number>) => times.map((due) => ({ due, makesUp: true }))
  switch (catchUp) {
    case "none":
      return { run: onTime, missed: late }
    case "all":
      return { run: [...made(late), ...onTime], missed: [] }
    case "last": {
      // A run that is on time is later than every one that was missed: it makes up for them too.
      const last = onTime.length > 0 ? [] : late.slice(-1)
      return { run: [...made(last), ...onTime], missed: late.slice(0, late.length - last.length) }
    }
  }
}
