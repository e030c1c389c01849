/**
 * Collects the figures of a report from the journal, and from the runs, rows and profiles that destinations keep.
 *
 * If a destination cannot be read, the report is still made: its notes say what is missing, and why.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Piece } from "#base/wordDiff"
import * as Column from "#engine/Column"
import type { ColumnProfile } from "#engine/ColumnProfile"
import { literal } from "#engine/Duckdb"
import type * as OutputTables from "#engine/OutputTables"
import type * as Pipeline from "#engine/Pipeline"
import type * as Queries from "#engine/Queries"
import * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { piecesOf, textOf } from "../diff/differenceText.ts"
import { diffRequest, loadsOf } from "../diff/diffRequest.ts"
import { layoutOf } from "../layoutOf.ts"
import type { Loaded } from "../loadPipeline.ts"
import { type PastRun, runsOf } from "../pastRuns.ts"
import * as Sheet from "../Sheet.ts"
import type {
  Asked,
  Credits,
  Download,
  HistoryPoint,
  Problem,
  ReportModel,
  Spread,
  TableChanges
} from "./ReportModel.ts"
import { compareColumns } from "./reportColumns.ts"
import * as Runs from "./reportRuns.ts"

export const collectReport = Effect.fn("collectReport")(function* (path: string, loaded: Loaded, name: string) {
  const { pipeline } = loaded
  const { runs: all, unread } = yield* runsOf({ path, pipeline })
  const runs = all.filter(Runs.isRead).toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  const run = yield* Runs.namedRun(name, runs, pipeline.name)
  const layout = yield* layoutOf({ file: loaded.file, pipeline: { ...pipeline, checks: [] } })
  const good = Runs.goodBefore(run, runs)
  const stored = yield* detailsOf(loaded, [run, ...good])
  const [own, ...before] = [run, ...good].map(({ runId }) => stored.details.get(runId)?.profiles ?? [])
  const profiles = own ?? []
  const problems = yield* Effect.scoped(problemsOf(loaded, layout, run, runs))
  const isThere = run.sinks.length > 0
  const changed = isThere
    ? yield* changesOf(pipeline, layout, run.runId)
    : { changes: [], notes: [], isCompared: false }
  const main = layout.main.name
  const profileOf = (column: string, of: ReadonlyArray<ColumnProfile> = profiles) =>
    of.find((one) => one.table === main && one.column === column)
  const model: ReportModel = {
    format: "millrace-report-1",
    pipeline: pipeline.name,
    run: Runs.runOf(run),
    compared_with: good.map(({ runId }) => runId),
    ledger: Runs.ledgerOf(run) ?? null,
    whole: Runs.wholeOf(run, good[0]) ?? null,
    checks: stored.details.get(run.runId)?.checks ?? [],
    status_codes: profileOf("status_code")?.top ?? null,
    latency_ms: spreadOf(profileOf("elapsed_ms")),
    download: downloadOf(run.facts, profileOf),
    credits: creditsOf(run, changed.changes, { main, isFirst: good.length === 0 }),
    history: Runs.historyOf(run, runs).map((one): HistoryPoint => {
      const { bytes, profiles: of } = stored.details.get(one.runId) ?? {}
      const latency = spreadOf(profileOf("elapsed_ms", of ?? []))
      const download = downloadOf(one.facts, (column) => profileOf(column, of ?? []))
      return {
        ...Runs.pointOf(one, main),
        latency_p50_ms: latency?.p50 ?? null,
        latency_p95_ms: latency?.p95 ?? null,
        wire_bytes: download?.wire_bytes ?? null,
        body_bytes: download?.body_bytes ?? null,
        characters: of === undefined || of.length === 0 ? null : charactersOf(of, main),
        bytes: bytes === undefined ? null : Object.values(bytes).reduce((sum, some) => sum + some, 0)
      }
    }),
    tables: layout.tables
      .filter((table) => table !== layout.rejects)
      .map((table) => ({
        name: table.name,
        description: table.description,
        key: table.key,
        rows: run.rows[table.name] ?? null,
        stored_rows: problems.stored.get(table.name) ?? null,
        stored_bytes: stored.details.get(run.runId)?.bytes?.[table.name] ?? null,
        columns: compareColumns(table.name, table.columns, profiles, before)
      })),
    asked: problems.asked,
    rejects: problems.rejects,
    errors: problems.errors,
    changes: changed.changes,
    notes: [
      ...unread,
      ...(isThere ? [] : [`run ${run.runId} has committed nothing, so no destination has rows or profiles of it`]),
      ...(isThere && profiles.length === 0
        ? ["no destination has a profile of its columns: it is of an older version"]
        : []),
      ...stored.notes,
      ...problems.notes,
      ...changed.notes,
      ...(isThere && !changed.isCompared && changed.notes.length === 0
        ? ["nothing is compared word by word: it is the first load, or no destination can compare two loads"]
        : [])
    ]
  }
  return model
})

/** What sinks keep about runs: profiles and checks from the first sink that has them, bytes from the first that knows them. */
const detailsOf = Effect.fnUntraced(function* ({ pipeline }: Loaded, runs: ReadonlyArray<PastRun>) {
  const details = new Map<string, Sink.RunDetails>()
  const notes: Array<string> = []
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const ids = runs.flatMap(({ runId, sinks }) => (sinks.includes(name) ? [runId] : []))
    if (ids.length === 0) continue
    if (sink.details === undefined) {
      notes.push(`sink ${name}: ${sink.type} keeps no checks and profiles of its runs`)
      continue
    }
    const found = yield* Effect.result(sink.details(pipeline.directory, ids))
    if (found._tag === "Failure") notes.push(`sink ${name}: ${found.failure.message}`)
    else for (const one of found.success) details.set(one.runId, joined(details.get(one.runId), one))
  }
  return { details, notes }
})

