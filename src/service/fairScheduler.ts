/**
 * The scheduler of a service with many callers: what is ready runs for some milliseconds, then the event loop has its turn.
 *
 * Node takes one new connection in each turn of its loop, and reads sockets once. With hundreds of jobs there is always more that
 * is ready, and a turn that does all of it lasts a second: then a thousand callers wait minutes to be taken at all.
 */
import * as Scheduler from "effect/Scheduler"

/** `everyMillis`: after so long the rest waits for the next turn. */
export const make = (everyMillis: number = turnMillis): Scheduler.Scheduler => {
  let ready: Array<{ run: (() => void) | undefined }> = []
  let isDue = false
  const turn = () => {
    const until = performance.now() + everyMillis
    let at = 0
    // What is added meanwhile belongs to the next turn.
    const now = ready
    ready = []
    while (at < now.length && (at === 0 || performance.now() < until)) now[at++]?.run?.()
    ready = at < now.length ? [...now.slice(at), ...ready] : ready
    isDue = ready.length > 0
    if (isDue) setImmediate(turn)
  }
  return new Scheduler.MixedScheduler("async", (run) => {
    const entry: { run: (() => void) | undefined } = { run }
    ready.push(entry)
    if (!isDue) {
      isDue = true
      setImmediate(turn)
    }
    return () => {
      entry.run = undefined
    }
  })
}

/** A status is answered in a few of them. */
const turnMillis = 10
