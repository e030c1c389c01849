import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { receivingProcess, rowsTold } from "../../e2e/receivingProcess.ts"
import { endEvent, pageEvent, post } from "../../engine/inbox/sending.ts"
import { inFolder, millrace, query, start, write } from "../millrace.ts"

const told = [
  "source: { type: monitor, by: webhook, monitor: mill }",
  "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
]

const scoped = <A, E>(program: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(program))

describe("millrace receive", () => {
  it("refuses with 2 a file that is not told by webhook, and says what to write", () =>
    inFolder(async (folder) => {
      write(folder, "crawl.yaml", "source: { type: crawl, url: http://site.test/ }", ...told.slice(1))
      write(folder, "checks.yaml", "source: { type: monitor, monitor: mill }", ...told.slice(1))
      for (const file of ["crawl.yaml", "checks.yaml"]) {
        const { code, stderr } = await millrace(folder, "receive", file, "--secret=s")
        expect(code).toBe(2)
        expect(stderr).toContain("source: { type: monitor, by: webhook, monitor: the monitor's name or id }")
      }
    }))

  it("refuses with 2 a secret that is missing or empty, and never shows one", () =>
    inFolder(async (folder) => {
      const file = write(folder, "told.yaml", ...told)
      write(folder, "empty", "")
      const ends = [
        await millrace(folder, "receive", file),
        await millrace(folder, "receive", file, "--secret="),
        await millrace(folder, "receive", file, "--secret-file=empty"),
        await millrace(folder, "receive", file, "--secret-file=nowhere"),
        await millrace(folder, "receive", file, "--secret=whsec-shown", "--gather=soon"),
        await millrace(folder, "receive", file, "--secret=whsec-shown", "--path=hook")
      ]

      expect(ends.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2])
      for (const [n, part] of ["no webhook secret", "is empty", "is empty", "cannot be read", "5s", "/"].entries()) {
        expect(ends[n]?.stderr).toContain(part)
        expect(`${ends[n]?.stdout}${ends[n]?.stderr}`).not.toContain("whsec-shown")
      }
      expect(ends[0]?.stderr).toContain("set MILLRACE_WEBHOOK_SECRET, or name a file with --secret-file")
    }))

  it("runs the pipeline when the end of a check came, and ends as other services do when it is asked to", () =>
    inFolder((folder) =>
      scoped(
        Effect.gen(function* () {
          const file = write(folder, "told.yaml", ...told)
          const { end, until, url } = yield* receivingProcess(folder, file, "--port=0", "--gather=1h")
          yield* post(url, pageEvent("e1", 1))
          yield* post(url, endEvent("e2"))
          const said = yield* until((text) => rowsTold(text) === 2)
          const { code } = yield* end("SIGTERM")
          const serve = start(folder, "serve", "--port=0", "--data=data")
          yield* Effect.promise(() => new Promise((done) => serve.process.stdout?.once("data", done)))
          serve.process.kill("SIGTERM")

          expect(said).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ told: done in .* \(run \w+-\w+\), 2 rows$/m)
          expect(code).toBe((yield* Effect.promise(() => serve.ended)).code)
        })
      )
    ))

  it("only receives with --no-run, and what is left is loaded by the next start", () =>
    inFolder((folder) =>
      scoped(
        Effect.gen(function* () {
          const file = write(folder, "told.yaml", ...told)
          const first = yield* receivingProcess(folder, file, "--port=0", "--no-run")
          yield* post(first.url, pageEvent("e1", 1))
          yield* first.end("SIGKILL")
          const second = yield* receivingProcess(folder, file, "--port=0", "--gather=1h")
          yield* second.until((text) => rowsTold(text) === 1)
          yield* second.end("SIGTERM")

          const rows = yield* Effect.promise(() => query(join(folder, "out.duckdb"), "SELECT url FROM page_changes"))
          expect(rows).toEqual([{ url: "http://site.test/1" }])
        })
      )
    ))

  it("says who has its port", () =>
    inFolder((folder) =>
      scoped(
        Effect.gen(function* () {
          const file = write(folder, "told.yaml", ...told)
          const { url } = yield* receivingProcess(folder, file, "--port=0", "--no-run")
          const args = ["receive", file, "--secret=s", `--port=${new URL(url).port}`]
          const { code, stderr } = yield* Effect.promise(() => millrace(folder, ...args))

          expect([code, stderr]).toEqual([
            1,
            expect.stringContaining(": another program already listens on this port; stop it, or choose another port")
          ])
        })
      )
    ))
})
