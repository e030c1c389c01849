import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { Happening } from "#contract/Trace"
import { activeSessions, openSessions } from "#service/agent/activeSessions"
import { traceEvent } from "#service/agent/Recorder"
import { chromiumPath } from "#web/chromiumPath"
import { gate } from "../scriptedSite.ts"
import { origin, product, shop } from "./shop.ts"

const agent = { id: "reader-1", role: "subagent", name: "site.test" } as const
const events = (...happenings: ReadonlyArray<Happening>) =>
  happenings.map((happening, index) => traceEvent("run", agent, happening, index * 1000))

const called = (id: string, parameters: Readonly<Record<string, string>>): Happening => ({
  type: "tool_call.started",
  toolCallId: id,
  toolName: "scrape",
  parameters
})
const started = (sessionId: string): Happening => ({ type: "browser.session.started", sessionId })
const finished = (sessionId: string): Happening => ({ type: "browser.session.finished", sessionId, durationMs: 1 })

describe("the active browser sessions of a run", () => {
  it("are those that have started and not finished, each with the address that it shows", () => {
    const trace = events(
      called("1", { url: "http://site.test/a" }),
      started("1"),
      called("2", { url: "http://site.test/b" }),
      started("2"),
      finished("1"),
      called("3", {}),
      started("3")
    )

    expect(activeSessions(trace)).toEqual([
      { id: "2", liveViewUrl: "http://site.test/b", viewport: { width: 1280, height: 800 } },
      { id: "3", liveViewUrl: "about:blank", viewport: { width: 1280, height: 800 } }
    ])
    expect(openSessions(trace).map(({ agent, id, startedAt }) => [agent.id, id, startedAt])).toEqual([
      ["reader-1", "2", 3000],
      ["reader-1", "3", 6000]
    ])
  })

  it("are none once the run has ended", () => {
    expect(activeSessions(events(started("1"), { type: "run.finished", outcome: "failed", error: null }))).toEqual([])
  })

  it.live.skipIf(chromiumPath() === undefined)(
    "are seen while the browser reads a page, and end with it, told with how long they took",
    () =>
      Effect.gen(function* () {
        // A page is fetched, and then opened in the browser: what it shows then is held back.
        const picture = gate("x")
        const html = product("Ash lamp", "140.00").replace("</main>", '<img src="/picture"></main>')
        const { ended, service, start } = yield* shop({}, { "/pictured": html, "/picture": picture.answer })
        const id = yield* start({ prompt: "take a screenshot of the lamp", urls: [`${origin}/pictured`] })
        yield* picture.reached
        const during = yield* service.ask("GET", `/v2/agent/${id}/trace?liveView=true`)
        yield* picture.open
        const run = yield* ended(`/v2/agent/${id}`)
        const after = yield* service.ask("GET", `/v2/agent/${id}/trace?liveView=true`)
        const silent = yield* service.ask("GET", `/v2/agent/${id}/trace`)
        const told: ReadonlyArray<any> = after.body.events
        const session = told.find(({ type }) => type === "browser.session.finished")
        const shot = told.find(({ artifact }) => artifact?.kind === "screenshot")
        const snapshot = yield* service.ask("GET", `/v2/agent/${id}/snapshots/${shot?.artifact.snapshotId}`)

        expect(during.body.activeBrowserSessions).toMatchObject([{ liveViewUrl: `${origin}/pictured` }])
        expect(run.status).toBe("completed")
        expect(after.body.activeBrowserSessions).toEqual([])
        expect(silent.body).not.toHaveProperty("activeBrowserSessions")
        expect(session).toMatchObject({ sessionId: during.body.activeBrowserSessions[0].id })
        expect(session.durationMs).toBeGreaterThan(0)
        expect(snapshot.body.snapshot).toMatch(/^data:image\/png;base64,/)
      })
  )
})
