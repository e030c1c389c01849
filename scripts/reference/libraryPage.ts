/**
 * The page of the public surface: every name that an entry of the package exports, with what it is. It is read from the
 * sources, so that a change of the surface is a change of a file in review.
 */
import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { page, table } from "./markdown.ts"

const root = resolve(import.meta.dirname, "../..")

const entries = {
  millrace: "src/index.ts",
  "millrace/api": "src/api/index.ts",
  "millrace/client": "src/client/index.ts",
  "millrace/service": "src/service/index.ts",
  "millrace/testing": "src/testing/index.ts",
  ...Object.fromEntries(
    ["duckdb", "file", "gov", "memory", "parquet", "postgres", "s3", "webdata"].map((name) => [
      `millrace/connectors/${name}`,
      `connectors/${name}/index.ts`
    ])
  )
}

interface Exported {
  readonly name: string
  /** "function", "type" ...; a namespace has its own names in `members`. */
  readonly kind: string
  readonly members?: ReadonlyArray<Exported>
}

/** What a module exports, in the order of names. */
const exportsOf = (file: string): ReadonlyArray<Exported> => {
  const text = readFileSync(file, "utf8")
  const to = (path: string) => join(dirname(file), path)
  const found: Array<Exported> = []
  for (const [, isType, name = "", path = ""] of text.matchAll(/^export (type )?\* as (\w+) from "([^"]+)"/gm)) {
    found.push({ name, kind: isType === undefined ? "namespace" : "types", members: exportsOf(to(path)) })
  }
  for (const [, path = ""] of text.matchAll(/^export \* from "([^"]+)"/gm)) found.push(...exportsOf(to(path)))
  for (const [, isType, names = "", path = ""] of text.matchAll(/^export (type )?\{([^}]*)\} from "([^"]+)"/gm)) {
    const there = exportsOf(to(path))
    for (const one of names.split(",").flatMap((name) => name.trim() || [])) {
      const [, from = "", as] = /^(?:type )?(\w+)(?: as (\w+))?$/.exec(one) ?? []
      const kind = there.find(({ name }) => name === from)?.kind ?? (isType === undefined ? "value" : "type")
      found.push({ name: as ?? from, kind })
    }
  }
  for (const [, kind = "", name = ""] of text.matchAll(
    /^export (?:async |declare )*(const|class|interface|type|function\*?) (\w+)/gm
  )) {
    found.push({ name, kind: kinds[kind] ?? kindOfConst(text, name) })
  }
  const distinct = new Map<string, Exported>()
  for (const one of found) {
    const other = distinct.get(one.name)
    distinct.set(
      one.name,
      other === undefined || other.kind === one.kind ? one : { ...one, kind: `${other.kind}, ${one.kind}` }
    )
  }
  return [...distinct.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const kinds: Readonly<Record<string, string>> = {
  class: "class",
  function: "function",
  interface: "type",
  type: "type"
}

const kindOfConst = (text: string, name: string): string =>
  new RegExp(`^export const ${name}\\b[^\\n]*(?:=>|= (?:async )?(?:<|\\(|Effect\\.fn))`, "m").test(text)
    ? "function"
    : "value"

export const libraryPage = (): string => {
  const sections = Object.entries(entries).map(([entry, file]) => {
    const all = exportsOf(join(root, file))
    const plain = all.filter(({ members }) => members === undefined)
    const rows = [
      ...(plain.length === 0 ? [] : [["", shown(plain)]]),
      ...all.flatMap(({ members, name }) => (members === undefined ? [] : [[`\`${name}\``, shown(members)]]))
    ]
    return `## ${entry}\n\nFrom \`${file}\`.\n\n${table(["namespace", "names"], rows)}`
  })
  const origin = "What each entry of the package exports. [Library](../library.md) says how to use it."
  return page("Library: every name", origin, sections)
}

const shown = (all: ReadonlyArray<Exported>): string => all.map(({ kind, name }) => `\`${name}\` (${kind})`).join(", ")
