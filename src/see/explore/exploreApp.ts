/**
 * The routes of the server of `millrace explore`.
 *
 * The page and its scripts contain no data. All data is below `/api/`, which requires the token in a header, so that no other
 * website can make a browser send it. A report opens in its own tab, and a download is a link, with the token in their URLs.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { decodedUri } from "#base/readableText"
import type * as Sink from "#engine/Sink"
import type { engine } from "#library/services"
import { wrong } from "../CliFailure.ts"
import { reportHtml } from "../report/reportHtml.ts"
import { errorPlace } from "../sql/errorPlace.ts"
import { whyOf } from "../whyValue.ts"
import type { Failure, FirstQuestion, TextPlace } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { exploreDiff } from "./exploreDiff.ts"
import { exploreDownload, exploreProfile, exploreRows, gridRows } from "./exploreRows.ts"
import { exploreRun, exploreRuns, exploreTables } from "./exploreTables.ts"
import { firstQuestion } from "./firstQuestion.ts"
import * as Gate from "./gate.ts"
import { entry, scriptAt } from "./pageFiles.ts"
import { pageHtml, pageStyle } from "./pageHtml.ts"
import { rowsText } from "./rowsText.ts"
import { deleteQuestion, savedQuestions, saveQuestion } from "./savedQuestions.ts"

/** The limits of the result of an SQL query. */
const sqlLimits = { rows: 10_000, cell: 2000, characters: 32_000_000 }
const mostBody = 200_000

type Engine = Context.Context<Layer.Success<typeof engine>>

/**
 * One query at a time: DuckDB locks its file for the whole process. If two queries had the file open, the first to close it
 * would also end the lock of the other, and a run could write the file while it is read.
 */
const turns = Semaphore.makeUnsafe(1)

export const exploreApp = (explorer: Explorer.Explorer, gate: Gate.Gate, services: Engine) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers, method } = request
    const refusal = Gate.refusalOf(gate, { host: headers["host"], origin: headers["origin"] })
    if (refusal !== undefined) return failure(403, refusal)
    const url = URL.parse(request.url, "http://localhost")
    if (url === null) return failure(400, "the URL is not valid")
    const { pathname: path, searchParams } = url
    if (method === "GET" && path === "/app/page.css") return text(pageStyle, "text/css")
    const script = method === "GET" ? yield* scriptAt(path) : undefined
    if (script !== undefined) return text(script, "text/javascript")
    const bearer = /^Bearer (\S+)$/.exec(headers["authorization"] ?? "")?.[1]
    const token = path.startsWith("/api/") ? bearer : searchParams.get("token")
    if (!Gate.hasToken(gate, token)) return failure(403, Gate.noToken)
    if (method === "GET" && path === "/")
      return text(pageHtml(explorer.loaded.pipeline.name, { style: "/app/page.css", entry }), "text/html")
    if (method === "GET" && path.startsWith("/report/")) {
      const model = yield* turns.withPermits(1)(exploreRun(explorer, path.slice("/report/".length)))
      return text(reportHtml(model), "text/html", "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    }
    if (method === "GET" && path.startsWith("/download/")) {
      const name = decodedUri(path.slice("/download/".length))
      const file = yield* turns.withPermits(1)(exploreDownload(explorer, name, searchParams))
      const headers = { ...headersWith(csp), "content-disposition": `attachment; filename="${file.name}"` }
      return HttpServerResponse.raw(file.body, { contentType: file.type, headers })
    }
    if (method === "POST" && path === "/api/sql")
      return text(rowsText(yield* turns.withPermits(1)(answerSql(explorer))), "application/json")
    const answer = yield* turns.withPermits(1)(answerTo({ explorer, services }, `${method} ${path}`, searchParams))
    return answer === undefined
      ? failure(404, `there is nothing at ${method} ${path.slice(0, 100)}`)
      : HttpServerResponse.jsonUnsafe(answer, { headers: headersWith(csp) })
  }).pipe(
    Effect.catchTags({
      CliFailure: ({ message }) => Effect.succeed(failure(422, message)),
      SinkError: ({ message }) => Effect.succeed(failure(422, message)),
      SqlFailure: ({ message, place }) => Effect.succeed(failure(422, message, place)),
      HttpServerError: ({ message }) => Effect.succeed(failure(400, message))
    }),
    // A server makes its app uninterruptible; this one is interruptible, so that a query ends when its caller disconnects.
    Effect.interruptible
  )

