import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { inFolder, millrace, query, withSite, write } from "../../app/millrace.ts"
import { databaseUrl } from "../../connectors/postgres/database.ts"
import { query as inPostgres } from "../../connectors/postgres/readTable.ts"
import { page } from "../../service/scriptedSite.ts"

const postgresUrl = await databaseUrl()
if (postgresUrl === undefined)
  console.error("SKIPPED: no Postgres on this machine, so exports were not held against one")

const lines = [
  "source: { type: crawl, url: http://site.test/ }",
  "checks:",
  "  - rows: { min: 1 }",
  "  - unique: scrape_id",
  "  - not_null: [title, url]",
  "  - accepted: { status_code: [200, 404] }",
  "  - accepted: { language: [en, de] }",
  "  - freshness: { column: _fetched_at, max: 36h }",
  "  - { table: page_links, not_null: host }",
  "sinks:",
  "  db: { type: duckdb, path: ./out.duckdb }",
  "  history: { type: duckdb, path: ./history.duckdb, write: scd2 }"
]

const sourceOf = (yaml: string) => parse(yaml).sources[0]
const columnOf = (source: ReturnType<typeof sourceOf>, table: string, column: string) =>
  source.tables
    .find(({ name }: { name: string }) => name === table)
    .columns.find(({ name }: { name: string }) => name === column)

it("export dbt prints a source with the checks of each table as tests", () =>
  inFolder(async (folder) => {
    write(folder, "my-site.yaml", ...lines)

    const { code, stdout } = await millrace(folder, "export", "dbt", "my-site.yaml", "--schema", "web")
    const source = sourceOf(stdout)
    const pages = source.tables[0]

    expect(code).toBe(0)
    expect({ name: source.name, schema: source.schema, main: pages.name }).toEqual({
      name: "my_site",
      schema: "web",
      main: "pages"
    })
    expect(pages.loaded_at_field).toBe("_fetched_at")
    expect(pages.freshness).toEqual({ error_after: { count: 36, period: "hour" } })
    expect(columnOf(source, "pages", "url")).toEqual({
      name: "url",
      description: "the URL of the page, after redirects",
      data_type: "VARCHAR",
      data_tests: ["unique", "not_null"]
    })
    expect(columnOf(source, "pages", "title").data_tests).toEqual(["not_null"])
    expect(columnOf(source, "pages", "scrape_id").data_tests).toEqual(["unique"])
    expect(columnOf(source, "pages", "status_code").data_tests).toEqual([
      "not_null",
      { accepted_values: { arguments: { values: [200, 404], quote: false } } }
    ])
    expect(columnOf(source, "pages", "language").data_tests).toEqual([
      { accepted_values: { arguments: { values: ["en", "de"] } } }
    ])
    expect(columnOf(source, "page_links", "host").data_tests).toEqual(["not_null"])

    const history = sourceOf((await millrace(folder, "export", "dbt", "my-site.yaml", "--sink", "history")).stdout)
    expect(columnOf(history, "pages", "url").data_tests).toEqual(["not_null"])
    expect(columnOf(history, "pages", "valid_to")).toEqual({
      name: "valid_to",
      description: "when this version of the row ended; null for the current version",
      data_type: "TIMESTAMP"
    })
  }))

it("export dbt prints braces of a description and of a value as such: dbt would run what stands in them", () =>
  withSite({ "/": page("home") }, async ({ folder }) => {
    write(
      folder,
      "a.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "table: { name: pages, description: 'a {{ b }} {% c %} {{{# d', column_descriptions: { title: '{# e #}' } }",
      "checks: [{ accepted: { language: ['{{ f }}'] } }]",
      "sinks: { db: { type: duckdb, path: ./a.duckdb } }"
    )
    const source = sourceOf((await millrace(folder, "export", "dbt", "a.yaml")).stdout)

    expect(source.tables[0].description).toBe("a {{ '{' }}{ b }} {{ '{' }}% c %} {{ '{' }}{{ '{' }}{{ '{' }}# d")
    expect(columnOf(source, "pages", "title").description).toBe("{{ '{' }}# e #}")
    expect(columnOf(source, "pages", "language").data_tests).toEqual([
      { accepted_values: { arguments: { values: ["{{ '{' }}{ f }}"] } } }
    ])
  }))

it("export types prints SQL that makes the tables of a run, and a type for the rows of each", () =>
  withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve }) => {
    write(folder, "a.yaml", ...lines.filter((line) => !/unique|accepted|not_null/.test(line)))
    await millrace(folder, "run", "a.yaml", "--resolve", resolve)

    const sql = await millrace(folder, "export", "types", "a.yaml", "--lang", "sql", "--sink", "history")
    const types = await millrace(folder, "export", "types", "a.yaml")

    const asked = "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns"
    const made = await query(":memory:", `${sql.stdout}; ${asked} ORDER BY ALL`)
    const stored = await query(
      join(folder, "history.duckdb"),
      `${asked} SEMI JOIN (FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_name NOT LIKE '\\_%' ESCAPE '\\') USING (table_name) ORDER BY ALL`
    )
    expect(made.filter(({ table_name: name }) => stored.some((row) => row["table_name"] === name))).toEqual(stored)
    expect(stored.length).toBeGreaterThan(30)
    expect(types.stdout).toContain(
      "/** One row per page, with its text and metadata. Key: url. */\nexport interface Pages {\n"
    )
    expect(types.stdout).toContain("  readonly title: string | null\n")
    expect(types.stdout).toMatch(
      /  readonly hreflang: ReadonlyArray<\{ readonly lang: string \| null; readonly href: string \| null \}(?: \| null)?> \| null\n/
    )
    expect(types.stdout).toContain(
      "export interface PageLinks {\n  /** the page that has the link */\n  readonly page_url: string\n"
    )
    expect(sql.stdout).toContain('"is_internal" BOOLEAN NOT NULL, -- whether the link stays on the host of its page\n')
  }))

