/** A run into a folder of Parquet files, in one call: what it writes, how, and to which store. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileStore } from "#connectors/file/index"
import { type Options, parquet } from "#connectors/parquet/index"
import * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { pages } from "#testing/specimens"

export interface Load {
  readonly rows: ReadonlyArray<Table.Row>
  readonly table?: Table.Table
  readonly write?: Sink.WriteDisposition
  readonly fingerprint?: ReadonlyArray<string>
  readonly options?: Omit<Options, "path">
  readonly plan?: Partial<Pick<Sink.Plan, "evolve" | "again" | "pipeline" | "shared">>
  /** Keys that could not be learned. */
  readonly kept?: ReadonlyArray<Table.Row>
  readonly commit?: Partial<Pick<Sink.Commit, "checks" | "complete" | "run">>
  /** Minutes since the epoch. */
  readonly at?: number
}

/** Loads into the folder "lake" of a directory. */
export const load = (directory: string, run: string, of: Load) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { table = pages, write = "merge", rows, fingerprint } = of
      const planned = { table, write, ...(fingerprint === undefined ? {} : { fingerprint }) }
      const writer = yield* parquet
        .with({ path: "lake", ...of.options })
        .open({ pipeline: "p", runId: run, directory, evolve: true, tables: [planned], ...of.plan })
      for (let at = 0; at < rows.length; at += 500) yield* writer.write(Table.batch(table, rows.slice(at, at + 500)))
      if (of.kept !== undefined) yield* writer.retainKeys(table.name, of.kept)
      return yield* writer.commit({
        checkpoint: { runId: run, state: run },
        run: {
          runId: run,
          pipeline: of.plan?.pipeline ?? "p",
          startedAt: BigInt(of.at ?? 0) * 60_000_000n,
          committedAt: BigInt(of.at ?? 0) * 60_000_000n + 1n,
          facts: {},
          rows: {}
        },
        checks: [],
        complete: true,
        ...of.commit
      })
    })
  )

/** The store of a directory's lake, with some of its calls replaced. */
export const storeOf = (
  directory: string,
  change: (store: ObjectStore.ObjectStore) => Partial<ObjectStore.ObjectStore> = () => ({})
) =>
  Layer.succeed(ObjectStore.ObjectStores, {
    open: () => Effect.map(fileStore.open(join(directory, "lake")), (store) => ({ ...store, ...change(store) }))
  })
