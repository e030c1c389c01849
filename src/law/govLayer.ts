/**
 * The index of government texts at the place that the operator names: a SQLite file, or a database of Postgres; or none.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { client, isPostgres, placeOf } from "#base/sqlClient"
import { GovIndex } from "./GovIndex.ts"
import { GovStore } from "./index/GovStore.ts"
import { layerFile } from "./index/layerFile.ts"
import { layerStore } from "./index/layerStore.ts"

export const layer = (database: string | Redacted.Redacted | undefined) => {
  if (database === undefined) return layerNone
  if (!isPostgres(database)) return layerFile(placeOf(database))
  return layerStore.pipe(Layer.provide(GovStore.layer), Layer.provide(client(database)))
}

/** The index of a service that has no texts. */
const layerNone = Layer.succeed(
  GovIndex,
  GovIndex.of({ sections: Effect.succeed(0), search: () => Effect.succeed([]) })
)
