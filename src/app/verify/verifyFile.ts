/** One file of our own data: a SQLite or DuckDB database, or a secret. */
import { readFileSync, renameSync, statSync } from "node:fs"
import { basename } from "node:path"
import { sqlite } from "#base/SqliteFile"
import * as SqliteRepair from "#base/SqliteRepair"
import type * as Sink from "#engine/Sink"
import { size } from "#see/summary"

/** What was found at one place: a sink, a journal, a file. */
export interface Seen {
  readonly place: string
  /** What was compared, in words. */
  readonly compared: string
  readonly findings: ReadonlyArray<Sink.Finding>
}

/** What is wrong with a file; undefined: it is none that millrace writes. */
export const verifyFile = (path: string, repair: boolean): Seen | undefined => {
  const name = basename(path)
  // It may have been moved away with the run that it is of.
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  if (bytes === undefined) return undefined
  if (name === "seal-key" || name === "webhook-secret") {
    const isEmpty = readFileSync(path, "utf8").trim() === ""
    const message = `${path} is empty: put it back from a backup; without it what was sealed or signed cannot be read`
    return { place: path, compared: "a secret", findings: isEmpty ? [{ path, message, outcome: "open" }] : [] }
  }
  if (!name.endsWith(".sqlite")) return undefined
  return {
    place: path,
    compared: size(bytes),
    findings: rowsKept.has(name) ? rowsOf(path, repair) : pagesOf(path, repair)
  }
}

/** The files of which what can be read is saved. */
const rowsKept = new Set(["schedule.sqlite", "service.sqlite"])

const rowsOf = (path: string, repair: boolean): ReadonlyArray<Sink.Finding> => {
  try {
    if (repair) {
      return SqliteRepair.repair(path, Number.POSITIVE_INFINITY).map((lost) => ({
        path,
        message: SqliteRepair.inWords(lost),
        outcome: lost.table === "" ? "healed" : "lost"
      }))
    }
    return SqliteRepair.inspect(path).map((fault) => ({
      path,
      message: `${path}: ${fault}; \`--repair\` saves all that can be read`,
      outcome: "damaged"
    }))
  } catch (cause) {
    const fault = cause instanceof Error ? cause.message : String(cause)
    if (cause instanceof SqliteRepair.Unreadable || !repair) return [findingOf(path, fault, repair)]
    return [{ path, message: fault, outcome: "open" }]
  }
}

const pagesOf = (path: string, repair: boolean): ReadonlyArray<Sink.Finding> => {
  const fault = damageOf(path)
  return fault === undefined ? [] : [findingOf(path, fault, repair)]
}

/** The files that millrace makes anew if they are not there. Any other one is somebody's own, and is only named. */
const ours = new Set(["gov.sqlite", "schedule.sqlite", "service.sqlite"])

const findingOf = (path: string, fault: string, repair: boolean): Sink.Finding => {
  if (!ours.has(basename(path)))
    return { path, message: `${path}: ${fault}; put it back from a backup`, outcome: "open" }
  if (!repair)
    return { path, message: `${path}: ${fault}; \`--repair\` moves it away, and all begins anew`, outcome: "lost" }
  const to = SqliteRepair.damagedName(path)
  for (const end of ["", "-wal", "-shm"]) {
    if (statSync(path + end, { throwIfNoEntry: false }) !== undefined) renameSync(path + end, to + end)
  }
  return { path, message: `${path}: ${fault}; it was moved to ${to}, and all begins anew`, outcome: "lost" }
}

/** What SQLite says of all pages and indexes. The database may be in use. */
const damageOf = (path: string): string | undefined => {
  try {
    const database = new (sqlite().DatabaseSync)(path, { readOnly: true, timeout: 5000 })
    try {
      const answer = database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"]
      return answer === "ok" ? undefined : String(answer).replaceAll(/\s+/g, " ")
    } finally {
      database.close()
    }
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}