const joined = (first: Sink.RunDetails | undefined, next: Sink.RunDetails): Sink.RunDetails => {
  const bytes = first?.bytes ?? next.bytes
  const known = first === undefined || first.profiles.length === 0 ? next : first
  return { ...known, ...(bytes === undefined ? {} : { bytes }) }
}

const spreadOf = (profile: ColumnProfile | undefined): Spread | null => {
  const { max, mean, min, quantiles } = profile ?? { max: null, mean: null, min: null, quantiles: null }
  return quantiles === null || mean === null || typeof min !== "number" || typeof max !== "number"
    ? null
    : { min, p50: quantiles.p50, p95: quantiles.p95, p99: quantiles.p99, max, mean }
}

/** What the crawler of the run has counted; else the sum of the rows, where they say it: of a service's pages. */
const downloadOf = (
  { body_bytes: body, wire_bytes: wire }: PastRun["facts"],
  profileOf: (column: string) => ColumnProfile | undefined
): Download | null => {
  const sumOf = (column: string) => {
    const { filled = 0, mean = null } = profileOf(column) ?? {}
    return mean === null ? null : Math.round(mean * filled)
  }
  const page = spreadOf(profileOf("wire_bytes"))
  if (wire !== undefined) return { wire_bytes: wire, body_bytes: body ?? null, of: "run", page_wire_bytes: page }
  const sum = sumOf("wire_bytes")
  return sum === null ? null : { wire_bytes: sum, body_bytes: sumOf("body_bytes"), of: "rows", page_wire_bytes: page }
}

const charactersOf = (profiles: ReadonlyArray<ColumnProfile>, table: string): number =>
  Math.round(
    profiles
      .filter((one) => one.table === table && one.type === "VARCHAR")
      .reduce((sum, { filled, length }) => sum + (length?.mean ?? 0) * filled, 0)
  )

