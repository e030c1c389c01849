/** Why a run cannot write its tables into a lake, if so. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import * as Owner from "../../src/pipeline/Owner.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Manifest from "./lake/Manifest.ts"
import { schemaFault } from "./lake/nextManifest.ts"
import * as Partition from "./lake/Partition.ts"
import { heldOf, ownersOf } from "./lake/tableOwners.ts"
import type { Options } from "./options.ts"

export const refusalOf = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  plan: Sink.Plan,
  options: Options
) {
  const known = yield* ownersOf(store, newest)
  const tables = plan.tables.map(({ table }) => table)
  return (
    Partition.fault(tables, options.partition ?? []) ??
    schemaFault(newest, plan, options) ??
    Owner.fault(plan, store.location, (table) => heldOf(newest, known, table))
  )
})
