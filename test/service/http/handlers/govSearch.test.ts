import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { Validation } from "#contract/Api"
import { Authorization } from "#contract/Authorization"
import { GovSearchGroup } from "#contract/index"
import { type GovHit, GovIndex, GovIndexFailed } from "#law/GovIndex"
import * as Plan from "#service/AccountPlan"
import * as authorization from "#service/http/authorization"
import * as govSearch from "#service/http/handlers/govSearch"
import { httpErrors } from "#service/http/httpErrors"
import * as validation from "#service/http/validation"
import * as ServiceConfig from "#service/ServiceConfig"
import { Accounts, stores } from "../../serviceParts.ts"

/** The contract, of which only this group is served. */
const Contract = HttpApi.make("web-data-service")
  .add(GovSearchGroup)
  .middleware(Authorization)
  .middleware(Validation)
  .prefix("/v2")
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })

const hit = (name: string): GovHit => ({ title: name, url: `http://law.test/${name}`, description: `of ${name}` })
const hits = Array.from({ length: 200 }, (_, at) => hit(`s${at}`))

/** A service over this index, spoken to without a socket, so that its clock is the test's. */
const service = Effect.fnUntraced(function* (
  index: Partial<GovIndex["Service"]> = {},
  config: Partial<ServiceConfig.ServiceConfig> = {}
) {
  const asked: Array<readonly [query: string, k: number]> = []
  const scripted = GovIndex.of({
    sections: Effect.succeed(200),
    search: (query, k) => Effect.sync(() => asked.push([query, k])).pipe(Effect.as({ hits: hits.slice(0, k) })),
    ...index
  })
  const whole = { ...ServiceConfig.defaults, ...config }
  const accounts = Accounts.layer(whole).pipe(Layer.provide(stores(":memory:")))
  const routes = HttpApiBuilder.layer(Contract).pipe(
    Layer.provide(govSearch.layer),
    Layer.provide([authorization.layer, validation.layer]),
    Layer.provide([Layer.succeed(GovIndex, scripted), accounts]),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )
  const app = httpErrors(yield* HttpRouter.toHttpEffect(routes))
  const send = Effect.fnUntraced(function* (request: Request) {
    const answered = yield* Deferred.make<Response>()
    // As a server writes it: what adds headers to an answer has been asked then.
    yield* HttpEffect.toHandled(app, (_, answer) => Deferred.succeed(answered, HttpServerResponse.toWeb(answer))).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
      Effect.provide(NodeHttpServer.layerHttpServices)
    )
    const response = yield* Deferred.await(answered)
    // What a test reads of it, whatever it is.
    const body: any = yield* Effect.promise(() => response.json())
    return { status: response.status, body, retryAfter: response.headers.get("retry-after") }
  })
  const at = "http://service.test/v2/search/gov"
  return {
    asked,
    get: (parameters: string, headers: Record<string, string> = {}) =>
      send(new Request(`${at}?${parameters}`, { headers })),
    post: (body: unknown, headers: Record<string, string> = {}) =>
      send(
        new Request(at, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body)
        })
      )
  }
})

const keys = [{ key: Redacted.make("fc-a"), teamId: "a", plan: { ...Plan.standard, requestsPerMinute: 20 } }]
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const refusals = (details: ReadonlyArray<{ readonly path: ReadonlyArray<string> }>) =>
  details.map(({ path }) => path.join("."))