const answerTo = Effect.fnUntraced(function* (
  { explorer, services }: { readonly explorer: Explorer.Explorer; readonly services: Engine },
  path: string,
  params: URLSearchParams
) {
  switch (path) {
    case "GET /api/tables":
      return yield* exploreTables(explorer, false)
    case "GET /api/rows":
      return yield* exploreRows(explorer, params)
    case "GET /api/profile":
      return yield* exploreProfile(explorer, params)
    case "GET /api/question":
      return yield* Effect.map(firstQuestion(explorer), (first): FirstQuestion => ({ first: first ?? null }))
    case "GET /api/questions":
      return yield* savedQuestions(explorer)
    case "POST /api/questions":
      return yield* saveQuestion(explorer, yield* bodyAs(SavedQuestion))
    case "DELETE /api/questions":
      return yield* deleteQuestion(explorer, params.get("name") ?? "")
    case "GET /api/runs":
      return yield* exploreRuns(explorer)
    case "GET /api/run":
      return yield* exploreRun(explorer, params.get("run") ?? "latest")
    case "GET /api/diff":
      return yield* exploreDiff(explorer, params)
    case "POST /api/why": {
      const { key, ...question } = yield* bodyAs(WhyQuestion)
      const { loaded, name, network, path: file } = explorer
      const options = { ...network, ...question, file, key: JSON.stringify(key), sink: Option.some(name) }
      // This may start a service, which must not get the context of this request.
      return yield* Effect.setContext(Effect.scoped(whyOf(loaded, options)), services)
    }
    default:
      return undefined
  }
})

const answerSql = Effect.fnUntraced(function* (explorer: Explorer.Explorer) {
  const { sql } = yield* bodyAs(SqlQuestion)
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.flatMap(queries.ask(sql), (answer) => gridRows(answer, sqlLimits))
  ).pipe(Effect.catchTag("SinkError", (error) => Effect.fail(sqlFailure(sql, error))))
})

/** The message of a query that failed has the first line of what the database says; its cause has the place as well. */
const sqlFailure = (sql: string, error: Sink.SinkError): SqlFailure => {
  const texts: Array<string> = []
  for (let one: unknown = error; one instanceof Error && texts.length < 5; one = one.cause) texts.push(one.message)
  const place = errorPlace(sql, texts.findLast((text) => /^LINE \d+:/m.test(text)) ?? error.message)
  return new SqlFailure({ message: error.message, ...(place === undefined ? {} : { place }) })
}

class SqlFailure extends Schema.TaggedError<SqlFailure>()("SqlFailure", {
  message: Schema.String,
  place: Schema.optionalKey(Schema.Struct({ from: Schema.Number, to: Schema.Number }))
}) {}

const SqlQuestion = Schema.Struct({ sql: Schema.String })
const SavedQuestion = Schema.Struct({ name: Schema.String, sql: Schema.String })
const WhyQuestion = Schema.Struct({
  table: Schema.String,
  key: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number, Schema.Boolean, Schema.Null])),
  column: Schema.String,
  fetch: Schema.Boolean
})

const bodyAs = Effect.fnUntraced(function* <A>(schema: Schema.Codec<A>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (Number(request.headers["content-length"] ?? Number.NaN) <= mostBody) {
    const decoded = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(yield* request.text)
    return yield* Effect.mapError(decoded, ({ message }) => wrong(`the body of the request is not valid: ${message}`))
  }
  return yield* wrong(`the body of the request must have at most ${mostBody} bytes`)
})

const csp =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const headersWith = (policy: string) => ({
  "cache-control": "no-store",
  "content-security-policy": policy,
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
})

const text = (body: string, type: string, policy = csp) =>
  HttpServerResponse.text(body, { contentType: `${type}; charset=utf-8`, headers: headersWith(policy) })

const failure = (status: number, error: string, place?: TextPlace) => {
  const body: Failure = { error, ...(place === undefined ? {} : { place }) }
  return HttpServerResponse.jsonUnsafe(body, { status, headers: headersWith(csp) })
}
