import * as Effect from "effect/Effect"
import { describe } from "vitest"
import * as SinkSuite from "#testing/SinkSuite"
import { lawsOnCommit } from "../../connectors/lawsOnCommit.ts"
import { databaseUrl, placeOf } from "../../connectors/postgres/database.ts"
import { isEveryCase, timesOf } from "../../thoroughness.ts"
import { postgresByDialect } from "./postgresDialect.ts"

const url = await databaseUrl()

/** Laws whose statements are written otherwise for a server: one of each disposition. */
const some = SinkSuite.laws.filter(({ of }, at) => at % 9 === 0 || of === "scd2").slice(0, 16)

describe.skipIf(url === undefined)("the planner on Postgres", () => {
  const subject: SinkSuite.Subject<never> = {
    destination: (directory) => postgresByDialect.with(placeOf(url ?? "", directory)),
    // Postgres keeps no order of rows, so many of them are sorted.
    read: (directory, table) =>
      Effect.map(postgresByDialect.with(placeOf(url ?? "", directory)).rows(directory, table), (rows) =>
        rows.length > 1000 ? rows.toSorted((a, b) => Number(a["id"]) - Number(b["id"])) : rows
      ),
    closing: (directory) => postgresByDialect.with({ ...placeOf(url ?? "", directory), removed: "close" }),
    secondWriter: "fails to commit",
    interruptions: timesOf(2, 4, 24)
  }
  if (isEveryCase) SinkSuite.suite("Postgres by its dialect", subject)
  else lawsOnCommit("Postgres by its dialect", subject, some)
})
