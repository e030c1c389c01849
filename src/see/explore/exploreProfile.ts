/**
 * What the columns of a table hold, in the rows that filters leave: as the profile of its last run says it, if that is of these
 * rows, and otherwise counted.
 */
import * as Effect from "effect/Effect"
import type { ColumnProfile } from "#engine/ColumnProfile"
import type * as Queries from "#engine/Queries"
import * as Sink from "#engine/Sink"
import type { ColumnInfo, ProfileAnswer } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { selectionIn } from "./exploreRows.ts"
import { filteredSql, isOfCurrent } from "./gridSql.ts"
import * as Profile from "./profileSql.ts"

export const exploreProfile = Effect.fn("exploreProfile")(function* (
  explorer: Explorer.Explorer,
  params: URLSearchParams
) {
  const table = params.get("table") ?? ""
  const asked = new Set(params.getAll("columns"))
  const stored = yield* storedProfile(explorer, table)
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const { columns: all, dialect, where } = yield* selectionIn(explorer, queries, params)
      const columns = all.filter(({ name }) => asked.has(name))
      const only = filteredSql({ where, columns: all })
      const [counted] = yield* Explorer.rowsOf(queries, Profile.rowsSql({ table, only }))
      const rows = Number(counted?.["n"] ?? 0)
      const source: Profile.Source = { table, only, rows, dialect }
      // A profile is of the rows that a run handed over: it speaks of the table only where these are all of its rows.
      const isWhole = where.every(isOfCurrent)
      const known = new Map(
        stored.profiles.filter((one) => isWhole && one.rows === rows).map((one) => [one.column, one] as const)
      )
      const unknown = columns.filter(({ name }) => !known.has(name))
      const found = new Map(
        (yield* figuresOf(queries, source, unknown)).map((figures) => [figures.column.name, figures] as const)
      )
      const figures = columns.flatMap((column) => {
        const profile = known.get(column.name)
        return profile === undefined ? (found.get(column.name) ?? []) : storedFigures(column, profile)
      })
      const sql = rows === 0 ? undefined : Profile.countsSql(source, figures)
      const counts = sql === undefined ? [] : yield* Explorer.rowsOf(queries, sql)
      const answer: ProfileAnswer = {
        basis:
          known.size > 0
            ? `From the profile of run ${stored.runId}; ranges and frequent values are ${Profile.basisOf(source)}.`
            : `The figures are ${Profile.basisOf(source)}.`,
        columns: Profile.summariesOf(
          source,
          figures,
          counts.map(({ at, n, value }) => ({
            at: Number(at),
            value: value === null ? null : String(value),
            count: Number(n)
          }))
        )
      }
      return answer
    })
  )
})

const figuresOf = Effect.fnUntraced(function* (
  queries: Queries.Queries,
  source: Profile.Source,
  columns: ReadonlyArray<ColumnInfo>
) {
  if (columns.length === 0) return []
  const [row] = yield* Explorer.rowsOf(queries, Profile.figuresSql(source, columns))
  return Profile.figuresIn(source, columns, row ?? {})
})

/** The profiles of a table that the newest run with rows of it has left in the sink. */
const storedProfile = Effect.fnUntraced(function* (
  { layout, loaded: { pipeline }, sink }: Explorer.Explorer,
  table: string
) {
  const none = { runId: "", profiles: [] as ReadonlyArray<ColumnProfile> }
  if (sink.details === undefined || !layout.tables.some(({ name }) => name === table)) return none
  const { directory, name } = pipeline
  const runs = yield* sink.newestRuns?.(directory, { pipeline: name, count: 10 }) ?? sink.runs(directory)
  const run = runs.findLast((one) => one.pipeline === name && !Sink.isUnfinished(one) && (one.rows[table] ?? 0) > 0)
  if (run === undefined) return none
  const [details] = yield* sink.details(directory, [run.runId])
  return { runId: run.runId, profiles: (details?.profiles ?? []).filter((one) => one.table === table) }
})

const storedFigures = (column: ColumnInfo, profile: ColumnProfile): Profile.Figures => ({
  column,
  rows: profile.rows,
  filled: profile.filled,
  distinct: profile.distinct,
  compared: comparedOf(profile.rows),
  isDistinctExact: profile.distinct_exact,
  mean: profile.mean,
  median: profile.quantiles?.p50 ?? null,
  min: boundOf(profile.min),
  max: boundOf(profile.max),
  meanLength: profile.length?.mean ?? null,
  // A profile has them where few values differ.
  top: profile.top ?? undefined
})

/** Beyond 100,000 rows, one batch of eight is looked at (`src/engine/ColumnProfile.ts`). */
const comparedOf = (rows: number): number => (rows <= 100_000 ? rows : 100_000 + (rows - 100_000) / 8)

/** Of a time, its seconds since 1970. */
const boundOf = (bound: ColumnProfile["min"]): number | null => {
  const value = typeof bound === "string" ? Date.parse(bound) / 1000 : bound
  return value === null || Number.isNaN(value) ? null : value
}
