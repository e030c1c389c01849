import * as Layer from "effect/Layer"
import { fileSink } from "../../../connectors/file/index.ts"
import * as SinkSuite from "../../../src/testing/SinkSuite.ts"
import { times } from "../../soak.ts"
import { readFiles } from "./readFiles.ts"

for (const format of ["jsonl", "csv", "arrow", "parquet"] as const) {
  SinkSuite.suite(`file, ${format}`, {
    destination: () => fileSink.with({ path: "out", format }),
    read: readFiles,
    layer: Layer.empty,
    secondWriter: "fails to open",
    interruptions: times(4, 24)
  })
}
