/**
 * The imports of the built modules, made to name files of the package.
 *
 * `#page/Dom` becomes the path of that module, so that the package needs no map of names. What another package gives is put into
 * `dist/vendor` as one file, and imported from there: so who installs Millrace gets two packages beside it, and not the hundred and
 * fifty that these bring, half of them for systems that Millrace has nothing to do with. Effect stays a package, because a user's
 * program shares it, and so do native packages and those that a user may add.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { parseSync, Visitor } from "rolldown/utils"

export interface Vendored {
  /** The file of a package by what an import names: `pg-copy-streams` is `pg-copy-streams.js`. */
  readonly files: ReadonlyMap<string, string>
  /** The modules that are in the files, as paths. */
  readonly modules: ReadonlyArray<string>
}

/** Lets the modules and declarations below `folders` import `#name` by its path in `dist`, which `own` gives. */
export const ownPaths = (
  dist: string,
  folders: ReadonlyArray<string>,
  own: (name: string) => string | undefined
): void => {
  for (const path of filesOf(dist, folders, /\.(?:js|d\.ts)$/)) {
    rewrite(path, importsOf(path), (name) => {
      const file = name.startsWith("#") ? own(name) : undefined
      return file === undefined ? undefined : join(dist, file)
    })
  }
}

/**
 * Writes `dist/vendor`, and lets the modules below `folders` import it.
 *
 * @param stays - Whether an import is of a package that is installed beside Millrace.
 */
export const vendorPackages = async (
  dist: string,
  folders: ReadonlyArray<string>,
  stays: (name: string) => boolean
): Promise<Vendored> => {
  const vendor = join(dist, "vendor")
  const isVendored = (name: string) => !/^(?:[./#]|node:)/.test(name) && !stays(name)
  const importers = filesOf(dist, folders, /\.js$/)
    .map((path) => ({ path, imports: importsOf(path).filter(({ name }) => isVendored(name)) }))
    .filter(({ imports }) => imports.length > 0)
  const names = [...new Set(importers.flatMap(({ imports }) => imports.map(({ name }) => name)))].sort()
  const files = new Map(names.map((name) => [name, `${fileName(name)}.js`]))
  const modules = await bundle(vendor, names, stays)
  for (const { imports, path } of importers) rewrite(path, imports, (name) => join(vendor, files.get(name) ?? name))
  return { files, modules }
}

const fileName = (name: string): string => name.replace(/\.js$/, "").replace(/^@/, "").replaceAll("/", "-")

const filesOf = (dist: string, folders: ReadonlyArray<string>, ending: RegExp): ReadonlyArray<string> =>
  folders.flatMap((folder) =>
    readdirSync(join(dist, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => ending.test(name))
      .map((name) => join(dist, folder, name))
  )

interface Import {
  readonly name: string
  /** Where its literal stands, with the quotes. */
  readonly start: number
  readonly end: number
}

interface Literal {
  readonly type: string
  readonly value?: unknown
  readonly start: number
  readonly end: number
}

/** The imports of a module or a declaration, in the order of their places. */
const importsOf = (path: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const add = (source: Literal | null) => {
    if (source?.type === "Literal" && typeof source.value === "string") {
      found.push({ name: source.value, start: source.start, end: source.end })
    }
  }
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source)
  }).visit(parseSync(path, readFileSync(path, "utf8")).program)
  return found.toSorted((one, other) => one.start - other.start)
}

/** Lets a module import the files that `to` gives for the names. */
const rewrite = (path: string, imports: ReadonlyArray<Import>, to: (name: string) => string | undefined): void => {
  const code = readFileSync(path, "utf8")
  const written = imports.reduceRight((text, { end, name, start }) => {
    const file = to(name)
    if (file === undefined) return text
    const place = relative(dirname(path), file)
    return `${text.slice(0, start)}${JSON.stringify(place.startsWith(".") ? place : `./${place}`)}${text.slice(end)}`
  }, code)
  if (written !== code) writeFileSync(path, written)
}

/** Every name that Node gives of a package, so that what a package of CommonJS exports can be imported as before. */
const entryOf = async (name: string): Promise<string> => {
  const exported: unknown = await import(name)
  const names = typeof exported === "object" && exported !== null ? Object.keys(exported) : []
  const members = names.filter((member) => /^[\w$]+$/.test(member))
  return `export { ${members.join(", ")} } from ${JSON.stringify(name)}\n`
}

const bundle = async (folder: string, names: ReadonlyArray<string>, stays: (name: string) => boolean) => {
  const entries = new Map<string, string>()
  // As modules of the checkout: they find its packages, and get of CommonJS what Node would give.
  for (const name of names) entries.set(join(import.meta.dirname, `${fileName(name)}.vendor.mjs`), await entryOf(name))
  const built = await rolldown({
    input: Object.fromEntries([...entries.keys()].map((id, index) => [fileName(names[index] ?? ""), id])),
    platform: "node",
    external: (name) => name.startsWith("node:") || stays(name),
    plugins: [
      {
        name: "entries",
        resolveId: (id: string) => (entries.has(id) ? id : null),
        load: (id: string) => entries.get(id) ?? null
      }
    ],
    logLevel: "warn"
  })
  const { output } = await built.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[hash].js",
    // Their licences have a file of their own.
    comments: false
  })
  await built.close()
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])).filter((id) => !entries.has(id))
}
