/**
 * A folder in which pipelines have run three times, and a fourth run of one was killed: a lake of each disposition with Delta logs
 * and Iceberg tables, a DuckDB file, their journals. What its tables hold after the next run is known.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { duckdb } from "#connectors/duckdb/index"
import { parquet } from "#connectors/parquet/index"
import { rows, run } from "../../../src/index.ts"
import { icebergIn } from "../../connectors/parquet/iceberg/icebergIn.ts"
import { manifestOf } from "../../connectors/parquet/lake.ts"
import { query, queryLake } from "../millrace.ts"
import { startSchedule, startService } from "./programs.ts"

export const names = ["merged", "kept", "added", "listed", "base"] as const
export type Name = (typeof names)[number]

const rowsOf = (turn: number) => Array.from({ length: 24 }, (_, at) => ({ id: at + turn, v: `${turn}-${at}` }))

export const sinkOf = (name: Name) =>
  name === "base"
    ? duckdb.with({ path: "./base.duckdb", write: "merge" })
    : parquet.with({
        path: `./${name}`,
        write: name === "merged" ? "merge" : name === "kept" ? "scd2" : "append",
        iceberg: name !== "listed",
        // So many files that manifests share lists of them.
        ...(name === "listed" ? { partition: ["v"] } : {})
      })

/** One run of a pipeline. `before`: what happens while its source is read. */
export const turn = (folder: string, name: Name, number: number, before?: () => void) => {
  const read = async function* () {
    await Promise.resolve()
    for (const [at, row] of rowsOf(number).entries()) {
      if (at === 10) before?.()
      yield row
    }
  }
  return run({
    name,
    directory: folder,
    source: rows(read(), { table: "things", key: "id", columns: { id: "BIGINT NOT NULL", v: "VARCHAR" } }),
    sinks: { to: sinkOf(name) }
  })
}

/** Makes the folder; `stages` gets a copy of it after each turn. Each pipeline has another killed run in its journal. */
export const make = async (folder: string, stages: string): Promise<ReadonlyArray<string>> => {
  mkdirSync(folder, { recursive: true })
  for (let number = 1; number <= 3; number++) {
    for (const name of names) await turn(folder, name, number)
    await startSchedule(folder, number)
    await startService(folder)
    cpSync(folder, join(stages, String(number)), { recursive: true })
  }
  const killed = join(stages, "killed")
  cpSync(folder, killed, { recursive: true })
  for (const name of names) {
    const journal = join(".millrace/pipelines", name, "runs")
    await turn(folder, name, 4, () => cpSync(join(folder, journal), join(killed, journal), { recursive: true }))
  }
  return [1, 2, 3].map((number) => join(stages, String(number)))
}

/** The rows after turns, as the disposition has them: `id v`, and for a history whether they are current. */
export const expectedAfter = (name: Name, turns: ReadonlyArray<number>): ReadonlyArray<string> => {
  const all = turns.flatMap((number) => rowsOf(number))
  const last = new Map(all.map(({ id, v }) => [id, v]))
  const shown =
    name === "added" || name === "listed"
      ? all.map(({ id, v }) => `${id} ${v}`)
      : name === "kept"
        ? all.map(({ id, v }) => `${id} ${v} ${last.get(id) === v}`)
        : [...last].map(([id, v]) => `${id} ${v}`)
  return shown.sort()
}

/** The rows as another program finds them by the manifest, or in the DuckDB file. */
export const rowsIn = async (folder: string, name: Name): Promise<ReadonlyArray<string>> => {
  const text = name === "kept" ? "concat_ws(' ', id, v, is_current)" : "concat_ws(' ', id, v)"
  const found =
    name === "base"
      ? await query(join(folder, "base.duckdb"), `SELECT ${text} AS shown FROM things`)
      : await queryLake(join(folder, name), "things", `SELECT ${text} AS shown FROM lake`)
  return found.map(({ shown }) => String(shown)).sort()
}

/** How readers of Delta and of Iceberg, which know no manifest, would see other files than it has; undefined: they do not. */
export const unlike = async (folder: string, name: Name): Promise<string | undefined> => {
  if (name === "base") return undefined
  const lake = join(folder, name)
  const newest = Option.getOrThrow(await Effect.runPromise(manifestOf(lake)))
  const files = (newest.tables["things"]?.files ?? []).map(({ path }) => path).sort()
  const delta = await filesInDelta(lake, "things")
  if (JSON.stringify(delta) !== JSON.stringify(files))
    return `the Delta log has ${delta.length} files, not ${files.length}`
  const iceberg = name === "listed" ? { files } : await Effect.runPromise(icebergIn(lake, "things"))
  if (JSON.stringify(iceberg.files) !== JSON.stringify(files)) return "the Iceberg table has other files"
  return readFileSync(join(lake, "read.sql"), "utf8").includes(`-- Version ${newest.version}, `)
    ? undefined
    : "read.sql shows another version"
}

/** The files of the newest version of a Delta log, by its rules: the last checkpoint, and each version after it. */
const filesInDelta = async (lake: string, table: string): Promise<ReadonlyArray<string>> => {
  const log = join(lake, table, "_delta_log")
  const checkpoints = readdirSync(log).filter((name) => name.endsWith(".checkpoint.parquet"))
  const last = checkpoints.sort().at(-1)
  const active = new Set<string>()
  if (last !== undefined) {
    const added = `SELECT "add".path AS path FROM read_parquet('${join(log, last)}') WHERE "add" IS NOT NULL`
    for (const { path } of await query(":memory:", added)) active.add(String(path))
  }
  const nameOf = (version: number) => `${String(version).padStart(20, "0")}.json`
  for (
    let version = last === undefined ? 0 : Number.parseInt(last, 10) + 1;
    existsSync(join(log, nameOf(version)));
    version++
  ) {
    for (const line of readFileSync(join(log, nameOf(version)), "utf8")
      .trim()
      .split("\n")) {
      const { add, remove } = JSON.parse(line)
      if (add) active.add(add.path)
      if (remove) active.delete(remove.path)
    }
  }
  return [...active].map((path) => `${table}/${decodeURIComponent(path)}`).sort()
}
