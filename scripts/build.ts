/**
 * Makes the installable package in `dist`: JavaScript and declarations of `src` and `connectors`, for who imports them; and the
 * command line as a few files of its own, with what it needs of other packages in them, since a thousand small modules take
 * half a second to find and read. A checkout needs no build; Node runs TypeScript there, but not below node_modules. The demo
 * site is in one file that only `millrace site` loads. The modules of the command line are there as they are too, for commands
 * that load modules of a user: those share their Effect (`src/app/ownModules.ts`).
 * With `--no-types` there are no declarations, and no type is checked: that is enough to start the command line.
 *
 * The bundle is of the same code. What is found beside a module (a thread's file, the package's folder) is found beside
 * the module as it is in `dist/src`; native packages, and large ones that few runs need, stay packages, unless they need
 * Effect: the values of one copy of it are strangers to another. The licences of what is in the bundle come with it,
 * and a list of it that scanners of packages read (`bom.cdx.json`); a package without a licence keeps the build from succeeding.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import Http from "node:http"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { ownPaths, vendorPackages } from "./builtImports.ts"
import { billOfMaterials, bundlePage, licencesOf } from "./pageBundle.ts"

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const root = at("")

rmSync(at("dist"), { recursive: true, force: true })
const untyped = process.argv.includes("--no-types") ? ["--noCheck", "--declaration", "false"] : []
const { status } = spawnSync(
  process.execPath,
  [at("node_modules/typescript/bin/tsc"), "-p", at("tsconfig.build.json"), ...untyped],
  { stdio: "inherit" }
)
if (status !== 0) process.exit(status ?? 1)

// The packages of the house by name, as package.json has them for the sources: `#page/*` is `src/page/*.js` in dist.
const { imports } = JSON.parse(readFileSync(at("package.json"), "utf8")) as { imports: Record<string, string> }
ownPaths(at("dist"), ["src", "connectors"], (name) => {
  const folder = `${name.split("/", 1)[0]}/`
  return imports[`${folder}*`]?.replace("*", name.slice(folder.length)).replace(/\.ts$/, ".js")
})

/** Packages that stay packages: a user's program shares Effect and the tests' runner, DuckDB is native, and others a user may add. */
const installed =
  /^(?:effect|millrace|@effect\/vitest|vitest|@duckdb\/(?:node-api|node-bindings|duckdb-wasm)|playwright-core)(?:$|[/-])/
const vendored = await vendorPackages(at("dist"), ["src", "connectors"], (name) => installed.test(name))

/** What the command line leaves outside: native packages, and large ones that few runs need. */
const native = /^(?:@duckdb\/node-bindings|playwright-core)/
const rarelyNeeded = /^(?:@aws-sdk\/|mammoth|pdfjs-dist|nodemailer|pg(?:\/|$)|pg-copy-streams|apache-arrow)/
const vendor: Plugin = {
  name: "vendor",
  resolveId: (name: string) => {
    const file = rarelyNeeded.test(name) ? vendored.files.get(name) : undefined
    return file === undefined ? null : { id: `../vendor/${file}`, external: true }
  }
}

