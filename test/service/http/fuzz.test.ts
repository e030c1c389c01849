import { it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { undescribed } from "../../e2e/describedAnswers.ts"
import type { Exchange } from "../../e2e/recorder.ts"
import { timesOf } from "../../thoroughness.ts"
import { page, scriptedSite } from "../scriptedSite.ts"
import { served } from "../served.ts"
import { requestsOf, type Samples } from "./requestsOf.ts"

const wanted = timesOf(150, 600, 3000)
const callers = 12
const seed = Number(process.env["MILLRACE_SEED"] ?? 1)

/** A host that answers, one that does not, and addresses of nobody's. */
const urls = [
  "http://site.test/",
  "http://site.test/a?b=c#d",
  "http://dead.test/x",
  "https://dead.test",
  "http://10.0.0.1/",
  "HTTP://[::1]:8080/"
]
const samples: Samples = {
  uri: urls,
  url: [...urls, "no url"],
  "url-or-wildcard": [...urls, "http://dead.test/*", "dead.test/*", "no url"],
  uuid: ["01890c0d-0000-7000-8000-000000000001"],
  email: ["a@b.test"],
  cron: ["0 9 * * *", "*/30 * * * 1-5"],
  "schedule-in-words": ["hourly", "every 30 minutes", "daily at 9:00"],
  "time-zone": ["UTC", "Europe/Berlin"],
  "host-name": ["site.test", "a.b.test"],
  "time-range": ["qdr:w", "qdr:d", "sbd:1"],
  re2: ["/blog/.*", "^/a$", "\\d+"],
  "css-selector": ["a", "#id", ".x > p", "main article"]
}

/** What only the state of the service decides: providers that are there, approvals that wait. */
const isOfState = (body: unknown): boolean =>
  /"(?:catalog|alexandria|exchange)":[{[]|"threatProtection":(?!null)/.test(JSON.stringify(body ?? null))
/** What a browser does takes its time: it is asked of pages that are not there. */
const needsBrowser = (text: string): boolean => /"(?:actions|waitFor|mobile|screenshot|screenshot@fullPage)"/.test(text)

it.live(
  `${wanted} requests that fit the document are none of them 400 or 5xx, and every answer is described (MILLRACE_SEED=${seed})`,
  () =>
    Effect.gen(function* () {
      const { port } = yield* scriptedSite({ "/": page("home", "/a"), "/a": page("a") })
      const dead = { address: "127.0.0.1", port: 1 }
      const service = yield* served({
        resolve: new Map([
          ["site.test", { address: "127.0.0.1", port }],
          ["dead.test", dead]
        ])
      })
      const { body: document } = yield* service.ask("GET", "/openapi.json")
      const ajv = new Ajv2020({ strict: false })
      addFormats.default(ajv)
      for (const name of Object.keys(samples)) if (ajv.formats[name] === undefined) ajv.addFormat(name, true)
      ajv.addSchema({ $id: "openapi.json", ...document })
      const make = requestsOf(document, ajv, samples, seed)

      const ids = [...(samples["uuid"] ?? [])]
      const exchanges: Array<Exchange> = []
      const refused: Array<string> = []
      const one = Effect.gen(function* () {
        const request = make(ids)
        if (request === undefined || isOfState(request.body)) return
        const { method, path, template } = request
        const written = request.body === undefined ? undefined : JSON.stringify(request.body)
        const text =
          written !== undefined && needsBrowser(written) ? written.replaceAll("site.test", "dead.test") : written
        const { body, headers, status } = yield* service.ask(method, path, { body: text })
        const contentType = headers.get("content-type")?.split(";", 1).join("") ?? ""
        exchanges.push({ method, path, status, contentType, body: JSON.stringify(body) })
        // The specification has it so: a job of another kind has none.
        const isSpecified = String(body.error).endsWith("only available for Spark 2 extracts")
        // A host that refuses is told as 502, so that clients ask again.
        const isDead = status === 502 && text?.includes("dead.test") === true
        if ((status === 400 && !isSpecified) || (status >= 500 && !isDead))
          refused.push(`${method} ${template} ${status} ${body.error} of ${text}`.slice(0, 1000))
        if (typeof body.id === "string" && ids.length < 50) ids.push(body.id)
      })
      // Each caller goes on by itself: a map of a host that is dead takes seconds.
      const caller = Effect.whileLoop({
        while: () => exchanges.length < wanted,
        body: () => one,
        step: () => {}
      })
      yield* Effect.all(
        Array.from({ length: callers }, () => caller),
        { concurrency: "unbounded" }
      )

      expect(refused.slice(0, 10)).toEqual([])
      expect(undescribed(document, exchanges).slice(0, 10)).toEqual([])
      expect(exchanges.length).toBeGreaterThanOrEqual(wanted)
      expect(exchanges.filter(({ status }) => status === 200).length).toBeGreaterThan(exchanges.length / 4)
    })
)
