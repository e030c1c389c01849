/**
 * SQL queries on the tables that a pipeline has loaded, with the result as a list of objects.
 *
 * Values are as in `millrace preview --format json`: times and dates are ISO text, decimals with decimal places are text. Whole
 * numbers are numbers, and bigint beyond 2^53. Guarantee: a result is complete, or the query fails; a result with more rows than
 * `maxRows` is never cut.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CellJson from "#engine/CellJson"
import type * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import { environmentOf } from "./environment.ts"
import { loadFile } from "./loadFile.ts"
import { wrong } from "./StartError.ts"
import { engine, type Services } from "./services.ts"

/**
 * The options of `sql`: the sink of a file, and the maximum number of rows.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises"
 * import { run, sql, type SqlOptions } from "millrace"
 *
 * await writeFile("two.yaml", "source: { type: crawl, url: http://your.site, limit: 2 }\nsinks: { lake: { type: parquet, path: ./two } }\n")
 * await run("two.yaml")
 * const options: SqlOptions = { sink: "lake", maxRows: 10 }
 * console.log(await sql("two.yaml", "SELECT count(*) AS pages FROM pages", options)) // [{ pages: 2 }]
 * ```
 */
export interface SqlOptions {
  /** The sink to query, if `sql` is given a file; default: the first that can be queried with SQL. */
  readonly sink?: string
  /** The maximum number of rows; a query with more rows fails; default: 100,000. */
  readonly maxRows?: number
  /** The values of `${vars.NAME}` in a file. */
  readonly vars?: Readonly<Record<string, string>>
  /** The environment variables for a file; default: as for `run`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Aborting it stops the query, and the promise is rejected with the reason. */
  readonly signal?: AbortSignal
}

const defaultMaxRows = 100_000

/** Queries a destination, or a sink of a pipeline file. Nothing is written. */
export const askSink = Effect.fn("Engine.sql")(
  function* (place: string | Sink.Destination<Services>, query: string, options: SqlOptions = {}) {
    const { directory, sink } = typeof place === "string" ? yield* ofFile(place, options) : inFolder(place)
    const { queries } = sink
    if (queries === undefined) return yield* wrong(`a sink of type ${sink.type} cannot be queried with SQL`)
    const { ask } = yield* queries(directory, {})
    const { columns, rows } = yield* ask(query)
    const cells = columns.map((column) => [column.name, valueOf(column)] as const)
    const { maxRows = defaultMaxRows } = options
    const answer: Array<Record<string, unknown>> = []
    yield* Stream.runForEach(rows, (some) =>
      Effect.suspend(() => {
        if (answer.length + some.length > maxRows) {
          return Effect.fail(
            wrong(`the result has more than ${maxRows} rows; ask for fewer with LIMIT, or set maxRows`)
          )
        }
        for (const row of some)
          answer.push(Object.fromEntries(cells.map(([name, convert]) => [name, convert(row[name])])))
        return Effect.void
      })
    )
    return answer
  },
  Effect.scoped,
  Effect.provide(engine)
)

const inFolder = (sink: Sink.Destination<Services>) => ({ directory: process.cwd(), sink })

const ofFile = Effect.fnUntraced(function* (path: string, { env, sink: named, vars = {} }: SqlOptions) {
  const { pipeline } = yield* loadFile(path, { vars, env: env ?? (yield* environmentOf) })
  const { directory, name, sinks } = pipeline
  const found = Object.entries(sinks).find(([own, sink]) =>
    named === undefined ? sink.queries !== undefined : own === named
  )
  if (found !== undefined) return { directory, sink: found[1] }
  const missing = named === undefined ? "no sink that can be queried with SQL" : `no sink ${named}`
  return yield* wrong(`${name} has ${missing}; sinks: ${Object.keys(sinks).join(", ")}`)
})

/** Whole numbers are numbers, even if SQL makes decimals of them, as in sums. */
const valueOf = ({ type }: Column.Column): ((cell: unknown) => unknown) => {
  const isWhole = type._tag === "BIGINT" || (type._tag === "DECIMAL" && type.scale === 0)
  if (!isWhole) return CellJson.ofCell(type)
  return (cell) => {
    if (typeof cell !== "bigint" && typeof cell !== "string") return cell ?? null
    const number = Number(cell)
    return Number.isSafeInteger(number) ? number : BigInt(cell)
  }
}
