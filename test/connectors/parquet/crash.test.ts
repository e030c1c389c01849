import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parquet } from "../../../connectors/parquet/index.ts"
import * as CrashSuite from "../../../src/testing/CrashSuite.ts"
import { times } from "../../soak.ts"
import { readLake, stores } from "./lake.ts"

CrashSuite.suite("parquet", {
  script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
  destination: () => parquet.with({ path: "lake" }),
  read: (directory, table) => readLake(join(directory, "lake"), table),
  layer: stores,
  kills: times(2, 10)
})
