/**
 * The search_gov source: the hits of a list of queries in government texts, as tables.
 *
 * Every query is sent once per run. A killed run continues after the answers that it kept, with the list of queries
 * that it began with. A query that the service refuses fails with its reason, and the others continue. The next run
 * sends all of them again, because texts change.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Stream from "effect/Stream"
import { GovSearchAnswer, WebResult } from "#contract/GovSearch"
import { govAnswer } from "#contract/govAnswer"
import { cameNow } from "#contract/jobRequests"
import * as Limits from "#contract/Limits"
import * as Checkpoint from "#engine/Checkpoint"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { govQueries, oneList, queryOptions } from "./gov/govQueries.ts"
import * as govTables from "./gov/govTables.ts"
import { toSourceError } from "./toSourceError.ts"

const Options = Schema.Struct({
  ...queryOptions,
  k: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxGovResults })).annotate({
      description: "the maximum number of hits per query",
      default: Limits.defaultGovResults
    })
  )
}).check(oneList)
type Options = typeof Options.Type

const State = Schema.Struct({ queries: Schema.Int })
type State = typeof State.Type

const Cursor = Schema.Struct({
  /** The list of queries: its digest, and how many there are. */
  list: Schema.String,
  queries: Schema.Int,
  /** Answered queries: all before this one, and some after it, because several are asked at a time. */
  done: Schema.Int,
  ahead: Schema.Array(Schema.Int),
  /** How many queries were refused. */
  failed: Schema.Int,
  /** The last query that was asked; absent: none yet. */
  query: Schema.optionalKey(Schema.String),
  /** Whether the answer holds only one rejected hit. */
  alone: Schema.optionalKey(Schema.Boolean)
})
type Cursor = typeof Cursor.Type

/** Requests in flight; default of `limits.concurrency`. */
const askedAtOnce = 4

/**
 * The source of `type: search_gov`: what the index of government texts answers to a list of queries.
 *
 * @example
 * ```ts
 * import { searchGov } from "millrace/connectors/webdata"
 *
 * const source = searchGov.with({ queries: ["fence height"], k: 5 })
 * console.log(source.tables.map(({ key, name }) => [name, key])) // [["gov_hits", ["query", "url"]], ["gov_queries", ["query"]]]
 * ```
 */
export const searchGov = Source.make({
  type: "search_gov",
  description: "passages of laws, regulations and ordinances that answer queries, from a list, a file or SQL",
  options: Options,
  state: State,
  incremental: false,
  cursor: Cursor,
  tables: () => [govTables.govHits, govTables.govQueries],
  fetch: (options, from) => Stream.unwrap(ask(options, from)),
  decode: (options, answer) => decode(options, answer)
})

const ask = Effect.fnUntraced(function* (
  options: Options,
  {
    after,
    directory,
    limits: { concurrency = askedAtOnce }
  }: Pick<Source.ResumePoint<unknown, Cursor>, "after" | "directory" | "limits">
) {
  const queries = yield* govQueries(options, directory)
  const list = createHash("sha256").update(JSON.stringify(queries)).digest("hex").slice(0, 32)
  const begin: Cursor = { list, queries: queries.length, done: 0, ahead: [], failed: 0 }
  let cursor = Option.getOrElse(after, () => begin)
  if (cursor.list !== list) return yield* anotherList
  const firstAnswer = Option.isSome(after)
    ? []
    : [yield* cameNow({ kind: "queries", text: JSON.stringify(queries), cursor: begin })]
  const ahead = new Set(cursor.ahead)
  const left = queries.map((query, at) => ({ query, at })).filter(({ at }) => at >= cursor.done && !ahead.has(at))
  const answers = Stream.fromIterable(left).pipe(
    Stream.mapEffect(
      ({ at, query }) => Effect.map(govAnswer({ query, k: options.k }), (answer) => ({ answer, at, query })),
      { concurrency, unordered: true }
    ),
    Stream.mapError(toSourceError("search_gov")),
    Stream.map(({ answer, at, query }): Source.Fetched<Cursor> => {
      cursor = { ...answered(cursor, at), failed: cursor.failed + (answer.kind === "refused" ? 1 : 0), query }
      return { ...answer, cursor }
    })
  )
  return Stream.concat(Stream.fromIterable<Source.Fetched<Cursor>>(firstAnswer), answers)
})

