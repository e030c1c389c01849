/**
 * The scripts of the page of `millrace explore`, and of a folder that it exports: what they share, and what only one view needs,
 * such as the editor and the charts, are files of their own. `npm run build` writes them; a checkout makes them when its page is
 * first opened.
 *
 * Guarantee: the licences of all packages that are in them are among the files.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

export interface PageBundle {
  /** Each file by its name. */
  readonly files: Readonly<Record<string, string>>
}

export const bundlePage = async (): Promise<PageBundle> => {
  const at = (name: string) => fileURLToPath(new URL(`../src/see/explore/page/${name}.ts`, import.meta.url))
  const bundle = await rolldown({
    input: { main: at("main"), folder: at("folder") },
    platform: "browser",
    logLevel: "warn"
  })
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    minify: true,
    comments: false
  })
  await bundle.close()
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [file] : []))
  const files = Object.fromEntries(chunks.map(({ code, fileName }) => [fileName, code]))
  return { files: { ...files, "LICENCES.txt": licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)) } }
}

/** The licences of the packages that modules are of. One without a licence is an error. */
export const licencesOf = (modules: ReadonlyArray<string>): string =>
  packagesOf(modules)
    .map(licenceOf)
    .join(`\n${"-".repeat(80)}\n\n`)

/**
 * The packages that modules are of, with their versions, as scanners of packages read it: what is in a bundle is in no folder that they
 * know.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 */
export const billOfMaterials = (modules: ReadonlyArray<string>): string => {
  const components = packagesOf(modules).map((folder) => {
    const { name, version } = manifestOf(folder)
    return { type: "library", name, version, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` }
  })
  return `${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components }, null, 1)}\n`
}

const packagesOf = (modules: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(modules.flatMap((id) => packageOf(id) ?? []))].sort()

/** The folder of the package that a module is of, where it is another's. */
const packageOf = (id: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

const licenceOf = (folder: string): string => {
  const { license, name, version } = manifestOf(folder)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined && license === undefined) throw new Error(`${name} is in the bundle, and has no licence`)
  const text = file === undefined ? `${license}, as its package.json says` : readFileSync(join(folder, file), "utf8")
  return `${name} ${version}\n\n${text.trim()}\n`
}
