/**
 * Finds a load by what the user writes: `latest`, `previous`, a run id or its first characters, or a time.
 *
 * A time means the last load that was committed at this time or before. A day without a time means its end, in UTC.
 */
import * as Effect from "effect/Effect"
import * as Instant from "#engine/Instant"
import type * as Sink from "#engine/Sink"
import { wrong } from "../CliFailure.ts"
import { when } from "../summary.ts"

/** `runs` are in the order of their commits. */
export const namedLoad = Effect.fnUntraced(function* (
  name: string,
  runs: ReadonlyArray<Sink.RunRecord>,
  where: string
) {
  const last = runs.at(-1)
  if (last === undefined) return yield* wrong(`${where} has no load yet: see millrace runs`)
  if (name === "latest") return last
  if (name === "previous") {
    return runs.at(-2) ?? (yield* wrong(`${where} has only one load, ${last.runId}, so there is no earlier one`))
  }
  const moment = momentOf(name)
  if (moment !== undefined) {
    const before = runs.filter(({ committedAt }) => committedAt <= moment).at(-1)
    const [first] = runs
    return (
      before ??
      (yield* wrong(
        `${where} has no load at ${name} or earlier; its first is ${first?.runId}, of ${when(first?.committedAt ?? 0n)}`
      ))
    )
  }
  const found = runs.filter(({ runId }) => runId.startsWith(name))
  const [run] = found
  if (found.length > 1) return yield* wrong(`${found.length} loads begin with ${name}: give more characters of the id`)
  return (
    run ?? (yield* wrong(`${where} has no load ${name}: give a run id (see millrace runs), a time, previous or latest`))
  )
})

/** The end of a day, or a time, in microseconds since the epoch; without an offset it is UTC. */
const momentOf = (text: string): bigint | undefined => {
  const day = Instant.microsOf(`${text}T00:00:00Z`)
  if (day !== undefined) return day + 86_399_999_999n
  const [, time = text, seconds] = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(text) ?? []
  return Instant.microsOf(text) ?? Instant.microsOf(`${time}${seconds ?? ":00"}Z`)
}
