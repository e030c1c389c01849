/**
 * How often contestants run in a round, where once is too little.
 *
 * On a machine that others use too the CPU seconds of one process vary by a tenth and more from run to run, whoever it is: what
 * is short and what many ratios are of (ours is in all of them) is best run more often than the rest.
 */
import type { Contestant } from "./Claim.ts"

/** `times` by name; who is not named runs as often as before. */
export const often = (
  contestants: ReadonlyArray<Contestant>,
  times: Readonly<Record<string, number>>
): ReadonlyArray<Contestant> => {
  const unknown = Object.keys(times).filter((name) => !contestants.some((each) => each.name === name))
  if (unknown.length > 0) throw new Error(`no contestant is named ${unknown.join(", ")}`)
  return contestants.map((each) => {
    const count = times[each.name]
    return count === undefined ? each : { ...each, often: count }
  })
}
