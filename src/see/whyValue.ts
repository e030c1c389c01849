/**
 * The work behind `millrace why`: finds a row of a destination, and prints where one of its values comes from.
 *
 * For a table without evidence, it prints what the row knows: the page, the run, and when the page was read.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { didYouMean } from "#base/didYouMean"
import * as Column from "#engine/Column"
import * as ColumnName from "#engine/ColumnName"
import type * as OutputTables from "#engine/OutputTables"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { engine, type NetworkFlags } from "#library/services"
import { failed, wrong } from "./CliFailure.ts"
import { layoutOf } from "./layoutOf.ts"
import { type Loaded, loadPipeline } from "./loadPipeline.ts"
import { runsOf, statusOf } from "./pastRuns.ts"
import { jsonLine, printable } from "./printable.ts"
import * as Sheet from "./Sheet.ts"
import { iso } from "./summary.ts"
import { evidenceKey, evidenceTable } from "./why/evidenceOf.ts"
import {
  current,
  evidenceBeside,
  evidenceIn,
  isBeside,
  notesWithout,
  readingOf,
  textIn,
  textOf
} from "./why/evidenceRows.ts"
import { fetchedHtml, keptHtml, type PageHtml } from "./why/pageHtml.ts"
import { spanContext } from "./why/spanContext.ts"
import * as TableReader from "./why/TableReader.ts"
import type { Context, Evidence, WhyModel } from "./why/WhyModel.ts"

interface Options extends NetworkFlags {
  readonly file: string
  readonly table: string
  readonly key: string
  readonly column: string
  readonly vars: Readonly<Record<string, string>>
  readonly sink: Option.Option<string>
  readonly fetch: boolean
  readonly json: boolean
}

/** The maximum number of pages that are fetched again. */
const mostFetched = 3

export const whyValue = Effect.fn("whyValue")(
  function* (options: Options) {
    const model = yield* whyOf(yield* loadPipeline(options.file, options.vars), options)
    process.stdout.write(options.json ? jsonLine(model) : printable(whyText(model)))
  },
  Effect.scoped,
  Effect.provide(engine)
)

/** What is known about the value that `options` names. */
export const whyOf = Effect.fn("whyOf")(function* (loaded: Loaded, options: Omit<Options, "vars" | "json">) {
  const layout = yield* layoutOf({ file: loaded.file, pipeline: { ...loaded.pipeline, checks: [] } })
  const { column, table } = yield* named(layout, options)
  const key = yield* rowKey(table, options.key)
  const { name, sink } = yield* sinkOf(loaded, options.sink)
  const where = `${loaded.pipeline.name}: sink ${name}`
  const failing = Effect.mapError((error: Sink.SinkError) => failed(`${where}: ${error.message}`))
  const reader = yield* failing(TableReader.open(loaded.pipeline, sink))
  const rows = yield* failing(reader.find(table, key))
  const [row, ...others] = current(rows)
  if (row === undefined) {
    const page = yield* failing(pageWithoutRow(reader, layout, table, key))
    if (page === undefined) return yield* wrong(yield* failing(notThere(reader, { table, key, where })))
    const run = yield* runOf(options.file, loaded, textIn(page.row, "_run_id"))
    return ofPageWithoutRow(page, { pipeline: loaded.pipeline.name, sink: name, table, key, column, run })
  }
  if (others.length > 0) {
    return yield* wrong(`${where}: ${others.length + 1} rows of ${table.name} match ${options.key}: name more columns`)
  }
  const found = yield* failing(sourcesOf(reader, layout, { table, row, column: column.name }))
  const urls = [...new Set(found.map(({ url }) => url))]
  const stored = yield* failing(keptHtml(reader, layout.tables, urls))
  const fetched = options.fetch
    ? yield* fetchedHtml(
        loaded,
        options,
        urls.filter((url) => !stored.has(url)),
        mostFetched
      )
    : undefined
  const pages = new Map([...stored, ...(fetched?.pages ?? [])])
  const value = row[column.name] ?? null
  const evidence = found.map((one) => inContext(one, pages.get(one.url)))
  const job = yield* failing(jobOf(reader, layout, textIn(row, "_job_id")))
  const model: WhyModel = {
    pipeline: loaded.pipeline.name,
    sink: name,
    table: table.name,
    key,
    column: column.name,
    type: Column.toSql(column.type),
    value,
    row: readingOf(row),
    run: yield* runOf(options.file, loaded, textIn(row, "_run_id")),
    engine: job?.engine ?? null,
    reading:
      table.reading === undefined
        ? null
        : { column: table.reading.version, version: row[table.reading.version] ?? null },
    evidence,
    notes: [
      ...notesWithSheet(job?.sheet, column.name, { table, layout, evidence, value, fetched: options.fetch }),
      ...(fetched?.notes ?? [])
    ]
  }
  return model
})

