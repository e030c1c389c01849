/** The SQLite sink: the planner, with SQLite's dialect. */
import { statSync } from "node:fs"
import { sql } from "#engine/sqlSink"
import { connect, fileOf, look } from "./Connection.ts"
import { dialect } from "./dialect.ts"
import { Options } from "./options.ts"

/**
 * The sink of `type: sqlite`: rows into tables of a SQLite file. A commit is one transaction.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite"
 * import { rows, run } from "millrace"
 * import { sqlite } from "millrace/connectors/sqlite"
 *
 * const db = sqlite.with({ path: "./numbers.sqlite", write: "merge" })
 * const load = (name: string) => run({ source: rows([{ id: 1, name }], { table: "numbers", key: "id" }), sinks: { db } })
 * await load("uno")
 * await load("one")
 * const found = new DatabaseSync("numbers.sqlite").prepare("SELECT id, name FROM numbers").all()
 * console.log(found.map(({ id, name }) => `${id} ${name}`)) // ["1 one"]
 * ```
 */
export const sqlite = sql<Options, typeof Options.Encoded>({
  type: "sqlite",
  description: "tables of a SQLite file, each commit one transaction",
  options: Options,
  dialect,
  connect,
  look,
  pathFault: (options, directory) => {
    const file = fileOf(options, directory)
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
      ? `${file} is a folder; name a file in it`
      : undefined
  }
})
