/** The site of the documentation: every link leads somewhere, and a browser without a network shows it to everyone. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Chromium from "#web/browser/Chromium"
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

  const executable = Chromium.find()
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
      await context.close()
      await browser.close()

      expect(found).toEqual([])
    }
  )
})
