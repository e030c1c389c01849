import * as Layer from "effect/Layer"
import { fileSink } from "../../../connectors/file/index.ts"
import * as SinkSuite from "../../../src/testing/SinkSuite.ts"
import { sinkReadingLaws } from "../../../src/testing/sinkReadingLaws.ts"
import { sinkRowsLaws } from "../../../src/testing/sinkRowsLaws.ts"
import { sinkSchemaLaws } from "../../../src/testing/sinkSchemaLaws.ts"
import { sinkValueLaws } from "../../../src/testing/sinkValueLaws.ts"
import { sinkWideningLaws } from "../../../src/testing/sinkWideningLaws.ts"
import { sinkReplaceLaws } from "../../../src/testing/sinkWriteLaws.ts"
import { timesOf } from "../../thoroughness.ts"
import { lawsOnCommit } from "../lawsOnCommit.ts"
import { readFiles } from "./readFiles.ts"

const formats = ["jsonl", "csv", "arrow", "parquet"] as const

const subject = (format: (typeof formats)[number]): SinkSuite.Subject<never> => ({
  destination: () => fileSink.with({ path: "out", format }),
  read: readFiles,
  layer: Layer.empty,
  secondWriter: "fails to open",
  interruptions: timesOf(2, 4, 24)
})

SinkSuite.suite("file, jsonl", subject("jsonl"))

// The files of every format are committed in the same way: the format decides what their rows and columns are.
for (const format of formats) {
  if (format === "jsonl") continue
  lawsOnCommit(`file, ${format}`, subject(format), [
    ...sinkValueLaws,
    ...sinkRowsLaws,
    ...sinkSchemaLaws,
    ...sinkWideningLaws,
    ...sinkReplaceLaws,
    ...sinkReadingLaws
  ])
}