describe("the government search", () => {
  it.effect("answers hits with their positions from 1, ten where k is silent, by GET and by POST", () =>
    Effect.gen(function* () {
      const { asked, get, post } = yield* service()
      const got = yield* get("query=17+U.S.C.+%C2%A7+101&k=3")
      const posted = yield* post({ query: "17 U.S.C. § 101", k: 3 })

      expect(got).toEqual(posted)
      expect(got).toMatchObject({
        status: 200,
        body: { success: true, data: { web: [0, 1, 2].map((at) => ({ ...hit(`s${at}`), position: at + 1 })) } }
      })
      expect(got.body).not.toHaveProperty("warning")
      expect((yield* get("query=rent")).body.data.web).toHaveLength(10)
      expect((yield* post({ query: "rent" })).body.data.web).toHaveLength(10)
      expect((yield* get("query=rent&k=100")).body.data.web).toHaveLength(100)
      expect((yield* post({ query: "rent", k: 1 })).body.data.web).toHaveLength(1)
      expect(asked.slice(0, 2)).toEqual([
        ["17 U.S.C. § 101", 3],
        ["17 U.S.C. § 101", 3]
      ])
    })
  )

  it.effect("takes k as text, and what public clients send beside", () =>
    Effect.gen(function* () {
      const { get, post } = yield* service()

      expect((yield* post({ query: "rent", k: "7", origin: "js-sdk", integration: null })).body.data.web).toHaveLength(
        7
      )
      expect((yield* get("query=rent&k=7&origin=js-sdk&integration=cli")).body.data.web).toHaveLength(7)
    })
  )

  it.effect("is 400 for no query, an empty one, a k that is none, and an unknown field, told field by field", () =>
    Effect.gen(function* () {
      const { asked, get, post } = yield* service()
      const answers = [
        yield* get(""),
        yield* get("query="),
        yield* get("query=rent&limit=5"),
        ...(yield* Effect.forEach(["0", "101", "1.5", "abc", "-1"], (k) => get(`query=rent&k=${k}`))),
        yield* post({}),
        yield* post({ query: "" }),
        yield* post({ query: 5 }),
        yield* post({ query: "rent", limit: 5 }),
        ...(yield* Effect.forEach([0, 101, 1.5, "abc", "0", -1], (k) => post({ query: "rent", k })))
      ]

      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
      for (const { body } of answers) {
        expect(body).toMatchObject({ success: false, error: expect.stringMatching(/^Bad Request: (query|k|limit): /) })
      }
      expect(answers.map(({ body }) => refusals(body.details)[0])).toEqual(
        ["query", "query", "limit", ..."kkkkk", "query", "query", "query", "limit", ..."kkkkkk"].map(String)
      )
      expect(asked).toEqual([])
    })
  )

  it.effect("works without a key, and is 401 for one that is none", () =>
    Effect.gen(function* () {
      const { get, post } = yield* service({}, { keys })

      expect((yield* get("query=rent")).status).toBe(200)
      expect((yield* post({ query: "rent" })).status).toBe(200)
      expect((yield* get("query=rent", bearer("fc-a"))).status).toBe(200)
      for (const headers of [bearer("fc-b"), { authorization: "Basic YTpi" }, { authorization: "Bearer " }]) {
        const answers = [yield* get("query=rent", headers), yield* post({ query: "rent" }, headers)]
        for (const { body, status } of answers) {
          expect([status, body]).toEqual([401, { success: false, error: "Unauthorized: Invalid token" }])
        }
      }
    })
  )

  it.effect("is 403 for a key whose plan lacks the search", () =>
    Effect.gen(function* () {
      const plan: Plan.Plan = { ...Plan.standard, scopes: ["crawl"] }
      const { get } = yield* service({}, { keys: [{ key: Redacted.make("fc-a"), teamId: "a", plan }] })

      expect((yield* get("query=rent", bearer("fc-a"))).status).toBe(403)
    })
  )

  it.effect("counts GET and POST against the plan's minute, says when to come back, and gives a key more", () =>
    Effect.gen(function* () {
      const { get, post } = yield* service({}, { keys })
      const askTimes = Effect.fnUntraced(function* (times: number, headers: Record<string, string>) {
        const statuses: Array<number> = []
        for (let at = 0; at < times; at++) {
          const { status } = yield* at % 2 === 0 ? get("query=rent", headers) : post({ query: "rent" }, headers)
          statuses.push(status)
        }
        return statuses.filter((status) => status === 200).length
      })

      expect(yield* askTimes(30, {})).toBe(Plan.keyless.requestsPerMinute)
      expect(yield* askTimes(30, bearer("fc-a"))).toBe(20)
      const refused = yield* get("query=rent")
      expect(refused).toMatchObject({
        status: 429,
        body: { success: false, error: `Rate limit exceeded: retry after ${refused.retryAfter} s` }
      })
      expect(Number(refused.retryAfter)).toBeGreaterThan(0)
      yield* TestClock.adjust("1 minute")
      expect((yield* get("query=rent")).status).toBe(200)
    })
  )

  it.effect("is 502 where the index cannot be asked", () =>
    Effect.gen(function* () {
      const broken = new GovIndexFailed({ message: "the index file is damaged" })
      const { get, post } = yield* service({ search: () => Effect.fail(broken) })
      const said = { status: 502, body: { success: false, error: "Bad Gateway: the index file is damaged" } }

      expect(yield* get("query=rent")).toMatchObject(said)
      expect(yield* post({ query: "rent" })).toMatchObject(said)
    })
  )

  it.effect("is 504 where the index does not answer in 30 seconds, and then no longer works at it", () =>
    Effect.gen(function* () {
      let isStopped = false
      const stopped = Effect.sync(() => {
        isStopped = true
      })
      const { get } = yield* service({ search: () => Effect.onInterrupt(Effect.never, () => stopped) })
      const asking = yield* Effect.forkChild(get("query=rent"))
      yield* TestClock.adjust("29 seconds")
      expect(asking.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("2 seconds")

      expect(yield* Fiber.join(asking)).toMatchObject({ status: 504, body: { success: false } })
      expect(isStopped).toBe(true)
    })
  )

  it.effect("answers an empty list with a warning where nothing is loaded, and without where nothing is found", () =>
    Effect.gen(function* () {
      const nothing = { search: () => Effect.succeed({ hits: [] }) }
      const empty = yield* (yield* service({ ...nothing, sections: Effect.succeed(0) })).get("query=rent")
      const none = yield* (yield* service(nothing)).get("query=rent")

      expect(empty).toMatchObject({ status: 200, body: { success: true, data: { web: [] } } })
      expect(empty.body.warning).toMatch(/no government texts are loaded/)
      expect(none.body).toEqual({ success: true, data: { web: [] } })
    })
  )
})
