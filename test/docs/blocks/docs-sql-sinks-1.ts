// Copied by `npm run docs` from docs/sql-sinks.md. Do not edit.
// mine.test.ts
import { sqlite as mine } from "../../../connectors/sqlite/index.ts"
import { SinkSuite } from "../../../src/testing/index.ts"

SinkSuite.suite("mine", {
  destination: () => mine.with({ path: "test.sqlite" }),
  closing: () => mine.with({ path: "test.sqlite", removed: "close" }),
  secondWriter: "fails to commit"
})
