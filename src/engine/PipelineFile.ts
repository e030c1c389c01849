/**
 * A pipeline file, decoded, with its source and sinks ready to run.
 *
 * One file is one pipeline. Nothing in it is ignored, so an unknown key is an error. All problems of a file are reported
 * together, each with its line and column.
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { CrawlerName } from "#base/CrawlerName"
import { didYouMean } from "#base/didYouMean"
import type * as Check from "./Check.ts"
import * as CommitEvery from "./CommitEvery.ts"
import type * as Connector from "./Connector.ts"
import * as FileModules from "./FileModules.ts"
import * as FileReading from "./FileReading.ts"
import * as Schedule from "./FileSchedule.ts"
import * as FileConnectors from "./file/FileConnectors.ts"
import * as Interpolation from "./Interpolation.ts"
import { pathInWords } from "./keys/explainIssue.ts"
import { keyInOtherWords } from "./keys/otherWords.ts"
import type * as Notify from "./Notify.ts"
import * as Pipeline from "./Pipeline.ts"
import type { PipelineFileError } from "./PipelineFileError.ts"
import { journalOf, PipelineKeys, pipelineName, tableOf, unsupported } from "./PipelineKeys.ts"
import * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"
import * as Step from "./Step.ts"
import type * as Table from "./Table.ts"
import * as YamlTree from "./YamlTree.ts"

/** A decoded pipeline file: its source and sinks are ready to run, and every key has its value. */
export interface PipelineFile<out R> {
  /** The value of `name:`, otherwise the name of the file without `.yaml` or `.yml`. */
  readonly name: string
  /** The path of the file, as the caller gave it. */
  readonly path: string
  /** The folder that relative paths in the file start from. */
  readonly directory: string
  /** The value of `source: type:`. */
  readonly sourceType: string
  /** The source, with its map steps. */
  readonly source: Source.Reader<R>
  /** The sinks, in the order of the file. */
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  /** The value of `table:`. */
  readonly table: Pipeline.TableOptions
  /** The value of `steps:`. Map steps are already applied to `source`. */
  readonly steps: ReadonlyArray<Step.Step>
  /** The value of `checks:`. */
  readonly checks: ReadonlyArray<Check.Check>
  /** The value of `journal:`. */
  readonly journal: Partial<Pipeline.JournalOptions>
  /** The value of `limits:`. */
  readonly limits: Limits
  /** How often a run commits while it reads; undefined: once, at its end. */
  readonly commitEvery: CommitEvery.CommitEvery | undefined
  /** The key of a run, unless its caller gives one (`once:`). */
  readonly once: string | undefined
  /** When the pipeline runs; undefined: the file has no `schedule:`. */
  readonly schedule: Schedule.Schedule | undefined
  /** Who gets notices about its scheduled runs. */
  readonly notify: ReadonlyArray<Notify.Notify>
  /** The web data service that it uses. */
  readonly service: Service
  /** How the web is reached. */
  readonly network: Network
  /** Who the embedded service says it is; undefined: Millrace. */
  readonly crawler: CrawlerName | undefined
  /** Makes the error for a problem at a place of the file that is found after decoding. */
  readonly problemAt: (path: ReadonlyArray<string | number>, message: string, more?: ProblemParts) => PipelineFileError
}

/** The limits of a file: credits, and requests in flight. */
export interface Limits {
  /** The maximum number of credits of a run; default: no limit. */
  readonly credits?: number
  /** The maximum number of requests in flight; default: that of the source. */
  readonly concurrency?: number
}

/** More about a problem: whether the key is wrong and not the value, and what to do. */
export type ProblemParts = { readonly at?: "key"; readonly hint?: string }

/** The web data service of a file: the embedded one in this process, or one at a URL. */
export type Service = "embedded" | { readonly url: string; readonly key?: Redacted.Redacted<string> }

/** How the web is reached (`network:`). */
export interface Network {
  /** Whether private and loopback addresses may be reached; default: false. */
  readonly allow_private: boolean
  /** Addresses to use for hosts instead of DNS, each as HOST=ADDR:PORT. */
  readonly resolve: ReadonlyArray<string>
  /** The URL of a proxy, or "none". Undefined: the proxy of the environment. */
  readonly proxy: Redacted.Redacted<string> | undefined
  /** How many times a page is requested in total; undefined: 3. */
  readonly tries: number | undefined
  /** The maximum number of requests at a time with one host; undefined: the default of the service. */
  readonly per_host: number | undefined
  /** The maximum number of requests at a time over all hosts; undefined: the default of the service. */
  readonly in_flight: number | undefined
  /** Whether a page may be shorter than its Content-Length. */
  readonly accept_wrong_length: boolean
}

