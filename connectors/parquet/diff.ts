/**
 * What changed in a table of a folder or bucket between two commits: every commit has its manifest, and the files that a
 * manifest names are kept, so both states can be read.
 *
 * Only files that just one of the two manifests names are fetched: a file never changes, so the rows of the
 * others are the same. Rows of append are distinguished by their run.
 */
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type * as Difference from "#engine/Difference"
import * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import { compare, rowNumber } from "#engine/duckdbCompare"
import type * as ObjectStore from "#engine/ObjectStore"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { widen } from "#engine/widen"
import { failure } from "./failure.ts"
import { projection } from "./format/fileSql.ts"
import { placeOf, readFiles } from "./format/filesSql.ts"
import { openStore } from "./lake/openLake.ts"
import { columnsOf, hasHistory } from "./manifest/columnsAfter.ts"
import * as Manifest from "./manifest/Manifest.ts"
import * as PrivateFolder from "./manifest/PrivateFolder.ts"
import { takeFile, vacuumed } from "./manifest/takeFile.ts"
import type { Options } from "./options.ts"

export const differences = Effect.fn("parquet.differences")(function* (
  options: Options,
  directory: string,
  ask: Difference.DiffRequest
): Effect.fn.Return<Difference.Differences, Sink.SinkError, ObjectStore.ObjectStores | Scope.Scope> {
  const store = yield* openStore(options, directory)
  const within = Effect.mapError(failure(`cannot compare table ${ask.table.name} of ${store.location}`))
  const [old, now] = yield* within(statesOf(store, ask))
  if (old === undefined && now === undefined) {
    return yield* failure(`${store.location} has no table ${ask.table.name} in either of these runs`)()
  }
  const folder = yield* PrivateFolder.create(tmpdir(), "millrace-diff-")
  const columns = bothColumns(old, now)
  const method = methodOf(ask)
  const [oldFiles, newFiles] = method.ofRun
    ? [filesOfRun(old, ask.from), filesOfRun(now, ask.to)]
    : method.latest
      ? [filesOf(old), filesOf(now)]
      : [without(filesOf(old), now), without(filesOf(now), old)]
  const fetched = new Map<string, string>()
  yield* within(
    Effect.forEach(
      [...new Map([...oldFiles, ...newFiles].map((file) => [file.path, file])).values()],
      (file, at) => {
        const local = placeOf(folder, at, file)
        fetched.set(file.path, local)
        const gone = oldFiles.includes(file) ? vacuumed(store.location, ask.from.runId) : undefined
        return Effect.flatMap(takeFile(store, file, local, gone), (fault) =>
          fault === undefined ? Effect.void : failure(fault)()
        )
      },
      { concurrency: 8, discard: true }
    )
  )
  const database = yield* within(Database.open({ threads: 1, memory: "256MB", spill: Path.join(folder, "spill") }))
  const relation = (state: Manifest.TableState | undefined, files: ReadonlyArray<Manifest.DataFile>, run: string) =>
    within(
      relationOf(database, ask, columns, {
        state,
        files: files.flatMap(({ path }) => fetched.get(path) ?? []),
        where: [
          method.ofRun ? `_run_id = ${Database.literal(run)}` : isHistory(state) ? "is_current" : "TRUE",
          ...(ask.owner === undefined ? [] : [`${Column.quote(pipeline)} = ${Database.literal(ask.owner)}`])
        ].join(" AND "),
        latest: method.latest
      })
    )
  const named = (names: ReadonlyArray<string>) => names.flatMap((name) => Column.named(columns, name) ?? [])
  const reading = Table.readingIn(ask.table, columns)
  const { counts, changes, rows, fields } = yield* within(
    compare(database, {
      old: yield* relation(old, oldFiles, ask.from.runId),
      new: yield* relation(now, newFiles, ask.to.runId),
      key: named(ask.table.key),
      compared: named(ask.compared),
      reading: reading && { ...reading, since: Sink.isHistory(columns) ? "valid_from" : undefined },
      unique: method.latest || ask.write === "merge" || ask.write === "scd2",
      limit: ask.limit
    })
  )
  const common = method.ofRun || method.latest ? [] : filesOfBoth(old, now).filter(({ min }) => isOf(ask.owner, min))
  const shared = common.reduce((sum, { rows }) => sum + rows, 0)
  // A history also holds versions that are not current, and a file may have rows of other pipelines: they are not counted.
  const isCounted =
    shared === 0 || (!(isHistory(old) || isHistory(now)) && common.every(({ max }) => isOf(ask.owner, max)))
  return {
    basis: method.basis,
    whole: true,
    ...(isCounted ? { rows: { from: rows.from + shared, to: rows.to + shared } } : {}),
    fields,
    counts: { ...counts, written: 0 },
    changes: Stream.mapError(changes, failure(`cannot compare table ${ask.table.name} of ${store.location}`))
  }
})