const beside = {
  name: "beside",
  transform: (code: string, id: string) => {
    const own = relative(root, id)
    if (!/^(?:src|connectors)\//.test(own) || !code.includes("import.meta.url")) return null
    const emitted = JSON.stringify(`../${own.replace(/\.ts$/, ".js")}`)
    return code.replaceAll("import.meta.url", `new URL(${emitted}, import.meta.url).href`)
  }
}

/**
 * Node reads every member of a built-in module that is imported, and two of `node:http` load Node's own fetch with it: 15 ms of
 * each start. They are left out, and nothing here asks for them.
 */
const http = {
  name: "http",
  resolveId: (name: string, _from: string | undefined, { kind }: { readonly kind: string }) =>
    name === "node:http" && kind !== "require-call" ? "\0http" : null,
  load: (id: string) => {
    if (id !== "\0http") return null
    const members = Object.entries(Object.getOwnPropertyDescriptors(Http)).filter(([, member]) => !("get" in member))
    const names = members.map(([name]) => name).join(", ")
    return `const http = process.getBuiltinModule("node:http")\nexport default http\nexport const { ${names} } = http\n`
  }
}

/**
 * What is loaded together is one file, because to find and read a file costs as much as thirty kilobytes of code: what every
 * command starts with, what every command of a pipeline loads, the source of crawls, what every run loads, and what every crawl
 * loads. A group has what its modules import and no group before it has. All else is divided by who imports it. The module that
 * starts the command is in no group: an import of a file runs all modules in it.
 */
const together: Readonly<Record<string, ReadonlyArray<string>>> = {
  start: ["src/app/main.ts"],
  pipeline: ["src/see/loadPipeline.ts", "src/library/services.ts"],
  source: ["connectors/webdata/crawl.ts"],
  run: ["src/app/runs/runPipelines.ts"],
  crawl: ["src/service/EmbeddedCrawls.ts", "src/service/ServiceConfig.ts"]
}
/** The group of modules that are in no group. */
const apart = ""
/** What few runs need: it must be imported where it is needed, and in no group. */
const rare = /\/node_modules\/(?:undici|tldts)\/|\/effect\/dist\/http-api\/(?:HttpApi|HttpApiClient|OpenApi)\.js$/
const groupOf = new Map<string, string>()
const grouping: Plugin = {
  name: "grouping",
  buildEnd() {
    for (const [group, files] of [[apart, ["src/app/bundled.ts"]] as const, ...Object.entries(together)]) {
      const visit = (id: string): void => {
        if (groupOf.has(id)) return
        if (rare.test(id)) throw new Error(`${relative(root, id)} is rare, and what is loaded together imports it`)
        groupOf.set(id, id === at("src/app/main.ts") ? apart : group)
        this.getModuleInfo(id)?.importedIds.forEach(visit)
      }
      for (const file of files) {
        if (this.getModuleInfo(at(file)) === null) throw new Error(`${file} is not in the command line: name another`)
        visit(at(file))
      }
    }
  }
}

const bundle = await rolldown({
  input: { main: at("src/app/bundled.ts") },
  preserveEntrySignatures: false,
  platform: "node",
  external: (name) => (name.startsWith("node:") && name !== "node:http") || native.test(name),
  plugins: [vendor, http, beside, grouping],
  logLevel: "warn"
})
const { output } = await bundle.write({
  dir: at("dist/cli"),
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: Object.keys(together).map((name, place, { length }) => ({
      name,
      priority: length - place,
      test: (id: string) => groupOf.get(id) === name
    }))
  },
  // A quarter of the bytes: their licences have a file of their own.
  comments: false
})
await bundle.close()

const page = await bundlePage()
mkdirSync(at("dist/cli/explore"), { recursive: true })
for (const [name, text] of Object.entries(page.files)) writeFileSync(at(`dist/cli/explore/${name}`), text)

/** What every command loads: the main file, and what it imports before it knows which command it is. */
const always = new Set<string>()
const load = (fileName: string): void => {
  if (always.has(fileName)) return
  always.add(fileName)
  for (const chunk of output) if (chunk.type === "chunk" && chunk.fileName === fileName) chunk.imports.forEach(load)
}
load("main.js")
for (const chunk of output) {
  if (chunk.type === "chunk" && chunk.moduleIds.includes(at("src/app/main.ts"))) load(chunk.fileName)
}
for (const chunk of output) {
  const isOfSite = chunk.type === "chunk" && chunk.moduleIds.some((id) => relative(root, id).startsWith("src/site/"))
  if (isOfSite && always.has(chunk.fileName))
    throw new Error(`${chunk.fileName} has the demo site, and every command loads it`)
}

const modules = [...output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])), ...vendored.modules]
writeFileSync(at("dist/LICENCES.txt"), licencesOf(modules))
writeFileSync(at("dist/bom.cdx.json"), billOfMaterials(modules))
