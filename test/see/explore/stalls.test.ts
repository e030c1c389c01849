/**
 * Whether the page of explore stalls over 200,000 pages of text, with the network cut: no task of its thread takes 50 ms of
 * the CPU, whatever else the machine does meanwhile. It is part of the whole campaign alone (`npm run test:soak`).
 */

import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "#web/chromiumPath"
import { alter, millrace, write } from "../../app/millrace.ts"
import { soaking } from "../../thoroughness.ts"
import { loadDemo } from "./explored.ts"
import { view, writeSql } from "./walk.ts"

const executable = chromiumPath()
const longestTask = 50

/** 1,500 characters a row, with letters beyond ASCII. */
const pages = `CREATE OR REPLACE TABLE texts AS
  WITH paragraphs AS (SELECT p, string_agg(w, ' ') AS t FROM (SELECT p, list_extract(
    ['die','Straße','München','Größe','über','Garten','Wasser','café','table','price','river','report','page','silver'],
    1 + (hash(p * 1000 + k) % 14)::INTEGER) AS w FROM range(300) a(p), range(60) b(k)) GROUP BY p),
  list AS (SELECT list(t) AS ts FROM paragraphs)
  SELECT 'https://docs.example.com/p/' || i AS url, 'Seite ' || i AS title, i AS id,
    list_extract(ts, 1 + (hash(i) % 300)::INTEGER) || ' nummer' || i || ' ' || list_extract(ts, 1 + (hash(i + 7) % 300)::INTEGER)
      || ' ' || list_extract(ts, 1 + (hash(i + 9) % 300)::INTEGER) || ' ' || list_extract(ts, 1 + (hash(i + 11) % 300)::INTEGER) AS markdown
  FROM range(200000) r(i), list`

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the CPU that the thread had. */
  readonly tdur?: number
}

/** What the page says in the trace, so that its thread is known. */
const mark = "the page of explore"

/** Milliseconds of the CPU that the longest task of a page had, by the trace of its browser. */
const longestTaskOf = (trace: Buffer): number => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the format of traces, as Chromium writes it
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: ReadonlyArray<TraceEvent> }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  // The browser's own first tab has a thread as well, and its own work.
  const pages = new Set(traceEvents.filter(({ name }) => name === mark).map(threadOf))
  const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && pages.has(threadOf(event)))
  if (tasks.length === 0) throw new Error("the trace has no task of the page")
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000
}

