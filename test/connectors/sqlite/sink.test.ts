import { join } from "node:path"
import * as Layer from "effect/Layer"
import { sqlite } from "#connectors/sqlite/index"
import { timesOf } from "../../thoroughness.ts"
import { lawsInTurn } from "../lawsOnCommit.ts"
import { readTable } from "./readTable.ts"

lawsInTurn("sqlite", {
  destination: () => sqlite.with({ path: "deep/warehouse.sqlite" }),
  closing: () => sqlite.with({ path: "deep/warehouse.sqlite", removed: "close" }),
  read: (directory, table) => readTable(join(directory, "deep/warehouse.sqlite"), table),
  layer: Layer.empty,
  secondWriter: "fails to commit",
  interruptions: timesOf(2, 4, 24)
})
