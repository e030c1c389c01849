import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { Browser } from "#web/Browser"
import type { OpenPage } from "#web/browser/OpenPage"
import { FetchError } from "#web/Fetch"
import { Politeness } from "#web/Politeness"
import { type Opening, Sessions } from "#web/Sessions"

const failure = (code: string) => new FetchError({ url: "http://site.test/", code, message: code, retryable: false })

/** Pages of no browser, and how many of them are open. */
const around = (act: OpenPage["act"] = () => Effect.fail(failure("SCRAPE_ACTION_ERROR"))) => {
  const pages = { open: 0 }
  const page: OpenPage = { url: () => "http://site.test/", act, picture: Effect.succeed(new Uint8Array()) }
  const open = Effect.as(
    Effect.acquireRelease(
      Effect.sync(() => (pages.open += 1)),
      () => Effect.sync(() => (pages.open -= 1))
    ),
    page
  )
  const browser = Browser.of({ open: () => open, render: () => Effect.die("unasked"), isThere: Effect.succeed(true) })
  const layer = Sessions.layer.pipe(Layer.provide([Layer.succeed(Browser, browser), Politeness.layer({ perHost: 8 })]))
  return { pages, layer }
}

const opening = (id: string, teamId = "one"): Opening => ({
  id,
  teamId,
  url: new URL("http://site.test/"),
  totalMillis: 600_000,
  idleMillis: 60_000
})

describe("sessions", () => {
  it.effect("end when nobody has used them for their idle time, and when their time is over", () => {
    const { layer, pages } = around()
    return Effect.gen(function* () {
      const sessions = yield* Sessions
      const session = yield* sessions.open(opening("a"), 1000)
      const open: Array<number> = []
      for (let minute = 0; minute < 12; minute++) {
        yield* TestClock.adjust("50 seconds")
        open.push(pages.open)
        if (sessions.find("one", "a") !== undefined) yield* Effect.ignore(sessions.act(session, [], 1000))
      }
      expect(open).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0])

      yield* sessions.open(opening("b"), 1000)
      yield* TestClock.adjust("59 seconds")
      expect(pages.open).toBe(1)
      yield* TestClock.adjust("1 second")
      expect([pages.open, sessions.ofTeam("one")]).toEqual([0, []])
    }).pipe(Effect.provide(layer))
  })

  it.effect("end when the page dies or takes too long, and not when an action of the caller fails", () => {
    let code = "SCRAPE_ACTION_ERROR"
    const { layer, pages } = around(() => Effect.suspend(() => Effect.fail(failure(code))))
    return Effect.gen(function* () {
      const sessions = yield* Sessions
      const session = yield* sessions.open(opening("a"), 1000)
      yield* Effect.flip(sessions.act(session, [], 1000))
      expect(pages.open).toBe(1)
      code = "SCRAPE_TIMEOUT"
      yield* Effect.flip(sessions.act(session, [], 1000))
      expect([pages.open, sessions.viewedBy(session.token)]).toEqual([0, undefined])
    }).pipe(Effect.provide(layer))
  })

  it.effect("are as many as may be open, of a team and of the process, and end with the service", () => {
    const { layer, pages } = around()
    return Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sessions = yield* Sessions
        const teams = ["one", "one", "one", "two", "two", "three"]
        const opened = yield* Effect.forEach(teams, (team, index) =>
          Effect.match(sessions.open(opening(String(index), team), 1000), {
            onSuccess: () => "open",
            onFailure: ({ message }) => message
          })
        )
        expect(opened).toEqual([
          "open",
          "open",
          "this team has 2 sessions open: stop one",
          "open",
          "open",
          "4 sessions are open in this service: try again later"
        ])
        expect(pages.open).toBe(4)
      }).pipe(Effect.provide(layer))
      expect(pages.open).toBe(0)
    })
  })
})
