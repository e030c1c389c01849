// Copied by `npm run docs` from docs/reference/api/testing.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import { CrashSuite, ObjectStoreSuite, SinkSuite, SourceSuite, commitForever, faults } from "../../../src/testing/index.ts"
import { fileStore } from "../../../connectors/file/index.ts"
import { memory } from "../../../connectors/memory/index.ts"
import { rows } from "../../../src/index.ts"

{
  const [, , directory = "."] = process.argv
  await Effect.runPromise(Effect.scoped(commitForever(duckdb.with({ path: "crash.duckdb" }), directory)))
}
{
  const destination = () => duckdb.with({ path: "crash.duckdb" })
  CrashSuite.suite("duckdb", {
    script: "test/crashing.ts",
    destination,
    read: (directory, table) => Effect.orDie(destination().rows(directory, table)),
    layer: Layer.empty,
    kills: 3
  })
}
{
  ObjectStoreSuite.suite("a folder", { open: (folder) => fileStore.open(folder) })
}
{
  const destination = (directory: string) => memory.with({ name: directory })
  const kept: Array<string> = []
  for (const law of SinkSuite.laws.filter(({ of }) => of === "merge").slice(0, 3)) {
    await Effect.runPromise(Effect.scoped(SinkSuite.check(law, { destination })))
    kept.push(law.sentence)
  }
  console.log(kept.length) // 3
}
{
  console.log(SinkSuite.laws[0]?.sentence) // "what was written and not committed is not there after reopening"
}
{
  SinkSuite.suite("duckdb", {
    destination: () => duckdb.with({ path: "test.duckdb" }),
    closing: () => duckdb.with({ path: "test.duckdb", removed: "close" })
  })
}
{
  const reader = Effect.sync(() => rows([{ id: 1 }], { table: "numbers" }))
  const kept: Array<string> = []
  for (const law of SourceSuite.laws.slice(0, 2)) {
    await Effect.runPromise(SourceSuite.check(law, { reader, continues: false }))
    kept.push(law.sentence)
  }
  console.log(kept.length) // 2
}
{
  console.log(SourceSuite.laws[0]?.sentence) // "tables names every table that read emits, and batches are never empty"
}
{
  const reader = Effect.sync(() => rows([{ id: 1 }, { id: 2 }], { table: "numbers" }))
  SourceSuite.suite("rows", { reader, continues: false })
}
{
  const store = await Effect.runPromise(fileStore.open("/tmp/lake"))
  const { calls, store: faulty } = faults.failing(store, 1, "before")
  await Effect.runPromise(Effect.ignore(faulty.put("a", new Uint8Array())))
  console.log(calls()) // 1
}
