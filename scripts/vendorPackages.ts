/**
 * Puts the packages that the built modules import into `dist/vendor`, each as one file, and lets the modules import these files.
 * So who installs Millrace gets two packages beside it, and not the hundred and fifty that these bring: half of them are for
 * systems that Millrace has nothing to do with. Effect stays a package, because a user's program shares it, and so do native
 * packages and those that a user may add.
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

/**
 * Writes `dist/vendor`, for the modules below `folders`.
 *
 * @param stays - Whether an import is of a package that is installed beside Millrace.
 */
export const vendorPackages = async (
  dist: string,
  folders: ReadonlyArray<string>,
  stays: (name: string) => boolean
): Promise<Vendored> => {
  const isVendored = (name: string) => !/^(?:[./#]|node:)/.test(name) && !stays(name)
  const importers = folders
    .flatMap((folder) => modulesOf(join(dist, folder)))
    .flatMap((path) => {
      const code = readFileSync(path, "utf8")
      const imports = importsOf(path, code).filter(({ name }) => isVendored(name))
      return imports.length === 0 ? [] : [{ path, code, imports }]
    })
  const names = [...new Set(importers.flatMap(({ imports }) => imports.map(({ name }) => name)))].sort()
  const files = new Map(names.map((name) => [name, `${fileName(name)}.js`]))
  const modules = await bundle(join(dist, "vendor"), names, stays)
  for (const { path, code, imports } of importers) {
    const place = relative(dirname(path), join(dist, "vendor"))
    writeFileSync(
      path,
      imports.reduceRight((text, { name, start, end }) => {
        const file = `${place}/${fileName(name)}.js`
        return `${text.slice(0, start)}${JSON.stringify(file.startsWith(".") ? file : `./${file}`)}${text.slice(end)}`
      }, code)
    )
  }
  return { files, modules }
}

const fileName = (name: string): string => name.replace(/\.js$/, "").replace(/^@/, "").replaceAll("/", "-")

const modulesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(folder, name))

interface Import {
  readonly name: string
  /** Where its literal stands, with the quotes. */
  readonly start: number
  readonly end: number
}

/** The imports of a module, in the order of their places. */
const importsOf = (path: string, code: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const add = (
    source: { readonly type: string; readonly value?: unknown; readonly start: number; readonly end: number } | null
  ) => {
    if (source?.type === "Literal" && typeof source.value === "string") {
      found.push({ name: source.value, start: source.start, end: source.end })
    }
  }
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source)
  }).visit(parseSync(path, code).program)
  return found.toSorted((one, other) => one.start - other.start)
}

/** Every name that Node gives of a package, so that what a package of CommonJS exports can be imported as before. */
const entryOf = async (name: string): Promise<string> => {
  const members = Object.keys(await import(name)).filter((member) => /^[\w$]+$/.test(member))
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