/**
 * The options with which the text of a pipeline file is decoded: the connectors, the environment, the variables, and the
 * run of `${run.date}` and `${run.id}`.
 */
export interface LoadOptions<R> {
  /** The connectors, whose sources and sinks `type:` can name. */
  readonly connectors: ReadonlyArray<Connector.Connector<R>>
  /** Imports the modules that the file names; absent: a file that names modules is refused. */
  readonly importModule?: FileModules.ImportModule
  /** Reads the columns that a module exports. */
  readonly readColumns?: FileModules.ReadColumns
  /** The values of `${env.NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The secret of a name, or why there is none; default: MILLRACE_SECRET_NAME of `env`. */
  readonly secrets?: (name: string) => string | Interpolation.Wrong
  /** Variables that override the file's own `vars:`. */
  readonly vars?: Readonly<Record<string, string>>
  /** The moment of the run: `${run.date}` is its day in the time zone of the file's schedule, otherwise in UTC. */
  readonly runDate: Date
  /** The value of `${run.id}`. */
  readonly runId: string
  /** The values of `${interval.X}`; absent: there is no interval. */
  readonly interval?: Interpolation.IntervalValues | undefined
}

/**
 * Decodes the text of a file that was read from `path`. It fails with `PipelineFileError`, which has all problems of it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { PipelineFile } from "millrace"
 *
 * const loaded = PipelineFile.load("a.yaml", "", { connectors: [], env: {}, runDate: new Date(), runId: "1" })
 * console.log((await Effect.runPromise(Effect.flip(loaded))).issues[0]?.message) // "the file is empty"
 * ```
 */
export const load = Effect.fn("PipelineFile.load")(function* <R>(
  path: string,
  text: string,
  options: LoadOptions<R>
): Effect.fn.Return<PipelineFile<R>, PipelineFileError> {
  const tree = YamlTree.parse(text)
  const { root } = tree
  if (root._tag !== "Map") {
    const problems = tree.problems.length > 0 ? [...tree.problems] : [notAMapping(root)]
    return yield* FileReading.toError({ ...begin(path, text, tree, options), problems })
  }
  const reading = withVars(begin(path, text, tree, options), root)
  const own = yield* FileReading.read(reading, {
    path: [],
    node: ownKeys(reading, root),
    schema: PipelineKeys,
    decode: Schema.decodeUnknownEffect(PipelineKeys, { onExcessProperty: "error", errors: "all" })
  })
  const name = Option.match(own, { onNone: () => "unread", onSome: (keys) => keys.name ?? stemOf(path) })
  if (!pipelineName.test(name)) reading.problems.push(nameless(name))
  const importer = { ...options, directory: directoryOf(path) }
  const ofUser = yield* FileModules.connectors(reading, root.entries.get("connectors"), options.connectors, importer)
  const connectors = [...options.connectors, ...ofUser]
  const came = yield* FileConnectors.source(reading, root.entries.get("source"), connectors)
  const steps = Option.getOrUndefined(own)?.steps ?? []
  const source = yield* FileModules.mapped(reading, came, steps, importer)
  const main = Option.map(source, (reader) => reader.tables[0])
  const table = tableOf(Option.getOrUndefined(own)?.table)
  if (Option.isSome(main)) checkColumns(reading, table, main.value, Step.made(steps))
  const keyed = Option.map(Option.zipRight(own, main), ({ key }) => key.length > 0 || table.key !== undefined)
  const sinks = yield* FileConnectors.sinks(reading, root.entries.get("sinks"), connectors, keyed)
  if (Option.isSome(own) && Option.isSome(source)) checkCommits(reading, own.value, source.value.tables, table, sinks)
  checkCrawler(reading, Option.getOrUndefined(own))
  if (reading.problems.length > 0 || Option.isNone(own) || Option.isNone(source)) {
    return yield* FileReading.toError(reading)
  }
  return {
    ...settingsOf(own.value),
    name,
    path,
    directory: directoryOf(path),
    sourceType: source.value.type,
    source: source.value,
    sinks,
    table,
    steps,
    problemAt: (keyPath, message, more) => {
      const apart = { ...reading, problems: [] }
      FileReading.add(apart, { path: keyPath, at: "value", message, ...more })
      return FileReading.toError(apart)
    }
  }
})

