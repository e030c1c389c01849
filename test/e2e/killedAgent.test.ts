import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { behindPort, leasesEnd } from "../service/databases.ts"
import { heldAnswers } from "../service/heldAnswers.ts"
import { receiver } from "../service/receiver.ts"
import { scriptedSite } from "../service/scriptedSite.ts"
import { ask, servedProcess } from "./servedProcess.ts"

const count = 24

/** Products that are linked from one list; the tenth that is asked for and all after it wait until they are let go. */
const heldShop = Effect.gen(function* () {
  const [ofExtract, ofAgent] = [yield* receiver(), yield* receiver()]
  const { held, open, reached } = heldAnswers(10)
  const all = Array.from({ length: count }, (_, index) => index + 1)
  const list = `<title>Lamps</title><main><h1>Lamps</h1>${all.map((n) => `<p><a href="/lamps/${n}">Lamp ${n}</a></p>`).join("")}</main>`
  const product = (n: number) =>
    `<title>Lamp ${n}</title><main><h1>Lamp ${n}</h1><dl><dt>Price</dt><dd>£${n}.50</dd></dl></main>`
  const site = yield* scriptedSite({
    "/lamps": list,
    "/hooks/extract": ofExtract.answer,
    "/hooks/agent": ofAgent.answer,
    ...Object.fromEntries(all.map((n) => [`/lamps/${n}`, held(product(n))]))
  })
  return {
    site,
    reached,
    open,
    ended: Effect.all([ofExtract.untilEnd, ofAgent.untilEnd])
  }
})

const schema = {
  type: "object",
  properties: {
    lamps: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } }
    }
  }
}
const hooks = "http://site.test/hooks"
const urls = ["http://site.test/lamps", ...Array.from({ length: count }, (_, n) => `http://site.test/lamps/${n + 1}`)]

behindPort("a service that is killed in the middle of an extract and of an agent run", (database) => {
  it.live(
    "ends both when it is started again, with each page read once and each event told once",
    () =>
      Effect.gen(function* () {
        const place = yield* database.fresh
        const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
        const { site, reached, open, ended } = yield* heldShop
        const killed = yield* servedProcess(site.port, file)
        const extract = yield* ask(`${killed.url}/v2/extract`, { urls, schema, webhook: `${hooks}/extract` })
        const agent = yield* ask(`${killed.url}/v2/agent`, {
          prompt: "lamps with price",
          urls: urls.slice(0, 1),
          schema,
          webhook: `${hooks}/agent`
        })
        yield* reached
        yield* killed.kill
        yield* leasesEnd(place)
        const before = [...site.requests]
        yield* open
        const again = yield* servedProcess(site.port, file)
        yield* ended
        const extracted = yield* ask(`${again.url}/v2/extract/${extract.id}`)
        const run = yield* ask(`${again.url}/v2/agent/${agent.id}`)
        const trace = yield* ask(`${again.url}/v2/agent/${agent.id}/trace`)
        const events: ReadonlyArray<any> = trace.events
        const finished = events.filter(({ type }) => type === "tool_call.finished").map(({ result }) => result.url)
        const byAgent = Object.groupBy(events, ({ agent }): string => agent.id)

        expect(extracted).toMatchObject({ status: "completed" })
        expect(extracted.data.lamps).toHaveLength(count)
        expect(run).toMatchObject({ status: "completed" })
        expect(run.data.lamps).toHaveLength(count)
        expect(new Set(finished).size).toBe(finished.length)
        expect(run.creditsUsed).toBe(finished.length)
        for (const told of Object.values(byAgent)) {
          expect(told?.map(({ producerSequence }) => producerSequence)).toEqual(told?.map((_, index) => index + 1))
        }
        expect(events.filter(({ type }) => type === "run.finished")).toHaveLength(1)
        expect(events.at(-1).type).toBe("run.finished")
        // What was answered before the kill is not asked again, but for what was in flight.
        const twice = site.requests
          .slice(before.length)
          .filter((path) => before.includes(path) && path !== "/robots.txt" && !path.startsWith("/hooks/"))
        expect(twice.length).toBeLessThan(30)
      }),
    // Three processes, on a machine that may have others.
    180_000
  )
})