/** New and changed rows, where a destination can tell them; what the source counted otherwise; all rows of a first load. */
const creditsOf = (
  { facts, rows, sinks }: PastRun,
  changes: ReadonlyArray<TableChanges>,
  { isFirst, main }: { readonly main: string; readonly isFirst: boolean }
): Credits | null => {
  const { credits: used } = facts
  if (used === undefined) return null
  const of = changes.find(({ table }) => table === main)
  const compared =
    of?.whole === true
      ? (of.counts["added"] ?? 0) + (of.counts["changed"] ?? 0)
      : // Merge writes what is new or changed, and leaves all other rows as they were.
        of?.write === "merge"
        ? of.counts["written"]
        : undefined
  const changed = compared ?? facts["changed"] ?? (isFirst && sinks.length > 0 ? rows[main] : undefined)
  return {
    used,
    changed_rows: changed ?? null,
    per_changed_row: changed === undefined || changed === 0 ? null : Number((used / changed).toPrecision(4))
  }
}

/**
 * What a run changed in the main table and its children, word by word, as `millrace diff` has it: by the first sink that has both
 * states, or else what the first says that can say something.
 */
const changesOf = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  runId: string
) {
  const notes = new Set<string>()
  let partly: ReadonlyArray<TableChanges> | undefined
  let isCompared = false
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    if (sink.differences === undefined) continue
    const answer = yield* Effect.result(Effect.scoped(inSink(pipeline, layout, { name, sink, runId })))
    if (answer._tag === "Failure") {
      notes.add(`sink ${name} cannot say what changed: ${answer.failure.message}`)
      continue
    }
    isCompared ||= answer.success.isCompared
    const { changes } = answer.success
    if (changes.length > 0 && changes.every(({ whole }) => whole)) return { changes, notes: [], isCompared }
    if (changes.length > 0) partly ??= changes
  }
  return { changes: partly ?? [], notes: [...notes], isCompared }
})

/** Rows of each table, and characters of each piece, that a report shows. */
const mostRows = 20

const longestPiece = 600

const inSink = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  { name, runId, sink }: { readonly name: string; readonly sink: Sink.Destination<R>; readonly runId: string }
) {
  const { differences } = sink
  const runs = loadsOf(pipeline.name, yield* sink.runs(pipeline.directory))
  const at = runs.findIndex((run) => run.runId === runId)
  const [from, to] = [runs[at - 1], runs[at]]
  const changes: Array<TableChanges> = []
  if (from === undefined || to === undefined || differences === undefined) return { changes, isCompared: false }
  for (const table of layout.tables.filter((table) => isOf(layout, table) && table.key.length > 0)) {
    const request = diffRequest(pipeline, layout, { sink, table, columns: [], runs, from, to, limit: mostRows })
    const found = yield* differences(pipeline.directory, request)
    const shown = yield* Stream.runCollect(Stream.take(found.changes, mostRows))
    changes.push({
      table: table.name,
      sink: name,
      from: from.runId,
      write: request.write,
      basis: found.basis,
      whole: found.whole,
      counts: found.counts,
      fields: found.fields,
      shown: [...shown].map((change) => ({
        kind: change.kind,
        key: Object.entries(change.key).map(([column, value]) => [column, cut(textOf(value))] as const),
        fields: change.fields.map((column) => ({
          name: column,
          pieces: piecesOf(change, column, 120).map((piece): Piece => ({ ...piece, text: cut(piece.text) }))
        }))
      }))
    })
  }
  return { changes, isCompared: true }
})

/** The main table, and those whose rows belong to its rows. */
const isOf = (layout: OutputTables.OutputTables, { name, parent }: Table.Table): boolean => {
  if (name === layout.main.name) return true
  const above = layout.tables.find((table) => table.name === parent?.table)
  return above !== undefined && isOf(layout, above)
}

const cut = (text: string): string =>
  text.length <= longestPiece ? text : `${text.slice(0, longestPiece - 1).toWellFormed()}…`

/**
 * Rejects by reason and errors by code, each with examples, and how many rows each table has now, by the first sink of the run
 * that SQL can be asked of. They are asked of its tables, so a run whose rows were replaced since has none there any more.
 */
