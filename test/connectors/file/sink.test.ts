import * as Layer from "effect/Layer"
import { file } from "#connectors/file/index"
import * as SinkSuite from "#testing/SinkSuite"
import { timesOf } from "../../thoroughness.ts"
import { lawsOnCommit } from "../lawsOnCommit.ts"
import { readFiles } from "./readFiles.ts"

const formats = ["jsonl", "csv", "arrow", "parquet"] as const

const subject = (format: (typeof formats)[number]): SinkSuite.Subject<never> => ({
  destination: () => file.with({ path: "out", format }),
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
    ...SinkSuite.lawsOf.values,
    ...SinkSuite.lawsOf.rows,
    ...SinkSuite.lawsOf.schemas,
    ...SinkSuite.lawsOf.widening,
    ...SinkSuite.lawsOf.replace,
    ...SinkSuite.lawsOf.reading
  ])
}
