import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Layer from "effect/Layer"
import { sqlite } from "#connectors/sqlite/index"
import * as CrashSuite from "#testing/CrashSuite"
import { timesOf } from "../../thoroughness.ts"
import { readTable } from "./readTable.ts"

CrashSuite.suite("sqlite", {
  script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
  destination: () => sqlite.with({ path: "warehouse.sqlite" }),
  read: (directory, table) => readTable(join(directory, "warehouse.sqlite"), table),
  layer: Layer.empty,
  kills: timesOf(1, 2, 10)
})
