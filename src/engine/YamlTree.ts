/**
 * Parses YAML text into a tree of maps, lists and scalars with their positions.
 *
 * A pipeline file must mean what a person reads in it. So the parts of YAML by which one place can change another (anchors,
 * aliases, merge keys, tags, directives, several documents, repeated keys) are errors.
 */
import * as Yaml from "yaml"

export type YamlNode = YamlMap | YamlList | YamlScalar

interface NodePosition {
  /** Offsets in the text: the beginning and the end of the value, and the beginning of its key, if it has one. */
  readonly start: number
  readonly end: number
  readonly key: number | undefined
}

export interface YamlMap extends NodePosition {
  readonly _tag: "Map"
  readonly entries: ReadonlyMap<string, YamlNode>
}

interface YamlList extends NodePosition {
  readonly _tag: "List"
  readonly items: ReadonlyArray<YamlNode>
}

export interface YamlScalar extends NodePosition {
  readonly _tag: "Scalar"
  readonly value: string | number | boolean | null
}

export interface YamlProblem {
  readonly offset: number
  readonly path: ReadonlyArray<string | number>
  readonly message: string
  readonly hint?: string
}

export interface YamlTree {
  readonly root: YamlNode
  readonly problems: ReadonlyArray<YamlProblem>
  /** The line and column of an offset, both from 1. */
  readonly position: (offset: number) => { readonly line: number; readonly column: number }
}

/**
 * The tree of a text. If a key is given twice, the first one is used. After any other problem, the root is null, because
 * further problems would be guesses.
 */
export const parse = (text: string): YamlTree => {
  const lines = new Yaml.LineCounter()
  const tree = { root: nothing, position: position(lines, text.startsWith(byteOrderMark) ? 1 : 0) }
  const wrong = unreadable(text)
  if (wrong !== undefined) return { ...tree, position: countLines(text), problems: [wrong] }
  const document = Yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const syntax = [...document.errors, ...document.warnings].map((error) => inOwnWords(error, text))
  const directive = document.directives?.yaml.explicit === true || text.startsWith("%")
  if (syntax.length > 0) return { ...tree, problems: syntax.slice(0, 1) }
  if (directive) return { ...tree, problems: [{ offset: 0, path: [], message: "YAML directives are not supported" }] }
  const faults: YamlFaults = { refused: [], repeated: [], position: tree.position }
  const root = document.contents === null ? nothing : convert(document.contents, undefined, [], faults)
  const problems = [...faults.refused, ...faults.repeated]
  return faults.refused.length === 0 ? { ...tree, root, problems } : { ...tree, problems }
}

/** The value of a node; `leaf` returns the values of its scalars. */
export const toValue = (
  node: YamlNode,
  path: ReadonlyArray<string | number>,
  leaf: (scalar: YamlScalar, path: ReadonlyArray<string | number>) => unknown
): unknown => {
  switch (node._tag) {
    case "Scalar":
      return leaf(node, path)
    case "List":
      return node.items.map((item, index) => toValue(item, [...path, index], leaf))
    case "Map":
      return Object.fromEntries(Array.from(node.entries, ([key, value]) => [key, toValue(value, [...path, key], leaf)]))
  }
}

/** The node at a path, or the nearest node above it. */
export const nearest = (root: YamlNode, path: ReadonlyArray<PropertyKey>): YamlNode => {
  let node = root
  for (const step of path) {
    const next =
      node._tag === "Map" ? node.entries.get(String(step)) : node._tag === "List" ? node.items[Number(step)] : undefined
    if (next === undefined) return node
    node = next
  }
  return node
}

const byteOrderMark = "\uFEFF"
const nothing: YamlScalar = { _tag: "Scalar", value: null, start: 0, end: 0, key: undefined }

/** The maximum number of characters of a pipeline file. */
const largest = 1_048_576

/** Data files that people give by mistake instead of the pipeline file, by their first characters. */
const data: ReadonlyArray<readonly [kind: string, begins: RegExp]> = [
  ["a DuckDB database", /^[^]{2,8}DUCK[^]\0/],
  ["a SQLite database", /^SQLite format 3\0/],
  ["a Parquet file", /^PAR1[^\P{Cc}\n]/u]
]

const unreadable = (text: string): YamlProblem | undefined => {
  const kind = data.find(([, begins]) => begins.test(text.slice(0, 64)))?.[0]
  if (kind !== undefined) {
    const message = `this is ${kind}, not a pipeline file`
    return { offset: 0, path: [], message, hint: "name the pipeline file (YAML) that loads it" }
  }
  if (text.length > largest) {
    return {
      offset: 0,
      path: [],
      message: `the file is longer than ${largest} characters, so it is not a pipeline file`
    }
  }
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  const offset = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd\ufffe\uffff]/)
  if (offset < 0) return undefined
  return {
    offset,
    path: [],
    message: "the file is not text in UTF-8",
    hint: "save it as UTF-8, without control characters"
  }
}

