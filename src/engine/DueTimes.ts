/**
 * The due times of a schedule: the instants of a cron expression in its time zone, and which missed times are run later.
 *
 * A time that does not exist because clocks go forward is due once, at the first moment after it. A time that occurs twice
 * because clocks go back is due the first time only; but if every hour is meant (`*` for the hour), it is due twice. Several
 * times at one instant are due once.
 */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Timing } from "./FileSchedule.ts"

export interface DueTimes {
  /** The first due time after an instant, both in milliseconds since the epoch; undefined: there is none. */
  readonly next: (after: number) => number | undefined
}

export const of = ({ expression, timezone }: Pick<Timing, "expression" | "timezone">): DueTimes => {
  // Wall times are calculated as if they were UTC. Clock changes are handled below.
  const walls = Cron.parseUnsafe(expression, "UTC")
  const zone = Option.getOrElse(DateTime.zoneFromString(timezone), () => DateTime.zoneMakeOffset(0))
  const everyHour = walls.hours.size === 0 || walls.hours.size === 24

  const wallOf = (instant: number): number =>
    instant + DateTime.zonedOffset(DateTime.makeZonedUnsafe(instant, { timeZone: zone }))
  const at = (wall: number, disambiguation: "earlier" | "later"): number =>
    DateTime.makeZonedUnsafe(wall, { timeZone: zone, adjustForTimeZone: true, disambiguation }).epochMilliseconds
  /** The instant of a wall time: the first or second one if it occurs twice, the end of the gap if it does not exist. */
  const resolve = (wall: number, which: "earlier" | "later"): number => {
    const instant = at(wall, which)
    if (wallOf(instant) === wall) return instant
    let [before, after] = [at(wall, "earlier"), at(wall, "later")]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (wallOf(middle) > wall) after = middle
      else before = middle
    }
    return after
  }
  /** The next instant, if a wall time that occurs twice is always the first (or always the second) one. */
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
 * The due times in (after, until], the oldest first. If there are more than `most`, only some of the newest are returned, so
 * that a machine that was off for a year does not count half a million minutes.
 */
export const between = (times: DueTimes, after: number, until: number, most = 1000): ReadonlyArray<number> => {
  const dueTimes: Array<number> = []
  for (let due = times.next(after); due !== undefined && due <= until; due = times.next(due)) {
    dueTimes.push(due)
    if (dueTimes.length > most) return between(times, after + Math.ceil((until - after) / 2), until, most)
  }
  return dueTimes
}

/** The next wall time; undefined: the calendar has no such day. */
const nextWall = (walls: Cron.Cron, after: number): number | undefined => {
  try {
    return Cron.next(walls, after).getTime()
  } catch {
    return undefined
  }
}

/** Which due times are run. */
interface Decision {
  /** Times to run, the oldest first. `makesUp`: the time was missed. */
  readonly run: ReadonlyArray<{ readonly due: number; readonly makesUp: boolean }>
  /** Times that are not run later, the oldest first. */
  readonly missed: ReadonlyArray<number>
}

/**
 * Decides on the due times since the last decision.
 *
 * A due time is run, or it is missed and counted; it is never forgotten. A time that is at most `lateness` old counts as on
 * time.
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
      // A run that is on time is later than all missed times, so it replaces them.
      const last = onTime.length > 0 ? [] : late.slice(-1)
      return { run: [...made(last), ...onTime], missed: late.slice(0, late.length - last.length) }
    }
  }
}
