/**
 * The scheduler of a service with many callers: it runs ready tasks for some milliseconds, then the event loop continues.
 *
 * Node accepts one new connection in each turn of its loop, and reads sockets once. With hundreds of jobs there are always
 * more ready tasks, and a turn that runs all of them lasts a second: then a thousand callers wait minutes for a connection.
 */
import * as Scheduler from "effect/Scheduler"

/** `everyMillis`: the length of a turn; the rest waits for the next. */
export const create = (everyMillis: number = turnMillis): Scheduler.Scheduler => {
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

/** Short, because the answer to a status request takes a few turns. */
const turnMillis = 10
