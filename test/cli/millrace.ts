/** Runs the real command in a real process, in a fresh folder: the one that `npm test` installed, or this checkout's. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import { inject } from "vitest"
import { filesOf } from "../connectors/parquet/lake.ts"
import { type Answer, type ScriptedSite, scriptedSite } from "../service/scriptedSite.ts"

const command = inject("command") ?? resolve(import.meta.dirname, "../../bin/millrace")

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command under way, and how it ends. */
export const start = (
  folder: string,
  ...args: ReadonlyArray<string>
): { readonly process: ChildProcess; readonly ended: Promise<Ended> } => {
  const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk) => (stdout += chunk))
  child.stderr.on("data", (chunk) => (stderr += chunk))
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, stdout, stderr })))
  return { process: child, ended }
}

export const millrace = (folder: string, ...args: ReadonlyArray<string>): Promise<Ended> => start(folder, ...args).ended

/** A folder that is gone afterwards. */
export const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-cli-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A folder, and a site that `--resolve` finds as site.test. */
export const withSite = (
  routes: Readonly<Record<string, Answer>>,
  use: (at: { readonly folder: string; readonly site: ScriptedSite; readonly resolve: string }) => Promise<void>
): Promise<void> =>
  inFolder((folder) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(scriptedSite(routes), (site) =>
          Effect.promise(() => use({ folder, site, resolve: `site.test=127.0.0.1:${site.port}` }))
        )
      )
    )
  )

export const write = (folder: string, name: string, ...lines: ReadonlyArray<string>): string => {
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`)
  return name
}

/** What a query gives on a DuckDB file that nobody writes, or on ":memory:". */
export const query = async (file: string, sql: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const instance = await DuckDBInstance.create(file, file === ":memory:" ? {} : { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** What a query gives on a Parquet table of a folder, by its manifest alone; the query says FROM lake. */
export const queryLake = async (folder: string, table: string, sql: string) => {
  const files = await Effect.runPromise(filesOf(folder, table))
  const paths = files.map(({ path }) => `'${join(folder, path)}'`).join()
  const lake = `(FROM read_parquet([${paths}], union_by_name = true, hive_partitioning = false))`
  return query(":memory:", `WITH lake AS ${lake} ${sql}`)
}

/** Changes a DuckDB file, as its owner does between two runs. */
export const alter = async (file: string, sql: string): Promise<void> => {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  try {
    await connection.run(sql)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** How each run of a file ended, by `millrace runs`, the oldest first. */
export const statuses = async (folder: string, file: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await millrace(folder, "runs", file, "--json")
  const lines = stdout.trim().split("\n")
  return lines.map((line): string => JSON.parse(line).status).toReversed()
}
