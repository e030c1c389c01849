import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Chromium from "#web/browser/Chromium"
import { violationsOfSchemes } from "../../accessible.ts"
import { sampleOf } from "../../thoroughness.ts"
import { type Explored, loadDemo } from "./explored.ts"
import { askQuestion, listRuns, openRun, showDifferences, view, writeSql } from "./walk.ts"

const executable = Chromium.find()
if (executable === undefined) console.error("SKIPPED: no Chromium on this machine, so explore was not opened in one")

describe.skipIf(executable === undefined)("explore in a browser", () => {
  let browser: Browser
  let demo: Awaited<ReturnType<typeof loadDemo>>
  let site: Explored
  let shop: Explored
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executable === undefined ? {} : { executablePath: executable }),
      chromiumSandbox: process.getuid?.() !== 0
    })
    demo = await loadDemo()
    site = await demo.explore("site.yaml")
    shop = await demo.explore("shop.yaml")
  })
  afterAll(async () => {
    await browser.close()
    await demo.close()
  })

  /** A page on a machine that reaches the explorer and nothing else; at the end it has said nothing it should not. */
  const open = async (
    explored: Explored,
    options: { bypassCSP?: boolean } = {},
    expected: ReadonlyArray<string> = []
  ) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const heard: Array<string> = []
    await context.route("**/*", (route) => {
      if (new URL(route.request().url()).origin === explored.origin) return route.continue()
      heard.push(route.request().url())
      return route.abort()
    })
    context.setDefaultTimeout(0)
    const page = await context.newPage()
    page.on("console", (message) => heard.push(message.text()))
    page.on("pageerror", ({ message }) => heard.push(message))
    page.on("dialog", (dialog) => {
      heard.push(dialog.message())
      return dialog.dismiss()
    })
    await page.goto(explored.url)
    await page.getByRole("grid").waitFor()
    const close = async (...more: ReadonlyArray<string>) => {
      expect(heard).toEqual([...expected, ...more])
      await context.close()
    }
    return { page, close }
  }

  it("has views that are accessible to everyone, in light and in dark colours", async () => {
    const { close, page } = await open(site, { bypassCSP: true })
    const looked = sampleOf(["tables", "a row", "why", "SQL", "runs", "a run", "differences"], 3, (name) => name)
    const check = async (name: string) => {
      if (!looked.includes(name)) return
      expect([name, await violationsOfSchemes(page)]).toEqual([name, { light: [], dark: [] }])
    }
    await check("tables")
    // Rows of the last run are current versions, of which it can be asked why.
    await page.evaluate("location.hash = '#/tables/pages?order=-_run_id'")
    await page.locator("[aria-sort=descending]").waitFor()
    await page.getByRole("grid").press("Enter")
    await page.getByRole("link", { name: "Why title" }).waitFor()
    await check("a row")
    await page.getByRole("link", { name: "Why title" }).click()
    await page.getByRole("heading", { name: "Why title" }).waitFor()
    await check("why")
    await askQuestion(page)
    await writeSql(page, "SELECT ")
    await page.keyboard.type("lang")
    await page
      .getByRole("listbox", { name: "Completions" })
      .getByRole("option", { name: /^language/ })
      .waitFor()
    await check("SQL")
    await listRuns(page)
    await check("runs")
    await openRun(page)
    await check("a run")
    await showDifferences(page)
    await check("differences")
    await close()
  })

  it("scrolls 200,000 rows by keys, of which few are in the document, and sorts and finds among them", async () => {
    const { close, page } = await open(shop)
    await page.getByRole("link", { name: "many" }).click()
    const grid = page.getByRole("grid", { name: "many, 200,000 rows" })
    const lines = grid.locator(".body [role=row]")
    const active = grid.locator("[aria-selected=true]")
    await grid.focus()

    for (let step = 0; step < 40; step++) await grid.press("PageDown")
    await expect
      .poll(async () => Number(await active.locator("[role=gridcell]").first().textContent()))
      .toBeGreaterThan(400)
    await grid.press("Control+End")
    await active.getByText("row 199999").waitFor()
    await grid.press("PageUp")
    await grid.press("Home")
    await grid.press("ArrowUp")
    expect(await lines.count()).toBeLessThan(40)
    expect(await grid.getAttribute("aria-rowcount")).toBe("200001")

    await grid.press("Control+Home")
    await grid.press("ArrowRight")
    await grid.press("ArrowRight")
    await grid.press("s")
    await page.locator("[aria-sort=ascending]", { hasText: "part" }).waitFor()
    await page.getByRole("columnheader", { name: "part" }).click()
    await page.locator("[aria-sort=descending]", { hasText: "part" }).waitFor()
    await lines.first().getByText("999", { exact: true }).waitFor()

    await page.getByRole("searchbox").fill("ROW 123456")
    await page.getByRole("searchbox").press("Enter")
    await page.getByText("1 row with “ROW 123456”").waitFor()
    await expect.poll(() => page.locator(".body mark").allTextContents()).toEqual(["row", "123456"])
    expect(await page.locator(".body [role=row]").count()).toBe(1)
    expect(page.url()).toContain("#/tables/many?find=ROW+123456&order=-part")
    await page.getByRole("gridcell", { name: "row 123456" }).click()
    await page.getByRole("region", { name: "Row 1 of many" }).locator("mark", { hasText: "123456" }).waitFor()
    await page.getByRole("searchbox").fill("no such words")
    await page.getByRole("searchbox").press("Enter")
    await page.getByText("0 rows with “no such words”").waitFor()
    await close()
  })

  it("shows the text of rows as text, whatever it says", async () => {
    const { close, page } = await open(shop)
    await page.getByRole("link", { name: "many" }).click()
    await page.getByText("<img src=x onerror=alert(1)>").click()
    await page.getByRole("region", { name: "Row 4 of many" }).getByText("<img src=x onerror=alert(1)>").waitFor()
    expect(await page.locator("img").count()).toBe(0)
    await page.getByRole("region", { name: "Row 4 of many" }).press("Escape")
    await page.waitForFunction("document.activeElement.getAttribute('role') === 'grid'")
    await close()
  })

  it("completes SQL, runs it, draws it, and says where it is wrong", async () => {
    // A browser says on its console that a request failed.
    const refused = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
    const { close, page } = await open(shop, {}, [refused])
    await view(page, "SQL").click()
    const words = page.getByRole("listbox", { name: "Completions" })
    const { keyboard } = page
    /** Takes the completion that is marked; one that has just come waits for the next key. */
    const take = (begun: RegExp) =>
      expect
        .poll(async () => {
          const text = await page.getByRole("textbox", { name: "SQL" }).innerText()
          if (!begun.test(text)) await keyboard.press("Tab")
          return text
        })
        .toMatch(begun)
    await writeSql(page, "SELECT ")
    await keyboard.type("par")
    await words.getByRole("option", { name: /^part/ }).first().waitFor()
    await take(/part$/)
    await keyboard.type(", coun")
    // What only the database knows.
    await words.getByRole("option", { name: "count_if(arg)" }).waitFor()
    await keyboard.type("t(*) AS n FROM ma")
    await words.getByRole("option", { name: "many", exact: true }).waitFor()
    await take(/many$/)
    await keyboard.insertText(" GROUP BY ALL")
    await keyboard.press("Control+Enter")
    await page.getByRole("grid", { name: "The answer, 1,000 rows" }).waitFor()
    expect(page.url()).toContain("#/sql?q=SELECT+part%2C+count%28*%29+AS+n+FROM+many+GROUP+BY+ALL")
    const chart = page.getByRole("combobox", { name: /^Chart/ })
    for (const [kind, name] of [
      ["line", "Line chart: part by part"],
      ["dots", "Dot chart: part by part"],
      ["histogram", "Histogram: part"],
      ["bars", "Bar chart: part by part"]
    ] as const) {
      await chart.selectOption(kind)
      await page.getByRole("img", { name }).waitFor()
      expect(page.url()).toContain(`chart=${kind}`)
    }
    await page.getByText("The 40 largest of 1,000.").waitFor()
    expect(await page.locator("style, [onload], foreignObject").count()).toBe(0)
    expect(await page.getByRole("grid").locator("[role=row]").count()).toBeLessThan(40)

    await writeSql(page, "SELECT name,\n  pard FROM many")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("alert").getByText("pard").waitFor()
    await page.locator(".cm-lintRange-error", { hasText: /^pard$/ }).waitFor()
    // It ends in no time that a test waits for: on a busy machine one that ends has no button to stop it.
    await writeSql(page, "SELECT sum(a.id * b.id * c.id) FROM many AS a, many AS b, many AS c")
    await keyboard.press("Control+Enter")
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("Stopped.").waitFor()
    await writeSql(page, "SELECT 42 AS n")
    await keyboard.press("Control+Enter")
    await page.getByRole("gridcell", { name: "42" }).waitFor()
    await close()
  })

  it("begins SQL with a question of its own, and puts names of tables and columns into the query", async () => {
    const { close, page } = await open(site)
    await view(page, "SQL").click()
    await page.getByText(/^\d+ rows in/).waitFor()
    expect(await page.getByLabel("Questions").locator("option:checked").textContent()).toBe("What changed last")
    const names = page.getByRole("navigation", { name: "Tables and columns" })
    await writeSql(page, "FROM ")
    await names.getByRole("button", { name: "page_links", exact: true }).press("Enter")
    await page.keyboard.press("Control+Enter")
    await expect.poll(() => page.url()).toContain("#/sql?q=FROM+page_links")
    await names.getByRole("button", { name: "Columns of page_links" }).press("Enter")
    await names.getByRole("button", { name: "is_internal" }).waitFor()
    await page.setViewportSize({ width: 420, height: 900 })
    await page.reload()
    await page.getByRole("grid").waitFor()
    expect(await names.getByRole("button", { name: "pages", exact: true }).isVisible()).toBe(false)
    await names.getByText("Tables and columns").click()
    await names.getByRole("button", { name: "pages", exact: true }).waitFor()
    await close()
  })

  it("saves a question as a file beside the pipeline, opens it, and deletes it, by the keyboard alone", async () => {
    const { close, page } = await open(shop)
    const file = join(demo.folder, "questions/shop/the many.sql")
    await view(page, "SQL").click()
    await page.getByText(/^\d+ rows? in/).waitFor()
    await writeSql(page, "SELECT count(*) AS n FROM many")
    await page.getByRole("button", { name: "Save…" }).press("Enter")
    await page.keyboard.insertText("../escaped")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").getByText("cannot be the name of a question").waitFor()
    await page.keyboard.press("Control+A")
    await page.keyboard.insertText("the many")
    await page.keyboard.press("Enter")
    await page.getByText("Saved as questions/shop/the many.sql").waitFor()
    expect(readFileSync(file, "utf8")).toBe("SELECT count(*) AS n FROM many\n")

    await page.goto(`${shop.url}#/sql?q=SELECT+1`)
    await page.reload()
    await page.getByLabel("Questions").selectOption({ label: "the many" })
    await page.getByRole("gridcell", { name: "200000" }).waitFor()
    await page.getByRole("button", { name: "Delete…" }).press("Enter")
    await page.getByRole("dialog", { name: "Delete the many?" }).waitFor()
    await page.keyboard.press("Escape")
    expect(existsSync(file)).toBe(true)
    await page.getByRole("button", { name: "Delete…" }).press("Enter")
    await page.getByRole("button", { name: "Delete", exact: true }).press("Enter")
    await page.getByText("the many is deleted").waitFor()
    expect(existsSync(file)).toBe(false)
    await close("Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)")
  })

  it("goes from a value to its evidence and its run, and back by the button", async () => {
    const { close, page } = await open(shop)
    await page.getByRole("gridcell", { name: "NM-LA-1000" }).click()
    await page.getByRole("link", { name: "Why product_title" }).click()
    await page.getByText("json-ld: Product/name says Hemp hand lantern, charcoal").waitFor()
    await page.getByRole("table").getByRole("link").last().click()
    await page.getByRole("heading", { name: /^Run of \d+ \w+ \d{4}, \d\d:\d\d:\d\d done$/ }).waitFor()
    const [report] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "The whole report" }).click()
    ])
    await report.getByRole("heading", { name: "shop" }).waitFor()
    await report.close()
    await page.goBack()
    await page.getByRole("heading", { name: "Why product_title" }).waitFor()
    await page.goBack()
    await page.getByRole("grid", { name: /^products/ }).waitFor()
    await close()
  })

  it("marks words that changed between two runs", async () => {
    const { close, page } = await open(site)
    await showDifferences(page)
    expect(await page.locator("ins").count()).toBeGreaterThan(0)
    expect(await page.locator("del").count()).toBeGreaterThan(0)
    await page.getByLabel("Table").selectOption("page_links")
    await page.waitForURL(/table=page_links/)
    await close()
  })
})
