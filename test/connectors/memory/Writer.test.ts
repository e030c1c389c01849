import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database, memory } from "../../../connectors/memory/index.ts"
import * as SinkSuite from "../../../src/testing/SinkSuite.ts"

SinkSuite.suite("memory", {
  destination: (directory) => memory.with({ name: directory }),
  closing: (directory) => memory.with({ name: directory, removed: "close" }),
  read: (directory, table) => Effect.sync(() => Database.rows(directory, table.name)),
  layer: Layer.empty,
  secondWriter: "fails to open"
})
