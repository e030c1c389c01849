/** The site of the documentation: every link leads somewhere, and a browser without a network shows it to everyone. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "#web/chromiumPath"
import { writeSite } from "../../scripts/site/writeSite.ts"
import { violationsOfSchemes } from "../accessible.ts"
import { root } from "./Folder.ts"

const folder = mkdtempSync(join(tmpdir(), "millrace-site-"))
let pages: ReadonlyArray<{ readonly name: string; readonly html: string }> = []
beforeAll(async () => {
  await writeSite(root, folder)
  pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .map((name) => ({ name, html: readFileSync(join(folder, name), "utf8") }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the site of the documentation", () => {
  it("has a page for each page of docs, and lists them all on each", () => {
    const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".md")
    )
    const names = new Set(pages.map(({ name }) => name))

    for (const name of docs)
      expect(names).toContain(join("docs", name.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html")))
    for (const { html, name } of pages) {
      expect([name, html.includes('href="style.css"') || html.includes('/style.css"')]).toEqual([name, true])
      expect([name, (html.match(/tutorials\/|first-pipeline\.html/g) ?? []).length > 0]).toEqual([name, true])
    }
  })

  it("has coloured code, by colours for light and for dark", () => {
    const tutorial = pages.find(({ name }) => name === "docs/tutorials/first-pipeline.html")

    expect(tutorial?.html.match(/<span style="color:light-dark\(#\w+, #\w+\)">/g)?.length).toBeGreaterThan(50)
  })

  it("has no dead link: each leads to a file, and to a place on it", () => {
    const anchors = new Map(
      pages.map(({ html, name }) => [name, new Set(Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id))])
    )
    const dead = pages.flatMap(({ html, name }) =>
      Array.from(html.matchAll(/ (?:href|src)="(?!https?:|mailto:)([^"#]*)#?([^"]*)"/g)).flatMap(
        ([, path = "", anchor = ""]) => {
          const target = path === "" ? name : join(dirname(name), path)
          if (!existsSync(join(folder, target))) return [`${name}: ${path}`]
          return anchor === "" || anchors.get(target)?.has(anchor) === true ? [] : [`${name}: ${path}#${anchor}`]
        }
      )
    )

    expect(dead).toEqual([])
    expect(pages.length).toBeGreaterThan(70)
  })

  const executable = chromiumPath()
  if (executable === undefined) console.error("SKIPPED: no Chromium on this machine, so the site was not opened in one")

  it.skipIf(executable === undefined)(
    "is shown by a browser without a network, to everyone, in light and dark",
    async () => {
      const browser = await chromium.launch({
        ...(executable === undefined ? {} : { executablePath: executable }),
        chromiumSandbox: process.getuid?.() !== 0
      })
      const found: Array<unknown> = []
      const context = await browser.newContext({ offline: true })
      context.setDefaultTimeout(0)
      const page = await context.newPage()
      page.on("requestfailed", (request) => found.push(request.url()))
      page.on("console", (message) => found.push(message.text()))
      for (const name of [
        "index.html",
        "docs/tutorials/first-pipeline.html",
        "docs/report.html",
        "docs/reference/cli.html"
      ]) {
        await page.goto(pathToFileURL(join(folder, name)).href)
        await page.getByRole("heading", { level: 1 }).waitFor()
        expect([name, await violationsOfSchemes(page)]).toEqual([name, { light: [], dark: [] }])
      }
      await page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "Concepts" }).click()
      await page.getByRole("heading", { level: 1, name: "Concepts" }).waitFor()
      await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "Glossary" }).click()
      expect(page.url()).toContain("#glossary")
      expect(await page.locator("[aria-current=page]").allTextContents()).toEqual(["Concepts"])
      await context.close()
      await browser.close()

      expect(found).toEqual([])
    }
  )

  it.skipIf(executable === undefined)("is searched by the keyboard, without a network", async () => {
    const browser = await chromium.launch({
      ...(executable === undefined ? {} : { executablePath: executable }),
      chromiumSandbox: process.getuid?.() !== 0
    })
    const context = await browser.newContext({ offline: true })
    context.setDefaultTimeout(0)
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(folder, "docs/columns.html")).href)
    const results = page.getByRole("dialog", { name: "Search" }).getByRole("link")

    await page.keyboard.press("/")
    await page.keyboard.type("crawl_errors")
    // The table itself, before pages that only name it.
    await results
      .first()
      .filter({ hasText: /^crawl_errors/ })
      .waitFor()
    await results.locator("mark", { hasText: "crawl_errors" }).first().waitFor()
    expect(await violationsOfSchemes(page)).toEqual({ light: [], dark: [] })
    await page.getByRole("searchbox").fill("scrapeOptions")
    await results.filter({ hasText: "Sources" }).first().waitFor()
    await page.keyboard.press("ArrowDown")
    const address = await page.evaluate("document.activeElement.href")
    await page.keyboard.press("Enter")
    await page.waitForURL(String(address))
    await page.getByRole("button", { name: "Search" }).click()
    await page.getByRole("searchbox").fill("qqqzzzxxx")
    await page.getByText('Nothing has all words of "qqqzzzxxx".').waitFor()
    await page.keyboard.press("Escape")

    expect(await page.getByRole("dialog").count()).toBe(0)
    await browser.close()
  })

  it.skipIf(executable === undefined)(
    "shows one pipeline in three ways, and keeps the colours that a reader chose",
    async () => {
      const browser = await chromium.launch({
        ...(executable === undefined ? {} : { executablePath: executable }),
        chromiumSandbox: process.getuid?.() !== 0
      })
      const page = await browser.newPage()
      page.setDefaultTimeout(0)
      await page.goto(pathToFileURL(join(folder, "index.html")).href)
      const shown = page.locator(".way:visible pre").first()
      const file = await shown.textContent()
      await page.getByRole("radio", { name: "A file" }).focus()
      await page.keyboard.press("ArrowRight")
      const typeScript = await shown.textContent()
      await page.getByRole("button", { name: "Colours: as the machine" }).click()
      await page.getByRole("button", { name: "Colours: light" }).click()
      await page.reload()
      await page.getByRole("button", { name: "Colours: dark" }).waitFor()

      expect(file).toContain("source:")
      expect(typeScript).toContain('import { run, sql } from "millrace"')
      expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark")
      await browser.close()
    }
  )
})
