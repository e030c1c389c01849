import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { connector as duckdb } from "#connectors/duckdb/index"
import { connector as file } from "#connectors/file/index"
import { connector as gov } from "#connectors/gov/index"
import { connectors } from "#connectors/index"
import { connector as memory } from "#connectors/memory/index"
import { connector as parquet } from "#connectors/parquet/index"
import { connector as postgres } from "#connectors/postgres/index"
import { connector as s3 } from "#connectors/s3/index"
import { connector as sqlite } from "#connectors/sqlite/index"
import { connector as webdata } from "#connectors/webdata/index"
import { loadConnectors } from "#engine/loadConnectors"

it("the connectors of the command line are those of the library, each kind under its own type", async () => {
  const named = connectors.map(({ sinks, sources }) => [...sources, ...sinks].map(({ type }) => type))
  const loaded = await Effect.runPromise(loadConnectors(connectors))

  expect(loaded).toEqual(
    [webdata, gov, duckdb, parquet, postgres, sqlite, file, s3, memory].map((connector) => ({
      ...connector,
      stores: connector.stores.map(({ scheme }) => ({ scheme, open: expect.any(Function) }))
    }))
  )
  expect(loaded.map(({ sinks, sources }) => [...sources, ...sinks].map(({ type }) => type))).toEqual(named)
})

it("the list of connectors imports no connector before a file names it", () => {
  const text = readFileSync(resolve(import.meta.dirname, "../../connectors/index.ts"), "utf8")

  expect(text.match(/^import .* from "\.\//gm)).toBeNull()
})
