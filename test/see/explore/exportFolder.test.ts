import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "#web/chromiumPath"
import { violationsOfSchemes } from "../../accessible.ts"
import { inFolder, millrace, write } from "../../app/millrace.ts"
import { isEveryCase } from "../../thoroughness.ts"
import { loadDemo } from "./explored.ts"
import { askQuestion, listRuns, openRun, showDifferences, view, writeSql } from "./walk.ts"

const require = createRequire(import.meta.url)
const isInstalled = (() => {
  try {
    return require.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm") !== ""
  } catch {
    return false
  }
})()
const executable = chromiumPath()
if (!isInstalled || executable === undefined)
  console.error("SKIPPED: no DuckDB-WASM or no Chromium on this machine, so no exported folder was opened")

it("a database that cannot be read is reported in one line", () =>
  inFolder(async (folder) => {
    write(folder, "bad.duckdb", "this is not a database")
    const sinks = "sinks: { db: { type: duckdb, path: ./bad.duckdb } }"
    write(folder, "site.yaml", "source: { type: crawl, url: http://site.test/ }", sinks)

    const { code, stderr } = await millrace(folder, "explore", "site.yaml", "--export", "./site")

    expect([code, stderr]).toEqual([1, expect.stringMatching(/^site: sink db: [^\n]+\n$/)])
  }))

