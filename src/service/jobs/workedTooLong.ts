/**
 * Whether this process worked so long without a pause that its leases ended: then a page that it was reading may be the cause.
 *
 * A process that was stopped, whose machine slept, or that did not reach its database used no CPU meanwhile.
 */
import { leaseMillis } from "../store/JobLease.ts"

/** To be asked again and again: what it gives looks at the time since it was last asked. It stays true while losses come to light. */
export const make = (look = used): (() => boolean) => {
  let before = look()
  let until = 0
  return () => {
    const now = look()
    const passed = now.at - before.at
    if (passed > leaseMillis && now.worked - before.worked > passed / 2) until = now.at + leaseMillis
    before = now
    return now.at < until
  }
}

/** Milliseconds that passed, and that the process worked. */
const used = () => {
  const { system, user } = process.cpuUsage()
  return { at: performance.now(), worked: (user + system) / 1000 }
}
