import { fileURLToPath } from "node:url"
import * as Layer from "effect/Layer"
import { file } from "#connectors/file/index"
import * as CrashSuite from "#testing/CrashSuite"
import { timesOf } from "../../thoroughness.ts"
import { readFiles } from "./readFiles.ts"

CrashSuite.suite("file", {
  script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
  destination: () => file.with({ path: "out", format: "csv" }),
  read: readFiles,
  layer: Layer.empty,
  kills: timesOf(1, 4, 40)
})
