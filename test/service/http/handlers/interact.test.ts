import { execFileSync } from "node:child_process"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { chromiumPath } from "#web/chromiumPath"
import { scriptedSite } from "../../scriptedSite.ts"
import { hosts, served } from "../../served.ts"

const chromium = chromiumPath()

const form =
  "<title>t</title><input id=i><button id=b onclick=\"out.textContent = 'said ' + i.value\">go</button><p id=out></p>"
const url = "http://site.test/"

const serving = Effect.gen(function* () {
  const site = yield* scriptedSite({ "/": form })
  const keys = ["one", "two"].map((name) => ({ key: Redacted.make(`key-${name}`), teamId: name }))
  const service = yield* served({ resolve: hosts(site.port), keys })
  const ask = (team: string, method: string, path: string, body?: object) =>
    service.ask(method, path, {
      headers: { authorization: `Bearer key-${team}` },
      ...(body === undefined ? {} : { body })
    })
  return { service, ask }
})

const typing = [
  { type: "click", selector: "#i" },
  { type: "write", text: "hello" },
  { type: "click", selector: "#b" }
]

const get = (at: string) =>
  Effect.promise(async () => {
    const answer = await fetch(at)
    const body = new Uint8Array(await answer.arrayBuffer())
    return { status: answer.status, type: answer.headers.get("content-type"), headers: answer.headers, body }
  })

/** Processes of Chromium that this process has started. */
const browsers = (): ReadonlyArray<string> =>
  execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("chromium") && line.trim().split(/\s+/)[1] === String(process.pid))

describe.skipIf(chromium === undefined)("interact sessions", () => {
  it.live("open the page of a scrape, act on it request after request, are seen, and stop", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask } = yield* serving
        const scraped = yield* ask("one", "POST", "/v2/scrape", { url })
        const path = `/v2/scrape/${scraped.body.data.metadata.scrapeId}/interact`
        const first = yield* ask("one", "POST", path, { actions: typing, origin: "js-sdk@4.42.0" })
        const second = yield* ask("one", "POST", path, { actions: [{ type: "scrape" }, { type: "screenshot" }] })
        const wrong = yield* ask("one", "POST", path, {
          actions: [{ type: "executeJavascript", script: "nowhere.to" }]
        })
        const list = yield* ask("one", "GET", "/v2/browser?status=active")
        const view = yield* get(first.body.liveViewUrl)
        const picture = yield* get(`${first.body.liveViewUrl}/picture`)
        const used = yield* ask("one", "GET", "/v2/team/credit-usage")
        const stopped = yield* ask("one", "DELETE", path)
        const again = yield* ask("one", "DELETE", path)
        const gone = yield* get(first.body.liveViewUrl)

        expect(first.body).toMatchObject({ success: true, url, actions: { scrapes: [] } })
        expect(second.body.actions.scrapes[0].html).toContain("said hello")
        expect(second.body.actions.screenshots).toHaveLength(1)
        expect([second.body.id, second.body.liveViewUrl]).toEqual([first.body.id, first.body.liveViewUrl])
        expect([wrong.status, wrong.body.code]).toEqual([400, "SCRAPE_ACTION_ERROR"])
        expect(list.body.sessions).toMatchObject([{ id: first.body.id, status: "active" }])
        expect([view.status, view.type]).toEqual([200, "text/html; charset=utf-8"])
        expect(view.headers.get("content-security-policy")).toContain("default-src 'none'")
        expect([picture.status, picture.type, Array.from(picture.body.subarray(0, 2))]).toEqual([
          200,
          "image/jpeg",
          [0xff, 0xd8]
        ])
        expect(used.body.data.planCredits - used.body.data.remainingCredits).toBe(2)
        expect(stopped.body).toMatchObject({ success: true, status: "stopped", creditsBilled: 1 })
        expect(stopped.body.sessionDurationMs).toBeGreaterThan(0)
        expect([again.status, gone.status]).toEqual([404, 404])
      })
    )
  )

  it.live("open a URL, for as many as may be open, and are nobody else's", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, service } = yield* serving
        const open = (team: string) => ask(team, "POST", "/v2/browser", { url, ttl: 60, activityTtl: 30 })
        const [first, second, third] = [yield* open("one"), yield* open("one"), yield* open("one")]
        const foreign = [
          yield* ask("two", "POST", `/v2/browser/${first.body.id}/execute`, { actions: typing }),
          yield* ask("two", "POST", `/v2/browser/${first.body.id}/execute`, { code: "1" }),
          yield* ask("two", "POST", `/v2/scrape/${first.body.id}/interact`, { actions: typing }),
          yield* ask("two", "DELETE", `/v2/browser/${first.body.id}`)
        ]
        const theirs = yield* ask("two", "GET", "/v2/browser")
        const guessed = yield* get(`${service.url}/live/${"a".repeat(32)}`)
        const acted = yield* ask("one", "POST", `/v2/browser/${first.body.id}/execute`, {
          actions: [...typing, { type: "scrape" }]
        })
        const stopped = yield* ask("one", "DELETE", `/v2/browser/${second.body.id}`)
        const fourth = yield* open("one")

        expect([first.status, second.status, third.status, fourth.status]).toEqual([200, 200, 429, 200])
        expect(third.body.error).toContain("this team has 2 sessions open: stop one")
        expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404])
        expect(theirs.body.sessions).toEqual([])
        expect(guessed.status).toBe(404)
        expect(acted.body.actions.scrapes[0].html).toContain("said hello")
        expect(stopped.status).toBe(200)
      })
    )
  )

  it.live("execute no code and no prompt, and open nothing private", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask } = yield* serving
        const scraped = yield* ask("one", "POST", "/v2/scrape", { url })
        const path = `/v2/scrape/${scraped.body.data.metadata.scrapeId}/interact`
        const code = yield* ask("one", "POST", path, { code: "await page.title()", language: "node", timeout: 30 })
        const prompt = yield* ask("one", "POST", path, { prompt: "press the button", language: "node" })
        const inside = yield* ask("one", "POST", "/v2/browser", { url: "http://127.0.0.1:8099/" })
        const list = yield* ask("one", "GET", "/v2/browser")

        expect([code.status, prompt.status, inside.status]).toEqual([403, 403, 403])
        expect(code.body).toMatchObject({ success: false, code: "INTERACT_ACTIONS_ONLY" })
        expect(code.body.error).toContain("code is not executed in a session; send actions")
        expect(inside.body.code).toBe("SCRAPE_ADDRESS_BLOCKED")
        expect(list.body.sessions).toEqual([])
      })
    )
  )

  it.live("leave no browser behind when the service ends", () =>
    Effect.gen(function* () {
      const open = yield* Effect.scoped(
        Effect.gen(function* () {
          const { ask } = yield* serving
          yield* ask("one", "POST", "/v2/browser", { url })
          return browsers().length
        })
      )

      expect(open).toBeGreaterThan(0)
      expect(browsers()).toEqual([])
    })
  )
})
