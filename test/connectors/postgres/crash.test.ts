import { fileURLToPath } from "node:url"
import * as Layer from "effect/Layer"
import { describe } from "vitest"
import { postgres } from "#connectors/postgres/index"
import * as CrashSuite from "#testing/CrashSuite"
import { timesOf } from "../../thoroughness.ts"
import { databaseUrl, placeOf } from "./database.ts"
import { readTable } from "./readTable.ts"

const url = await databaseUrl()
// The script that is killed is told of the database by its environment.
if (url !== undefined) process.env["MILLRACE_TEST_CRASH_URL"] = url

describe.skipIf(url === undefined)("on Postgres", () => {
  const of = (directory: string) => placeOf(url ?? "", directory)
  CrashSuite.suite("postgres", {
    script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
    destination: (directory) => postgres.with(of(directory)),
    read: (directory, table) => readTable(of(directory), table),
    layer: Layer.empty,
    kills: timesOf(1, 3, 20)
  })
})