/** The table and the column, by the names that the user wrote. */
const named = Effect.fnUntraced(function* (
  layout: OutputTables.OutputTables,
  options: Pick<Options, "table" | "column">
) {
  const table = layout.tables.find(({ name }) => name === options.table)
  if (table === undefined) {
    const names = layout.tables.map(({ name }) => name)
    return yield* wrong(`there is no table ${options.table}${meant(options.table, names)}; tables: ${names.join(", ")}`)
  }
  const column = Column.named(table.columns, options.column)
  if (column === undefined) {
    const names = table.columns.map(({ name }) => name)
    return yield* wrong(
      `table ${table.name} has no column ${options.column}${meant(options.column, names)}; columns: ${names.join(", ")}`
    )
  }
  return { column, table }
})

const meant = (written: string, names: ReadonlyArray<string>): string => {
  const near = didYouMean(written, names)
  return near === undefined ? "" : `; did you mean ${near}?`
}

const sinkOf = Effect.fnUntraced(function* ({ pipeline }: Loaded, named: Option.Option<string>) {
  const names = Object.keys(pipeline.sinks)
  const name = Option.getOrElse(
    named,
    () => names.find((one) => pipeline.sinks[one]?.queries !== undefined) ?? names[0] ?? ""
  )
  const sink = pipeline.sinks[name]
  return sink === undefined
    ? yield* wrong(`${pipeline.name} has no sink ${name}${meant(name, names)}; sinks: ${names.join(", ")}`)
    : { name, sink }
})

/** The message for a key that no row has, with keys that are like it. */
const notThere = Effect.fnUntraced(function* <R>(
  reader: TableReader.TableReader<R>,
  of: { readonly table: Table.Table; readonly key: Readonly<Record<string, string>>; readonly where: string }
) {
  const [only] = of.table.key
  const pairs = Object.entries(of.key).map(([name, value]) => `${name}=${value}`)
  const rows = yield* reader.find(of.table, {})
  const known = only === undefined ? [] : rows.flatMap((row) => textOf(row[only]))
  const near = only === undefined || of.table.key.length > 1 ? undefined : didYouMean(of.key[only] ?? "", known)
  const some = known.slice(0, 3).join(", ")
  const hint = near !== undefined ? `; did you mean ${near}?` : some === "" ? "" : `; keys are like ${some}`
  return `${of.where}: table ${of.table.name} has no row ${pairs.join(", ")}${hint}`
})

const sourcesOf = Effect.fnUntraced(function* <R>(
  reader: TableReader.TableReader<R>,
  layout: OutputTables.OutputTables,
  { column, row, table }: { readonly table: Table.Table; readonly row: Table.Row; readonly column: string }
) {
  const place = evidenceTable(table, layout.tables)
  if (place === undefined) return evidenceBeside(row, column)
  const all = yield* reader.find(place.sources, evidenceKey(place, table, row))
  return evidenceIn(all, { main: place.main, table, row, column })
})

