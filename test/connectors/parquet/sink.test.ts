import { join } from "node:path"
import { parquet } from "#connectors/parquet/index"
import { timesOf } from "../../thoroughness.ts"
import { lawsInTurn } from "../lawsOnCommit.ts"
import { readLake, stores } from "./lake.ts"

lawsInTurn("parquet", {
  destination: () => parquet.with({ path: "deep/lake" }),
  closing: () => parquet.with({ path: "deep/lake", removed: "close" }),
  read: (directory, table) => readLake(join(directory, "deep/lake"), table),
  layer: stores,
  secondWriter: "fails to commit",
  interruptions: timesOf(2, 4, 24)
})
