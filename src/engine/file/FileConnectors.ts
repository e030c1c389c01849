/**
 * The parts of a pipeline file that connectors decode: `source:`, and each entry of `sinks:`.
 *
 * `type` names the kind of source or sink; all keys beside it are the options of that kind.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Connector, Lazy } from "../Connector.ts"
import * as FileReading from "../FileReading.ts"
import { missingKey, pathInWords, wrongValue } from "../keys/explainIssue.ts"
import * as Shape from "../keys/Shape.ts"
import { loadKind } from "../loadConnectors.ts"
import type * as Sink from "../Sink.ts"
import type * as Source from "../Source.ts"
import * as YamlTree from "../YamlTree.ts"

type Connectors<R> = ReadonlyArray<Connector<R>>

/** The decoded source. None: it is missing, which `PipelineKeys` reports, or its problems were added. */
export const source = Effect.fnUntraced(function* <R>(
  reading: FileReading.FileReading,
  node: YamlTree.YamlNode | undefined,
  connectors: Connectors<R>
): Effect.fn.Return<Option.Option<Source.Reader<R>>> {
  if (node === undefined) return Option.none()
  const kinds = connectors.flatMap((connector) => connector.sources)
  const typed = typeOf(reading, ["source"], node, kinds)
  if (typed === undefined) return Option.none()
  const { options } = typed
  const kind = yield* loaded(reading, ["source"], typed.kind)
  if (kind === undefined) return Option.none()
  return yield* FileReading.read(reading, {
    path: ["source"],
    node: options,
    schema: kind.schema,
    decode: (value) => kind.decode(value)
  })
})

/** The decoded sinks, in the order of the file. `keyed`: whether the main table has a key; none: not known. */
export const sinks = Effect.fnUntraced(function* <R>(
  reading: FileReading.FileReading,
  node: YamlTree.YamlNode | undefined,
  connectors: Connectors<R>,
  keyed: Option.Option<boolean>
): Effect.fn.Return<Readonly<Record<string, Sink.Destination<R>>>> {
  if (node?._tag !== "Map") return {}
  const kinds = connectors.flatMap((connector) => connector.sinks)
  const decoded: Record<string, Sink.Destination<R>> = {}
  if (node.entries.size === 0) {
    FileReading.add(reading, {
      path: ["sinks"],
      at: "key",
      message: "`sinks` names no sink",
      hint: typesInWords(kinds)
    })
  }
  for (const [name, sink] of node.entries) {
    const path = ["sinks", name]
    if (!sinkName.test(name)) FileReading.add(reading, misnamed(path, name))
    const typed = typeOf(reading, path, sink, kinds)
    if (typed === undefined) continue
    const { options } = typed
    const kind = yield* loaded(reading, path, typed.kind)
    if (kind === undefined) continue
    const fits = checkWrite(reading, path, options, kind, keyed)
    const destination = yield* FileReading.read(reading, {
      path,
      node: fits ? options : without(options, "write"),
      schema: kind.schema,
      decode: (value) => kind.decode(value)
    })
    if (Option.isSome(destination)) decoded[name] = destination.value
  }
  return decoded
})

/** Names for metrics, logs and the command line. They begin with a letter, so that JavaScript objects keep their order. */
const sinkName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const misnamed = (path: ReadonlyArray<string>, name: string) => ({
  path,
  at: "key" as const,
  message: `${JSON.stringify(name)} cannot be the name of a sink`,
  hint: "use a letter, then letters, digits, dashes and underscores"
})

interface Typed<Kind> {
  readonly kind: Kind
  readonly options: YamlTree.YamlMap
}

const typeOf = <Kind extends { readonly type: string }>(
  reading: FileReading.FileReading,
  path: ReadonlyArray<string>,
  node: YamlTree.YamlNode,
  kinds: ReadonlyArray<Kind>
): Typed<Kind> | undefined => {
  if (node._tag !== "Map") {
    const value = YamlTree.toValue(node, path, (scalar) => scalar.value)
    FileReading.add(reading, { ...wrongValue(path, "a mapping with `type`", value, []), hint: typesInWords(kinds) })
    return undefined
  }
  const keyPath = [...path, "type"]
  const written = node.entries.get("type")
  if (written === undefined) {
    FileReading.add(reading, missingKey(keyPath, typesInWords(kinds)))
    return undefined
  }
  const filled =
    written._tag === "Scalar" ? FileReading.fillIn(reading, written, keyPath, []) : { value: undefined, failed: false }
  if (filled.failed) return undefined
  const kind = kinds.find((one) => one.type === filled.value)
  if (kind === undefined) {
    // If a module of the file has a problem, it may be the module that offers this type.
    if (reading.problems.some(({ path: of }) => of?.[0] === "connectors")) return undefined
    const types = kinds.map((one) => one.type)
    const value = filled.value ?? YamlTree.toValue(written, keyPath, (scalar) => scalar.value)
    const problem = wrongValue(keyPath, "a type that a connector offers", value, types)
    FileReading.add(reading, { ...problem, hint: [problem.hint, typesInWords(kinds)].filter(Boolean).join(" ") })
    return undefined
  }
  return { kind, options: without(node, "type") }
}

/** The loaded kind; undefined: its module cannot be loaded, and a problem was added. */
const loaded = <Kind extends { readonly type: string }>(
  reading: FileReading.FileReading,
  path: ReadonlyArray<string>,
  kind: Kind | Lazy<Kind>
): Effect.Effect<Kind | undefined> =>
  Effect.catch(loadKind(kind), ({ cause }) =>
    Effect.sync(() => {
      const why = cause instanceof Error ? cause.message : String(cause)
      const message = `the connector of ${JSON.stringify(kind.type)} cannot be loaded: ${why}`
      FileReading.add(reading, { path: [...path, "type"], at: "value", message })
      return undefined
    })
  )

const typesInWords = (kinds: ReadonlyArray<{ readonly type: string }>): string =>
  kinds.length === 0 ? "no connector is loaded" : `types: ${kinds.map((one) => one.type).join(", ")}`

/** Whether the sink supports `write`; if not, a problem was added. */
const checkWrite = (
  reading: FileReading.FileReading,
  path: ReadonlyArray<string>,
  options: YamlTree.YamlMap,
  kind: { readonly type: string; readonly writes: ReadonlyArray<string> },
  keyed: Option.Option<boolean>
): boolean => {
  const written = options.entries.get("write")
  if (written?._tag !== "Scalar" || typeof written.value !== "string" || written.value.includes("${")) return true
  const keyPath = [...path, "write"]
  if (!kind.writes.includes(written.value)) {
    const expected = `${Shape.either(kind.writes.map((one) => JSON.stringify(one)))} for a ${kind.type} sink`
    FileReading.add(reading, wrongValue(keyPath, expected, written.value, kind.writes))
    return false
  }
  if (written.value === "merge" && Option.contains(keyed, false)) {
    const message = `\`${pathInWords(keyPath)}\` is merge, but the table has no key to merge by`
    FileReading.add(reading, { path: keyPath, at: "value", message, hint: "add `table: { key: ... }`" })
  }
  return true
}

const without = (node: YamlTree.YamlMap, key: string): YamlTree.YamlMap => ({
  ...node,
  entries: new Map([...node.entries].filter(([name]) => name !== key))
})
