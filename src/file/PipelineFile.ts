/**
 * A pipeline file: what it says, decoded, with its source and sinks ready to run.
 *
 * One file is one pipeline. Nothing in it is ignored, so an unknown key is an error. All problems of a file are reported
 * together, each with its line and column.
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Check from "../pipeline/Check.ts"
import * as CommitEvery from "../pipeline/CommitEvery.ts"
import type * as Notify from "../pipeline/Notify.ts"
import type * as Pipeline from "../pipeline/Pipeline.ts"
import type * as Sink from "../pipeline/Sink.ts"
import type * as Source from "../pipeline/Source.ts"
import * as Step from "../pipeline/Step.ts"
import { checkColumns } from "./checkColumns.ts"
import { checkCommits } from "./checkCommits.ts"
import * as FileConnectors from "./FileConnectors.ts"
import * as FileModules from "./FileModules.ts"
import * as FileReading from "./FileReading.ts"
import * as Interpolation from "./Interpolation.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import { ownKeys } from "./ownKeys.ts"
import type { PipelineFileError } from "./PipelineFileError.ts"
import { journalOf, PipelineKeys, pipelineName, tableOf } from "./PipelineKeys.ts"
import * as Schedule from "./Schedule.ts"
import * as YamlTree from "./YamlTree.ts"

export type { LoadOptions } from "./LoadOptions.ts"

/** A pipeline file, decoded: its source and sinks are ready to run, and every key has its value. */
export interface PipelineFile<out R> {
  /** What the file calls itself, or its own name without the ending. */
  readonly name: string
  /** The file, as its reader named it. */
  readonly path: string
  /** Where relative paths in the file start. */
  readonly directory: string
  /** What `source: type:` says. */
  readonly sourceType: string
  /** Where rows come from, with its options. */
  readonly source: Source.Reader<R>
  /** In the order of the file. */
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  /** What `table:` says. */
  readonly table: Pipeline.TableOptions
  /** What `steps:` says, without map steps, which are in `source`. */
  readonly steps: ReadonlyArray<Step.Step>
  /** What `checks:` says. */
  readonly checks: ReadonlyArray<Check.Check>
  /** What `journal:` says. */
  readonly journal: Partial<Pipeline.JournalOptions>
  /** What `limits:` says. */
  readonly limits: Limits
  /** How often a run commits while it reads. */
  readonly commitEvery: CommitEvery.CommitEvery | undefined
  /** The key that a run has, where its caller gives none. */
  readonly once: string | undefined
  /** When it runs; undefined: the file has no `schedule:`. */
  readonly schedule: Schedule.Schedule | undefined
  /** Where the ends of its scheduled runs are reported. */
  readonly notify: ReadonlyArray<Notify.Notify>
  /** Which web data service it uses. */
  readonly service: Service
  /** How the web is reached. */
  readonly network: Network
  /** What is wrong at a place of the file, found out later than on reading it. */
  readonly problemAt: (path: ReadonlyArray<string | number>, message: string, more?: ProblemParts) => PipelineFileError
}

/** What `limits:` of a file says: credits, and requests in flight. */
export interface Limits {
  /** The maximum number of credits of a run; default: no limit. */
  readonly credits?: number
  /** Requests in flight; default: the source's. */
  readonly concurrency?: number
}

/** What more is known of a problem: that the key is wrong and not the value, and what to do. */
export type ProblemParts = { readonly at?: "key"; readonly hint?: string }

/** Which web data service a file uses: the one inside this process, or one at a URL. */
export type Service = "embedded" | { readonly url: string; readonly key?: Redacted.Redacted<string> }

/** How a file says that the web is reached; `resolve` has HOST=ADDR:PORT. */
export interface Network {
  /** Whether private and loopback addresses may be reached; default: false. */
  readonly allow_private: boolean
  /** Hosts that are served somewhere else, each as HOST=ADDR:PORT. */
  readonly resolve: ReadonlyArray<string>
  /** An address, or none. Undefined: what the environment says; below: the default. */
  readonly proxy: Redacted.Redacted<string> | undefined
  /** How many times a page is asked for in all; undefined: 3. */
  readonly tries: number | undefined
  /** The maximum number of requests at a time with one host; undefined: the default of the service. */
  readonly per_host: number | undefined
  /** The maximum number of requests at a time over all hosts; undefined: the default of the service. */
  readonly in_flight: number | undefined
}

/**
 * Decodes the text of a file that was read from `path`. It fails with `PipelineFileError`, which has every problem of it.
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
    const found = tree.problems.length > 0 ? [...tree.problems] : [notAMapping(root)]
    return yield* FileReading.toError({ ...begin(path, text, tree, options), found })
  }
  const reading = withVars(begin(path, text, tree, options), root)
  const own = yield* FileReading.read(reading, {
    path: [],
    node: ownKeys(reading, root),
    schema: PipelineKeys,
    decode: Schema.decodeUnknownEffect(PipelineKeys, { onExcessProperty: "error", errors: "all" })
  })
  const name = Option.match(own, { onNone: () => "unread", onSome: (keys) => keys.name ?? stemOf(path) })
  if (!pipelineName.test(name)) reading.found.push(nameless(name))
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
  if (reading.found.length > 0 || Option.isNone(own) || Option.isNone(source)) {
    return yield* FileReading.toError(reading)
  }
  const { checks, commit_every: every, journal, limits, network, notify, once, schedule, service } = own.value
  return {
    name,
    path,
    directory: directoryOf(path),
    sourceType: source.value.type,
    source: source.value,
    sinks,
    table,
    steps,
    checks: checks ?? [],
    journal: journalOf(journal),
    limits: limits ?? {},
    commitEvery: every === undefined ? undefined : CommitEvery.parse(every),
    once,
    schedule: Schedule.of(schedule),
    notify: notify ?? [],
    service: service ?? "embedded",
    network: {
      allow_private: network?.allow_private ?? false,
      resolve: network?.resolve ?? [],
      proxy: network?.proxy,
      tries: network?.tries,
      per_host: network?.per_host,
      in_flight: network?.in_flight
    },
    problemAt: (place, message, more) => {
      const apart = { ...reading, found: [] }
      FileReading.add(apart, { path: place, at: "value", message, ...more })
      return FileReading.toError(apart)
    }
  }
})

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
    found: [...tree.problems],
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

/** With the file's own variables. One may use those above it; those that the caller gave stay as given. */
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
  // Time zones by name are costly to load.
  if (zone === "UTC") return date.toISOString().slice(0, 10)
  const named = Option.getOrElse(DateTime.zoneFromString(zone), () => DateTime.zoneMakeOffset(0))
  return DateTime.formatIsoDate(DateTime.makeZonedUnsafe(date, { timeZone: named }))
}

const directoryOf = (path: string): string => {
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
  return end < 0 ? "." : end === 0 ? "/" : path.slice(0, end)
}

const stemOf = (path: string): string => path.slice(path.search(/[^/\\]*$/)).replace(/\.ya?ml$/i, "")
