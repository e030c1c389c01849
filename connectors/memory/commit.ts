/** The commit: one assignment makes the rows of all tables and the records visible. */
import * as RowTable from "#engine/RowTable"
import type * as Sink from "#engine/Sink"
import * as Database from "./Database.ts"
import { attempt } from "./failure.ts"
import { record } from "./ledger.ts"
import type { Options } from "./options.ts"
import type { Stage } from "./stage.ts"

export const commit = (
  options: Options,
  plan: Sink.Plan,
  stages: ReadonlyArray<Stage>,
  commit: Sink.Commit,
  isFirst: boolean
) =>
  attempt(() => {
    const name = Database.nameOf(options)
    const before = Database.read(name)
    const change = RowTable.commit(stages, before.tables, commit, { isFirst, removed: options.removed })
    Database.replace(name, record({ ...before, tables: new Map([...before.tables, ...change.tables]) }, plan, commit))
    return { location: `memory:${name}`, tables: change.results }
  })
