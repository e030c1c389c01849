import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import { duckdb } from "#connectors/duckdb/index"
import { file } from "#connectors/file/index"
import { Database, memory } from "#connectors/memory/index"
import { parquet } from "#connectors/parquet/index"
import { postgres } from "#connectors/postgres/index"
import { rows, run, sql } from "../../../src/index.ts"
import { ownServer } from "../../services/ownServer.ts"

const server = process.env["PG"] ? await ownServer("postgres.sh", "POSTGRES") : undefined
const mk = (kind: string, f: string, write: any): any =>
  kind === "memory"
    ? memory.with({ name: f, write })
    : kind === "duckdb"
      ? duckdb.with({ path: join(f, "t.duckdb"), write })
      : kind === "lake"
        ? parquet.with({ path: join(f, "lake"), write })
        : kind === "postgres"
          ? postgres.with({
              url: Redacted.make(server!.url),
              schema: "s" + f.slice(-6).toLowerCase().replaceAll("-", "x"),
              write
            })
          : file.with({ path: join(f, "o"), format: kind as any, write })
export const probe = async (
  writes: string[],
  runs: any[][],
  opts: any = {},
  table: any = {},
  key: any = "id",
  kinds = ["memory", "duckdb", "lake", "jsonl", "csv", "parquet", "arrow", ...(server ? ["postgres"] : [])]
) => {
  for (const kind of kinds)
    for (const write of writes) {
      if (["jsonl", "csv", "parquet", "arrow"].includes(kind) && (write === "merge" || write === "scd2")) continue
      const f = mkdtempSync("/dev/shm/millrace-probe-")
      const out = mk(kind, f, write)
      const said = []
      for (const [i, r] of runs.entries()) {
        try {
          const rep = await run(
            {
              name: "p",
              directory: f,
              source: rows(r, { table: "things", key, ...(Array.isArray(opts) ? opts[i] : opts) }),
              sinks: { out },
              table
            },
            { journal: "temporary" }
          )
          said.push(rep.status)
        } catch (e: any) {
          said.push(e.message)
        }
      }
      try {
        console.log(
          kind,
          write,
          said,
          kind === "memory"
            ? Database.rows(f, "things").map(({ _run_id, ...r }) => r)
            : await sql(out, `SELECT * FROM things ORDER BY id`).then((r) => r.map(({ _run_id, ...o }) => o)),
          kind === "memory"
            ? ""
            : JSON.stringify((await sql(out, "SELECT path, reason from things__rejects")).map((r) => r.reason))
        )
      } catch (e: any) {
        console.log(kind, write, said, e.message)
      }
    }
}
export const stop = async () => {
  await server?.stop()
  process.exit(0)
}