/** The cursor with one more answered query. */
const answered = (cursor: Cursor, at: number): Cursor => {
  const ahead = new Set([...cursor.ahead, at])
  let { done } = cursor
  while (ahead.delete(done)) done++
  return { ...cursor, done, ahead: [...ahead] }
}

const anotherList = new Source.SourceError({
  source: "search_gov",
  message: "the queries have changed since this run began, so it is given up; run it again with the new queries",
  retryable: false,
  over: true
})

type Elements = ReadonlyArray<Source.Element<State>>

const decode = Effect.fnUntraced(function* (options: Options, answer: Source.Fetched<Cursor>) {
  const { ahead, alone, done, failed, queries, query = "" } = answer.cursor
  const isLast = done === queries
  const ending: Elements = [
    Source.progress({ discovered: queries, read: done + ahead.length - failed, failed }),
    ...(isLast ? [Checkpoint.make<State>({ queries })] : [])
  ]
  if (answer.kind === "queries") return ending
  const context = { query, k: options.k ?? Limits.defaultGovResults, now: answer.at }
  if (answer.kind === "refused") {
    return [Table.batch(govTables.govQueries, [refusedRow(context, answer.text)]), ...ending]
  }
  const response = yield* Effect.mapError(readAnswer(answer.text), unreadable(query))
  const rows: Array<Table.Row> = []
  const rejects: Array<Source.Reject> = []
  for (const raw of response.data.web) {
    const hit = readHit(raw)
    if (Result.isSuccess(hit)) rows.push(govTables.hitRow(context, hit.success))
    else rejects.push(rejected(answer, raw, hit.failure))
  }
  const found: Elements = [...Table.batches(govTables.govHits, rows), ...rejects]
  if (alone === true) return found
  const row = govTables.queryRow(context, { hits: response.data.web.length, ...warningOf(response) })
  const warnings = Source.warnings([[query, response.warning]])
  const elements: Elements = [...found, Table.batch(govTables.govQueries, [row]), ...warnings, ...ending]
  return elements
})

/** An answer whose hits are counted and validated one by one. */
const Outline = Schema.Struct({
  ...GovSearchAnswer.fields,
  data: Schema.Struct({ web: Schema.Array(Schema.Unknown) })
})
const readAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(Outline))
const readHit = Schema.decodeUnknownResult(WebResult)

const warningOf = ({ warning }: typeof Outline.Type) => (warning === undefined ? {} : { warning })

const Refusal = Schema.Struct({ error: Schema.String })
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

const refusedRow = (context: govTables.Context, text: string): Table.Row => {
  const { error } = Option.getOrElse(readRefusal(text), () => ({
    error: "the service refuses it and does not say why"
  }))
  return govTables.queryRow(context, { hits: 0, error })
}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const rejected = (
  answer: Source.Fetched<Cursor>,
  raw: unknown,
  { issue, message }: Schema.SchemaError
): Source.Reject => {
  const [first] = issuesOf(issue).issues
  const steps = (first?.path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
  return {
    _tag: "Reject",
    table: govTables.govHits,
    reason: `it is not a hit: ${first?.message ?? message}`,
    path: steps.map((step) => `/${step}`).join(""),
    raw,
    answer: {
      ...answer,
      text: JSON.stringify({ success: true, data: { web: [raw] } }),
      cursor: { ...answer.cursor, alone: true }
    }
  }
}

const unreadable = (query: string) => (cause: Schema.SchemaError) =>
  new Source.SourceError({
    source: "search_gov",
    message: `the service's answer to ${JSON.stringify(query)} does not match the API contract: ${cause.message}`,
    retryable: false,
    cause
  })
