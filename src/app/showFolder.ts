/**
 * The work behind `millrace` without a command: says what is in this folder (its pipelines, how their last runs ended, and
 * databases and lakes), and which commands a person could type next.
 *
 * The folders directly below are looked through too, because pipelines and what they write often stand in folders of their own.
 *
 * Guarantee: no module of a user is imported. Whoever only looks at a folder does not run the code that is in it.
 */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { quoted } from "#engine/ScheduleExport"
import { engine } from "#library/services"
import { loadPipeline } from "#see/loadPipeline"
import { type PastRun, runsOf, statusOf } from "#see/pastRuns"
import { pipelineFilesOf } from "#see/pipelineFiles"
import { printable, printableLine, textTable } from "#see/printable"
import { count, size, when } from "#see/summary"
import { namesOwnModules } from "./ownModules.ts"

/** A pipeline file, and what is known of its last run. */
interface Found {
  readonly path: string
  readonly sinks: ReadonlyArray<string>
  readonly last: PastRun | undefined
  /** Why the file or its runs cannot be read; undefined: they can. */
  readonly fault: string | undefined
  /** Whether it names modules of its user, and was not loaded for that reason. */
  readonly hasModules: boolean
}

const mostPipelines = 20
const mostStores = 10

/** A destination that does not answer must not keep a person waiting. */
const patience = "5 seconds"

export const showFolder = Effect.gen(function* () {
  const folders = [".", ...(yield* foldersBelow)]
  const paths = (yield* Effect.forEach(folders, (folder) =>
    Effect.orElseSucceed(pipelineFilesOf(folder), (): ReadonlyArray<string> => [])
  )).flat()
  const pipelines = yield* Effect.forEach(paths.slice(0, mostPipelines), lookAt, { concurrency: 4 })
  const stores = yield* Effect.promise(() => storesIn(folders))
  const now = yield* Clock.currentTimeMillis
  const text = [
    ...(pipelines.length === 0
      ? ["there is no pipeline in this folder yet"]
      : [`${count(paths.length)} ${paths.length === 1 ? "pipeline" : "pipelines"} in this folder`, ""]),
    ...(pipelines.length === 0 ? [] : [indented(pipelines.map((one) => rowOf(one, now)))]),
    ...(paths.length > mostPipelines ? [`  and ${count(paths.length - mostPipelines)} more`] : []),
    ...(stores.length === 0
      ? []
      : ["", "databases and lakes", "", indented(stores.slice(0, mostStores).map(({ name, what }) => [name, what]))]),
    ...(stores.length > mostStores ? [`  and ${count(stores.length - mostStores)} more`] : []),
    "",
    pipelines.length === 0 ? "begin with" : "next",
    "",
    indented(pipelines.length === 0 ? beginning : nextOf(pipelines))
  ]
  process.stdout.write(printable(`${text.join("\n")}\n`))
}).pipe(Effect.provide(engine))

const foldersBelow = Effect.promise(async () => {
  const entries = await readdir(".", { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => name)
    .sort()
    .slice(0, 100)
})

const lookAt = Effect.fnUntraced(function* (path: string) {
  const unknown: Found = { path, sinks: [], last: undefined, fault: undefined, hasModules: false }
  if (namesOwnModules(["runs", path], {}, process.cwd())) return { ...unknown, hasModules: true }
  const loaded = yield* Effect.result(loadPipeline(path, {}))
  if (Result.isFailure(loaded)) return { ...unknown, fault: loaded.failure.message }
  const { pipeline } = loaded.success
  const sinks = Object.keys(pipeline.sinks)
  const found = yield* Effect.result(
    runsOf({ path, pipeline }).pipe(
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => Effect.succeed({ runs: [], unread: [`${path}: its destinations do not answer`] })
      })
    )
  )
  if (Result.isFailure(found)) return { ...unknown, sinks, fault: found.failure.message }
  const { runs, unread } = found.success
  const last = runs.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0]
  return { path, sinks, last, fault: unread[0], hasModules: false }
})

const rowOf = ({ fault, hasModules, last, path, sinks }: Found, now: number): ReadonlyArray<string> => {
  const [reason = ""] = (fault ?? "").split("\n")
  if (hasModules) return [path, "not loaded", "", `it has modules of its own: millrace runs ${quoted(path)}`]
  if (last === undefined) {
    return [
      path,
      fault === undefined ? "not run yet" : "not known",
      "",
      fault === undefined ? `for ${sinks.join(", ")}` : short(reason)
    ]
  }
  const at = last.endedAt ?? last.startedAt
  const [main] = Object.entries(last.rows)
  const rows = main === undefined ? "no rows" : `${main[0]} ${count(main[1])}`
  const also = last.message ?? reason
  return [
    path,
    statusOf(last),
    `${ago(now - Number(at / 1000n))} (${when(at).slice(0, 16)} UTC)`,
    `${rows}${last.sinks.length === 0 ? "" : ` in ${last.sinks.join(", ")}`}${also === "" ? "" : `; ${short(also)}`}`
  ]
}

