/** A plan under which no stored value changes: asks the tables of the database for numbers that a double cannot hold. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
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
    (table, { from, name, to }) => {
      const loss = lossOf(Column.quote(name), from, to)
      return loss === undefined
        ? Effect.succeed(false)
        : Effect.map(
            connection.rows(`SELECT 1 FROM ${Place.named(place, table)} WHERE ${loss} LIMIT 1`),
            (rows) => rows.length > 0
          )
    }
  )
