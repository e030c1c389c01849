/**
 * The memory connector: rows into a named database of this process.
 *
 * For tests, for previews, and as the reference of what a sink is.
 */
import * as Effect from "effect/Effect"
import * as Connector from "../../src/pipeline/Connector.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import * as Database from "./Database.ts"
import { databaseOf, Options } from "./Options.ts"
import { open } from "./Writer.ts"

export * as Database from "./Database.ts"
export { Options } from "./Options.ts"

export const memory = Sink.make<Options, typeof Options.Encoded, never>({
  type: "memory",
  description: "rows in this process, for tests and previews",
  options: Options,
  writes: ["append", "replace", "merge", "scd2"],
  defaultWrite: Sink.mergeWhereKeyed,
  runs: (options) => Effect.sync(() => [...Database.read(databaseOf(options)).runs.values()]),
  owners: (options) => Effect.sync(() => Database.read(databaseOf(options)).owners),
  rows: (options, _directory, table) =>
    Effect.sync(() =>
      Database.rows(databaseOf(options), table.name).map((row) =>
        Object.fromEntries(table.columns.map((column) => [column.name, row[column.name] ?? null]))
      )
    ),
  open
})

export const connector = Connector.make({ name: "memory", sinks: [memory] })
