import { join } from "node:path"
import * as Layer from "effect/Layer"
import { duckdb } from "#connectors/duckdb/index"
import { timesOf } from "../../thoroughness.ts"
import { lawsInTurn } from "../lawsOnCommit.ts"
import { readTable } from "./readTable.ts"

lawsInTurn("duckdb", {
  destination: () => duckdb.with({ path: "deep/warehouse.duckdb" }),
  closing: () => duckdb.with({ path: "deep/warehouse.duckdb", removed: "close" }),
  read: (directory, table) => readTable(join(directory, "deep/warehouse.duckdb"), table),
  layer: Layer.empty,
  secondWriter: "fails to open",
  interruptions: timesOf(2, 4, 24)
})
