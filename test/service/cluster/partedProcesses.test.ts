/** Processes on networks of their own that lose each other, though each reaches the database and the sites: a soak. */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { soaking } from "../../thoroughness.ts"
import { onPostgres } from "../databases.ts"
import { cuttable } from "./cuttable.ts"
import { measuredSites } from "./measuredSite.ts"
import { canBe, networks } from "./networks.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"
import { expectWhole, nineHosts, perHost } from "./wholeCrawls.ts"

const hosts = nineHosts("parted")
const names = hosts.map(({ name }) => name)
const port = 3100

if (soaking && !canBe) globalThis.process.stderr.write("TESTS OF PARTED NETWORKS ARE SKIPPED: no `ip netns` here\n")

describe.skipIf(!soaking || !canBe)("processes on three networks", () => {
  onPostgres("two of which lose each other", (databases) => {
    it.live(
      "read every page once, at its host's pace, though they cannot ask each other for 15 seconds",
      () =>
        Effect.gen(function* () {
          const { all, outside, parted } = yield* networks(3)
          const sites = yield* measuredSites(hosts, outside)
          const way = yield* cuttable(urlOf(yield* databases.fresh), outside)
          const urls = yield* Effect.forEach(
            all,
            ({ address, inside }) =>
              Effect.map(
                process(
                  way.url,
                  sites.port,
                  names,
                  [`--host=${address}`, "--open", `--advertise=${address}:${port}`, `--per-host=${perHost}`],
                  { inside, site: outside }
                ),
                ({ url }) => url
              ),
            { concurrency: 3 }
          )
          const ids = yield* Effect.forEach(names, (name, index) =>
            crawl(urls[index % 3] ?? "", name, { maxConcurrency: 3 })
          )
          yield* Effect.all(
            names.map((name) => sites.reached(name, 3)),
            { concurrency: "unbounded" }
          )
          const [one, other] = all
          if (one === undefined || other === undefined) return yield* Effect.die("there are no networks")
          yield* parted(one, other, Effect.sleep("15 seconds"))
          const read = yield* Effect.all(
            ids.map((id, index) => readToEnd(urls[index % 3] ?? "", id)),
            { concurrency: "unbounded" }
          )
          expectWhole(sites, hosts, read)
        }),
      900_000
    )
  })
})
