/**
 * What becomes of the times that have come since somebody last looked.
 *
 * A due time is run, or it is missed and counted; it is never forgotten. A time that is at most `lateness` old is on
 * time: the scheduler was running.
 */
import type { Timing } from "../file/Schedule.ts"

export interface Decision {
  /** To be run, the oldest first. */
  readonly run: ReadonlyArray<{ readonly due: number; readonly makesUp: boolean }>
  /** Not made up for, the oldest first. */
  readonly missed: ReadonlyArray<number>
}

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