const position = (lines: Yaml.LineCounter, shift: number) => (offset: number) => {
  const { col, line } = lines.linePos(offset)
  return line === 0 ? { line: 1, column: 1 } : { line, column: Math.max(1, line === 1 ? col - shift : col) }
}

const countLines = (text: string) => (offset: number) => {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const inOwnWords = (error: Yaml.YAMLParseError | Yaml.YAMLWarning, text: string): YamlProblem => {
  const [offset] = error.pos
  const line = text.slice(text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1).split("\n", 1)[0] ?? ""
  const own = error.message.includes("and end with a")
    ? unclosed
    : error.message.includes("followed by map values")
      ? noKey
      : words[error.code]
  const hint = line.includes("${") ? 'quote a value that holds ${...}: "${env.NAME}"' : own?.hint
  const message = own?.message ?? `this is not YAML: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`
  return { offset, path: [], message, ...(hint === undefined ? {} : { hint }) }
}

const noKey = {
  message: "this is neither `key: value` nor an item of a list",
  hint: "write a space after the colon: `key: value`"
}

const unclosed = { message: "a `{` or `[` is not closed before this", hint: "close it with `}` or `]`" }

const words: Partial<Record<Yaml.ErrorCode, { readonly message: string; readonly hint: string }>> = {
  TAB_AS_INDENT: { message: "a tab cannot indent YAML", hint: "use spaces" },
  MULTIPLE_DOCS: {
    message: "the file holds several YAML documents",
    hint: "one file is one pipeline: move what follows `---` to a file of its own"
  },
  BLOCK_AS_IMPLICIT_KEY: { message: "a second `key:` on one line", hint: "quote the value if its colon is text" },
  TAG_RESOLVE_FAILED: { message: "YAML tags are not supported", hint: "remove the `!`, or quote the value" },
  BAD_ALIAS: { message: "YAML aliases are not supported", hint: "quote the value if it begins with `*`" },
  RESOURCE_EXHAUSTION: { message: "the file is nested too deeply", hint: "a pipeline file is a few levels deep" }
}

/** Problems found during the conversion: parts of YAML that are refused, and repeated keys. */
interface YamlFaults {
  readonly refused: Array<YamlProblem>
  readonly repeated: Array<YamlProblem>
  readonly position: YamlTree["position"]
}

const convert = (
  node: unknown,
  key: number | undefined,
  path: ReadonlyArray<string | number>,
  faults: YamlFaults
): YamlNode => {
  if (!Yaml.isNode(node)) return { ...nothing, start: key ?? 0, end: key ?? 0, key }
  const [start, end] = node.range ?? [key ?? 0, key ?? 0]
  const refuse = (message: string, hint: string) => faults.refused.push({ offset: start, path, message, hint })
  if (Yaml.isAlias(node)) {
    refuse("YAML aliases are not supported", "repeat the value, or use `vars:`")
    return { ...nothing, start, end, key }
  }
  if (node.anchor !== undefined) refuse("YAML anchors are not supported", "use `vars:` for a value that is used twice")
  if (node.tag !== undefined) refuse("YAML tags are not supported", "remove the `!`, or quote the value")
  if (Yaml.isSeq(node)) {
    const items = node.items.map((item, index) => convert(item, undefined, [...path, index], faults))
    return { _tag: "List", items, start, end, key }
  }
  if (Yaml.isMap(node)) {
    const entries = new Map<string, YamlNode>()
    for (const pair of node.items) addEntry(pair, entries, { path, start }, faults)
    return { _tag: "Map", entries, start, end, key }
  }
  return { _tag: "Scalar", value: Yaml.isScalar(node) ? scalarOf(node.value) : null, start, end, key }
}

const addEntry = (
  pair: Yaml.Pair<unknown, unknown>,
  entries: Map<string, YamlNode>,
  map: { readonly path: ReadonlyArray<string | number>; readonly start: number },
  faults: YamlFaults
): void => {
  const { path, start } = map
  const offset = (Yaml.isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? start
  const refuse = (message: string, hint: string) => faults.refused.push({ offset, path, message, hint })
  if (!Yaml.isScalar(pair.key) || pair.key.value === null) {
    refuse("a key must be a plain name", "write `name: value`")
    return
  }
  const name = String(pair.key.value)
  if (name === "<<") {
    refuse("YAML merge keys are not supported", "repeat the keys, or use `vars:`")
    return
  }
  const before = entries.get(name)
  if (before === undefined) {
    entries.set(name, convert(pair.value, offset, [...path, name], faults))
    return
  }
  const { line } = faults.position(before.key ?? before.start)
  const keyPath = [...path, name]
  faults.repeated.push({
    offset,
    path: keyPath,
    message: `\`${name}\` is given twice`,
    hint: `the first is on line ${line}`
  })
}

const scalarOf = (value: unknown): YamlScalar["value"] =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null
