/** A plan under which no stored value changes: asks the tables of the database for numbers that a double cannot hold. */
import * as LosslessPlan from "#engine/LosslessPlan"
import type * as Sink from "#engine/Sink"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { lossOf } from "./cast.ts"

export const losslessPlan = (connection: Connection, place: Place.DatabaseLocation, plan: Sink.Plan) =>
  LosslessPlan.of(
    plan,
    // Of what is no table, `TableShape` says that it is none.
    ({ table }) => catalog.describe(connection, place, table.name),
    LosslessPlan.changesIn(lossOf, connection.rows, (table) => Place.named(place, table))
  )