/** A service at an address has a name of its own. */
const checkCrawler = (reading: FileReading.FileReading, keys: PipelineKeys | undefined): void => {
  if (keys?.crawler === undefined || keys.service === undefined || keys.service === "embedded") return
  const hint = "give the service its name where it is started: millrace serve --crawler-name NAME --crawler-contact URL"
  FileReading.add(reading, { path: ["crawler"], at: "key", message: "names the embedded service alone", hint })
}

/** What the keys of a file say that need no more reading. */
const settingsOf = (keys: PipelineKeys) => {
  const { checks, commit_every: every, crawler, journal, limits, network, notify, once, schedule, service } = keys
  return {
    checks: checks ?? [],
    journal: journalOf(journal),
    limits: limits ?? {},
    commitEvery: every === undefined ? undefined : CommitEvery.parse(every),
    once,
    schedule: Schedule.of(schedule),
    notify: notify ?? [],
    service: service ?? "embedded",
    crawler,
    network: {
      allow_private: network?.allow_private ?? false,
      resolve: network?.resolve ?? [],
      proxy: network?.proxy,
      tries: network?.tries,
      per_host: network?.per_host,
      in_flight: network?.in_flight,
      accept_wrong_length: network?.accept_wrong_length ?? false
    }
  }
}

const begin = <R>(
  path: string,
  text: string,
  tree: YamlTree.YamlTree,
  { connectors, env, interval, runDate, runId, secrets, vars }: LoadOptions<R>
): FileReading.FileReading => {
  const zone = YamlTree.nearest(tree.root, ["schedule", "timezone"])
  const date = dayOf(runDate, zone._tag === "Scalar" ? String(zone.value) : "UTC")
  return {
    file: path,
    text,
    tree,
    problems: [...tree.problems],
    schemes: connectors.flatMap(({ stores }) => stores.map(({ scheme }) => scheme)).sort(),
    values: {
      env,
      vars: new Map(Object.entries(vars ?? {})),
      secrets: secrets ?? Interpolation.secretOf(env),
      run: { date, id: runId },
      interval
    }
  }
}

/** Adds the file's own variables. A variable may use those above it. Variables of the caller override them. */
const withVars = (reading: FileReading.FileReading, root: YamlTree.YamlMap): FileReading.FileReading => {
  const vars = new Map(reading.values.vars)
  const withThem = { ...reading, values: { ...reading.values, vars } }
  const written = root.entries.get("vars")
  for (const [name, node] of written?._tag === "Map" ? written.entries : []) {
    if (node._tag !== "Scalar" || node.value === null) continue
    const { value } = FileReading.fillIn(withThem, node, ["vars", name], [])
    if (!vars.has(name)) vars.set(name, String(value))
  }
  return withThem
}

const notAMapping = (root: YamlTree.YamlNode): YamlTree.YamlProblem => {
  const empty = root._tag === "Scalar" && root.value === null
  const message = empty
    ? "the file is empty"
    : `the file must be a mapping of keys, not ${root._tag === "List" ? "a list" : "one value"}`
  return { offset: root.start, path: [], message, hint: "begin with `source:` and `sinks:`" }
}

const nameless = (name: string): YamlTree.YamlProblem => ({
  offset: 0,
  path: [],
  message: `the file's name, ${JSON.stringify(name)}, cannot be the name of a pipeline`,
  hint: "add `name:` with letters, digits, dots, dashes and underscores"
})

const dayOf = (date: Date, zone: string): string => {
  // Named time zones are slow to load.
  if (zone === "UTC") return date.toISOString().slice(0, 10)
  const named = Option.getOrElse(DateTime.zoneFromString(zone), () => DateTime.zoneMakeOffset(0))
  return DateTime.formatIsoDate(DateTime.makeZonedUnsafe(date, { timeZone: named }))
}

const directoryOf = (path: string): string => {
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
  return end < 0 ? "." : end === 0 ? "/" : path.slice(0, end)
}

const stemOf = (path: string): string => path.slice(path.search(/[^/\\]*$/)).replace(/\.ya?ml$/i, "")

