/**
 * The modules that a pipeline file names: connectors of its user (`connectors:`), and functions of rows (`steps: - map:`).
 *
 * The caller says how modules are imported; without that, a file that names modules is refused. `${...}` in the path of a
 * module is refused, so that a variable never decides which code runs.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Column from "./Column.ts"
import * as Connector from "./Connector.ts"
import * as FileReading from "./FileReading.ts"
import { type Mapping, mappedSource, mappingFault } from "./mappedSource.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"
import type * as Step from "./Step.ts"
import * as YamlTree from "./YamlTree.ts"

/** A module that cannot be used, and what to do. */
export class ModuleFault extends Schema.TaggedError<ModuleFault>()("ModuleFault", {
  message: Schema.String,
  hint: Schema.optionalKey(Schema.String)
}) {}

/** Imports a module by its path, which is relative to the folder of the file. */
export type ImportModule = (
  path: string,
  directory: string
) => Effect.Effect<Readonly<Record<string, unknown>>, ModuleFault>

/** Reads the columns that a module exports. It throws an error if they are not columns. */
export type ReadColumns = (columns: unknown) => ReadonlyArray<Column.Column>

interface Importer {
  readonly importModule?: ImportModule | undefined
  readonly readColumns?: ReadColumns | undefined
  readonly directory: string
}

type Connectors<R> = ReadonlyArray<Connector.Connector<R>>

/** Loads the connectors of the user's modules. */
export const connectors = Effect.fnUntraced(function* <R>(
  reading: FileReading.FileReading,
  node: YamlTree.YamlNode | undefined,
  known: Connectors<R>,
  importer: Importer
): Effect.fn.Return<Connectors<R>> {
  if (node?._tag !== "List") return []
  const made: Array<Connector.Connector<R>> = []
  for (const [at, item] of node.items.entries()) {
    if (item._tag !== "Scalar" || typeof item.value !== "string") continue
    const path = ["connectors", at]
    const exported = yield* load(reading, path, item.value, importer)
    if (exported === undefined) continue
    const values = [...new Set(Object.values(exported))]
    const own: ReadonlyArray<Connector.Connector<R>> = [
      ...values.filter((value): value is Connector.Connector<R> => isConnector(value)),
      Connector.make<R>({
        name: item.value,
        sources: values.filter((value): value is Source.Source<never, R> => isSource(value)),
        sinks: values.filter((value): value is Sink.Sink<never, R> => isSink(value))
      })
    ]
    const all = [...known, ...made]
    for (const kind of ["sources", "sinks"] as const) {
      const typesOf = (some: Connectors<R>): ReadonlyArray<string> =>
        some.flatMap((connector) => connector[kind].map(({ type }) => type))
      const taken = typesOf(all)
      for (const type of typesOf(own).filter((type) => taken.includes(type))) {
        const message = `${item.value}: there is a ${kind.slice(0, -1)} of type \`${type}\` already`
        FileReading.add(reading, { path, at: "value", message, hint: "give yours another type" })
      }
    }
    if (own.every(({ sinks, sources, stores }) => sinks.length + sources.length + stores.length === 0)) {
      const message = `${item.value} exports no source, no sink and no connector`
      FileReading.add(reading, { path, at: "value", message, hint: "export what Source.simple or Sink.simple returns" })
    }
    made.push(...own)
  }
  return made
})

/** Applies the map steps of the file to the source. They must come before all other steps. */
export const mapped = Effect.fnUntraced(function* <R>(
  reading: FileReading.FileReading,
  source: Option.Option<Source.Reader<R>>,
  steps: ReadonlyArray<Step.Step>,
  importer: Importer
): Effect.fn.Return<Option.Option<Source.Reader<R>>> {
  let now = source
  for (const [at, { map, table }] of steps.entries()) {
    if (map === undefined) continue
    const path = ["steps", at, "map"]
    if (steps.slice(0, at).some((step) => step.map === undefined)) {
      const message = "`map` must come before the other steps"
      FileReading.add(reading, { path, at: "key", message, hint: "the other steps are SQL, and use its rows" })
      continue
    }
    const written = YamlTree.nearest(reading.tree.root, path)
    const literal = written._tag === "Scalar" && typeof written.value === "string" ? written.value : map
    const exported = yield* load(reading, path, literal, importer)
    if (exported === undefined || Option.isNone(now)) continue
    const mapping = mappingOf(exported, map, table, importer.readColumns)
    const fault = typeof mapping === "string" ? mapping : mappingFault(now.value, mapping)
    if (fault !== undefined) FileReading.add(reading, { path, at: "value", message: `${map}: ${fault}` })
    else if (typeof mapping !== "string") now = Option.some(mappedSource(now.value, mapping))
  }
  return now
})

const load = Effect.fnUntraced(function* (
  reading: FileReading.FileReading,
  path: ReadonlyArray<string | number>,
  written: string,
  { directory, importModule }: Importer
) {
  const fault = (message: string, hint?: string) => {
    FileReading.add(reading, { path, at: "value", message, ...(hint === undefined ? {} : { hint }) })
    return Effect.succeed(undefined)
  }
  if (written.includes("${")) {
    return yield* fault("the path of a module cannot contain ${...}", "write the path itself")
  }
  if (importModule === undefined) return yield* fault("modules are not loaded here")
  return yield* importModule(written, directory).pipe(Effect.catch(({ hint, message }) => fault(message, hint)))
})

/** The mapping that the module of a map step exports, or why there is none. */
const mappingOf = (
  exported: Readonly<Record<string, unknown>>,
  name: string,
  table: string | undefined,
  readColumns: ReadColumns | undefined
): Mapping | string => {
  const { columns, default: map, key } = exported
  if (typeof map !== "function") return "it has no default export that is a function of a row"
  if (columns === undefined) {
    return 'it does not export `columns`: export const columns = { name: "VARCHAR", age: "BIGINT" }'
  }
  if (key !== undefined && !isNames(key)) return "its `key` must be a list of column names"
  try {
    const made = readColumns?.(columns) ?? []
    return { name, table, columns: made, key, map: (row) => Reflect.apply(map, undefined, [row]) as unknown }
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const isNames = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((name) => typeof name === "string")

const has = (value: unknown, test: Readonly<Record<string, (member: unknown) => boolean>>): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(test).every(([name, is]) => is(Reflect.get(value, name)))

const isText = (value: unknown): boolean => typeof value === "string"
const isFunction = (value: unknown): boolean => typeof value === "function"
const kind = { type: isText, description: isText, schema: Schema.isSchema, with: isFunction, decode: isFunction }

const isConnector = (value: unknown): boolean =>
  has(value, { name: isText, sources: Array.isArray, sinks: Array.isArray, stores: Array.isArray })
const isSink = (value: unknown): boolean => has(value, { ...kind, writes: Array.isArray })
const isSource = (value: unknown): boolean => has(value, kind) && !isSink(value)
