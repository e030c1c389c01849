/**
 * Spark reads the Delta and Iceberg tables of a lake, at each of their versions, and finds what `millrace sql` finds.
 *
 * It needs a Python with pyspark, and in the folder `jars` of pyspark those of Delta and Iceberg for it: `delta-spark`,
 * `delta-storage`, `iceberg-spark-runtime`. MILLRACE_TEST_SPARK names that Python.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect, it } from "vitest"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"
import { manifestOf } from "./lake.ts"

const python = process.env["MILLRACE_TEST_SPARK"] ?? "python3"
const jars = `
import pathlib, shutil, pyspark
found = [jar.name for jar in (pathlib.Path(pyspark.__file__).parent / "jars").iterdir()]
for name in ["delta-spark", "delta-storage", "iceberg-spark-runtime"]:
    assert any(jar.startswith(name) for jar in found), name
assert shutil.which("java")
`
const hasSpark = spawnSync(python, ["-c", jars]).status === 0
if (!hasSpark) {
  console.warn(
    `SKIPPED: ${python} has not all of pyspark, Java, and the jars delta-spark, delta-storage and iceberg-spark-runtime, so Spark does not read our lakes (MILLRACE_TEST_SPARK)`
  )
}

/** Cells of a row as one text, which both engines write alike; null has a sign of its own. */
const cells: Readonly<
  Record<string, { readonly columns: ReadonlyArray<string>; readonly moments: ReadonlyArray<string> }>
> = {
  pages: {
    columns: [
      "url",
      "status_code",
      "title",
      "markdown",
      "depth",
      "wire_bytes",
      "_run_id",
      "fetched_date",
      "is_current"
    ],
    moments: ["_fetched_at", "valid_from", "valid_to"]
  },
  page_links: { columns: ["page_url", "position", "link", "is_internal", "_run_id"], moments: ["_fetched_at"] }
}
const rowOf = (table: string, micros: (column: string) => string, text: string): string => {
  const { columns = [], moments = [] } = cells[table] ?? {}
  const values = [...columns, ...moments.map(micros)].map((value) => `coalesce(CAST(${value} AS ${text}), '~')`)
  return `concat_ws('|', ${values.join(", ")})`
}

interface Asked {
  readonly table: string
  readonly run: string
  readonly format: "delta" | "iceberg"
  readonly version: number
}
interface Answer {
  readonly rows: ReadonlyArray<string>
  readonly comments: Readonly<Record<string, string | null>>
}

const long = (word: string) => `<main><h1>${word}</h1><p>${`${word} ü 漢字. `.repeat(200)}</p></main>`

it.skipIf(!hasSpark)(
  "Spark finds the rows of a history in Delta and Iceberg as millrace sql does, as of each of three runs",
  () => {
    const routes: Record<string, string> = { "/": page("home", "/a", "/b"), "/a": long("a"), "/b": long("b") }
    return withSite(routes, async ({ folder, resolve }) => {
      write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
        "sinks: { lake: { type: parquet, path: ./lake, write: scd2, iceberg: true, partition: [fetched_date] } }"
      )
      const lake = join(folder, "lake")
      const asked: Array<Asked> = []
      const changes: ReadonlyArray<Record<string, string>> = [
        {},
        { "/": page("home", "/a", "/b", "/c"), "/a": long("changed"), "/c": page("c", "/a") },
        { "/": page("home again", "/c", "/b", "/a"), "/c": page("c", "/b", "/a") }
      ]
      for (const change of changes) {
        Object.assign(routes, change)
        const ran = await millrace(folder, "run", "site.yaml", "--resolve", resolve)
        expect([ran.code, ran.stdout]).toEqual([0, expect.any(String)])
        const { run, tables } = Option.getOrThrow(await Effect.runPromise(manifestOf(lake)))
        for (const table of Object.keys(cells)) {
          const { delta, iceberg } = tables[table] ?? {}
          const at = { table, run: run.run_id }
          asked.push({ ...at, format: "delta", version: delta?.version ?? -1 })
          asked.push({ ...at, format: "iceberg", version: iceberg?.snapshot ?? -1 })
        }
      }
      // Each run has changed both tables.
      expect(new Set(asked.map(({ format, table, version }) => `${table} ${format} ${version}`)).size).toBe(12)

      const questions = asked.map(({ format, table, version }) => ({
        format,
        version,
        path: join(lake, table),
        select: rowOf(table, (column) => `unix_micros(CAST(${column} AS TIMESTAMP))`, "STRING")
      }))
      const script = join(import.meta.dirname, "sparkReaders.py")
      const input = JSON.stringify(questions)
      const answers: ReadonlyArray<Answer> = JSON.parse(
        execFileSync(python, [script], { cwd: folder, input, encoding: "utf8", stdio: "pipe", maxBuffer: 1 << 26 })
      )

      for (const [at, { rows, comments }] of answers.entries()) {
        const { format, run, table } = asked[at] ?? { format: "", run: "", table: "" }
        const select = `SELECT ${rowOf(table, (column) => `epoch_us(${column})`, "VARCHAR")} AS row FROM ${table}`
        const said = await millrace(folder, "sql", "site.yaml", select, "--as-of", run, "--format", "json")
        const expected = said.stdout
          .trim()
          .split("\n")
          .map((line) => String(JSON.parse(line).row))
        expect([table, format, run, rows]).toEqual([table, format, run, expected.toSorted()])
        expect(comments["_run_id"]).toMatch(/run/)
        expect(comments[table === "pages" ? "url" : "link"]).toMatch(/URL/)
      }
      // Three pages; two of them changed and one came; two changed. Each version stays.
      const counts = asked.flatMap(({ format, table }, at) =>
        table === "pages" ? [[format, answers[at]?.rows.length]] : []
      )
      expect(counts).toEqual(
        [3, 6, 8].flatMap((rows) => [
          ["delta", rows],
          ["iceberg", rows]
        ])
      )
    })
  },
  600_000
)
