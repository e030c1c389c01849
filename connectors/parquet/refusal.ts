/**
 * Why a run cannot write its tables into a lake, if so. Checked when the run opens the lake, and again at its commit if
 * another writer has committed first.
 */
import type * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import * as Owner from "#engine/Owner"
import type * as Sink from "#engine/Sink"
import { schemaFault } from "./lake/nextManifest.ts"
import { heldOf } from "./lake/tableOwners.ts"
import type * as Manifest from "./manifest/Manifest.ts"
import * as Partition from "./manifest/Partition.ts"
import type { Options } from "./options.ts"

/** `owners`: the pipeline that each table belongs to, as the newest manifest has it. */
export const refusalOf = (
  { options, store }: { readonly options: Options; readonly store: ObjectStore.ObjectStore },
  newest: Option.Option<Manifest.Manifest>,
  owners: ReadonlyMap<string, string>,
  plan: Sink.Plan
): string | undefined => {
  const tables = plan.tables.map(({ table }) => table)
  return (
    Partition.fault(tables, options.partition ?? []) ??
    schemaFault(newest, plan, options) ??
    Owner.fault(plan, store.location, (table) => heldOf(newest, owners, table))
  )
}