describe.skipIf(!soaking || executable === undefined)("the page of explore, over 200,000 pages of text", () => {
  let browser: Browser
  let demo: Awaited<ReturnType<typeof loadDemo>>
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executable === undefined ? {} : { executablePath: executable }),
      chromiumSandbox: process.getuid?.() !== 0
    })
    demo = await loadDemo()
    write(
      demo.folder,
      "texts.yaml",
      'source: { type: crawl, url: "http://northmere.example/", limit: 3 }',
      "table: { name: texts, key: url }",
      "sinks: { db: { type: duckdb, path: ./texts.duckdb } }"
    )
    await demo.run("texts.yaml")
    await alter(join(demo.folder, "texts.duckdb"), pages)
  })
  afterAll(async () => {
    await browser.close()
    await demo.close()
  })

  const open = async (url: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(0)
    const elsewhere: Array<string> = []
    await context.route("**/*", (route) => {
      if (new URL(route.request().url()).origin === new URL(url).origin) return route.continue()
      elsewhere.push(route.request().url())
      return route.abort()
    })
    const page = await context.newPage()
    await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] })
    await page.goto(url)
    await page.getByRole("grid").waitFor()
    return { page, elsewhere, close: () => context.close() }
  }

  /** What somebody does with a large table; each step is timed from outside, and the tasks of the page from inside. */
  const use = async (page: Page, name: string) => {
    const steps: Array<string> = []
    let longest = 0
    const timed = async (what: string, work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      const seconds = (performance.now() - began) / 1000
      await page.evaluate(`performance.mark("${mark}")`)
      const task = longestTaskOf(await browser.stopTracing())
      longest = Math.max(longest, task)
      steps.push(`${what} ${seconds.toFixed(2)} s, ${task.toFixed(0)} ms`)
      await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] })
    }
    const find = (text: string, end: RegExp) =>
      timed(`find ${text}`, async () => {
        await page.getByRole("searchbox").fill(text)
        await page.getByRole("searchbox").press("Enter")
        await page.getByText(end).waitFor()
      })
    const grid = page.getByRole("grid", { name: /^texts/ })
    await timed("scroll", async () => {
      await grid.focus()
      for (let step = 0; step < 60; step++) await grid.press("PageDown")
      await page.mouse.move(700, 600)
      for (let step = 0; step < 40; step++) await page.mouse.wheel(0, 20_000)
      await grid.press("Control+End")
      await grid.getByText("Seite 199999").waitFor()
    })
    await timed("sort", async () => {
      await page.getByRole("columnheader", { name: "title" }).click()
      await page.locator("[aria-sort=ascending]", { hasText: "title" }).waitFor()
    })
    await find("nummer123456", /^1 row with/)
    await page.locator(".body mark", { hasText: "nummer123456" }).waitFor()
    await find("MUNCHEN grosse", /^[\d,]+ rows with “MUNCHEN grosse”/)
    await find('"uber cafe" strasse', /^[\d,]+ rows with “"uber cafe" strasse”/)
    await find("xylophon", /^0 rows with/)
    await view(page, "SQL").click()
    await timed("10,000 rows of SQL", async () => {
      await writeSql(page, "SELECT url, title, id, left(markdown, 300) FROM texts")
      await page.keyboard.press("Control+Enter")
      await page.getByText(/^10,000 rows in/).waitFor()
    })
    await timed("10,000 rows of 43 columns", async () => {
      const texts = Array.from({ length: 40 }, (_, at) => `left(markdown, ${10 + 2 * at}) AS text_${at}`)
      await writeSql(page, `SELECT url, title, id, ${texts.join(", ")} FROM texts`)
      await page.keyboard.press("Control+Enter")
      await page.getByRole("columnheader", { name: "text_0" }).waitFor()
      await page.getByText(/^10,000 rows in/).waitFor()
    })
    await timed("10,000 dots", async () => {
      await page.getByRole("combobox", { name: /^Chart/ }).selectOption("dots")
      await page.getByRole("combobox", { name: /^by/ }).selectOption("id")
      await page.getByRole("img", { name: /^Dot chart/ }).waitFor()
    })
    await browser.stopTracing()
    console.error(`${name}, each step with its longest task: ${steps.join("; ")}`)
    return longest
  }

  it("that a server answers, has no task of 50 ms", async () => {
    const { url } = await demo.explore("texts.yaml")
    const { close, elsewhere, page } = await open(url)
    expect(await use(page, "served")).toBeLessThan(longestTask)
    expect(elsewhere).toEqual([])
    await close()
  })

  it("that is an exported folder, has no task of 50 ms", async () => {
    const folder = join(demo.folder, "texts")
    expect(await millrace(demo.folder, "explore", "texts.yaml", "--export", folder)).toMatchObject({ code: 0 })
    const types: Readonly<Record<string, string>> = {
      ".html": "text/html",
      ".js": "text/javascript",
      ".css": "text/css"
    }
    const server = createServer(({ url = "" }, response) => {
      const file = join(folder, new URL(url, "http://localhost").pathname.replace(/\/$/, "/index.html"))
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" })
      response.end(readFileSync(file))
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
    const { port } = server.address() as AddressInfo
    const { close, elsewhere, page } = await open(`http://127.0.0.1:${port}/`)
    expect(await use(page, "exported")).toBeLessThan(longestTask)
    expect(elsewhere).toEqual([])
    await close()
    server.close()
  })
})
