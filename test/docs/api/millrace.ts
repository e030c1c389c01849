// Copied by `npm run docs` from docs/reference/api/millrace.md. Do not edit.
import * as Effect from "effect/Effect"
import { Column, ObjectStore, PipelineFileError, objectStores, rows, run, sql, type RowsOptions, type RunOptions, type Spec, type SqlOptions } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"
import { writeFile } from "node:fs/promises"
import { connector as file } from "../../../connectors/file/index.ts"
import { parquet } from "../../../connectors/parquet/index.ts"
import { connector as s3 } from "../../../connectors/s3/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

{
  const out = memory.with({ name: "profiled" })
  const { runId } = await run({ source: rows([{ age: 36 }, { age: null }], { table: "people" }), sinks: { out } })
  const [details] = await Effect.runPromise(out.details?.(".", [runId]) ?? Effect.succeed([]))
  const age = details?.profiles.find(({ column }) => column === "age")
  console.log(age?.rows, age?.filled, age?.max) // 2 1 36
}
{
  await writeFile("wrong.yaml", "sorce: { type: crawl, url: https://your.site }\nsinks: { out: { type: memory, name: a } }\n")
  const error: unknown = await run("wrong.yaml").catch((error: unknown) => error)
  const issues = error instanceof PipelineFileError ? error.issues : []
  console.log(issues.map(({ line, message }) => `${line}: ${message}`)) // ["1: unknown key `sorce`", "1: `source` is missing"]
}
{
  const options: RowsOptions = { table: "people", key: "id", columns: { id: "BIGINT NOT NULL", name: "VARCHAR" } }
  const { columns } = rows([{ id: 1, name: "Ada" }], options).tables[0]
  console.log(columns.map(({ name, nullable, type }) => [name, Column.toSql(type), nullable])) // [["id", "BIGINT", false], ["name", "VARCHAR", true]]
}
{
  const spec = { source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: memory.with({ name: "once" }) } }
  const options: RunOptions = { journal: "temporary", once: "2026-11-25" }
  const first = await run(spec, options)
  const second = await run(spec, options)
  console.log(first.runId === second.runId, second.alreadyDone === undefined) // true false
}
{
  const spec: Spec = {
    name: "sorted",
    source: rows([{ id: 2 }, { id: 1 }], { table: "numbers" }),
    sinks: { out: memory.with({ name: "sorted" }) },
    checks: [{ rows: { min: 2 } }]
  }
  console.log((await run(spec, { journal: "temporary" })).status) // "done"
}
{
  await writeFile("two.yaml", "source: { type: crawl, url: http://your.site, limit: 2 }\nsinks: { lake: { type: parquet, path: ./two } }\n")
  await run("two.yaml")
  const options: SqlOptions = { sink: "lake", maxRows: 10 }
  console.log(await sql("two.yaml", "SELECT count(*) AS pages FROM pages", options)) // [{ pages: 2 }]
}
{
  const lake = parquet.with({ path: "./small-lake" })
  await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { lake } })
  const manifests = Effect.gen(function* () {
    const store = yield* (yield* ObjectStore.ObjectStores).open("./small-lake", process.cwd())
    return (yield* store.list("_manifest/")).map(({ path }) => path)
  })
  console.log(await Effect.runPromise(Effect.provide(manifests, objectStores([file, s3])))) // ["_manifest/000000000001.json"]
}
{
  const people = rows([{ id: 1, name: "Ada" }], { table: "people", key: "id" })
  const numbers = rows(
    function* () {
      for (let n = 0; n < 10; n++) yield { n, square: n * n }
    },
    { table: "squares", columns: { n: "BIGINT NOT NULL", square: "BIGINT" } }
  )
  console.log(people.tables[0].name, numbers.tables[0].name) // "people" "squares"
}
{
  const report = await run({
    source: rows([{ id: 1, name: "Ada" }], { table: "people", key: "id" }),
    sinks: { db: duckdb.with({ path: "./people.duckdb" }) }
  })
  console.log(report.status, report.rows) // "done" { people: 1, people__rejects: 0 }
}
{
  const people = await sql(duckdb.with({ path: "./people.duckdb" }), "SELECT name FROM people ORDER BY name")
  console.log(people) // [{ name: "Ada" }]
}
