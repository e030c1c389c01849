// Copied by `npm run docs` from docs/reference/api/testing.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import { CrashSuite, ObjectStoreSuite, SinkSuite, SourceSuite, commitForever, faults } from "../../../src/testing/index.ts"
import { file } from "../../../connectors/file/index.ts"
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
  ObjectStoreSuite.suite("a folder", { open: (folder) => file.open(folder) })
}
{
  const destination = (directory: string) => memory.with({ name: directory })
  for (const law of SinkSuite.laws.slice(0, 1)) {
    await Effect.runPromise(Effect.scoped(SinkSuite.check(law, { destination })))
  }
}
{
  console.log(SinkSuite.laws.filter(({ of }) => of === "scd2").map(({ sentence }) => sentence))
}
{
  SinkSuite.suite("duckdb", {
    destination: () => duckdb.with({ path: "test.duckdb" }),
    closing: () => duckdb.with({ path: "test.duckdb", removed: "close" })
  })
}
{
  const reader = Effect.sync(() => rows([{ id: 1 }], { table: "numbers" }))
  for (const law of SourceSuite.laws.slice(0, 1)) {
    await Effect.runPromise(SourceSuite.check(law, { reader, continues: false }))
  }
}
{
  console.log(SourceSuite.laws.map(({ sentence }) => sentence))
}
{
  const reader = Effect.sync(() => rows([{ id: 1 }, { id: 2 }], { table: "numbers" }))
  SourceSuite.suite("rows", { reader, continues: false })
}
{
  const store = await Effect.runPromise(file.open("/tmp/lake"))
  const { calls, store: faulty } = faults.failing(store, 1, "before")
  await Effect.runPromise(Effect.ignore(faulty.put("a", new Uint8Array())))
  console.log(calls()) // 1
}