const longest = 100
const short = (text: string): string => {
  const line = printableLine(text)
  return line.length <= longest ? line : `${line.slice(0, longest - 1).toWellFormed()}…`
}

const units: ReadonlyArray<readonly [unit: string, millis: number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
]

const ago = (millis: number): string => {
  for (const [unit, length] of units) {
    const n = Math.floor(millis / length)
    if (n > 0) return `${count(n)} ${unit}${n === 1 ? "" : "s"} ago`
  }
  return "just now"
}

interface Store {
  readonly name: string
  readonly what: string
}

/** DuckDB files, and folders that have the manifests of a lake. */
const storesIn = async (folders: ReadonlyArray<string>): Promise<ReadonlyArray<Store>> => {
  const each = await Promise.all(
    folders.map(async (folder): Promise<ReadonlyArray<Store>> => {
      const names = await readdir(folder).catch((): ReadonlyArray<string> => [])
      const found = await Promise.all(
        names.filter((name) => !name.startsWith(".")).map((name) => storeAt(join(folder, name)))
      )
      return found.flat()
    })
  )
  return each.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const storeAt = async (path: string): Promise<ReadonlyArray<Store>> => {
  const is = await stat(path).catch(() => undefined)
  if (is?.isFile() === true && path.endsWith(".duckdb")) return [{ name: path, what: `DuckDB, ${size(is.size)}` }]
  if (is?.isDirectory() !== true) return []
  const manifests = await stat(join(path, "_manifest")).catch(() => undefined)
  return manifests?.isDirectory() === true ? [{ name: path, what: "a lake of Parquet files" }] : []
}

type Advice = readonly [command: string, does: string]

const all: Advice = ["millrace --help", "all commands"]

const beginning: ReadonlyArray<Advice> = [
  ["millrace init my.yaml --url https://your.site", "writes a pipeline for a website"],
  ["millrace preview my.yaml", "shows the first rows, writes nothing"],
  ["millrace run my.yaml", "loads it"],
  ["millrace site", "serves a demo site to try a crawler on"],
  all
]

/** The newest run is what a person has in mind; a run that waits for somebody, or a file that was never run, comes first. */
const nextOf = (pipelines: ReadonlyArray<Found>): ReadonlyArray<Advice> => {
  const heldRun = pipelines.find(({ last }) => last?.status === "held")
  const broken = pipelines.find(({ fault, last }) => fault !== undefined && last === undefined)
  const fresh = pipelines.find(
    ({ fault, hasModules, last }) => fault === undefined && last === undefined && !hasModules
  )
  const [newest] = pipelines
    .filter(({ last }) => last !== undefined)
    .toSorted((a, b) => ((a.last?.startedAt ?? 0n) < (b.last?.startedAt ?? 0n) ? 1 : -1))
  return [
    ...(heldRun?.last === undefined
      ? []
      : [
          [
            `millrace commit ${heldRun.last.runId} ${quoted(heldRun.path)}`,
            "loads the run that a check holds"
          ] as const,
          [`millrace drop ${heldRun.last.runId} ${quoted(heldRun.path)}`, "or gives it up"] as const
        ]),
    ...(broken === undefined
      ? []
      : [[`millrace check ${quoted(broken.path)}`, "says what is wrong with the file"] as const]),
    ...(fresh === undefined
      ? []
      : [
          [`millrace preview ${quoted(fresh.path)}`, "shows the first rows, writes nothing"] as const,
          [`millrace run ${quoted(fresh.path)}`, "loads it"] as const
        ]),
    ...(newest === undefined
      ? []
      : [
          ...(newest === heldRun ? [] : [[`millrace run ${quoted(newest.path)}`, "loads it again"] as const]),
          [`millrace report ${quoted(newest.path)}`, "is it good, what changed, what is missing"] as const,
          ...(newest.last?.sinks.length === 0
            ? []
            : [[`millrace explore ${quoted(newest.path)}`, "its tables in the browser"] as const])
        ]),
    all
  ]
}

const indented = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  textTable(rows)
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")
