/**
 * `npm run pictures`: makes the pictures of the docs anew, in `docs/images`: reports and explore, over the demo site. Needs Chromium.
 * Look at each of them before you commit it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import { type Browser, chromium, type Page } from "playwright-core"
import * as Server from "#site/Server"
import * as Site from "#site/Site"
import { chromiumPath } from "#web/chromiumPath"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "millrace-pictures-"))

const files = {
  "northmere.yaml": `source: { type: crawl, url: "http://northmere.example/", limit: 500 }
table: { name: pages, key: url }
sinks:
  db: { type: duckdb, path: ./northmere.duckdb, write: scd2 }
  lake: { type: parquet, path: ./lake }
checks:
  - rows: { min: 100, drop: 20% }
  - { not_null: [url, markdown] }
`,
  "products.yaml": `source:
  type: extract
  urls: ["http://northmere.example/shop/p/hemp-hand-lantern-charcoal-1"]
  schema:
    type: object
    properties:
      products:
        type: array
        items:
          type: object
          required: [articleNumber]
          properties:
            articleNumber: { type: string, description: "the SKU" }
            productTitle: { type: string, description: "name of the product" }
table: { name: products, key: article_number }
sinks: { db: { type: duckdb, path: ./products.duckdb } }
`
}

const start = (...args: ReadonlyArray<string>) =>
  spawn(join(root, "bin/millrace"), args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })

/** A run with broken pages is partial, which ends with 0. */
const run = (...args: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const child = start(...args)
    child.stdout.resume()
    await once(child, "close")
  })

const explored = async (use: (url: string) => Promise<void>, ...args: ReadonlyArray<string>): Promise<void> => {
  const child = start("explore", ...args)
  try {
    const said = String(await once(child.stdout, "data"))
    const url = /http:\S+/.exec(said)?.[0]
    if (url === undefined) throw new Error(`explore gave no URL: ${said}`)
    await use(url)
  } finally {
    child.kill("SIGTERM")
  }
}

const picture = async (
  browser: Browser,
  url: string,
  { colorScheme, height, name, show, width }: Picture
): Promise<void> => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  const page = await context.newPage()
  await page.goto(url)
  await show(page)
  const path = join(root, "docs/images", `${name}.png`)
  await page.screenshot({ path })
  process.stdout.write(`${path}\n`)
  await context.close()
}

interface Picture {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly colorScheme: "light" | "dark"
  /** Brings into sight what the picture is of. */
  readonly show: (page: Page) => Promise<unknown>
}

const draw = async (browser: Browser, flags: ReadonlyArray<string>): Promise<void> => {
  const report = pathToFileURL(join(folder, "report.html")).href
  const [wide, small] = [
    { width: 1240, height: 860 },
    { width: 1100, height: 640 }
  ] as const
  const top = (page: Page) => page.getByRole("heading", { level: 1 }).waitFor()
  const columns = async (page: Page) => {
    const fold = page.locator("#tables")
    await fold.locator("> summary").click()
    await fold.evaluate((one) => one.scrollIntoView())
  }
  await picture(browser, report, { ...wide, name: "report-light", colorScheme: "light", show: top })
  await picture(browser, report, { ...wide, height: 1150, name: "report-dark", colorScheme: "dark", show: columns })
  await explored(
    (url) =>
      picture(browser, `${url}#/tables/pages?find=${encodeURIComponent('charcoal "hand lantern"')}`, {
        ...small,
        name: "explore-table",
        colorScheme: "light",
        show: async (page) => {
          await page.locator(".body mark").first().waitFor()
          await page.locator(".words-of").first().waitFor()
        }
      }),
    "northmere.yaml"
  )
  const key = encodeURIComponent(JSON.stringify({ article_number: "NM-LA-1000" }))
  await explored(
    (url) =>
      picture(browser, `${url}#/why?table=products&column=product_title&key=${key}`, {
        ...small,
        name: "explore-why",
        colorScheme: "dark",
        show: async (page) => {
          await page.getByRole("button", { name: /^Read the page again/ }).click()
          await page.locator("pre mark").first().waitFor()
        }
      }),
    "products.yaml",
    ...flags
  )
}

const load = (revision: number, names: ReadonlyArray<string>, after: (flags: ReadonlyArray<string>) => Promise<void>) =>
  Effect.gen(function* () {
    const { url } = yield* Server.serve(Site.make({ seed: 1, revision }), { host: "127.0.0.1", port: 0, slowness: 1 })
    const flags = ["--resolve", `northmere.example=${new URL(url).host}`]
    for (const name of names) yield* run("run", name, ...flags)
    yield* Effect.promise(() => after(flags))
  }).pipe(Effect.scoped)

const executablePath = chromiumPath()
if (executablePath === undefined) throw new Error("there is no Chromium on this machine")
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
try {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  for (const revision of [1, 2, 3]) await Effect.runPromise(load(revision, ["northmere.yaml"], () => Promise.resolve()))
  await Effect.runPromise(
    load(4, Object.keys(files), async (flags) => {
      await Effect.runPromise(run("report", "northmere.yaml", "--html", "report.html"))
      await draw(browser, flags)
    })
  )
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
