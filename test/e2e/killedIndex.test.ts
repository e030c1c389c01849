import { once } from "node:events"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { setImmediate } from "node:timers/promises"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { inFolder, start } from "../cli/millrace.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"

const pages = 150
const paths = Array.from({ length: pages }, (_, index) => `/p/${index}`)
const filler = "Some words of a long page that an index has to read. ".repeat(300)

/** `millrace serve` in a process of its own. */
const serve = async (port: number, database: string) => {
  const { process, ended } = start(
    tmpdir(),
    "serve",
    "--port=0",
    `--database=${database}`,
    `--resolve=site.test=127.0.0.1:${port}`
  )
  const [line] = await once(process.stdout ?? process, "data")
  const url = /http:\S+/.exec(String(line))?.[0] ?? ""
  const ask = async (path: string, body?: object): Promise<any> => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
    return (await fetch(url + path, body === undefined ? {} : post)).json()
  }
  const kill = () => {
    process.kill("SIGKILL")
    return ended
  }
  return { ask, kill }
}

const counted = (database: string, table: string): number => {
  const reader = new DatabaseSync(database, { readOnly: true })
  try {
    return Number(reader.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])
  } finally {
    reader.close()
  }
}

describe("a service that is killed while it takes pages into its index", () => {
  it.live("goes on where it was when it is started again: every page is found, and none twice", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": page("home", ...paths),
        ...Object.fromEntries(paths.map((path, index) => [path, page(`needle${index} ${filler}`)]))
      })
      yield* Effect.promise(() =>
        inFolder(async (folder) => {
          const database = `${folder}/service.sqlite`
          const first = await serve(site.port, database)
          const { id } = await first.ask("/v2/crawl", { url: "http://site.test/", sitemap: "skip" })
          while ((await first.ask(`/v2/crawl/${id}?skip=${pages + 1}`)).status === "scraping");
          const cutOff = first.ask("/v2/search", { query: "needle" }).catch(() => "cut off")
          while (counted(database, "indexed_page") < 20) await setImmediate()
          await first.kill()
          const before = counted(database, "indexed_page")
          const second = await serve(site.port, database)
          const found = await second.ask("/v2/search", { query: `words needle${pages - 1}`, limit: 100 })
          await second.kill()

          expect(await cutOff).toBe("cut off")
          expect(before).toBeGreaterThanOrEqual(20)
          expect(before).toBeLessThan(pages)
          expect(found.warning).toBeUndefined()
          expect(found.data.web).toHaveLength(100)
          expect(found.data.web[0].url).toBe(`http://site.test/p/${pages - 1}`)
          expect(counted(database, "indexed_page")).toBe(pages + 1)
        })
      )
    })
  )
})
