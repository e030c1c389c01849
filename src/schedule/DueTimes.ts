/**
 * When a schedule is due: the instants of a cron expression in its time zone.
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
