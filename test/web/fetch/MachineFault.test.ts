import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { Fetch } from "#web/Fetch"
import * as MachineFault from "#web/fetch/MachineFault"
import { page } from "../../service/scriptedSite.ts"
import { crawlVirtually } from "../crawl/virtualSite.ts"

const failing = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

describe("a fault of this machine", () => {
  it("is told from one of a site, wherever it is wrapped", () => {
    const attempts = new AggregateError([failing("ECONNREFUSED"), failing("EMFILE")])

    expect(MachineFault.of(failing("EMFILE"))?.message).toContain("no file descriptors left")
    expect(MachineFault.of(attempts)?.code).toBe("EMFILE")
    expect(MachineFault.of(new Error("outer", { cause: failing("ENOSPC") }))?.code).toBe("ENOSPC")
    expect(MachineFault.of(failing("ECONNRESET"))).toBeUndefined()
    expect(MachineFault.of("EMFILE")).toBeUndefined()
  })

  it.live("is no failure of the page that met it", () =>
    Effect.gen(function* () {
      const guard = {
        allowPrivate: false,
        resolve: new Map(),
        lookup: (_host: string, _options: object, done: (error: NodeJS.ErrnoException, none: []) => void) =>
          done(failing("EMFILE"), [])
      }
      const fetched = Effect.flatMap(Fetch, (fetch) => fetch.get("http://site.test/", { timeoutMillis: 1000 }))
      const exit = yield* Effect.exit(Effect.provide(fetched, Fetch.layer(guard)))

      expect(exit._tag === "Failure" && exit.cause.reasons.map((reason) => reason._tag)).toEqual(["Die"])
    })
  )

  it.effect("ends the job with its reason, and counts against no page", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually(({ url }) => {
        if (url.pathname === "/") return page("home", "/a", "/b")
        return url.pathname === "/a" ? "EMFILE" : undefined
      })

      expect(crawl.job).toMatchObject({
        status: "failed",
        error: expect.stringContaining("this process has no file descriptors left")
      })
      expect(crawl.failures).toEqual([])
    })
  )
})
