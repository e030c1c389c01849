import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { reportHtml } from "#see/report/reportHtml"
import { chromiumPath } from "#web/chromiumPath"
import { violationsOf } from "../../accessible.ts"
import { inFolder } from "../../app/millrace.ts"
import { hostile } from "./hostile.ts"
import { plain } from "./plain.ts"

const executable = chromiumPath()
if (executable === undefined) console.error("SKIPPED: no Chromium on this machine, so no report was opened in one")

describe.skipIf(executable === undefined)("a report in a browser", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executable === undefined ? {} : { executablePath: executable }),
      chromiumSandbox: process.getuid?.() !== 0
    })
  })
  afterAll(() => browser.close())

  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 390]
  ] as const) {
    it(`is readable for everyone, says nothing on the console and asks for nothing: ${colorScheme}, ${width} wide`, () =>
      inFolder(async (folder) => {
        const file = join(folder, "report.html")
        writeFileSync(file, reportHtml(hostile))
        const context = await browser.newContext({
          colorScheme,
          viewport: { width, height: 900 },
          offline: true,
          // The checker is a script, which the page's own policy forbids.
          bypassCSP: true
        })
        context.setDefaultTimeout(0)
        const page = await context.newPage()
        const heard: Array<string> = []
        page.on("console", (message) => heard.push(message.text()))
        page.on("pageerror", ({ message }) => heard.push(message))
        page.on("request", (request) => heard.push(request.url()))
        page.on("dialog", (dialog) => heard.push(dialog.message()))
        await page.goto(pathToFileURL(file).href)

        expect(heard.splice(0)).toEqual([pathToFileURL(file).href])
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0)
        expect(await page.locator("svg").count()).toBeGreaterThan(8)
        await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        const found = await violationsOf(page)
        expect(found).toEqual([])
        expect(heard).toEqual([])
        await context.close()
      }))
  }

  const opened = (width: number, use: (page: Page) => Promise<void>) =>
    inFolder(async (folder) => {
      const file = join(folder, "report.html")
      writeFileSync(file, reportHtml(plain))
      const context = await browser.newContext({ viewport: { width, height: 900 }, offline: true })
      context.setDefaultTimeout(0)
      const page = await context.newPage()
      await page.goto(pathToFileURL(file).href)
      await use(page)
      await context.close()
    })
  const heightOf = (page: Page) => page.evaluate<number>("document.documentElement.scrollHeight")

  it("answers the three questions on the first screen of a plain crawl, and is short", () =>
    opened(1400, async (page) => {
      for (const question of ["good", "changed", "missing"]) {
        const box = await page.locator(`section.q-${question}`).boundingBox()
        expect((box?.y ?? Infinity) + (box?.height ?? 0), question).toBeLessThanOrEqual(900)
      }
      expect(await heightOf(page)).toBeLessThan(1500)
    }))

  it("is no wider than a phone, whatever is open", () =>
    opened(420, async (page) => {
      for (const fold of await page.locator("details.fold > summary").all()) await fold.click()
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(420)
    }))

  it("is opened by the keyboard, and printed with all that is folded", () =>
    opened(1000, async (page) => {
      const codes = page.getByText("All 400 answered with 200.")
      expect(await codes.isVisible()).toBe(false)
      await page.locator("#pages > summary").press("Enter")
      expect(await codes.isVisible()).toBe(true)
      await page.locator("#pages > summary").press("Enter")
      expect(await codes.isVisible()).toBe(false)
      const closed = await heightOf(page)
      await page.emulateMedia({ media: "print" })
      expect((await codes.boundingBox())?.height).toBeGreaterThan(5)
      expect(await heightOf(page)).toBeGreaterThan(closed * 2)
    }))

  it("draws bars from a base line", () =>
    opened(1400, async (page) => {
      for (const fold of await page.locator("details.fold > summary").all()) await fold.click()
      const charts = await page.evaluate<
        ReadonlyArray<{ readonly bars: ReadonlyArray<number>; readonly lines: ReadonlyArray<number> }>
      >(`
        [...document.querySelectorAll("svg")].filter((svg) => svg.querySelector("rect")).map((svg) => {
          const boxes = [...svg.querySelectorAll("rect")].map((one) => one.getBoundingClientRect())
          const isUpright = new Set(boxes.map((box) => Math.round(box.bottom))).size === 1
          const lines = [...svg.querySelectorAll("line")].map((one) => one.getBoundingClientRect())
          return {
            bars: [...new Set(boxes.map((box) => Math.round(isUpright ? box.bottom : box.left)))],
            lines: lines.map((box) => Math.round(isUpright ? box.top : box.left))
          }
        })`)
      expect(charts.length).toBeGreaterThan(2)
      for (const { bars, lines } of charts) {
        expect(bars).toHaveLength(1)
        expect(lines.some((line) => Math.abs(line - (bars[0] ?? 0)) <= 1)).toBe(true)
      }
    }))
})
