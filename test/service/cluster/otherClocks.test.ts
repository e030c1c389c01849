/** Processes whose clocks are half a minute ahead and behind, one of which is killed: a soak, where there is `faketime`. */
import { spawnSync } from "node:child_process"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { soaking } from "../../thoroughness.ts"
import { onPostgres } from "../databases.ts"
import { measuredSites } from "./measuredSite.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"
import { expectWhole, nineHosts, perHost } from "./wholeCrawls.ts"

const hosts = nineHosts("clock")
const names = hosts.map(({ name }) => name)

/** What starts a process with a clock that is so many seconds off; the clock that only counts is left alone. */
const off = (seconds: string) => ["env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", `${seconds}s`]
const canBe = spawnSync("faketime", ["--version"]).error === undefined

if (soaking && !canBe) globalThis.process.stderr.write("TESTS OF OTHER CLOCKS ARE SKIPPED: faketime is not installed\n")

describe.skipIf(!soaking || !canBe)("processes with clocks of their own", () => {
  onPostgres("a minute apart", (databases) => {
    it.live(
      "read every page once, at its host's pace, also after the one that is ahead was killed",
      () =>
        Effect.gen(function* () {
          const sites = yield* measuredSites(hosts)
          const database = urlOf(yield* databases.fresh)
          const [ahead, behind, right] = yield* Effect.all(
            [off("+30"), off("-30"), []].map((inside) =>
              process(database, sites.port, names, [`--per-host=${perHost}`], { inside })
            ),
            { concurrency: 3 }
          )
          if (ahead === undefined || behind === undefined || right === undefined) return yield* Effect.die("three")
          const of = [ahead, behind, right]
          const ids = yield* Effect.forEach(names, (name, index) =>
            crawl(of[index % 3]?.url ?? "", name, { maxConcurrency: 3 })
          )
          yield* Effect.all(
            names.map((name) => sites.reached(name, 5)),
            { concurrency: "unbounded" }
          )
          yield* ahead.signal("SIGKILL")
          const read = yield* Effect.all(
            ids.map((id, index) => readToEnd((index % 2 === 0 ? behind : right).url, id)),
            { concurrency: "unbounded" }
          )
          expectWhole(sites, hosts, read)
        }),
      900_000
    )
  })
})
