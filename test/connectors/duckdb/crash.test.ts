import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Layer from "effect/Layer"
import { duckdb } from "#connectors/duckdb/index"
import * as CrashSuite from "#testing/CrashSuite"
import { timesOf } from "../../thoroughness.ts"
import { readTable } from "./readTable.ts"

CrashSuite.suite("duckdb", {
  script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
  destination: () => duckdb.with({ path: "warehouse.duckdb" }),
  read: (directory, table) => readTable(join(directory, "warehouse.duckdb"), table),
  layer: Layer.empty,
  kills: timesOf(1, 2, 10)
})