describe.skipIf(!isInstalled || executable === undefined)("an exported folder", () => {
  let browser: Browser
  let demo: Awaited<ReturnType<typeof loadDemo>>
  const servers: Array<Server> = []
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executable === undefined ? {} : { executablePath: executable }),
      chromiumSandbox: process.getuid?.() !== 0
    })
    demo = await loadDemo()
    for (const name of ["site", "shop"]) {
      const { code, stderr, stdout } = await millrace(demo.folder, "explore", `${name}.yaml`, "--export", `./${name}`)
      expect([code, stderr]).toEqual([0, ""])
      expect(stdout).toMatch(new RegExp(`^\\./${name}: \\d+ tables with [\\d,]+ rows, 2 runs, [\\d.]+ MB\n`))
    }
  })
  afterAll(async () => {
    for (const server of servers) server.close()
    await browser.close()
    await demo.close()
  })

  /** A file server that knows no more than files, and a page on a machine that reaches nothing else. */
  const open = async (folder: string, options: { bypassCSP?: boolean } = {}) => {
    const types: Readonly<Record<string, string>> = {
      ".html": "text/html",
      ".js": "text/javascript",
      ".css": "text/css",
      ".json": "application/json"
    }
    const server = createServer(({ url = "" }, response) => {
      const { pathname } = new URL(url, "http://localhost")
      const file = join(folder, pathname.replace(/^\/below/, "").replace(/\/$/, "/index.html"))
      if (!existsSync(file)) return response.writeHead(404).end()
      const type = types[extname(file)] ?? "application/octet-stream"
      return response.writeHead(200, { "content-type": type }).end(readFileSync(file))
    })
    servers.push(server)
    await once(server.listen(0, "127.0.0.1"), "listening")
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const heard: Array<string> = []
    await context.route("**/*", (route) => {
      if (new URL(route.request().url()).origin === origin) return route.continue()
      heard.push(route.request().url())
      return route.abort()
    })
    context.setDefaultTimeout(0)
    const page = await context.newPage()
    // The worker of DuckDB-WASM says on the console what it ended: a question that was stopped, or whose view was left.
    page.on("console", (message) => {
      if (!message.text().startsWith("Error: query was canceled")) heard.push(message.text())
    })
    page.on("pageerror", ({ message }) => heard.push(message))
    await page.goto(`${origin}/below/`)
    await page.getByRole("grid").waitFor()
    const close = async (...expected: ReadonlyArray<unknown>) => {
      expect(heard).toEqual(expected)
      await context.close()
    }
    return { page, close }
  }

  it("has all views on a plain file server, accessible to everyone, in light and in dark colours", async () => {
    const { close, page } = await open(join(demo.folder, "site"), { bypassCSP: true })
    // In a sample the same page is looked at where a server answers it (`exploreInBrowser.test.ts`).
    const check = async (name: string) =>
      isEveryCase && expect([name, await violationsOfSchemes(page)]).toEqual([name, { light: [], dark: [] }])
    await check("tables")
    // Rows of the last run are current versions, of which it can be asked why.
    await page.evaluate("location.hash = '#/tables/pages?order=-_run_id'")
    await page.locator("[aria-sort=descending]").waitFor()
    await page.getByRole("grid").press("Enter")
    await page.getByRole("region", { name: "Row 1 of pages" }).getByText("raw_html").waitFor()
    await check("a row")
    await page.getByRole("link", { name: "Why title" }).click()
    await page.getByText("table pages does not record places of single values").waitFor()
    await check("why")
    await askQuestion(page)
    await check("SQL")
    await listRuns(page)
    await check("runs")
    await openRun(page)
    await check("a run")
    const [report] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "The whole report" }).click()
    ])
    await report.getByRole("heading", { name: "site" }).waitFor()
    await report.close()
    await showDifferences(page)
    expect(await page.locator("ins").count()).toBeGreaterThan(0)
    await check("differences")
    await close()
  })

  it("answers each question that it offers, and no other file or server", async () => {
    const { close, page } = await open(join(demo.folder, "site"))
    await view(page, "SQL").click()
    // The first question is asked at once.
    const answered = page.locator("main [role=status]")
    await expect.poll(() => answered.textContent()).toMatch(/^\d+ rows? in/)
    const offered = await page.getByLabel("Questions").locator("option").allTextContents()
    expect(offered.length).toBeGreaterThan(5)
    const ask = async (sql: string, end: RegExp) => {
      await writeSql(page, sql)
      await page.keyboard.press("Control+Enter")
      await page.getByText(end).waitFor()
    }
    for (const label of offered.slice(1)) {
      await ask("FROM range(777)", /^777 rows/)
      await page.getByLabel("Questions").selectOption({ label })
      await expect.poll(() => answered.textContent(), { message: label }).toMatch(/^(?!777)\d+ rows? in/)
    }
    await ask("FROM read_text('/etc/passwd')", /file system operations are disabled/)
    await ask("INSTALL json", /Parser Error|syntax error/)
    await ask("SELECT max(_fetched_at) AS newest, max(_fetched_at) > '2020-01-01' AS is_new FROM pages", /^1 row in/)
    await page
      .getByRole("gridcell")
      .and(page.getByTitle(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*Z$/))
      .waitFor()
    await page.getByRole("gridcell", { name: "yes" }).waitFor()
    // The worker of DuckDB-WASM says on the console what it refuses.
    await close(expect.stringContaining("file system operations are disabled"), expect.stringContaining("Parser Error"))
  })

  it("says what columns hold, filters by it, and gives the rows as a file", async () => {
    const { close, page } = await open(join(demo.folder, "site"))
    const language = page.getByRole("columnheader", { name: "language" })
    await language.getByText("all filled").waitFor()
    await page.getByRole("button", { name: /^Show \d+ empty columns$/ }).waitFor()
    const frequent = await language.locator(".top span").first().textContent()
    await language.locator(".top").first().click()
    await page.getByRole("list", { name: "Filters" }).getByText(`language is ${frequent}`).waitFor()
    await page.getByText(/^\d+ rows, of \d+$/).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download these rows as CSV" }).click()
    ])
    expect(file.suggestedFilename()).toBe("pages.csv")
    expect(readFileSync(await file.path(), "utf8")).toMatch(/^url,source_url,.*\nhttp:/)
    expect(await page.getByRole("button", { name: /Parquet/ }).count()).toBe(0)
    await close()
  })

  it("scrolls, sorts and finds, and ends a question that is stopped", async () => {
    const { close, page } = await open(join(demo.folder, "shop"))
    const grid = page.getByRole("grid", { name: /^products/ })
    await grid.getByRole("columnheader", { name: "product_title" }).click()
    await page.locator("[aria-sort=ascending]", { hasText: "product_title" }).waitFor()
    await page.getByRole("searchbox").fill("HEMP hand")
    await page.getByRole("searchbox").press("Enter")
    await page.getByText("1 row with “HEMP hand”").waitFor()
    await view(page, "SQL").click()
    // One question at a time: when the words of DuckDB are there, nothing else is asked.
    await writeSql(page, "SELECT ")
    await page.keyboard.type("coun")
    await page.getByRole("option", { name: "count_if(arg)" }).waitFor()
    await page.keyboard.press("Escape")
    await writeSql(page, "SELECT sum(a.range * b.range) FROM range(1000000) AS a, range(1000000) AS b")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("Stopped.").waitFor()
    await writeSql(page, "SELECT 42 AS n")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("gridcell", { name: "42" }).waitFor()
    await close()
  })

  it("ends a question at whatever moment it is stopped", async () => {
    const { page } = await open(join(demo.folder, "shop"))
    await view(page, "SQL").click()
    await page
      .locator("main [role=status]")
      .getByText(/^\d+ rows? in/)
      .waitFor()
    for (const turns of [0, 1, 2, 3, 5, 8, 13, 21]) {
      await writeSql(page, `SELECT sum(a.range * b.range + ${turns}) FROM range(1000000) AS a, range(1000000) AS b`)
      const press = (name: string) => `buttons.find(({ textContent }) => textContent === "${name}").click()`
      await page.evaluate(`(async () => {
        const buttons = [...document.querySelectorAll("main button")]
        ${press("Run")}
        for (let turn = 0; turn < ${turns}; turn++) await new Promise((next) => setTimeout(next))
        ${press("Stop")}
      })()`)
      await page.getByText("Stopped.").waitFor()
    }
    await page.context().close()
  })

  it("says where a value comes from, without the text of pages that nobody has kept", async () => {
    const { close, page } = await open(join(demo.folder, "shop"))
    await page.getByRole("gridcell", { name: "NM-LA-1000" }).click()
    await page.getByRole("link", { name: "Why product_title" }).click()
    await page.getByText("json-ld: Product/name says Hemp hand lantern, charcoal").waitFor()
    await page.getByText("an export with --fetch reads pages once more").waitFor()
    await page.getByRole("row", { name: "engine rules" }).waitFor()
    expect(await page.locator("mark").count()).toBe(0)
    expect(await page.getByRole("button").count()).toBe(0)
    await close()
  })

  it("marks a value in its page, which the export has read once more", async () => {
    await demo.online("explore", "shop.yaml", "--export", "./fetched", "--fetch")
    const { close, page } = await open(join(demo.folder, "fetched"), { bypassCSP: true })
    await page.getByRole("gridcell", { name: "NM-LA-1000" }).click()
    await page.getByRole("link", { name: "Why product_title" }).click()
    await page.locator("pre mark", { hasText: /^"Hemp hand lantern, charcoal"$/ }).waitFor()
    expect(await page.getByText("From the page as it is now.").count()).toBeGreaterThan(0)
    expect(await page.getByText("--fetch").count()).toBe(0)
    expect(await violationsOfSchemes(page)).toEqual({ light: [], dark: [] })
    await close()
  })

  it("replaces a folder of its own, and no other", async () => {
    const again = await millrace(demo.folder, "explore", "shop.yaml", "--export", "./shop")
    expect(again.code).toBe(0)
    mkdirSync(join(demo.folder, "mine"))
    write(join(demo.folder, "mine"), "notes.txt", "mine")
    const refused = await millrace(demo.folder, "explore", "shop.yaml", "--export", "./mine")
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain("./mine has files that an export has not written: name a new or an empty folder")
    expect(readFileSync(join(demo.folder, "mine/notes.txt"), "utf8")).toContain("mine")
  })
})
