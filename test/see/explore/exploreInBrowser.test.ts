import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium, type Locator } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath } from "#web/chromiumPath"
import { violationsOfSchemes } from "../../accessible.ts"
import { sampleOf } from "../../thoroughness.ts"
import { type Explored, loadDemo } from "./explored.ts"
import { askQuestion, listRuns, openRun, showDifferences, view, writeSql } from "./walk.ts"

const executable = chromiumPath()
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
    const looked = sampleOf(
      ["tables", "a row", "a column", "keys", "why", "SQL", "runs", "a run", "differences"],
      3,
      (name) => name
    )
    const check = async (name: string) => {
      if (!looked.includes(name)) return
      expect([name, await violationsOfSchemes(page)]).toEqual([name, { light: [], dark: [] }])
    }
    await check("tables")
    await page.getByRole("columnheader", { name: "language" }).getByText("all filled").waitFor()
    await page.getByRole("grid").press("c")
    await page.getByRole("dialog", { name: "Column url" }).waitFor()
    await check("a column")
    await page.keyboard.press("Escape")
    await page.getByRole("grid").press("?")
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor()
    await check("keys")
    await page.keyboard.press("Escape")
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
    await page.keyboard.type("l")
    const completions = page.getByRole("listbox", { name: "Completions" })
    await completions.getByRole("option").nth(11).waitFor()
    // All that is in the list is seen: nothing of it is had by scrolling alone.
    expect(await completions.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0)
    await page.keyboard.type("ang")
    await completions.getByRole("option", { name: /^language/ }).waitFor()
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

  it("opens a history on its current rows, and all versions on demand", async () => {
    const { close, page } = await open(site)
    const list = page.getByRole("navigation", { name: "Tables" })
    const chips = page.getByRole("list", { name: "Filters" })
    await chips.getByText("current rows only").waitFor()
    const current = await page.getByRole("grid", { name: /^pages, / }).getAttribute("aria-rowcount")
    expect(await list.locator("[aria-current]").textContent()).toMatch(/^pages /)
    expect(await list.getByRole("link", { name: "_millrace_runs" }).isVisible()).toBe(false)

    await chips.getByRole("button", { name: "Remove the filter: current rows only" }).click()
    await expect.poll(() => page.url()).toContain("versions=all")
    await list.locator("[aria-current]", { hasText: "all versions" }).waitFor()
    await expect
      .poll(async () => Number(await page.getByRole("grid").getAttribute("aria-rowcount")))
      .toBeGreaterThan(Number(current))
    await list.getByText("About the runs").click()
    await list.getByRole("link", { name: "_millrace_runs" }).click()
    await page.getByRole("grid", { name: "_millrace_runs, 2 rows" }).waitFor()
    await close()
  })

  it("writes values as people do, key and short columns first, long texts last, and folds empty columns", async () => {
    const { close, page } = await open(shop)
    await page.getByRole("link", { name: "goods" }).click()
    const grid = page.getByRole("grid", { name: "goods, 20 rows" })
    await grid.waitFor()
    const heads = async () => grid.locator(".head .name").allTextContents()
    expect((await heads()).at(-1)).toBe("description")
    expect(await heads()).not.toContain("picture")
    const cells = await grid.locator(".body [role=row]").nth(9).locator("[role=gridcell]").allTextContents()
    expect(Object.fromEntries((await heads()).map((name, at) => [name, cells[at]]))).toMatchObject({
      price: "£112.50",
      stock: "9,000",
      is_new: "yes",
      url: "northmere.example/p/9",
      updated_at: "14 Jan 2026, 10:30",
      year_built: "2009"
    })
    expect(await grid.getByText("14 Jan 2026, 10:30").getAttribute("title")).toBe("2026-01-14T10:30:00Z")
    expect(await grid.getByRole("link", { name: "northmere.example/p/9" }).getAttribute("href")).toBe(
      "https://northmere.example/p/9"
    )
    await page.getByRole("button", { name: "Show 1 empty column" }).click()
    await expect.poll(heads).toContain("picture")
    await page.getByRole("button", { name: "Hide 1 empty column" }).waitFor()
    await close()
  })

  it("filters by what is clicked in a head or a cell, and by a link", async () => {
    const { close, page } = await open(shop)
    await page.getByRole("link", { name: "goods" }).click()
    const chips = page.getByRole("list", { name: "Filters" })
    const head = (name: string) => page.getByRole("columnheader", { name })
    await head("currency").getByText("95% filled").waitFor()
    await head("currency").getByText("2 distinct").waitFor()
    await head("currency").locator(".top", { hasText: "EUR" }).click()
    await page.getByText("18 rows, of 20").waitFor()
    await head("currency").getByText("1 distinct").waitFor()
    const drawn = `(() => {
      const [histogram] = document.querySelectorAll(".histogram")
      const bar = getComputedStyle(histogram.querySelector(".bar")).fill
      return [histogram.clientWidth === histogram.closest(".cell").clientWidth, bar]
    })()`
    expect(await page.evaluate(drawn)).toEqual([true, "rgb(11, 98, 196)"])
    await head("price")
      .locator(".histogram")
      .click({ position: { x: 2, y: 10 } })
    await chips.getByText("price 0 to 10").waitFor()
    await page.getByText("1 row, of 20").waitFor()
    await chips.getByRole("button", { name: "Remove the filter: price 0 to 10" }).click()
    await page.getByText("18 rows, of 20").waitFor()
    await page.getByRole("gridcell", { name: "no", exact: true }).first().hover()
    await page.getByTitle("Only rows with this value").click()
    await chips.getByText("is_new is no").waitFor()
    await page.getByText("12 rows, of 20").waitFor()

    await page.getByRole("gridcell", { name: "Hemp rope 2", exact: true }).click()
    await page.getByRole("region", { name: "Row 2 of goods" }).getByText("€25.00").waitFor()

    await page.reload()
    await page.getByText("12 rows, of 20").waitFor()
    await page.getByRole("region", { name: "Row 2 of goods" }).getByText("€25.00").waitFor()
    expect(await chips.getByRole("listitem").allTextContents()).toEqual(["currency is EUR×", "is_new is no×"])
    await page.evaluate("location.hash = '#/tables/goods?where=nonsense'")
    await page.getByRole("alert").getByText("The filters in the URL cannot be read").waitFor()
    await close()
  })

  it("is used by keys alone", async () => {
    const { close, page } = await open(shop)
    await page.evaluate("location.hash = '#/tables/goods?order=price'")
    const grid = page.getByRole("grid", { name: "goods, 20 rows" })
    await page.getByRole("columnheader", { name: "price" }).getByText("all distinct").waitFor()
    await grid.focus()
    await grid.press("?")
    await page.getByRole("dialog", { name: "Keyboard" }).getByText("show only rows with the value").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await grid.press("ArrowRight")
    await grid.press("c")
    const card = page.getByRole("dialog", { name: "Column price" })
    await card.getByText("money (DECIMAL").waitFor()
    await card.getByRole("button", { name: "0 to 10 1" }).press("Enter")
    await page.getByRole("grid", { name: "goods, 1 row" }).waitFor()
    await page.waitForFunction("document.activeElement.getAttribute('role') === 'grid'")
    await page.getByRole("button", { name: "Remove the filter: price 0 to 10" }).press("Enter")
    await page.getByText("20 rows", { exact: true }).waitFor()
    await grid.press("f")
    await page.getByRole("list", { name: "Filters" }).getByText("title is Hemp rope 0").waitFor()
    await page.getByText("1 row, of 20").waitFor()
    await page.getByRole("button", { name: /^Remove/ }).press("Enter")
    await page.getByText("20 rows", { exact: true }).waitFor()
    await grid.press("Enter")
    const row = page.getByRole("region", { name: /^Row/ })
    await row.getByText("€0.00").waitFor()
    await row.press("n")
    await page.getByRole("region", { name: "Row 2 of goods" }).getByText("€12.50").waitFor()
    await page.getByRole("region", { name: "Row 2 of goods" }).press("p")
    await page.getByRole("region", { name: "Row 1 of goods" }).press("Escape")
    await page.waitForFunction("document.activeElement.getAttribute('role') === 'grid'")
    expect(await row.count()).toBe(0)
    await page.getByRole("gridcell", { name: "Hemp rope 3", exact: true }).click()
    await row.waitFor()
    await page.keyboard.press("Escape")
    await row.waitFor({ state: "detached" })
    await page.keyboard.press("/")
    await page.waitForFunction("document.activeElement.type === 'search'")
    await close()
  })

  it("shows what a column holds in a card that was opened before it was known", async () => {
    const { close, page } = await open(shop)
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => (release = done))
    await page.route("**/api/profile?**", async (route) => {
      await held
      await route.continue()
    })
    await page.evaluate("location.hash = '#/tables/goods'")
    await page.getByRole("grid", { name: "goods, 20 rows" }).waitFor()
    await page.getByRole("button", { name: "About currency" }).click()
    const card = page.getByRole("dialog", { name: "Column currency" })
    await card.getByText("text (VARCHAR)").waitFor()
    expect(await card.getByRole("button", { name: /^EUR/ }).count()).toBe(0)
    release()
    await card.getByRole("button", { name: /^EUR/ }).click()
    await page.getByText("18 rows, of 20").waitFor()
    await close()
  })

  it("has columns that the mouse and keys make wider and narrower, and that stay so when rows are filtered", async () => {
    const { close, page } = await open(shop)
    await page.evaluate("location.hash = '#/tables/goods'")
    const grid = page.getByRole("grid", { name: "goods, 20 rows" })
    const head = page.getByRole("columnheader", { name: "price" })
    await head.getByText("all distinct").waitFor()
    const width = async () => (await head.boundingBox())?.width ?? 0
    const before = await width()
    const { height, x, y } = (await head.boundingBox()) ?? { height: 0, x: 0, y: 0 }
    await page.mouse.move(x + before - 3, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + before + 57, y + height / 2)
    await page.mouse.up()
    expect(await width()).toBe(before + 60)
    expect(await page.locator("[aria-sort]").count()).toBe(0)
    await head.getByText("all distinct").waitFor()

    await grid.focus()
    await grid.press("ArrowRight")
    await grid.press("-")
    await expect.poll(width).toBe(before + 20)
    await grid.press("+")
    await grid.press("+")
    await expect.poll(width).toBe(before + 100)
    await grid.press("f")
    await page.getByText("1 row, of 20").waitFor()
    expect(await width()).toBe(before + 100)
    const filtered = page.getByRole("grid", { name: "goods, 1 row" })
    await filtered.press("ArrowRight")
    for (let step = 0; step < 20; step++) await filtered.press("-")
    await expect.poll(width).toBe(48)
    await close()
  })

  it("reads Markdown of a row as elements that load and run nothing", async () => {
    const { close, page } = await open(shop)
    await page.evaluate("location.hash = '#/tables/goods'")
    await page.getByRole("grid", { name: "goods, 20 rows" }).press("Enter")
    const text = page.getByRole("region", { name: "Row 1 of goods" }).locator(".markdown")
    await text.locator(".heading", { hasText: "Hemp rope" }).waitFor()
    expect(await text.locator("strong").textContent()).toBe("long")
    expect(await text.locator("li").allTextContents()).toEqual(["dry", "brown"])
    expect(await text.locator("td").allTextContents()).toEqual(["end", "4 g"])
    expect(await text.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual(
      ["https://northmere.example/weir", "https://northmere.example/p.png"]
    )
    expect(await text.textContent()).toContain("<img src=x onerror=alert(1)>")
    expect(await page.locator("img, script:not([src])").count()).toBe(0)
    await page.getByRole("button", { name: "as text" }).click()
    await page.getByRole("region", { name: "Row 1 of goods" }).getByText("# Hemp rope").waitFor()
    await close()
  })

  it("gives the rows that are shown as files", async () => {
    const { close, page } = await open(shop)
    await page.evaluate("location.hash = '#/tables/goods?order=-price&find=%22rope+1%22'")
    await page.getByText('11 rows with “"rope 1"”').waitFor()
    const file = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: `Download these rows as ${name}` }).click()
      ])
      return [download.suggestedFilename(), readFileSync(await download.path())] as const
    }
    const [csvName, csv] = await file("CSV")
    const [parquetName, parquet] = await file("Parquet")
    expect([csvName, parquetName]).toEqual(["goods.csv", "goods.parquet"])
    expect([...csv.toString().matchAll(/Hemp rope (\d+)/g)].map(([, n]) => Number(n)).join(" ")).toBe(
      "19 18 17 16 15 14 13 12 11 10 1"
    )
    expect(parquet.subarray(0, 4).toString()).toBe("PAR1")
    await close()
  })

  it("has, where there is no place for both, a list of tables, and a table with a way back", async () => {
    const { close, page } = await open(shop)
    await page.setViewportSize({ width: 420, height: 800 })
    await page.goto(`${shop.url}#/tables`)
    await page.reload()
    const list = page.getByRole("navigation", { name: "Tables" })
    await list.getByRole("link", { name: "goods" }).waitFor()
    expect(await page.getByRole("grid").count()).toBe(0)
    await list.getByRole("link", { name: "goods" }).click()
    await page.getByRole("grid", { name: "goods, 20 rows" }).waitFor()
    expect(await list.isVisible()).toBe(false)
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
    await page.getByRole("grid").press("Enter")
    const row = page.getByRole("region", { name: "Row 1 of goods" })
    await row.locator(".markdown").waitFor()
    expect(await row.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await row.getByRole("button", { name: "Close" }).click()
    await page.getByRole("link", { name: "All tables" }).click()
    await list.getByRole("link", { name: "goods" }).waitFor()
    expect(await page.getByRole("grid").count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole("grid").waitFor()
    await close()
  })

  it("completes SQL, runs it, draws it, and says where it is wrong", async () => {
    // A browser says on its console that a request failed.
    const refused = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
    const { close, page } = await open(shop, {}, [refused])
    await view(page, "SQL").click()
    const words = page.getByRole("listbox", { name: "Completions" })
    const { keyboard } = page
    /** Types the rest of a completion that is offered. To take one is CodeMirror's own, and a list that has just come is not taken yet. */
    const finish = async (completion: Locator, rest: string) => {
      await completion.waitFor()
      await keyboard.press("Escape")
      await keyboard.insertText(rest)
    }
    await writeSql(page, "SELECT ")
    await keyboard.type("par")
    await finish(words.getByRole("option", { name: /^part/ }).first(), "t")
    await keyboard.type(", coun")
    // What only the database knows.
    await words.getByRole("option", { name: "count_if(arg)" }).waitFor()
    await keyboard.type("t(*) AS n FROM ma")
    await finish(words.getByRole("option", { name: "many", exact: true }), "ny")
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
    await page.getByRole("gridcell", { name: "200,000" }).waitFor()
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

  it("finds the job of a page, and shows its sheet as a table", async () => {
    const { close, page } = await open(shop)
    await page.evaluate("location.hash = '#/tables/products_jobs'")
    await page.getByRole("grid", { name: /^products_jobs/ }).waitFor()
    const address = "http://northmere.example/shop/p/hemp-hand-lantern-charcoal-1"
    await page.getByRole("searchbox").fill(address)
    await page.getByRole("searchbox").press("Enter")
    await page.getByText(`with “${address}”`).waitFor()
    await page.getByRole("gridcell", { name: "completed" }).first().click()
    const sheet = page.getByRole("region", { name: "Row 1 of products_jobs" }).getByRole("table")
    await sheet.waitFor()
    const rows = await sheet.getByRole("row").evaluateAll((all) => all.map((row) => row.textContent))

    expect(rows).toContain("/products/*/articleNumber1000")
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