/** Checks whether a pipeline with `commit_every` can commit before its end. The problem is added where it can be solved. */
const checkCommits = <R>(
  reading: FileReading.FileReading,
  { checks = [], commit_every: every, steps = [] }: PipelineKeys,
  tables: ReadonlyArray<Table.Table>,
  table: Pipeline.TableOptions,
  sinks: Readonly<Record<string, Sink.Destination<R>>>
): void => {
  const fault = every === undefined ? undefined : CommitEvery.faultOf({ checks, sinks, steps, table, tables })
  if (fault === undefined) return
  const { message, sink } = fault
  const write = sink === undefined ? [] : ["sinks", sink, "write"]
  const isSaid = sink !== undefined && YamlTree.nearest(reading.tree.root, write)._tag === "Scalar"
  FileReading.add(reading, { path: isSaid ? write : ["commit_every"], at: "value", message })
}

/**
 * The part of a pipeline file that `PipelineKeys` decodes. The contents of `source:`, `sinks:` and `vars:` are emptied,
 * because others decode them. Keys that are not supported are reported and left out.
 */
const ownKeys = (reading: FileReading.FileReading, root: YamlTree.YamlMap): YamlTree.YamlMap => {
  const supported = (node: YamlTree.YamlMap, path: ReadonlyArray<string>): YamlTree.YamlMap => ({
    ...node,
    entries: new Map(
      Array.from(node.entries).flatMap(([key, value]): ReadonlyArray<readonly [string, YamlTree.YamlNode]> => {
        const keyPath = [...path, key]
        if (unsupported.has(pathInWords(keyPath))) {
          const message = `\`${pathInWords(keyPath)}\` is not supported by this version yet`
          FileReading.add(reading, { path: keyPath, at: "key", message, hint: keyInOtherWords(key) ?? "remove it" })
          return []
        }
        if (path.length === 0 && (key === "source" || key === "sinks" || key === "vars")) return [[key, silent(value)]]
        return [[key, value._tag === "Map" && path.length === 0 ? supported(value, keyPath) : value]]
      })
    )
  })
  return supported(root, [])
}

/** The same node with empty texts, so that `${...}` in them is not filled in a second time. */
const silent = (node: YamlTree.YamlNode): YamlTree.YamlNode => {
  switch (node._tag) {
    case "Map":
      return { ...node, entries: new Map(Array.from(node.entries, ([key, value]) => [key, silent(value)])) }
    case "List":
      return { ...node, items: node.items.map(silent) }
    case "Scalar":
      return typeof node.value === "string" ? { ...node, value: "" } : node
  }
}

/** Adds a problem for each named column that neither the source nor a step nor the engine makes. */
const checkColumns = (
  reading: FileReading.FileReading,
  table: Pipeline.TableOptions,
  main: Table.Table,
  made: ReadonlyArray<string>
): void => {
  const known = [...main.columns.map((column) => column.name), ...made]
  const check = (path: ReadonlyArray<string | number>, name: string) => {
    if (known.includes(name) || ofEngine.includes(name)) return
    const meant = didYouMean(name, known)
    const hint = `${meant === undefined ? "" : `did you mean \`${meant}\`? `}columns: ${known.join(", ")}`
    FileReading.add(reading, { path, at: "value", message: `the source has no column \`${name}\``, hint })
  }
  for (const key of ["key", "fingerprint"] as const) {
    const isList = YamlTree.nearest(reading.tree.root, ["table", key])._tag === "List"
    table[key]?.forEach((name, index) => {
      check(isList ? ["table", key, index] : ["table", key], name)
    })
  }
  const { key = [] } = table
  if (key.length > 0 && key.every((name) => ofRun.has(name))) {
    const message = `\`${key.join("`, `")}\` is the same in all rows of a run, so only one row of each run would remain`
    const hint = "name a column of the source too; or keep all rows with `write: append` in the sinks"
    FileReading.add(reading, { path: ["table", "key"], at: "value", message, hint })
  }
  for (const name of Object.keys(table.columnDescriptions ?? {})) check(["table", "column_descriptions", name], name)
}

/** The columns that the engine adds to those of the source. */
const ofEngine: ReadonlyArray<string> = [Pipeline.runIdColumn.name, Sink.pipelineColumn.name]

/** Columns that are equal in all rows of one run. */
const ofRun: ReadonlySet<string> = new Set([...ofEngine, "_job_id"])
