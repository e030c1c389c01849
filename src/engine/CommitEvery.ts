/**
 * How often a run commits while it still reads (`commit_every`), and which pipelines can.
 *
 * Guarantee: the rest of a run never takes back or changes what a commit has made visible. So every table is appended or
 * merged, and the pipeline has no steps and no checks of rows, because those need all rows of the run.
 */
import * as Schema from "effect/Schema"
import * as Check from "./Check.ts"
import { millisOf } from "./KeySchemas.ts"
import type * as Sink from "./Sink.ts"
import type * as Step from "./Step.ts"
import type * as Table from "./Table.ts"

/** A part is committed when it has as many rows of the main table, or when as much time has passed: whichever comes first. */
export interface CommitEvery {
  /** Rows of the main table. */
  readonly rows?: number
  /** Milliseconds since the last commit. */
  readonly millis?: number
}

const rows = String.raw`[1-9]\d*(,\d{3})* ?(pages?|rows?)`
const time = "[1-9][0-9]* ?(s|m|h|d|seconds?|minutes?|hours?|days?)"
const or = String.raw`( *\| *| or )`

/** The text of `commit_every`: "10000 pages", "10m", "10000 pages or 10m". */
export const commitEvery = Schema.String.check(
  Schema.isPattern(new RegExp(`^(${rows}(${or}${time})?|${time}(${or}${rows})?)$`), {
    expected: "a number of rows, a time or both, such as 10000 pages, 10m, or 10000 pages or 10m"
  })
)

export const parse = (text: string): CommitEvery => {
  const parts = text.split(/ *\| *| or /)
  const count = parts.find((part) => /(page|row)s?$/.test(part))
  const passed = parts.find((part) => part !== count)
  return {
    ...(count === undefined ? {} : { rows: Number(count.replace(/[^0-9]/g, "")) }),
    ...(passed === undefined ? {} : { millis: millisOf(passed) })
  }
}

/** Why a pipeline cannot commit before its end. `sink`: the name of the sink that cannot. */
interface Fault {
  readonly sink?: string
  readonly message: string
}

export const faultOf = (pipeline: {
  readonly tables: ReadonlyArray<Table.Table>
  /** The user's options of the main table. */
  readonly table: { readonly key?: ReadonlyArray<string> }
  readonly steps: ReadonlyArray<Step.Step>
  readonly checks: ReadonlyArray<Check.Check>
  readonly sinks: Readonly<Record<string, Pick<Sink.Destination<unknown>, "writeOf">>>
}): Fault | undefined => {
  const { checks, sinks, steps, table, tables } = pipeline
  const [main, ...others] = tables
  const keyed = main === undefined ? [] : [{ ...main, key: table.key ?? main.key }, ...others]
  if (steps.length > 0) return { message: `commit_every cannot be used with steps, ${waits}` }
  const check = checks.find(Check.looksAtRows)
  if (check !== undefined) {
    return { message: `commit_every cannot be used with the check ${Check.inWords(check)}, ${waits}` }
  }
  for (const [sink, { writeOf }] of Object.entries(sinks)) {
    for (const each of keyed) {
      const write = writeOf(each)
      if (write === "append" || write === "merge") continue
      return { sink, message: `sink ${sink} cannot commit before the end of a run: ${whole[write]}` }
    }
  }
  return undefined
}

const waits = "because those look at all rows of a run before the first is committed; leave out one of the two"

const whole = {
  replace: "write: replace needs all rows of a run to replace a table; use append or merge, or leave out commit_every",
  scd2: "write: scd2 closes versions by all that a run has read; use append or merge, or leave out commit_every"
}
