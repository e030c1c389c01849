/** A plan under which no stored value changes: asks the tables of the database for numbers that a double cannot hold. */
import * as Effect from "effect/Effect"
import type * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import { lossOf } from "#engine/duckdbCast"
import * as LosslessPlan from "#engine/LosslessPlan"
import type * as Sink from "#engine/Sink"
import * as Catalog from "../file/Catalog.ts"
import * as Place from "../Place.ts"

export const losslessPlan = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  plan: Sink.Plan
) {
  const catalog = yield* Catalog.read(database, place)
  return yield* LosslessPlan.of(
    plan,
    ({ table }) =>
      Catalog.hasTable(catalog, table.name)
        ? describe(database, Place.named(place, table.name))
        : Effect.succeed(undefined),
    LosslessPlan.changesIn(lossOf, database.values, (table) => Place.named(place, table))
  )
})
