import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { alter, write } from "../../app/millrace.ts"
import { type Explored, loadDemo } from "./explored.ts"

describe("the server of explore", () => {
  let demo: Awaited<ReturnType<typeof loadDemo>>
  let site: Explored
  let shop: Explored
  beforeAll(async () => {
    demo = await loadDemo()
    site = await demo.explore("site.yaml")
    shop = await demo.explore("shop.yaml")
  })
  afterAll(() => demo.close())

  it("says 403 to who has no token, calls it by another name, or comes from another page", async () => {
    const statusOf = async (path: string, headers: Record<string, string> = {}) =>
      new Promise<number>((done, fail) => {
        const asked = request(new URL(path, site.origin), { headers }, (response) => {
          response.resume()
          done(response.statusCode ?? 0)
        })
        asked.on("error", fail).end()
      })
    const bearer = { authorization: `Bearer ${site.token}` }
    const { host } = new URL(site.url)

    expect(await statusOf("/api/tables", bearer)).toBe(200)
    expect(await statusOf("/api/tables", { ...bearer, origin: site.origin })).toBe(200)
    expect(await statusOf("/api/tables")).toBe(403)
    expect(await statusOf(`/api/tables?token=${site.token}`)).toBe(403)
    expect(await statusOf("/api/tables", { authorization: `Bearer ${shop.token}` })).toBe(403)
    expect(await statusOf("/api/tables", { ...bearer, host: `evil.test:${new URL(site.url).port}` })).toBe(403)
    expect(await statusOf("/api/tables", { ...bearer, origin: "http://evil.test" })).toBe(403)
    expect(await statusOf("/api/tables", { ...bearer, origin: `https://${host}` })).toBe(403)
    expect(await statusOf("/")).toBe(403)
    expect(await statusOf(`/?token=${shop.token}`)).toBe(403)
    expect(await statusOf("/report/latest")).toBe(403)
    expect(await statusOf("/app/main.js", { host: "evil.test" })).toBe(403)
  })

  it("lets no browser keep, frame or read what it says, and runs scripts of its own only", async () => {
    for (const path of [site.url, "/app/page.css", "/app/main.js", "/api/none"]) {
      const { headers } = await fetch(new URL(path, site.url))
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("access-control-allow-origin")).toBeNull()
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;.*frame-ancestors 'none'$/
      )
    }
  })

  it("serves the scripts of the page, which import nothing else, and no other file", async () => {
    const entry = /<script type="module" src="([^"]+)">/.exec(await (await fetch(site.url)).text())?.[1] ?? ""
    const seen = new Set<string>()
    const load = async (path: string): Promise<string> => {
      if (seen.has(path)) return ""
      seen.add(path)
      const response = await fetch(new URL(path, site.origin))
      expect([path, response.status]).toEqual([path, 200])
      const code = await response.text()
      const named = code.matchAll(/(?:^|[;}])(?:import|export)[^;("'`]*from\s*["`]([^"`]+)|\bimport\(\s*["`]([^"`]+)/g)
      const imported = [...named].map(([, always = "", later = ""]) => always + later)
      expect(imported.filter((name) => !name.startsWith("./"))).toEqual([])
      const rest = imported.map((name) => load(new URL(name, new URL(path, site.origin)).pathname))
      return [code, ...(await Promise.all(rest))].join("\n")
    }
    const code = await load(entry)

    // Each view, and what only one of them needs.
    for (const word of ["/api/rows", "/api/sql", "/api/runs", "/api/diff", "/api/why", "cm-completionLabel", "plot-"])
      expect(code).toContain(word)
    for (const path of [
      "/app/see/explore/gate.ts",
      "/app/..%2fgate.js",
      "/app/LICENCES.txt",
      "/app/toString",
      "/app/"
    ]) {
      expect((await fetch(new URL(`${path}?token=${site.token}`, site.origin))).status).toBe(404)
    }
  })

  it("lists tables with columns and rows, those of the pipeline first, and questions that can be asked", async () => {
    const { answer } = await site.ask("/api/tables")

    const [pages] = answer.tables
    expect(answer).toMatchObject({ pipeline: "site", sink: "db" })
    expect(pages).toMatchObject({ name: "pages", key: ["url"], isOwn: true })
    expect(pages.rows).toBeGreaterThan(12)
    expect(pages.columns).toContainEqual({ name: "title", type: "VARCHAR", description: "the title of the page" })
    expect(answer.tables.find(({ name }: { name: string }) => name === "_millrace_runs")).toMatchObject({
      isOwn: false
    })
    expect(answer.questions.length).toBeGreaterThan(5)
    for (const { sql } of answer.questions) {
      const found = await site.ask("/api/sql", { sql })
      expect([sql, found.status, found.answer.error]).toEqual([sql, 200, undefined])
    }
  })

  it("says which tables are histories, which are their current rows, and which are about the runs", async () => {
    const { answer } = await site.ask("/api/tables")
    const infos = Object.fromEntries(answer.tables.map((one: { name: string }) => [one.name, one]))

    expect(infos["pages"].current).toBeLessThan(infos["pages"].rows)
    expect(infos["pages_current"]).toMatchObject({ currentOf: "pages", isOwn: false, rows: infos["pages"].current })
    expect(infos["pages_current"].current).toBeUndefined()
    const records = answer.tables.flatMap(({ isRecord, name }: any) => (isRecord ? [name] : []))
    expect(records).toEqual(
      expect.arrayContaining(["crawl_errors", "crawl_jobs", "pages__rejects", "_millrace_runs", "_millrace_profiles"])
    )
    expect(records).not.toEqual(expect.arrayContaining(["pages"]))
    expect(records).not.toEqual(expect.arrayContaining(["page_links"]))
  })

  const filtered = (table: string, where: unknown, more = "") =>
    `/api/rows?table=${table}&count=true&limit=100&where=${encodeURIComponent(JSON.stringify(where))}${more}`

  it("gives the rows that have a value, a value in a range, any value, or none", async () => {
    const totals = async (...where: ReadonlyArray<unknown>) => (await shop.ask(filtered("goods", where))).answer.total

    expect(await totals({ column: "currency", kind: "is", value: "GBP" })).toBe(1)
    expect(await totals({ column: "currency", kind: "is", value: null })).toBe(1)
    expect(await totals({ column: "currency", kind: "filled" })).toBe(19)
    expect(await totals({ column: "price", kind: "is", value: 12.5 })).toBe(1)
    expect(await totals({ column: "is_new", kind: "is", value: true })).toBe(7)
    const range = { column: "price", kind: "range", from: 25, to: 50 }
    expect(await totals({ ...range, isClosed: false })).toBe(2)
    expect(await totals({ ...range, isClosed: true })).toBe(3)
    expect(await totals({ ...range, isClosed: true }, { column: "is_new", kind: "is", value: true })).toBe(1)
    const days = { column: "updated_at", kind: "range", from: "2026-01-06T00:00:00Z", to: "2026-01-08T00:00:00Z" }
    expect(await totals({ ...days, isClosed: false })).toBe(2)
    expect(await totals({ column: "title", kind: "is", value: "' OR true --" })).toBe(0)
  })

  it("says which columns are empty in all rows, and not which are so in some", async () => {
    const all = await shop.ask("/api/rows?table=goods&count=true")
    const none = await shop.ask(filtered("goods", [{ column: "currency", kind: "is", value: null }]))

    expect(all.answer.empty).toEqual(["picture"])
    // All rows of this part have no currency, others have.
    expect(none.answer.empty).toEqual(["picture"])
  })

  it("has the profile that the run of a table left, and counts where there is none", async () => {
    const stored = await shop.ask("/api/profile?table=products&columns=product_title")
    const columns = ["title", "price", "currency", "is_new", "updated_at", "tags"].map((name) => `columns=${name}`)
    const counted = await shop.ask(`/api/profile?table=goods&${columns.join("&")}`)
    const large = await shop.ask("/api/profile?table=many&columns=id&columns=part&columns=name")

    expect(stored.answer).toMatchObject({
      basis: expect.stringMatching(/^From the profile of run \d{8}T/),
      columns: [{ name: "product_title", rows: 1, filled: 1, distinct: 1 }]
    })
    const of = Object.fromEntries(counted.answer.columns.map((one: { name: string }) => [one.name, one]))
    expect(counted.answer.basis).toBe("The figures are counted in all rows.")
    expect(of["title"]).toMatchObject({ rows: 20, filled: 20, distinct: 20, isDistinctExact: true, bins: [], top: [] })
    expect(of["price"]).toMatchObject({ mean: 118.75, median: 118.75, top: [] })
    expect(of["price"].bins.slice(0, 2)).toEqual([
      { from: 0, to: 10, count: 1 },
      { from: 10, to: 20, count: 1 }
    ])
    expect(of["price"].bins.reduce((sum: number, { count }: any) => sum + count, 0)).toBe(20)
    expect(of["currency"]).toMatchObject({
      filled: 19,
      distinct: 2,
      top: [
        { value: "EUR", count: 18 },
        { value: "GBP", count: 1 }
      ]
    })
    expect(of["is_new"].top).toEqual([
      { value: "false", count: 13 },
      { value: "true", count: 7 }
    ])
    expect(of["updated_at"].bins.length).toBeGreaterThan(10)
    expect(of["updated_at"].bins[0].from % 3600).toBe(0)
    expect(of["tags"]).toMatchObject({ filled: 20, distinct: null, bins: [], top: [] })
    const [id] = large.answer.columns
    expect(id).toMatchObject({ rows: 200_000, filled: 200_000 })
    expect(id.bins.reduce((sum: number, { count }: any) => sum + count, 0)).toBe(200_000)
  })

  it("counts in a bin of a histogram the rows that a filter by it shows: no nulls, and a value at a border once", async () => {
    const profile = await shop.ask("/api/profile?table=rated&columns=rating")
    const { bins, filled } = profile.answer.columns[0]
    const totals = await Promise.all(
      bins.map(async ({ from, to }: { from: number; to: number }, at: number) => {
        const filter = { column: "rating", kind: "range", from, to, isClosed: at === bins.length - 1 }
        return (await shop.ask(filtered("rated", [filter]))).answer.total
      })
    )

    expect([filled, bins.length]).toEqual([310, 16])
    expect(bins.map(({ count }: { count: number }) => count)).toEqual(totals)
    expect(totals.reduce((sum, n) => sum + n, 0)).toBe(310)
  })

  it("has the profile of the rows that filters leave, such as the current ones of a history", async () => {
    const profiled = (table: string, where: unknown, ...columns: ReadonlyArray<string>) =>
      `/api/profile?table=${table}&where=${encodeURIComponent(JSON.stringify(where))}&columns=${columns.join("&columns=")}`
    const { answer: tables } = await site.ask("/api/tables")
    const isCurrent = { column: "is_current", kind: "is", value: true }
    const profile = await site.ask(profiled("pages", [isCurrent], "url", "valid_to"))
    const pounds = await shop.ask(
      profiled("goods", [{ column: "price", kind: "range", from: 100, to: 200, isClosed: false }], "currency", "price")
    )
    const stored = await shop.ask(profiled("products", [{ column: "product_title", kind: "filled" }], "product_title"))

    expect(profile.answer.columns[0]).toMatchObject({ name: "url", rows: tables.tables[0].current })
    expect(profile.answer.columns[1]).toMatchObject({ name: "valid_to", filled: 0 })
    expect(pounds.answer).toMatchObject({
      basis: "The figures are counted in all rows that the filters leave.",
      columns: [
        { name: "price", rows: 8, mean: 143.75 },
        {
          name: "currency",
          rows: 8,
          filled: 8,
          top: [
            { value: "EUR", count: 7 },
            { value: "GBP", count: 1 }
          ]
        }
      ]
    })
    expect(pounds.answer.columns[0].bins.reduce((sum: number, { count }: any) => sum + count, 0)).toBe(8)
    // The profile of the run is of all rows.
    expect(stored.answer.basis).not.toContain("profile of run")
    expect(await shop.ask(profiled("goods", [isCurrent], "url"))).toMatchObject({
      status: 422,
      answer: { error: "table goods has no column is_current" }
    })
  })

  it("gives the rows of a view as CSV and as Parquet, to who has the token", async () => {
    const where = encodeURIComponent(
      JSON.stringify([{ column: "price", kind: "range", from: 0, to: 25, isClosed: true }])
    )
    const path = (name: string) => `/download/${name}?order=-price&where=${where}`
    const get = (name: string) => fetch(new URL(`${path(name)}&token=${shop.token}`, shop.origin))
    const csv = await get("goods.csv")
    const parquet = await get("goods.parquet")

    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="goods.csv"')
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    const text = await csv.text()
    expect(text).toMatch(/^description,picture,title,price,currency,/)
    expect([...text.matchAll(/,Hemp rope \d+,([\d.]+),EUR,/g)].map(([, price]) => price)).toEqual([
      "25.0",
      "12.5",
      "0.0"
    ])
    const bytes = Buffer.from(await parquet.arrayBuffer())
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(["PAR1", "PAR1"])
    expect((await fetch(new URL(path("goods.csv"), shop.origin))).status).toBe(403)
    expect((await get("goods.xlsx")).status).toBe(422)
    expect((await get("none.csv")).status).toBe(422)
  })

  it("shows the tables of a lake", async () => {
    const lake = await demo.explore("site.yaml", "--sink", "lake")
    const { answer } = await lake.ask("/api/tables")
    const rows = await lake.ask("/api/rows?table=pages&limit=2&count=true&order=-url")

    expect(answer.tables[0]).toMatchObject({ name: "pages", rows: 12 })
    expect(rows.answer.rows).toHaveLength(2)
    expect(rows.answer.total).toBe(12)
  })

  it("gives a part of a table, in an order, of the rows that have a text", async () => {
    const first = await shop.ask("/api/rows?table=many&offset=100000&limit=2")
    const last = await shop.ask("/api/rows?table=many&limit=1&order=-id&count=true")
    const found = await shop.ask("/api/rows?table=many&find=%22ROW%2019999%22&count=true&limit=500")
    const words = await shop.ask("/api/rows?table=many&find=19999%20ROW&count=true&limit=5")
    const quoted = await shop.ask("/api/rows?table=many&find=%27%20OR%20true%20--&count=true")

    expect(first.answer.rows.map(([id]: [number]) => id)).toEqual([100_000, 100_001])
    expect(last.answer).toMatchObject({ rows: [[199_999, "row 199999", 999]], total: 200_000 })
    expect(found.answer.total).toBe(11)
    expect(words.answer).toMatchObject({ rows: { length: 5 }, total: 12 })
    expect(quoted.answer).toMatchObject({ rows: [], total: 0 })
  })

  it("shortens long texts in a part, and gives a single row whole", async () => {
    const part = await site.ask("/api/rows?table=pages&limit=1")
    const whole = await site.ask("/api/rows?table=pages&limit=1&whole=true")
    const at = part.answer.columns.findIndex(({ name }: { name: string }) => name === "raw_html")

    expect(part.answer.rows[0][at]).toMatch(/^<!doctype html>[^]{180,190}…$/i)
    expect(whole.answer.rows[0][at]).toMatch(/<\/html>\s*$/)
  })

  it("shows the place with a word that stands far behind the beginning of a text", async () => {
    const { answer } = await site.ask("/api/rows?table=pages&find=%3C/HTML%3E&limit=1")
    const at = answer.columns.findIndex(({ name }: { name: string }) => name === "raw_html")

    expect(answer.rows[0][at]).toMatch(/^….{20,60}<\/html>\s*$/s)
  })

  it.each([
    [`/api/rows?table=many&find=${"x".repeat(301)}`, /`find` must have at most 300 characters/],
    ["/api/rows?table=nothing", /there is no table nothing/],
    ["/api/rows?table=many&limit=501", /limit must be a whole number of at most 500/],
    ["/api/rows?table=many&offset=-1", /offset must be a whole number/],
    ["/api/rows?table=many&order=id;DROP", /has no column id;DROP/],
    ["/api/rows?table=many&whole=true&limit=2", /one row/],
    ["/api/rows?table=many&where=x", /`where` must be a list of filters/],
    [
      "/api/rows?table=many&where=%5B%7B%22column%22%3A%22id%22%2C%22kind%22%3A%22like%22%7D%5D",
      /`where` must be a list/
    ],
    ["/api/rows?table=many&where=%5B%7B%22column%22%3A%22x%22%2C%22kind%22%3A%22filled%22%7D%5D", /has no column x/],
    ["/api/run?run=20000101", /has no run 20000101/],
    ["/api/diff?table=products&from=latest&to=latest", /choose two different runs/],
    ["/api/diff?table=products&from=previous&to=latest&by=-none", /table products has no column none/],
    [
      "/api/diff?table=products&from=previous&to=latest&by=product_title",
      /column product_title of products has no numbers/
    ]
  ])("says what is wrong with %s", async (path, error) => {
    expect(await shop.ask(path)).toMatchObject({ status: 422, answer: { error: expect.stringMatching(error) } })
  })

  it("answers SQL that reads, and says where it stops", async () => {
    const rows = await shop.ask("/api/sql", { sql: "SELECT id, [id] AS list, NULL AS none FROM many LIMIT 2" })
    const all = await shop.ask("/api/sql", { sql: "FROM many" })

    expect(rows.answer.rows).toEqual([
      [0, "[0]", null],
      [1, "[1]", null]
    ])
    expect(all.answer.rows).toHaveLength(10_000)
    expect(all.answer.cut).toBe("Only the first 10,000 rows are shown.")
  })

  it.each([
    "DROP TABLE many",
    "INSERT INTO many VALUES (1, '', 1)",
    "COPY many TO '/tmp/many.csv'",
    "SELECT 1; SELECT 2",
    "FROM read_text('/etc/passwd')",
    "ATTACH '/tmp/other.duckdb'",
    "SELECT none FROM many",
    ""
  ])("refuses the SQL %j with a reason", async (sql) => {
    const { answer, status } = await shop.ask("/api/sql", { sql })

    expect(status).toBe(422)
    expect(answer.error).toMatch(/\S/)
    expect((await shop.ask("/api/sql", { sql: "SELECT count(*) FROM many" })).answer.rows).toEqual([[200_000]])
  })

  it("says where in its SQL a mistake is", async () => {
    const sql = "SELECT id,\n  nme FROM many"
    const wrong = await shop.ask("/api/sql", { sql })
    const unread = await shop.ask("/api/sql", { sql: "SELECT id FRM many WHERE" })

    expect(wrong.answer.place).toEqual({ from: sql.indexOf("nme"), to: sql.indexOf("nme") + 3 })
    expect(unread.answer.place.from).toBeGreaterThan(8)
  })

  it("begins with a question that the contents of the main table choose, and that can be asked", async () => {
    for (const explored of [site, shop]) {
      const { first } = (await explored.ask("/api/question")).answer
      const found = await explored.ask("/api/sql", { sql: first.sql })

      expect([first.title, found.status, found.answer.error]).toEqual([
        expect.stringMatching(/^(What changed last|The |Rows of )/),
        200,
        undefined
      ])
      expect(found.answer.rows.length).toBeGreaterThan(0)
    }
  })

  it("saves questions as files beside the pipeline, each pipeline its own, and deletes them", async () => {
    const folder = join(demo.folder, "questions/shop")
    const saved = await shop.ask("/api/questions", { name: "Größe, by part", sql: "SELECT 1 AS one" })
    const replaced = await shop.ask("/api/questions", { name: "Größe, by part", sql: "SELECT 2 AS two" })

    expect(saved).toMatchObject({ status: 200, answer: { folder: "questions/shop" } })
    expect(replaced.answer.questions).toEqual([{ name: "Größe, by part", sql: "SELECT 2 AS two" }])
    expect(readFileSync(join(folder, "Größe, by part.sql"), "utf8")).toBe("SELECT 2 AS two\n")
    expect(readdirSync(folder)).toEqual(["Größe, by part.sql"])
    expect((await site.ask("/api/questions")).answer.questions).toEqual([])

    const gone = await shop.ask(`/api/questions?name=${encodeURIComponent("Größe, by part")}`, undefined, "DELETE")
    expect(gone.answer.questions).toEqual([])
    expect(await shop.ask("/api/questions?name=other", undefined, "DELETE")).toMatchObject({
      status: 422,
      answer: { error: "there is no question other in questions/shop" }
    })
  })

  it.each(["../site", "a/b", "a\\b", "..", ".hidden", "", " ", "a.", "C:x", "a\u0000b", "x".repeat(81), "a\nb"])(
    "writes and deletes no file for the name %j",
    async (name) => {
      const refused = { status: 422, answer: { error: expect.stringContaining("cannot be the name of a question") } }

      expect(await shop.ask("/api/questions", { name, sql: "SELECT 1" })).toMatchObject(refused)
      expect(await shop.ask(`/api/questions?name=${encodeURIComponent(name)}`, undefined, "DELETE")).toMatchObject(
        refused
      )
    }
  )

  it("neither reads nor writes through a link in the folder of questions", async () => {
    const folder = join(demo.folder, "questions/site")
    const secret = join(demo.folder, "secret.txt")
    mkdirSync(folder, { recursive: true })
    writeFileSync(secret, "secret")
    symlinkSync(secret, join(folder, "linked.sql"))

    expect((await site.ask("/api/questions")).answer.questions).toEqual([])
    await site.ask("/api/questions", { name: "linked", sql: "SELECT 3" })
    expect(readFileSync(secret, "utf8")).toBe("secret")
    expect((await site.ask("/api/questions")).answer.questions).toEqual([{ name: "linked", sql: "SELECT 3" }])
  })

  it("saves nothing for who has no token, or comes from another page", async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(new URL("/api/questions", shop.origin), {
        method: "POST",
        headers,
        body: JSON.stringify({ name: "x", sql: "SELECT 1" })
      })

    expect((await ask({})).status).toBe(403)
    expect((await ask({ authorization: `Bearer ${site.token}` })).status).toBe(403)
    expect((await ask({ authorization: `Bearer ${shop.token}`, origin: "http://evil.test" })).status).toBe(403)
    expect((await shop.ask("/api/questions")).answer.questions).toEqual([])
  })

  it("refuses questions that are not of their form", async () => {
    expect(await shop.ask("/api/sql", { query: "SELECT 1" })).toMatchObject({ status: 422 })
    expect(await shop.ask("/api/why", { table: "products", key: { a: [] }, column: "x", fetch: false })).toMatchObject({
      status: 422
    })
    expect(await shop.ask("/api/sql", { sql: " ".repeat(300_000) })).toMatchObject({ status: 422 })
    expect(await shop.ask("/api/none")).toMatchObject({ status: 404 })
  })

  it("has the runs, the report of one, and what changed between two", async () => {
    const { runs } = (await site.ask("/api/runs")).answer
    const run = (await site.ask(`/api/run?run=${runs[0].run_id}`)).answer
    const diff = (await site.ask(`/api/diff?table=pages&from=${runs[1].run_id}&to=${runs[0].run_id}`)).answer
    const report = await fetch(new URL(`/report/${runs[0].run_id}?token=${site.token}`, site.origin))

    expect(runs).toHaveLength(2)
    expect(runs[0]).toMatchObject({ status: "done", sinks: ["db", "lake"] })
    expect(run.ledger.discovered).toBeGreaterThan(12)
    expect(run).toMatchObject({ run: { run_id: runs[0].run_id }, errors: [] })
    expect(diff).toMatchObject({ whole: true, sink: "db" })
    expect(diff.counts.changed).toBeGreaterThan(0)
    expect(diff.changes[0].fields.length).toBeGreaterThan(0)
    expect(await report.text()).toContain(`Run <code>${runs[0].run_id}</code>`)
  })

  it("says where a value comes from", async () => {
    const question = { table: "products", key: { article_number: "NM-LA-1000" }, column: "product_title", fetch: false }
    const { answer } = await shop.ask("/api/why", question)

    expect(answer).toMatchObject({ value: "Hemp hand lantern, charcoal", engine: { name: "rules" } })
    expect(answer.evidence[0]).toMatchObject({ kind: "json-ld", place: "Product/name" })
  })

  it("holds no lock between two questions, and sees what others wrote meanwhile", async () => {
    await shop.ask("/api/tables")
    await alter(join(demo.folder, "shop.duckdb"), "CREATE OR REPLACE TABLE later AS SELECT 7 AS seven")
    const { answer } = await shop.ask("/api/rows?table=later")

    expect(answer.rows).toEqual([[7]])
  })

  it("ends a query whose caller has gone away", async () => {
    const path = join(demo.folder, "shop.duckdb")
    const caller = new AbortController()
    const sql = "SELECT sum(a.id * b.id * c.id) FROM many AS a, many AS b, many AS c"
    const begin = () => {
      const query = { isOver: false, asked: Promise.resolve() }
      const headers = { authorization: `Bearer ${shop.token}` }
      const init = { method: "POST", headers, body: JSON.stringify({ sql }), signal: caller.signal }
      query.asked = fetch(new URL("/api/sql", shop.origin), init).then(() => {
        query.isOver = true
      })
      return query
    }
    let query = begin()
    const write = async () => {
      // The query was refused, since this test had the file just then.
      if (query.isOver) query = begin()
      return alter(path, "SELECT 1").then(String, String)
    }
    // While the query runs, nobody can write the file.
    await expect.poll(write).toMatch(/lock/i)
    caller.abort()
    await expect(query.asked).rejects.toThrow(/abort/)

    await expect.poll(() => alter(path, "SELECT 1").then(String, String)).toBe("undefined")
    expect((await shop.ask("/api/sql", { sql: "SELECT 1" })).answer.rows).toEqual([[1]])
  })

  it("says that a pipeline has not run yet", async () => {
    write(
      demo.folder,
      "fresh.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "sinks: { db: { type: duckdb, path: ./fresh.duckdb } }"
    )
    const fresh = await demo.explore("fresh.yaml")

    expect(await fresh.ask("/api/tables")).toMatchObject({
      status: 422,
      answer: { error: expect.stringContaining("run the pipeline first") }
    })
    expect((await fresh.ask("/api/runs")).answer).toEqual({ runs: [], notes: [] })
  })

  it("refuses a sink that SQL cannot be asked of", () =>
    expect(demo.explore("site.yaml", "--sink", "none")).rejects.toThrow("site has no sink none; sinks: db, lake"))
})