const inContext = (one: Omit<Evidence, "context">, page: PageHtml | undefined): Evidence => ({
  ...one,
  context: page === undefined || one.span === null ? null : spanContext(page.html, one.span, one.value, page.source)
})

/** A value, and the places that say it. */
interface Found {
  readonly table: Table.Table
  readonly layout: OutputTables.OutputTables
  readonly evidence: ReadonlyArray<Evidence>
  readonly value: unknown
  readonly fetched: boolean
}

/** Why a value is as it is: where its page may say it all the same, that is said in place of that no page says it. */
const notesWithSheet = (sheet: string | null | undefined, column: string, of: Found): ReadonlyArray<string> => {
  const { table, value } = of
  const note = value === null ? sheetNoteOf(sheet, table, column) : undefined
  return [
    ...(note === undefined || !note.isUnclear ? notesOf(column, of) : []),
    ...(note === undefined ? [] : [note.text]),
    ...consideredIn(sheet, table, column)
  ]
}

/** What is known of a column of a page that gave no row. */
const ofPageWithoutRow = (
  { job, row }: { readonly job: ReturnType<typeof jobIn>; readonly row: Table.Row },
  of: Pick<WhyModel, "pipeline" | "sink" | "key" | "run"> & {
    readonly table: Table.Table
    readonly column: Column.Column
  }
): WhyModel => ({
  ...of,
  table: of.table.name,
  column: of.column.name,
  type: Column.toSql(of.column.type),
  value: null,
  row: readingOf(row),
  engine: job.engine,
  reading: null,
  evidence: [],
  notes: [
    `table ${of.table.name} has no row of this page: ${textIn(row, "error") ?? "the page was read, and what was found on it is no row"}`,
    ...notesOfSheet(job.sheet, of.table, of.column.name)
  ]
})

/** What a sheet says of a column that is null. */
const notesOfSheet = (sheet: string | null, table: Table.Table, column: string): ReadonlyArray<string> => {
  const note = sheetNoteOf(sheet, table, column)
  return [...(note === undefined ? [] : [note.text]), ...consideredIn(sheet, table, column)]
}

/** The job that has read a page alone, if that page gave no row; the key of its row would be its address. */
const pageWithoutRow = Effect.fnUntraced(function* <R>(
  reader: TableReader.TableReader<R>,
  layout: OutputTables.OutputTables,
  table: Table.Table,
  key: Readonly<Record<string, string>>
) {
  if (table.key.join() !== "_source_url") return undefined
  const jobs = layout.tables.find(
    ({ columns, key: own }) => own.join() === "job_id" && Column.named(columns, "sheet") !== undefined
  )
  const [row] = jobs === undefined ? [] : current(yield* reader.find(jobs, key))
  return row === undefined ? undefined : { row, job: jobIn(row) }
})

const jobIn = (row: Table.Row) => {
  const name = textIn(row, "engine")
  return { engine: name === null ? null : { name, model: textIn(row, "model") }, sheet: textIn(row, "sheet") }
}

/** What extracted the values of a job, and its sheet, from the table of jobs. */
const jobOf = Effect.fnUntraced(function* <R>(
  reader: TableReader.TableReader<R>,
  layout: OutputTables.OutputTables,
  job: string | null
) {
  for (const table of layout.tables) {
    const id = ["job_id", "run_id"].find((name) => table.key.join() === name)
    if (job === null || id === undefined || Column.named(table.columns, "engine") === undefined) continue
    const [row] = yield* reader.find(table, { [id]: job })
    if (row !== undefined && textIn(row, "engine") !== null) return jobIn(row)
  }
  return null
})

