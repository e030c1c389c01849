import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Chromium from "#web/browser/Chromium"
import { violationsOfSchemes } from "../../accessible.ts"
import { sampleOf } from "../../thoroughness.ts"
import { type Explored, loadDemo } from "./explored.ts"
import { askQuestion, listRuns, openRun, showDifferences, view } from "./walk.ts"

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
    const close = async () => {
      expect(heard).toEqual(expected)
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
    await page.getByRole("textbox").pressSequentially("\nlang")
    await page.getByRole("option", { name: "language", exact: true }).waitFor()
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

  it("completes SQL, runs it, draws it, and says what is wrong with it", async () => {
    // A browser says on its console that a request failed.
    const refused = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
    const { close, page } = await open(shop, {}, [refused])
    await view(page, "SQL").click()
    const text = page.getByRole("textbox")
    await text.fill("")
    await text.pressSequentially("SELECT par")
    await page.getByRole("option", { name: "part", exact: true }).waitFor()
    await text.press("Tab")
    await text.pressSequentially(", count(*) AS n FROM ma")
    await page.getByRole("option", { name: "many", exact: true }).waitFor()
    await text.press("Tab")
    await text.pressSequentially(" GROUP BY ALL")
    expect(await text.inputValue()).toBe("SELECT part, count(*) AS n FROM many GROUP BY ALL")
    await text.press("Control+Enter")
    await page.getByRole("grid", { name: "The answer, 1,000 rows" }).waitFor()
    await page.getByLabel("Chart").selectOption("line")
    await page.getByRole("img", { name: "Line chart: n by part" }).waitFor()
    await page.getByRole("combobox", { name: /^Chart/ }).selectOption("scatter")
    await page.getByRole("img", { name: "Scatter plot: n by part" }).waitFor()
    const dots = await page
      .locator("svg .dot")
      .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")).join(""))
    expect(dots.match(/M/g)).toHaveLength(1000)
    expect(await page.getByRole("grid").locator("[role=row]").count()).toBeLessThan(40)
    await page.getByRole("combobox", { name: /^Chart/ }).selectOption("histogram")
    await page.getByRole("combobox", { name: /^of/ }).selectOption("part")
    await page.getByRole("img", { name: "Histogram: part" }).waitFor()
    expect(await page.locator("svg title").allTextContents()).toContain("0 to 40: 40")
    await page.getByRole("combobox", { name: /^Chart/ }).selectOption("stacked bars")
    await page.getByRole("combobox", { name: /^in parts of/ }).selectOption("n")
    await page.getByRole("img", { name: "Stacked bar chart: part by part in parts of n" }).waitFor()
    await page.getByText("The first 40 of 1,000.").waitFor()
    expect(page.url()).toContain("#/sql?q=SELECT+part")

    await text.fill("FROM manny")
    await page.getByRole("button", { name: "Run" }).click()
    await page.getByRole("alert").getByText("manny").waitFor()
    // It ends in no time that a test waits for: on a busy machine one that ends has no button to stop it.
    await text.fill("SELECT sum(a.id * b.id * c.id) FROM many AS a, many AS b, many AS c")
    await text.press("Control+Enter")
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("Stopped.").waitFor()
    await text.fill("SELECT 42 AS n")
    await text.press("Control+Enter")
    await page.getByRole("gridcell", { name: "42" }).waitFor()
    await close()
  })

  it("goes from a value to its evidence and its run, and back by the button", async () => {
    const { close, page } = await open(shop)
    await page.getByRole("gridcell", { name: "NM-LA-1000" }).click()
    await page.getByRole("link", { name: "Why product_title" }).click()
    await page.getByText("json-ld: Product/name says Hemp hand lantern, charcoal").waitFor()
    await page.getByRole("table").getByRole("link").last().click()
    await page.getByRole("heading", { name: /^Run \d{8}T/ }).waitFor()
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
