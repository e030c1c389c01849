import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parquet } from "#connectors/parquet/index"
import type * as Table from "#engine/Table"
import * as CrashSuite from "#testing/CrashSuite"
import { timesOf } from "../../thoroughness.ts"
import { activeIn } from "./delta/activeIn.ts"
import { icebergIn } from "./iceberg/icebergIn.ts"
import { manifestOf, readLake, stores } from "./lake.ts"

/** What the manifest says; after the next open, each Delta log and each Iceberg table says the same. */
const read = Effect.fnUntraced(function* (directory: string, table: Table.Table) {
  const lake = join(directory, "lake")
  const manifest = Option.getOrUndefined(yield* manifestOf(lake))
  const state = manifest?.tables[table.name]
  if (state !== undefined) {
    expect(activeIn(lake, table.name, state.delta?.version ?? -1)).toEqual(state.files.map(({ path }) => path).sort())
    const next = join(
      lake,
      table.name,
      "_delta_log",
      `${String((state.delta?.version ?? 0) + 1).padStart(20, "0")}.json`
    )
    expect(() => readFileSync(next)).toThrow("ENOENT")
    const iceberg = yield* icebergIn(lake, table.name)
    expect(iceberg.files).toEqual(state.files.map(({ path }) => path).sort())
    expect(iceberg.metadata["current-snapshot-id"]).toBe(state.iceberg?.snapshot)
  }
  return yield* readLake(lake, table)
})

CrashSuite.suite("parquet", {
  script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
  destination: () => parquet.with({ path: "lake", iceberg: true }),
  read,
  layer: stores,
  kills: timesOf(1, 4, 40)
})
