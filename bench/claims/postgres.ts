/**
 * Rows into Postgres: nested pages of 4 KB by the sink, beside `psql \copy` of the same pages as CSV, which is what everybody
 * can do by hand. CPU seconds are those of the client and of the whole server.
 */
import { spawnSync } from "node:child_process"
import { join, resolve } from "node:path"
import { ownServer } from "../../test/services/ownServer.ts"
import type { Claim, Contestant, Prepared } from "../Claim.ts"
import * as Launcher from "../Launcher.ts"

const script = join(resolve(import.meta.dirname, "../.."), "bench/contestants/rows/postgres.ts")
const rows = 100_000

const prepare = async (): Promise<Prepared> => {
  const given = process.env["MILLRACE_TEST_POSTGRES_URL"]
  const own = given === undefined ? await ownServer("postgres.sh", "POSTGRES") : undefined
  const url = given ?? own?.url
  if (url === undefined) throw new Error("no Postgres could be started")
  return { values: { url }, stop: own?.stop ?? (async () => undefined) }
}

const contestant = (name: string, work: string, how: string): Contestant => ({
  name,
  how,
  words: ({ url = "" }, folder) => [process.execPath, ...Launcher.flags(), script, work, String(rows), folder, url],
  env: Launcher.env()
})

export const claim: Claim = {
  name: "postgres",
  title: "rows into Postgres, compared with psql",
  works: [
    {
      name: "to Postgres",
      units: "rows",
      count: rows,
      rounds: 5,
      shown: "rows/CPU s",
      missing: () =>
        process.env["MILLRACE_TEST_POSTGRES_URL"] !== undefined ||
        spawnSync("sh", ["-c", "command -v psql && ls /usr/lib/postgresql/*/bin/initdb"]).status === 0
          ? undefined
          : "no Postgres is here (apt-get install postgresql)",
      prepare,
      contestants: [
        contestant(
          "millrace",
          "append",
          "rows in batches of 500 to the writer of the sink, and its commit, with ledger and checkpoint; its figure includes making the rows"
        ),
        contestant("millrace, by key", "merge", "the same, merged by key into an empty table, with its unique index"),
        contestant(
          "psql",
          "psql",
          "`\\copy pages FROM 'pages.csv' (FORMAT csv)` into a table of the same types; the file exists before the measurement begins"
        )
      ],
      targets: [
        {
          says: "at least half of the rows of `psql \\copy` in each CPU second of client and server",
          of: "rows/CPU s",
          against: { contestant: "psql" },
          ratio: { atLeast: 0.5 }
        }
      ]
    }
  ]
}
