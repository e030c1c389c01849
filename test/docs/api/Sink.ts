// Copied by `npm run docs` from docs/reference/api/Sink.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Sink, SinkWriter, Table, rows, run } from "../../../src/index.ts"
import { access, appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"

{
  const full = new Sink.SinkError({ sink: "jsonl", message: "out.jsonl: the disk is full; make room", retryable: false })
  console.log(full._tag) // "SinkError"
}
{
  console.log(Schema.is(Sink.WriteDisposition)("merge")) // true
}
{
  const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
  const stored = [{ name: "id" }, { name: "price" }, { name: "_run_id" }, ...Sink.historyColumns]
  console.log(Sink.absentColumns({ table, write: "scd2", absent: "all" }, stored)) // ["price"]
}
{
  console.log(Sink.historyColumns.map(({ name }) => name)) // ["valid_from", "valid_to", "is_current"]
}
{
  console.log(Sink.isHistory([{ name: "id" }]), Sink.isHistory(Sink.historyColumns)) // false true
}
{
  let counted = 0
  const counter = Sink.make({
    type: "counter",
    description: "counts rows, and keeps none",
    options: Schema.Struct({ write: Sink.writeOption }),
    writes: ["append"],
    defaultWrite: () => "append",
    runs: () => Effect.succeed([]),
    rows: () => Effect.succeed([]),
    open: (_, { tables }) =>
      Effect.succeed(
        SinkWriter.make({
          sink: "counter",
          stages: tables,
          resume: Option.none(),
          columnsBefore: () => undefined,
          write: (_, some) => Effect.sync(() => void (counted += some.length)),
          retainKeys: () => Effect.void,
          commit: () => Effect.succeed({ location: "nowhere", tables: {} })
        })
      )
  })
  const source = rows([{ id: 1 }, { id: 2 }], { table: "numbers" })
  await run({ source, sinks: { out: counter.with({}) } }, { journal: "temporary" })
  console.log(counted) // 2
}
{
  const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
  console.log(Sink.mergeWhereKeyed(table)) // "merge"
}
{
  console.log(Sink.ownerOf("docs@20260101T000000Z..20260102T000000Z")) // "docs"
}
{
  const orders = Table.make({ name: "orders", description: "orders", schema: Schema.Struct({ id: Schema.Int }) })
  const items = Table.make({
    name: "items",
    description: "what was ordered",
    schema: Schema.Struct({ order_id: Schema.Int, article: Schema.String }),
    parent: { table: "orders", on: { order_id: "id" } }
  })
  const ordered = Sink.parentsFirst([{ table: items }, { table: orders }])
  console.log(ordered.map(({ table }) => table.name)) // ["orders", "items"]
}
{
  console.log(Sink.pipelineColumn.name) // "_pipeline"
}
{
  const Options = Schema.Struct({ write: Sink.writeOption, removed: Sink.removedOption })
  console.log(Schema.decodeUnknownSync(Options)({ removed: "close" }).removed) // "close"
}
{
  const Options = Schema.Struct({ write: Sink.writeOption, shared: Sink.sharedOption })
  console.log(Schema.decodeUnknownSync(Options)({ shared: true }).shared) // true
}
{
  const jsonl = Sink.simple({
    type: "jsonl",
    options: Schema.Struct({ path: Schema.String }),
    batch: (_, { rows }) => rows.map(({ name }) => `${JSON.stringify({ name })}\n`).join(""),
    commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.join(""))
  })
  const out = jsonl.with({ path: "out.jsonl" })
  await run({ source: rows([{ name: "Ada" }], { table: "people" }), sinks: { out } })
  console.log((await readFile("out.jsonl", "utf8")).trim()) // {"name":"Ada"}
  console.log(out.lacks) // ["exactlyOnce", "columns", "names", "again", "details", "shared", "read"]
}
{
  // A folder with a file for each commit. The name of the file says that the commit is in, so its rows arrive once.
  const files = Sink.simple({
    type: "files",
    options: Schema.Struct({ path: Schema.String }),
    batch: (_, { rows }) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    commit: async ({ path }, { commitId, pieces, resolve }) => {
      await mkdir(resolve(path), { recursive: true })
      await writeFile(resolve(`${path}/.${commitId}`), pieces.join(""), { flush: true })
      await rename(resolve(`${path}/.${commitId}`), resolve(`${path}/${commitId}.jsonl`))
    },
    committed: ({ path }, { commitId, resolve }) =>
      access(resolve(`${path}/${commitId}.jsonl`)).then(
        () => true,
        () => false
      )
  })
  const out = files.with({ path: "people" })
  await run({ source: rows([{ name: "Ada" }], { table: "people" }), sinks: { out } })
  console.log(out.lacks) // ["columns", "names", "again", "details", "shared", "read"]
}
{
  const types = { BIGINT: "INTEGER", BOOLEAN: "INTEGER", DOUBLE: "REAL" } as const
  const lite = Sink.sql({
    type: "lite",
    description: "tables of a SQLite file",
    options: Schema.Struct({ path: Schema.String, write: Sink.writeOption }),
    dialect: {
      type: ({ _tag }) => (_tag === "BIGINT" || _tag === "BOOLEAN" || _tag === "DOUBLE" ? types[_tag] : "TEXT"),
      store: ({ _tag }) => (_tag === "BOOLEAN" ? (cell) => (cell === true ? 1 : 0) : undefined),
      describe: (table) => `SELECT name, type, "notnull" = 0, dflt_value, 'table' FROM pragma_table_info('${table}')`,
      rowId: () => "rowid",
      temporary: (name) => `temp."${name}"`
    },
    connect: ({ path }) => {
      const database = new DatabaseSync(path)
      const asked = (sql: string) => {
        const statement = database.prepare(sql)
        statement.setReturnArrays(true)
        return statement
      }
      return {
        location: path,
        run: (sql) => Number(database.prepare(sql).run().changes),
        rows: (sql) => asked(sql).all().map(Object.values),
        close: () => database.close()
      }
    }
  })
  const db = lite.with({ path: "people.sqlite" })
  const load = (name: string) => run({ source: rows([{ id: 1, name }], { table: "people", key: "id" }), sinks: { db } })
  await load("uno")
  await load("one")
  const found = new DatabaseSync("people.sqlite").prepare("SELECT id, name FROM people").all()
  console.log(found.map(({ id, name }) => `${id} ${name}`)) // ["1 one"]
}
{
  const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
  const stored = [{ name: "id" }, ...Sink.historyColumns]
  console.log(Sink.storedFault({ table, write: "scd2" }, stored, true)) // undefined
  console.log(Sink.storedFault({ table, write: "merge" }, stored, true)?.split("; ")[1]) // "write it with scd2, or write another table"
}
{
  console.log(Sink.withoutHistory([{ name: "id" }, { name: "valid_from" }])) // [{ name: "id" }]
}
{
  const Options = Schema.Struct({ path: Schema.String, write: Sink.writeOption })
  console.log(Schema.decodeUnknownSync(Options)({ path: "out", write: "append" }).write) // "append"
}
