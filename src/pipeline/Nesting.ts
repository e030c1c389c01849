import type * as Stage from "./Stage.ts"
import type * as Table from "./Table.ts"
export interface Nesting {
  readonly tables: ReadonlyArray<Table.Table>
  readonly split: (
    rows: ReadonlyArray<Stage.Staged>,
    runId: string
  ) => ReadonlyArray<{ readonly table: Table.Table; readonly rows: ReadonlyArray<Stage.Staged> }>
}
export const make = (_mode: "struct" | "json" | "tables", table: Table.Table): Nesting => ({
  tables: [table],
  split: (rows) => [{ table, rows }]
})