/** What the sheet of a job says of a column that is null. `isUnclear`: its page may say the value all the same. */
const sheetNoteOf = (sheet: string | null | undefined, table: Table.Table, column: string) => {
  const decoded = Sheet.read(sheet)
  const field = decoded?.fields.find(({ field: pointer }) => isFieldOf(pointer, table, column))
  if (decoded === undefined || field === undefined) return undefined
  const { found, given, given_not_said: refused, not_understood: unclear, read_not_said: silent } = field
  const unread = decoded.pages_not_read
  const parts = [
    ...(silent === 0 ? [] : [`${silent} were read and not said`]),
    ...(unclear === 0
      ? []
      : [`${unclear} were not understood: the page has the name, and no value beside it that is certain`]),
    ...(refused === 0
      ? []
      : [`${refused} a model gave and no page says (${given.map((value) => JSON.stringify(value)).join(", ")})`]),
    ...(unread === 0 ? [] : [`${unread} pages were not read, and may say it`])
  ]
  const all = found + silent + unclear + refused
  return { text: `its job found ${found} of ${all} values of ${column}: ${parts.join("; ")}`, isUnclear: unclear > 0 }
}

/** What else the pages of a job offered to a column, and why it was left. */
const consideredIn = (sheet: string | null | undefined, table: Table.Table, column: string): ReadonlyArray<string> => {
  const decoded = Sheet.read(sheet)
  const field = decoded?.fields.find(({ field: pointer }) => isFieldOf(pointer, table, column))
  return (field?.considered ?? []).map((one) => `considered and left: ${Sheet.consideredText(one)}`)
}

/** The names of a field, without the list that has the rows, are those of the column in its table. */
const isFieldOf = (pointer: string, table: Table.Table, column: string): boolean => {
  const names = pointer
    .split("/")
    .slice(1)
    .map((step) => (step === "*" ? step : ColumnName.snake(step.replaceAll("~1", "/").replaceAll("~0", "~"))))
  const parent = table.parent === undefined ? "" : table.name.slice(table.parent.table.length + 2)
  const wanted = [...(parent === "" ? [] : [parent]), column].join("__")
  const own = names[0] === "*" ? names.slice(1) : names[1] === "*" ? names.slice(2) : names
  return [own, names].some((some) => some.filter((name) => name !== "*").join("__") === wanted)
}

const runOf = Effect.fnUntraced(function* (path: string, { pipeline }: Loaded, runId: string | null) {
  if (runId === null) return null
  const { runs } = yield* runsOf({ path, pipeline })
  const run = runs.find((one) => one.runId === runId)
  return run === undefined ? null : { started_at: iso(run.startedAt), status: statusOf(run) }
})

const notesOf = (column: string, { evidence, fetched, layout, table, value }: Found): ReadonlyArray<string> => {
  const keepsEvidence = evidenceTable(table, layout.tables) !== undefined || isBeside(table.columns, column)
  const without = notesWithout(table.name, keepsEvidence, evidence, value)
  if (without.length > 0) return without
  return evidence.every(({ context }) => context === null) && !fetched
    ? ["the pipeline does not store the HTML of these pages; read again (--fetch), they show the value marked"]
    : []
}

/**
 * The key of a row as a person writes it: the value alone, `a=1,b=2`, or a JSON object.
 *
 * A value with a comma in it is written as JSON. Values are compared as the columns have them, so `1` finds a number.
 */
export const rowKey = Effect.fnUntraced(function* ({ columns, key, name }: Table.Table, text: string) {
  // In a table without a key, any column may name the row.
  const names = key.length > 0 ? key : columns.map((column) => column.name)
  const values = yield* valuesIn(text, key)
  for (const own of Object.keys(values)) {
    if (names.includes(own)) continue
    const near = didYouMean(own, names)
    return yield* wrong(
      `table ${name}: ${own} is not in its key, ${names.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`
    )
  }
  const missing = key.find((own) => values[own] === undefined)
  if (missing !== undefined) {
    return yield* wrong(`table ${name}: the key lacks ${missing}: write ${key.map((own) => `${own}=...`).join(",")}`)
  }
  if (key.length === 0 && Object.keys(values).length === 0) {
    return yield* wrong(`table ${name} has no key: name a row by its columns, as ${names[0] ?? "column"}=...`)
  }
  return values
})

