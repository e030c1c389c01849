/**
 * The text around each place of evidence, in the file of an exported folder: what `Why` shows where no server reads pages.
 *
 * Of a page this has some hundred characters for each place, and nothing where nothing was found on it. The HTML is that of a
 * table that keeps it, or, where the user asks for that, of the page as it is now.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { failed } from "../CliFailure.ts"
import { count } from "../summary.ts"
import { fetchedHtml } from "../why/pageHtml.ts"
import { spanContext } from "../why/spanContext.ts"
import type { TableInfo } from "./ExploreApi.ts"
import type * as Explorer from "./Explorer.ts"
import { contextsTable } from "./folderFiles.ts"

/** Each takes some 500 bytes before DuckDB compresses it. */
const mostPlaces = 100_000
/** A host gets one request at a time, so more would take long. */
const mostPages = 200
const pagesAtOnce = 50
const rowsAtOnce = 500

interface Span {
  readonly from: number
  readonly to: number
  readonly value: string | null
}

type Spans = ReadonlyMap<string, ReadonlyArray<Span>>

interface Options {
  /** The file of the folder, with its tables. */
  readonly file: string
  readonly scratch: string
  /** Whether pages whose HTML is not kept are read once more. */
  readonly fetch: boolean
}

/** The answer says why a place may be without its context. */
export const folderContexts = Effect.fn("folderContexts")(function* (
  { loaded, network }: Explorer.Explorer,
  tables: ReadonlyArray<TableInfo>,
  { fetch, file, scratch }: Options
) {
  const names = new Set(tables.flatMap(({ evidence }) => (evidence === undefined ? [] : [evidence.sources])))
  const sources = tables.filter(({ name }) => names.has(name))
  if (sources.length === 0) return []
  const database = yield* within(Database.open({ threads: 1, memory: "1GB", spill: join(scratch, "spill") }))
  yield* within(database.run(`ATTACH ${Database.literal(file)} AS data`))
  yield* within(database.run("USE data"))
  yield* within(
    database.run(
      `CREATE TABLE ${contextsTable} (url VARCHAR, span_from BIGINT, span_to BIGINT, value VARCHAR, "before" VARCHAR,
        marked VARCHAR, "after" VARCHAR, source VARCHAR, matches BOOLEAN)`
    )
  )
  const { isCut, spans } = yield* within(spansIn(database, sources))
  const left = new Set(spans.keys())
  for (const { columns, name } of tables) {
    if (!["url", "raw_html"].every((column) => Column.named(columns, column) !== undefined)) continue
    const urls = [...left]
    for (let at = 0; at < urls.length; at += pagesAtOnce) {
      const pages = yield* within(database.values(htmlSql({ name, columns }, urls.slice(at, at + pagesAtOnce))))
      for (const [url, html] of pages) {
        left.delete(String(url))
        yield* within(keep(database, spans, { url: String(url), html: String(html), source: `raw_html of ${name}` }))
      }
    }
  }
  const notes = isCut ? [`the folder has the texts around the first ${count(mostPlaces)} places of evidence`] : []
  if (left.size > 0 && !fetch) {
    notes.push(
      "the HTML of the page is not kept: an export with --fetch reads pages once more, and shows the place in them"
    )
  }
  if (fetch) {
    const again = yield* fetchedHtml(loaded, network, [...left], mostPages)
    for (const [url, page] of again.pages) yield* within(keep(database, spans, { url, ...page }))
    notes.push(...again.notes)
  }
  yield* within(database.run("USE memory"))
  yield* within(database.run("DETACH data"))
  return notes
}, Effect.scoped)

/** Each place once, whatever number of values are from it, by its page. */
const spansIn = Effect.fnUntraced(function* (database: Database.Database, sources: ReadonlyArray<TableInfo>) {
  const each = sources.map(
    ({ name }) => `SELECT url, span_from, span_to, value FROM ${Column.quote(name)} WHERE span_to IS NOT NULL`
  )
  const rows = yield* database.values(
    `SELECT DISTINCT url, span_from::DOUBLE, span_to::DOUBLE, value FROM (${each.join(" UNION ALL ")})
      ORDER BY ALL LIMIT ${mostPlaces + 1}`
  )
  const spans = new Map<string, Array<Span>>()
  for (const [url, from, to, value] of rows.slice(0, mostPlaces)) {
    const own = spans.get(String(url)) ?? []
    own.push({ from: Number(from), to: Number(to), value: typeof value === "string" ? value : null })
    spans.set(String(url), own)
  }
  const found: { readonly spans: Spans; readonly isCut: boolean } = { spans, isCut: rows.length > mostPlaces }
  return found
})

/** Of a history, or of loads that are appended, the newest of each page. */
const htmlSql = ({ columns, name }: Pick<TableInfo, "name" | "columns">, urls: ReadonlyArray<string>): string => {
  const newest = Column.named(columns, "_run_id") === undefined ? "url" : "_run_id DESC"
  return `SELECT url, raw_html FROM ${Column.quote(name)}
    WHERE raw_html IS NOT NULL AND url IN (${urls.map(Database.literal).join(", ")})
    QUALIFY row_number() OVER (PARTITION BY url ORDER BY ${newest}) = 1`
}

const keep = Effect.fnUntraced(function* (
  database: Database.Database,
  spans: Spans,
  page: { readonly url: string; readonly html: string; readonly source: string }
) {
  const rows = (spans.get(page.url) ?? []).map(({ from, to, value }) => {
    const { after, before, marked, matches, source } = spanContext(page.html, [from, to], value, page.source)
    const texts = [before, marked, after, source].map(textSql)
    return `(${[textSql(page.url), from, to, value === null ? "NULL" : textSql(value), ...texts, matches].join(", ")})`
  })
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    yield* database.run(`INSERT INTO ${contextsTable} VALUES ${rows.slice(at, at + rowsAtOnce).join(", ")}`)
  }
})

/** A statement ends at the character 0. */
const textSql = (text: string): string => Database.literal(text.replaceAll("\u0000", "\uFFFD"))

const within = Effect.mapError(({ message }: Database.DatabaseError) =>
  failed(`the evidence of the folder cannot be written: ${message}`)
)
