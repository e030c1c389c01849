import { inspect } from "node:util"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Logger from "effect/Logger"
import { expect } from "vitest"
import { storeFailed } from "#service/http/failures"
import { httpErrors } from "#service/http/httpErrors"
import { StoreError } from "#web/StoreError"

const canary = "quokkaburrow"
const defect = Effect.die(new Error(`cannot read http://site.test/${canary}`))
const unwritten = new StoreError({ message: `the row of ${canary} cannot be written`, isRetryable: false })
/** As every handler ends: what its endpoint fails with is an answer. */
const lost = Effect.catch(storeFailed(unwritten), () => Effect.succeed(HttpServerResponse.empty({ status: 500 })))

/** The status of an answer, and everything that was logged meanwhile. */
const answered = Effect.fnUntraced(function* <E>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E>,
  request: Request,
  keepsNothing = false
) {
  const logged: Array<string> = []
  const logger = Logger.make(({ cause, message }) => void logged.push(inspect([message, cause], { depth: 10 })))
  const { status } = yield* httpErrors(app, () => keepsNothing).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
    Effect.provide(Logger.layer([logger]))
  )
  return { status, lines: logged.length, isTold: logged.join("").includes(canary) }
})

const post = (body: object) =>
  new Request("http://localhost/v2/scrape", {
    method: "POST",
    body: JSON.stringify({ url: `http://site.test/${canary}`, ...body }),
    headers: { "content-type": "application/json" }
  })

describe.each([
  ["a defect", defect],
  ["a store that fails", lost]
])("%s", (_, app) => {
  it.effect("is logged with what it says, where anything may be kept", () =>
    Effect.gen(function* () {
      const told = yield* answered(app, post({}))

      expect(told).toEqual({ status: 500, lines: 1, isTold: true })
    })
  )

  it.effect("of a request with zero data retention is logged without a word of it", () =>
    Effect.gen(function* () {
      const asked = yield* answered(app, post({ zeroDataRetention: true }))
      const ofTeam = yield* answered(app, post({}), true)
      const read = yield* answered(app, new Request(`http://localhost/v2/crawl/${canary}`), true)

      for (const one of [asked, ofTeam, read]) expect(one).toEqual({ status: 500, lines: 1, isTold: false })
    })
  )
})

it.effect("of an upload nobody knows what it asks for: a defect is logged without a word of it", () =>
  Effect.gen(function* () {
    const form = new FormData()
    form.set("file", new Blob([canary]), `${canary}.html`)
    const told = yield* answered(defect, new Request("http://localhost/v2/parse", { method: "POST", body: form }))

    expect(told).toEqual({ status: 500, lines: 1, isTold: false })
  })
)