const problemsOf = Effect.fnUntraced(function* (
  { pipeline }: Loaded,
  layout: OutputTables.OutputTables,
  run: PastRun,
  runs: ReadonlyArray<PastRun>
) {
  const none = {
    rejects: [],
    errors: [],
    asked: null,
    stored: new Map<string, number>(),
    notes: [] as ReadonlyArray<string>
  }
  if (run.sinks.length === 0) return none
  const others = layout.tables.filter((table) => table !== layout.rejects && table !== layout.main)
  const notes: Array<string> = []
  for (const name of run.sinks) {
    const sink = pipeline.sinks[name]
    if (sink?.queries === undefined) continue
    const record = runs.findLast(({ sinks }) => sinks.includes(name))
    const isLast = record?.runId === run.runId
    const asOf = isLast || run.endedAt === undefined ? undefined : { ...run, committedAt: run.endedAt }
    const opened = yield* Effect.result(
      sink
        .queries(pipeline.directory, { asOf })
        // A DuckDB file only has the current tables.
        .pipe(
          Effect.catch((error) =>
            asOf === undefined ? Effect.fail(error) : (sink.queries?.(pipeline.directory, {}) ?? Effect.fail(error))
          )
        )
    )
    if (opened._tag === "Failure") {
      notes.push(`sink ${name} cannot be asked: ${opened.failure.message}`)
      continue
    }
    const owner = sink.shared === true ? Sink.ownerOf(pipeline.name) : undefined
    const place: RunTables = { queries: opened.success, runId: run.runId, owner }
    const answer = yield* Effect.result(
      Effect.all({
        rejects: rejectsOf(place, layout.rejects),
        errors: errorsOf(place, others),
        asked: askedIn(place, others),
        stored: storedRows(place, layout.tables)
      })
    )
    if (answer._tag === "Success") return { ...answer.success, notes }
    notes.push(`sink ${name} cannot be asked: ${answer.failure.message}`)
  }
  return {
    ...none,
    notes: notes.length > 0 ? notes : ["no sink of this run answers SQL, so rejects and errors are not listed"]
  }
})

interface RunTables {
  readonly queries: Queries.Queries
  readonly runId: string
  /** Whose rows they are, where several pipelines write the same tables. */
  readonly owner: string | undefined
}

const mostReasons = 20

const mostExamples = 3

const longestText = 300

/** Rejects, by reason. */
const rejectsOf = (place: RunTables, rejects: Table.Table) =>
  problemRows(place, {
    from: rejects.name,
    table: "table_name",
    reason: "reason",
    where: "coalesce(path, '')",
    text: "CAST(raw AS VARCHAR)",
    only: "true"
  })

/** Tables of a source that have errors: a column `error`, and a `code` or nothing beside it. */
const errorsOf = Effect.fnUntraced(function* (place: RunTables, tables: ReadonlyArray<Table.Table>) {
  const found: Array<Problem> = []
  for (const table of tables) {
    const has = (name: string) => table.columns.some((column) => column.name === name)
    if (!has("error")) continue
    const where = ["url", "_source_url", ...table.key].find(has)
    const { code, text } = has("code") ? { code: "code", text: "error" } : { code: "error", text: "NULL" }
    found.push(
      ...(yield* problemRows(place, {
        from: table.name,
        table: literal(table.name),
        reason: `coalesce(${code}, 'unknown')`,
        where: where === undefined ? "''" : `coalesce(CAST(${Column.quote(where)} AS VARCHAR), '')`,
        text,
        only: has("code") ? "(error IS NOT NULL OR code IS NOT NULL)" : "error IS NOT NULL"
      }))
    )
  }
  return found.toSorted((a, b) => b.count - a.count).slice(0, mostReasons)
})

