/**
 * Questions in SQL to what a pipeline has loaded, answered as a list of objects.
 *
 * Cells are as `millrace preview --format json` shows them: times and dates are ISO text, decimals with digits behind the
 * point are text. Whole numbers are numbers, and bigint beyond 2^53. The law: an answer is whole or it fails; one with more
 * rows than `maxRows` is never cut short.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CellJson from "../pipeline/CellJson.ts"
import type * as Column from "../pipeline/Column.ts"
import type * as Sink from "../pipeline/Sink.ts"
import { environmentOf } from "./environment.ts"
import { loadFile } from "./loadFile.ts"
import { wrong } from "./StartError.ts"
import { engine, type Services } from "./services.ts"

/**
 * Which sink of a file `sql` asks, and how many rows an answer may have.
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
  /** The sink of a file that is asked; default: the first that answers SQL. */
  readonly sink?: string
  /** How many rows an answer may have; default: 100,000. More rows fail. */
  readonly maxRows?: number
  /** What `${vars.NAME}` of a file stands for. */
  readonly vars?: Readonly<Record<string, string>>
  /** The environment of a file; default: as `run` has it. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Aborting it stops the query, and the promise is rejected with the reason. */
  readonly signal?: AbortSignal
}

const defaultMaxRows = 100_000

/** Asks a destination, or the one of a pipeline file. Nothing is written. */
export const askSink = Effect.fn("Engine.sql")(
  function* (place: string | Sink.Destination<Services>, query: string, options: SqlOptions = {}) {
    const { directory, sink } = typeof place === "string" ? yield* ofFile(place, options) : inFolder(place)
    const { queries } = sink
    if (queries === undefined) return yield* wrong(`${sink.type} cannot be asked in SQL`)
    const { ask } = yield* queries(directory, {})
    const { columns, rows } = yield* ask(query)
    const cells = columns.map((column) => [column.name, valueOf(column)] as const)
    const { maxRows = defaultMaxRows } = options
    const answer: Array<Record<string, unknown>> = []
    yield* Stream.runForEach(rows, (some) =>
      Effect.suspend(() => {
        if (answer.length + some.length > maxRows) {
          return Effect.fail(
            wrong(`the answer has more than ${maxRows} rows; ask for fewer with LIMIT, or set maxRows`)
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
  const missing = named === undefined ? "no sink that can be asked in SQL" : `no sink ${named}`
  return yield* wrong(`${name} has ${missing}; sinks: ${Object.keys(sinks).join(", ")}`)
})

/** Whole numbers are numbers, also where SQL sums them up to wider ones. */
const valueOf = ({ type }: Column.Column): ((cell: unknown) => unknown) => {
  const isWhole = type._tag === "BIGINT" || (type._tag === "DECIMAL" && type.scale === 0)
  if (!isWhole) return CellJson.ofCell(type)
  return (cell) => {
    if (typeof cell !== "bigint" && typeof cell !== "string") return cell ?? null
    const number = Number(cell)
    return Number.isSafeInteger(number) ? number : BigInt(cell)
  }
}