/** The table in the last manifest of each run. */
const statesOf = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  { from, table, to }: Difference.DiffRequest
) {
  const versions = new Map<string, number>()
  for (const { run, version } of yield* Manifest.readAll(store, ({ run, version }) => ({ run: run.run_id, version }))) {
    versions.set(run, version)
  }
  const stateOf = Effect.fnUntraced(function* ({ runId }: Sink.RunRecord) {
    const version = versions.get(runId)
    return version === undefined ? undefined : (yield* Manifest.readVersion(store, version)).tables[table.name]
  })
  return [yield* stateOf(from), yield* stateOf(to)] as const
})

interface Method {
  readonly basis: string
  /** Whether a state is the rows that one run added. */
  readonly ofRun: boolean
  /** Whether only the last row of each key counts. */
  readonly latest: boolean
}

const methodOf = ({ incremental, table, write }: Difference.DiffRequest): Method => {
  if (write !== "append") return { basis: "the manifests of the two runs", ofRun: false, latest: false }
  if (!incremental) return { basis: "the rows that each run added", ofRun: true, latest: false }
  return table.key.length === 0
    ? { basis: "the manifests of the two runs", ofRun: false, latest: false }
    : { basis: "the manifests of the two runs, the last row of each key", ofRun: false, latest: true }
}

/** The columns of both states, each of a type that holds the values of both. */
const bothColumns = (
  old: Manifest.TableState | undefined,
  now: Manifest.TableState | undefined
): ReadonlyArray<Column.Column> => {
  const [ours, theirs] = [columnsOf(now?.columns ?? []), columnsOf(old?.columns ?? [])]
  const widened = ours.map((column) => {
    const there = Column.named(theirs, column.name)
    return there === undefined ? column : { ...column, type: widen(there.type, column.type) }
  })
  return [...widened, ...theirs.filter(({ name }) => Column.named(ours, name) === undefined)]
}

const isHistory = (state: Manifest.TableState | undefined): boolean => state !== undefined && hasHistory(state)

const filesOf = (state: Manifest.TableState | undefined): ReadonlyArray<Manifest.DataFile> => state?.files ?? []

/** The files that only this state has. */
const without = (files: ReadonlyArray<Manifest.DataFile>, other: Manifest.TableState | undefined) => {
  const there = new Set(filesOf(other).map(({ path }) => path))
  return files.filter(({ path }) => !there.has(path))
}

const filesOfBoth = (old: Manifest.TableState | undefined, now: Manifest.TableState | undefined) => {
  const there = new Set(filesOf(old).map(({ path }) => path))
  return filesOf(now).filter(({ path }) => there.has(path))
}

/** Whether the first, or the last, pipeline of a file is this one. Without an owner: always. */
const isOf = (owner: string | undefined, edge: Manifest.DataFile["min"]): boolean =>
  owner === undefined || edge[pipeline] === owner

const pipeline = Sink.pipelineColumn.name

/** The files that may hold rows of a run: a manifest has the run of a file, or the first and the last of its runs. */
const filesOfRun = (
  state: Manifest.TableState | undefined,
  { runId }: Sink.RunRecord
): ReadonlyArray<Manifest.DataFile> =>
  filesOf(state).filter(({ max, min, run_id: run }) => {
    if (run !== undefined) return run === runId
    const [least, most] = [min["_run_id"], max["_run_id"]]
    return least === undefined || least === null || most === undefined || most === null
      ? true
      : least <= runId && runId <= most
  })

/** The rows of a state, numbered by file and row. A column that no file has is null. */
const relationOf = Effect.fnUntraced(function* (
  database: Database.Database,
  { table }: Difference.DiffRequest,
  columns: ReadonlyArray<Column.Column>,
  of: {
    readonly state: Manifest.TableState | undefined
    readonly files: ReadonlyArray<string>
    readonly where: string
    readonly latest: boolean
  }
) {
  const { files, latest, state, where } = of
  if (state === undefined || files.length === 0) {
    const cells = columns.map(({ name, type }) => `CAST(NULL AS ${Column.toSql(type)}) AS ${Column.quote(name)}`)
    return `(SELECT ${[...cells, `0::BIGINT AS ${rowNumber}`].join(", ")} WHERE FALSE)`
  }
  const read = readFiles(state, files, ["filename = true", "file_row_number = true"])
  const present = yield* describe(database, read)
  const there = columnsOf(state.columns).filter(({ name }) => Column.named(present, name) !== undefined)
  const number = `CAST(regexp_extract(filename, '(\\d+)\\.parquet$', 1) AS BIGINT) * ${2 ** 40} + file_row_number`
  const cells = [...projection(there, columns), `${number} AS ${rowNumber}`]
  const rows = `(SELECT ${cells.join(", ")} FROM (SELECT * FROM ${read} WHERE ${where}))`
  if (!latest) return rows
  const key = table.key.map(Column.quote).join(", ")
  return `(FROM ${rows} QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY _run_id DESC, ${rowNumber} DESC) = 1)`
})
