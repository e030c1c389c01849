import { spawn } from "node:child_process"
import { closeSync, openSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { databaseUrl } from "../connectors/postgres/database.ts"
import { query } from "../connectors/postgres/readTable.ts"
import { silentAt } from "../connectors/postgres/silentAt.ts"
import { page } from "../service/scriptedSite.ts"
import { command, inFolder, millrace, start, withSite, write } from "./millrace.ts"

it("an answer that stdout does not take, as on a full disk, is told on stderr and is a failure", () =>
  inFolder(async (folder) => {
    writeFileSync(
      join(folder, "p.yaml"),
      "source: { type: crawl, url: http://site.test/ }\nsinks: { m: { type: memory, name: m } }\n"
    )
    // A file that is open for reading alone refuses each write.
    const refusing = openSync(join(folder, "p.yaml"), "r")
    const child = spawn(command, ["check", "p.yaml"], { cwd: folder, stdio: ["ignore", refusing, "pipe"] })
    let said = ""
    child.stderr?.on("data", (chunk) => (said += chunk))
    const code = await new Promise((done) => child.on("close", done))
    closeSync(refusing)

    expect([code, said]).toEqual([1, expect.stringMatching(/^the output cannot be written to stdout: EBADF/)])
  }))

const url = await databaseUrl()

describe("a command that a signal stops while it waits for a peer that says nothing", () => {
  it.skipIf(url === undefined)(
    "ends by itself in a commit, and the next run finds out whether it is there",
    () =>
      withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve }) => {
        await Effect.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const { href, silent } = yield* silentAt(url ?? "", "COMMIT\0", true)
              const file = (address: string) =>
                write(
                  folder,
                  "site.yaml",
                  "source: { type: crawl, url: http://site.test/, sitemap: skip }",
                  `sinks: { db: { type: postgres, url: "${address}", schema: stopped } }`
                )
              const { ended, process } = start(folder, "run", file(href), "--resolve", resolve)
              yield* silent
              process.kill("SIGTERM")
              const { code, stderr } = yield* Effect.promise(() => ended)

              expect([code, stderr]).toEqual([130, expect.stringContaining("the next run settles the rest")])
              const again = yield* Effect.promise(() => millrace(folder, "run", file(url ?? ""), "--resolve", resolve))
              expect(again.code).toBe(0)
              const rows = yield* Effect.promise(() =>
                query(Redacted.make(url ?? ""), "SELECT title FROM stopped.pages ORDER BY title")
              )
              expect(rows).toEqual([{ title: "a" }, { title: "home" }])
            })
          )
        )
      }),
    60_000
  )

  it.skipIf(url === undefined)(
    "ends by itself if it is a scheduler without a run",
    () =>
      inFolder(async (folder) => {
        write(
          folder,
          "site.yaml",
          "source: { type: crawl, url: http://site.test/ }",
          'schedule: { cron: "0 0 1 1 *" }',
          "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
        )
        await Effect.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const { href, silent } = yield* silentAt(url ?? "", "SET until = ", false)
              const { ended, process } = start(folder, "schedule", ".", "--database", href)
              yield* silent
              process.kill("SIGTERM")

              expect((yield* Effect.promise(() => ended)).code).toBe(143)
            })
          )
        )
      }),
    60_000
  )

  it("ends at a second signal, before its time is over", () =>
    inFolder(async (folder) => {
      const asked = Promise.withResolvers<void>()
      const server = createServer(() => asked.resolve())
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const name = write(
        folder,
        "p.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        `service: { url: "http://127.0.0.1:${port}" }`,
        `sinks: { db: { type: duckdb, path: "${join(folder, "out.duckdb")}" } }`
      )
      const { ended, process } = start(folder, "run", name)
      await asked.promise
      const signals = setInterval(() => process.kill("SIGINT"), 100)
      const { code } = await ended
      clearInterval(signals)
      server.closeAllConnections()
      server.close()

      expect(code).toBe(130)
    }))
})
