/** Reads stored rows, of the version that is current when reading begins. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { named } from "#engine/Column"
import type * as Table from "#engine/Table"
import { attempt } from "./failure.ts"
import { look, rootOf } from "./folder/openFolder.ts"
import { columnsOf } from "./folder/State.ts"
import type { Options } from "./options.ts"
import { rowsFrom } from "./table/tableFile.ts"

/** The rows of a table; a column that the file lacks is null. */
export const rows = Effect.fn("file.rows")(function* (options: Options, directory: string, table: Table.Table) {
  const root = rootOf(options, directory)
  const found = yield* look(root)
  const state = found?.state.tables[table.name]
  if (found === undefined || state === undefined) return []
  const stored = columnsOf(state)
  const cells = table.columns.map(({ name }) => [name, named(stored, name)?.name] as const)
  return yield* attempt(`cannot read table ${table.name} of ${root}`, async () => {
    const all: Array<Table.Row> = []
    for await (const rows of rowsFrom({ state, file: Path.join(found.folder, state.file) }, 0)) {
      for (const row of rows) {
        all.push(
          Object.fromEntries(cells.map(([name, source]) => [name, source === undefined ? null : (row[source] ?? null)]))
        )
      }
    }
    return all
  })
})