const valuesIn = Effect.fnUntraced(function* (text: string, key: ReadonlyArray<string>) {
  if (text.trimStart().startsWith("{")) {
    const parsed = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => wrong(`the key begins with { but is not valid JSON: ${text}`)
    })
    return texts(parsed)
  }
  const [only] = key
  if (key.length === 1 && only !== undefined) {
    return { [only]: text.startsWith(`${only}=`) ? text.slice(only.length + 1) : text }
  }
  // A comma separates two columns only if a name and = follow it.
  const parts = text.split(/,(?=[\p{L}_][\p{L}\p{N}_]*=)/u).flatMap((part) => {
    const at = part.indexOf("=")
    return at <= 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1)] as const]
  })
  return Object.fromEntries(parts)
})

const texts = (parsed: unknown): Readonly<Record<string, string>> =>
  typeof parsed === "object" && parsed !== null
    ? Object.fromEntries(
        Object.entries(parsed).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
      )
    : {}

const longestValue = 500
const mostPlaces = 10

/** What `millrace why` prints: the value, then each place that has it, the value marked as »here« in its context. */
const whyText = (model: WhyModel): string => {
  const { column, engine, evidence, key, notes, pipeline, reading, row, run, sink, table, type, value } = model
  const name = Object.entries(key).map(([part, content]) => `${part}=${String(content)}`)
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    ["page", row.url],
    ["read at", row.fetched_at],
    [
      "run",
      row.run_id === null ? null : `${row.run_id}${run === null ? "" : ` (${run.status}, began ${run.started_at})`}`
    ],
    ["job", row.job_id],
    ["engine", engine === null ? null : `${engine.name}${engine.model === null ? "" : `, ${engine.model}`}`],
    ["reader", reading === null ? null : `${reading.column} ${textOf(reading.version)}`]
  ]
  const lines = [
    `${pipeline}: ${table} ${name.join(", ")}: ${column} (${type}, sink ${sink})`,
    `  ${value === null ? "null" : cut(oneLine(textOf(value)))}`,
    "",
    ...facts.flatMap(([what, fact]) => (fact === null ? [] : [`  ${what.padEnd(8)} ${fact}`])),
    ...(evidence.length === 0
      ? []
      : ["", `evidence: ${evidence.length} ${evidence.length === 1 ? "place" : "places"}`]),
    ...evidence.slice(0, mostPlaces).flatMap(place),
    ...(evidence.length > mostPlaces ? [`  and ${evidence.length - mostPlaces} more: --json prints all`] : []),
    ...notes.map((note) => `\nnote: ${note}`)
  ]
  return `${lines.join("\n")}\n`
}

const place = ({
  certainty,
  context,
  kind,
  place: where,
  span,
  supported,
  url,
  value
}: Evidence): ReadonlyArray<string> => [
  `  ${kind}: ${where}${span === null ? "" : `, characters ${span[0]} to ${span[1]} of the HTML`}`,
  `    ${url}`,
  ...(value === null ? [] : [`    says ${cut(oneLine(value))}`]),
  ...(certainty === null ? [] : [`    certainty: ${certainty}`]),
  ...(supported === null ? [] : [supported ? "    the page says this" : "    no page says this: only the model does"]),
  ...(context === null ? [] : contextLines(context))
]

const contextLines = ({ after, before, marked, matches, source }: Context): ReadonlyArray<string> => [
  `    ${source}${matches ? "" : ": this place does not have the value (any more)"}`,
  `    … ${oneLine(before)}»${oneLine(marked)}«${oneLine(after)} …`
]

const oneLine = (text: string): string => text.replace(/\s+/g, " ")

const cut = (text: string): string =>
  text.length <= longestValue ? text : `${text.slice(0, longestValue - 1).toWellFormed()}…`
