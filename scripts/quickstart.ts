/**
 * `npm run quickstart`: serves the demo site, runs `pipelines/quickstart.yaml` on it with the embedded service, and
 * shows the rows that came of it, from DuckDB and from Parquet.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { runPipelines } from "#app/runs/runPipelines"
import * as Server from "#site/Server"
import * as Site from "#site/Site"

const root = fileURLToPath(new URL("..", import.meta.url))
const file = "pipelines/quickstart.yaml"
const warehouse = resolve(root, "pipelines/out/quickstart.duckdb")
const lake = resolve(root, "pipelines/out/quickstart-lake")
process.chdir(root)

const say = (text: string) => process.stdout.write(`${text}\n`)

const quickstart = Effect.gen(function* () {
  const site = Site.make({ seed: 1, revision: 1 })
  const { url } = yield* Server.serve(site, { host: "127.0.0.1", port: 0, slowness: 300 })
  say(`The demo site is at ${url}. Running ${file}, which crawls it into DuckDB and Parquet:\n`)
  yield* runPipelines({
    files: [file],
    vars: {},
    fullRefresh: false,
    once: Option.none(),
    json: false,
    allowPrivate: false,
    resolve: [`northmere.example=${new URL(url).host}`]
  })
  yield* Effect.promise(show)
}).pipe(Effect.scoped)

const show = async (): Promise<void> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const print = async (title: string, sql: string) => {
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson()
    say(`\n${title}`)
    say(asTable(rows))
  }
  await connection.run(`ATTACH '${warehouse.replaceAll("'", "''")}' AS warehouse (READ_ONLY)`)
  await print(
    "From DuckDB, pages by language:",
    "SELECT language, count(*) AS pages FROM warehouse.pages GROUP BY 1 ORDER BY 2 DESC, 1"
  )
  await print(
    "From DuckDB, the first rows:",
    "SELECT status_code AS code, title, regexp_replace(left(markdown, 60), '\\s+', ' ', 'g') AS markdown FROM warehouse.pages ORDER BY url LIMIT 6"
  )
  await print(
    "What could not be had, and why. The demo site breaks these on purpose, so that you see what a run says of them:",
    "SELECT code, count(*) AS urls, any_value(error) AS error FROM warehouse.crawl_errors WHERE _run_id = (SELECT max(_run_id) FROM warehouse.crawl_jobs) GROUP BY 1 ORDER BY 2 DESC, 1"
  )
  const files = publishedFiles("pages").map((path) => `'${path.replaceAll("'", "''")}'`)
  await print(
    "From Parquet, the same pages:",
    `SELECT count(*) AS pages, count(DISTINCT url) AS urls FROM read_parquet([${files.join(", ")}])`
  )
  connection.closeSync()

  say(`
Yours now:
  bin/millrace init my.yaml --url https://your.site    # writes a pipeline for your own URL
  bin/millrace preview my.yaml                         # shows the first rows, writes nothing
  bin/millrace run my.yaml                             # loads it
The tables of this run are in ${warehouse}; open it with any DuckDB, or in a notebook.`)
}

/** The files of a table that the newest manifest of the lake names: what a reader reads. */
interface Manifest {
  readonly tables: Readonly<Record<string, { readonly files: ReadonlyArray<{ readonly path: string }> }>>
}

const publishedFiles = (table: string): ReadonlyArray<string> => {
  const newest = readdirSync(join(lake, "_manifest")).sort().at(-1) ?? ""
  const { tables } = JSON.parse(readFileSync(join(lake, "_manifest", newest), "utf8")) as Manifest
  return (tables[table]?.files ?? []).map(({ path }) => join(lake, path))
}

const asTable = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): string => {
  const names = Object.keys(rows[0] ?? {})
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? "").slice(0, 62)))]
  const widths = names.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? "").length)))
  return cells
    .map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
    .join("\n")
}

await Effect.runPromise(quickstart)
