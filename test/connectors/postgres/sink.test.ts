import * as Layer from "effect/Layer"
import { describe } from "vitest"
import { postgres } from "#connectors/postgres/index"
import { timesOf } from "../../thoroughness.ts"
import { lawsInTurn } from "../lawsOnCommit.ts"
import { databaseUrl, placeOf } from "./database.ts"
import { readTable } from "./readTable.ts"

const url = await databaseUrl()

describe.skipIf(url === undefined)("on Postgres", () => {
  const of = (directory: string) => placeOf(url ?? "", directory)
  lawsInTurn("postgres", {
    destination: (directory) => postgres.with(of(directory)),
    closing: (directory) => postgres.with({ ...of(directory), removed: "close" }),
    read: (directory, table) => readTable(of(directory), table),
    layer: Layer.empty,
    secondWriter: "fails to open",
    interruptions: timesOf(2, 4, 24)
  })
})
