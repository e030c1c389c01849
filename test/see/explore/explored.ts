/** The demo site, loaded twice as a history and as a lake, its products with their evidence, and a server that shows them. */
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { inject } from "vitest"
import * as Server from "#site/Server"
import * as Site from "#site/Site"
import { alter, millrace, start, write } from "../../app/millrace.ts"

export interface Explored {
  readonly url: string
  readonly origin: string
  readonly token: string
  /** Asks the API as the page does. */
  readonly ask: (
    path: string,
    body?: unknown,
    method?: string
  ) => Promise<{ readonly status: number; readonly answer: any }>
}

const site = [
  'source: { type: crawl, url: "http://northmere.example/", limit: 12, scrapeOptions: { formats: [markdown, rawHtml] } }',
  "table: { name: pages, key: url }",
  "sinks:",
  "  db: { type: duckdb, path: ./site.duckdb, write: scd2 }",
  "  lake: { type: parquet, path: ./lake, write: replace }"
]

const shop = [
  "source:",
  "  type: extract",
  '  urls: ["http://northmere.example/shop/p/hemp-hand-lantern-charcoal-1"]',
  "  schema:",
  "    type: object",
  "    properties:",
  "      products:",
  "        type: array",
  "        items:",
  "          type: object",
  "          required: [articleNumber]",
  "          properties:",
  '            articleNumber: { type: string, description: "the SKU" }',
  '            productTitle: { type: string, description: "name of the product" }',
  "table: { name: products, key: article_number }",
  "sinks: { db: { type: duckdb, path: ./shop.duckdb } }"
]

/** A folder with `site.yaml` and `shop.yaml`, both loaded, and a way to start servers in it. */
export const loadDemo = async () => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-explore-"))
  const stops: Array<() => Promise<unknown>> = []
  const close = async (): Promise<void> => {
    for (const stop of stops) await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const explore = async (...args: ReadonlyArray<string>): Promise<Explored> => {
    const { stop, ...explored } = await startExplorer(folder, ...args)
    stops.push(stop)
    return explored
  }
  try {
    // A file that runs alone shares nothing.
    if (inject("servers") === undefined) await loadInto(folder)
    else cpSync(await loadedOnce(), folder, { recursive: true })
  } catch (error) {
    await close()
    throw error
  }
  /** Loads one more file of the folder. */
  const run = (file: string) => load(folder, 2, [file])
  /** A command that reaches the site, which is as the last load found it. */
  const online = (...args: ReadonlyArray<string>) => withSite(folder, 2, [args])
  return { folder, explore, run, online, close }
}

/** A server for a pipeline of a folder. */
export const startExplorer = async (
  folder: string,
  ...args: ReadonlyArray<string>
): Promise<Explored & { readonly stop: () => Promise<unknown> }> => {
  const { ended, process: child } = start(folder, "explore", ...args)
  const stop = () => {
    child.kill("SIGTERM")
    return ended
  }
  if (child.stdout === null) throw new Error("the command has no output")
  const [said] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(({ stderr }): never => {
      throw new Error(stderr)
    })
  ])
  const url = new URL(/http:\S+/.exec(String(said))?.[0] ?? "")
  const token = url.searchParams.get("token") ?? ""
  const ask: Explored["ask"] = async (path, body, method = body === undefined ? "GET" : "POST") => {
    const headers = { authorization: `Bearer ${token}` }
    const init = body === undefined ? { headers, method } : { headers, method, body: JSON.stringify(body) }
    const response = await fetch(new URL(path, url), init)
    return { status: response.status, answer: await response.json() }
  }
  return { url: url.href, origin: url.origin, token, ask, stop }
}

/** The folder as it is loaded, which the files of a whole run share: the first that needs it loads it. */
const loadedOnce = async (): Promise<string> => {
  const place = join(tmpdir(), "explored")
  const isLoaded = () => existsSync(join(place, ".loaded"))
  while (!isLoaded() && mkdirSync(`${place}.loading`, { recursive: true }) === undefined) await setTimeout(100)
  if (isLoaded()) return place
  try {
    mkdirSync(place)
    await loadInto(place)
    write(place, ".loaded")
    return place
  } catch (error) {
    rmSync(place, { recursive: true, force: true })
    rmSync(`${place}.loading`, { recursive: true, force: true })
    throw error
  }
}

/** Markdown with what a page must not become. */
const description = [
  "# Hemp rope",
  "",
  "It is **long**, and [made here](/weir), not [there](javascript:alert(1)).",
  "",
  "- dry",
  "- brown",
  "",
  "| part | weight |",
  "|---|---|",
  "| end | 4 g |",
  "",
  "<img src=x onerror=alert(1)>",
  "",
  "![a picture](https://northmere.example/p.png)"
].join("\n")

const loadInto = async (folder: string): Promise<void> => {
  write(folder, "site.yaml", ...site)
  write(folder, "shop.yaml", ...shop)
  for (const revision of [1, 2]) await load(folder, revision, ["site.yaml", "shop.yaml"])
  await alter(
    join(folder, "shop.duckdb"),
    `CREATE TABLE many AS SELECT i AS id, CASE WHEN i = 3 THEN '<img src=x onerror=alert(1)>' ELSE 'row ' || i END AS name,
      i % 1000 AS part FROM range(200000) t(i)`
  )
  // 2.0 to 5.0 in steps that no double has exactly, and nulls.
  await alter(
    join(folder, "shop.duckdb"),
    "CREATE TABLE rated AS SELECT CASE WHEN i % 4 > 0 THEN CAST(20 + (i // 4) % 31 AS DOUBLE) / 10 END AS rating FROM range(414) t(i)"
  )
  await alter(
    join(folder, "shop.duckdb"),
    `CREATE TABLE goods AS SELECT '${description}' AS description,
      CAST(NULL AS VARCHAR) AS picture, 'Hemp rope ' || i AS title, i * 12.5 AS price, CASE WHEN i = 7 THEN NULL WHEN i = 9 THEN 'GBP' ELSE 'EUR' END AS currency,
      1000 * i AS stock, i % 3 = 0 AS is_new, 'https://northmere.example/p/' || i AS url, TIMESTAMPTZ '2026-01-05 10:30:00+00' + to_days(CAST(i AS INTEGER)) AS updated_at,
      2000 + i AS year_built, ['hemp', 'rope'] AS tags FROM range(20) t(i)`
  )
}

const load = (folder: string, revision: number, files: ReadonlyArray<string>): Promise<void> =>
  withSite(
    folder,
    revision,
    files.map((file) => ["run", file])
  )

const withSite = (folder: string, revision: number, commands: ReadonlyArray<ReadonlyArray<string>>): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const made = Site.make({ seed: 1, revision })
        const { url } = yield* Server.serve(made, { host: "127.0.0.1", port: 0, slowness: 1 })
        const flags = ["--resolve", `northmere.example=${new URL(url).host}`]
        for (const command of commands) {
          const ended = yield* Effect.promise(() => millrace(folder, ...command, ...flags))
          if (ended.code !== 0) throw new Error(ended.stderr)
        }
      })
    )
  )
