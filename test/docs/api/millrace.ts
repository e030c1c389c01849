// Copied by `npm run docs` from docs/reference/api/millrace.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ColumnProfile, ObjectStore, PipelineFileError, objectStores, rows, run, sql, type RowsOptions, type RunOptions, type Spec, type SqlOptions } from "../../../src/index.ts"
import { memory } from "../../../connectors/memory/index.ts"
import { connector as file } from "../../../connectors/file/index.ts"
import { connector as s3 } from "../../../connectors/s3/index.ts"
import { duckdb } from "../../../connectors/duckdb/index.ts"

{
  const isProfile = Schema.is(ColumnProfile)
  console.log(isProfile({ table: "people" })) // false
}
{
  await run("wrong.yaml").catch((error: unknown) => {
    if (!(error instanceof PipelineFileError)) throw error
    for (const { line, message } of error.issues) console.log(line, message)
  })
}
{
  const options: RowsOptions = { table: "people", key: "id", columns: { id: "BIGINT NOT NULL", name: "VARCHAR" } }
  console.log(rows([{ id: 1, name: "Ada" }], options).tables[0].columns)
}
{
  const options: RunOptions = { vars: { site: "https://your.site" }, journal: "temporary", fullRefresh: true }
  await run("docs.yaml", options)
}
{
  const spec: Spec = { source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: memory.with({ name: "numbers" }) } }
  await run(spec, { journal: "temporary" })
}
{
  const options: SqlOptions = { sink: "lake", maxRows: 10 }
  console.log(await sql("docs.yaml", "SELECT url FROM pages LIMIT 10", options))
}
{
  const paths = Effect.gen(function* () {
    const store = yield* (yield* ObjectStore.ObjectStores).open("./lake", process.cwd())
    return (yield* store.list("")).map(({ path }) => path)
  })
  console.log(await Effect.runPromise(Effect.provide(paths, objectStores([file, s3]))))
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