/** What the sheets of the run's jobs say. */
const askedIn = Effect.fnUntraced(function* (place: RunTables, tables: ReadonlyArray<Table.Table>) {
  const jobs: Array<Asked["lacking"][number]> = []
  let again = 0
  for (const { columns, name } of tables) {
    if (["sheet", "_source_url", "asked_again"].some((own) => Column.named(columns, own) === undefined)) continue
    const ours = place.owner === undefined ? "" : ` AND _pipeline = ${literal(place.owner)}`
    const rows = yield* answerOf(
      place.queries,
      `SELECT CAST(sheet AS VARCHAR) AS sheet, _source_url AS page, asked_again AS again FROM ${Column.quote(name)}
        WHERE _run_id = ${literal(place.runId)}${ours} AND sheet IS NOT NULL LIMIT ${mostJobs}`
    )
    for (const row of rows) {
      const sheet = Sheet.read(row["sheet"])
      // What is asked again was asked before: it counts once.
      if (Number(row["again"]) > 0) again++
      else if (sheet !== undefined) jobs.push({ page: cut(String(row["page"] ?? "")), sheet })
    }
  }
  if (jobs.length === 0) return null
  const lackOf = ({ sheet: { fields, pages_not_read: notRead } }: (typeof jobs)[number]): number =>
    notRead + fields.reduce((sum, field) => sum + Sheet.lackingOf(field), 0)
  const lacking = jobs.filter((job) => lackOf(job) > 0).toSorted((a, b) => lackOf(b) - lackOf(a))
  const asked: Asked = {
    jobs: jobs.length,
    jobs_again: again,
    sheet: Sheet.sum(jobs.map(({ sheet }) => sheet)),
    lacking: lacking.slice(0, mostReasons),
    lacking_jobs: lacking.length
  }
  return asked
})

/** Jobs whose sheets are read. */
const mostJobs = 10_000

/** How many rows each table has now. */
const storedRows = Effect.fnUntraced(function* ({ owner, queries }: RunTables, tables: ReadonlyArray<Table.Table>) {
  const counts = new Map<string, number>()
  const only = owner === undefined ? "" : ` WHERE _pipeline = ${literal(owner)}`
  for (const { name } of tables) {
    const rows = yield* Effect.orElseSucceed(
      answerOf(queries, `SELECT count(*) AS n FROM ${Column.quote(name)}${only}`),
      (): ReadonlyArray<Table.Row> => []
    )
    const [row] = rows
    if (row !== undefined) counts.set(name, Number(row["n"]))
  }
  return counts
})

const problemRows = (
  { owner, queries, runId }: RunTables,
  of: Readonly<Record<"from" | "table" | "reason" | "where" | "text" | "only", string>>
): Effect.Effect<ReadonlyArray<Problem>, Sink.SinkError> => {
  const ours = owner === undefined ? "" : ` AND _pipeline = ${literal(owner)}`
  const rows = answerOf(
    queries,
    `WITH found AS (
      SELECT ${of.table} AS table_name, left(${of.reason}, ${longestText}) AS reason,
        left(${of.where}, ${longestText}) AS place, left(coalesce(${of.text}, ''), ${longestText}) AS text
      FROM ${Column.quote(of.from)} WHERE _run_id = ${literal(runId)}${ours} AND ${of.only}
    ), numbered AS (
      SELECT *, count(*) OVER (PARTITION BY table_name, reason) AS n,
        row_number() OVER (PARTITION BY table_name, reason ORDER BY place, text) AS k FROM found
    )
    SELECT table_name, reason, place, text, n FROM numbered WHERE k <= ${mostExamples}
    ORDER BY n DESC, table_name, reason, k LIMIT ${mostReasons * mostExamples}`
  )
  return Effect.map(rows, grouped)
}

const grouped = (rows: ReadonlyArray<Table.Row>): ReadonlyArray<Problem> => {
  const groups = new Map<string, Problem>()
  for (const { n, place, reason, table_name: table, text } of rows) {
    const name = JSON.stringify([table, reason])
    const { examples } = groups.get(name) ?? { examples: [] }
    const example = { where: String(place), text: String(text) }
    groups.set(name, {
      table: String(table),
      reason: String(reason),
      count: Number(n),
      examples: [...examples, example]
    })
  }
  return [...groups.values()].slice(0, mostReasons)
}

const answerOf = (queries: Queries.Queries, sql: string) =>
  Effect.flatMap(queries.ask(sql), ({ rows }) =>
    Effect.map(Stream.runCollect(rows), (chunks): ReadonlyArray<Table.Row> => [...chunks].flat())
  )