it("exports name the schema in which a run of the same file makes its tables, whatever the sink", () =>
  withSite({ "/": page("home") }, async ({ folder, resolve }) => {
    const sinks = {
      plain: "{ type: duckdb, path: ./plain.duckdb }",
      named: "{ type: duckdb, path: ./named.duckdb, schema: a }",
      published: "{ type: duckdb, path: ./own.duckdb, publish: ./published.duckdb, schema: b }",
      lake: "{ type: parquet, path: ./lake, schema: c, write: replace }",
      lines: "{ type: file, format: jsonl, path: ./lines, schema: d }"
    }
    const source = ["source: { type: crawl, url: http://site.test/ }", "table: { name: docs }"]
    write(folder, "a.yaml", ...source, "sinks:", ...Object.entries(sinks).map(([name, sink]) => `  ${name}: ${sink}`))
    expect((await millrace(folder, "run", "a.yaml", "--resolve", resolve)).code).toBe(0)

    const schemas: Record<string, string> = {}
    for (const name of Object.keys(sinks)) {
      const { schema, tables } = sourceOf((await millrace(folder, "export", "dbt", "a.yaml", "--sink", name)).stdout)
      expect(tables[0].name).toBe("docs")
      schemas[name] = schema
      const sql = (await millrace(folder, "export", "types", "a.yaml", "--lang", "sql", "--sink", name)).stdout
      const made = await query(":memory:", `${sql}; SELECT table_schema FROM information_schema.tables GROUP BY ALL`)
      expect(made).toEqual([{ table_schema: schema }])
    }
    expect(schemas).toEqual({ plain: "main", named: "a", published: "b", lake: "main", lines: "main" })
    const stored = "FROM information_schema.tables WHERE table_name = 'docs'"
    for (const [name, file] of [
      ["plain", "plain"],
      ["named", "named"],
      ["published", "published"]
    ] as const) {
      expect(await query(join(folder, `${file}.duckdb`), `SELECT table_schema ${stored}`)).toEqual([
        { table_schema: schemas[name] }
      ])
    }
  }))

it.skipIf(postgresUrl === undefined)("exports name the schema and the tables of a run in Postgres too", () =>
  withSite({ "/": page("home") }, async ({ folder, resolve }) => {
    const url = postgresUrl ?? ""
    const sink = `sinks: { db: { type: postgres, url: "${url}", schema: web } }`
    write(folder, "a.yaml", "source: { type: crawl, url: http://site.test/ }", "table: { name: docs }", sink)
    expect((await millrace(folder, "run", "a.yaml", "--resolve", resolve)).code).toBe(0)
    const dbt = sourceOf((await millrace(folder, "export", "dbt", "a.yaml")).stdout)
    const sql = (await millrace(folder, "export", "types", "a.yaml", "--lang", "sql")).stdout
    const asked = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'web'"
    const own = `${asked} AND table_name NOT LIKE '\\_%' ORDER BY 1, 2`
    const stored = await inPostgres(Redacted.make(url), own)
    await inPostgres(Redacted.make(url), `DROP SCHEMA web CASCADE; ${sql}`)

    expect([dbt.schema, dbt.tables[0].name]).toEqual(["web", "docs"])
    expect(stored.map((row) => row["table_name"])).toContain("docs")
    expect(await inPostgres(Redacted.make(url), own)).toEqual(expect.arrayContaining([...stored]))
  })
)

it("a sink that the file does not have is refused, with those that it has", () =>
  inFolder(async (folder) => {
    write(folder, "a.yaml", ...lines)
    const { code, stderr } = await millrace(folder, "export", "dbt", "a.yaml", "--sink", "none")

    expect(code).toBe(2)
    expect(stderr).toBe("a has no sink none; sinks: db, history\n")
  }))

it("export prints tables of Postgres in Postgres's types", () =>
  inFolder(async (folder) => {
    write(
      folder,
      "shop.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      'sinks: { db: { type: postgres, url: "postgres://loader@db.example.com/shop" } }'
    )
    const dbt = sourceOf((await millrace(folder, "export", "dbt", "shop.yaml")).stdout)
    const sql = (await millrace(folder, "export", "types", "shop.yaml", "--lang", "sql")).stdout

    const sinks = 'sinks: { db: { type: postgres, schema: web, url: "postgres://loader@db.example.com/shop" } }'
    write(folder, "web.yaml", "source: { type: crawl, url: http://site.test/ }", sinks)
    const web = await millrace(folder, "export", "types", "web.yaml", "--lang", "sql")
    expect(sourceOf((await millrace(folder, "export", "dbt", "web.yaml")).stdout).schema).toBe("web")
    expect(web.stdout).toContain('CREATE SCHEMA IF NOT EXISTS "web";')
    expect(web.stdout).toContain('CREATE TABLE "web"."pages" (')
    expect(dbt.schema).toBe("public")
    expect(sql).toContain('CREATE TABLE "pages" (')
    expect(columnOf(dbt, "pages", "links").data_type).toBe("text[]")
    expect(sql).toContain("as Postgres writes them")
    expect(sql).toContain('"_fetched_at" timestamp with time zone NOT NULL')
  }))
