import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { reportHtml } from "#see/report/reportHtml"
import * as Chromium from "#web/browser/Chromium"
import { violationsOf } from "../../accessible.ts"
import { inFolder } from "../../app/millrace.ts"
import { hostile } from "./hostile.ts"

const executable = Chromium.find()
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
})
