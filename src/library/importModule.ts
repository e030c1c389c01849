/**
 * Modules of a user that a pipeline file names: connectors and map steps, imported into this process.
 *
 * Guarantee: such a module has the `millrace` and the `effect` of this process. A second copy of Effect, as a package manager
 * may have installed beside the file, makes values that are strangers to the first. Packages that do not ask for Millrace
 * keep what they have.
 */
import { readFileSync, statSync } from "node:fs"
import * as Module from "node:module"
import { isAbsolute, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import { type ImportModule, ModuleFault } from "#engine/FileModules"
import { isBundled } from "./bundled.ts"

export const importModule: ImportModule = Effect.fnUntraced(function* (path, directory) {
  if (!/^(?:\.{0,2}\/|\.{1,2}$)/.test(path) && !isAbsolute(path)) {
    return yield* new ModuleFault({ message: `${path} is not the path of a file`, hint: `write ./${path}` })
  }
  const file = resolve(directory, path)
  const info = statSync(file, { throwIfNoEntry: false })
  if (info?.isDirectory() === true) {
    return yield* new ModuleFault({ message: `${path} is a folder`, hint: "name a module in it, such as ./mine.ts" })
  }
  if (info === undefined) {
    return yield* new ModuleFault({
      message: `${path} cannot be read: there is no such file`,
      hint: `it is looked for at ${file}`
    })
  }
  if (isBundled()) {
    return yield* new ModuleFault({
      message: `${path} cannot be loaded: this process was started without modules of your own`,
      hint: "name the pipeline file itself in the command, or set MILLRACE_MODULES=own"
    })
  }
  shareOwn()
  return yield* Effect.tryPromise({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the namespace of a module is an object of names and values
    try: () => import(pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>,
    catch: (cause) => new ModuleFault({ message: `${path} cannot be loaded: ${reasonOf(cause, file)}` })
  })
})

const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."))

/** Our modules by what users import. Those of this file have the same ending: .ts in a checkout, .js in a package. */
const ownModule = (specifier: string): string | undefined => {
  const [, entry = "", connector] =
    /^millrace(?:\/(api|client|service|testing|connectors\/([a-z0-9]+)))?$/.exec(specifier) ?? []
  if (specifier !== "millrace" && entry === "") return undefined
  const path = connector === undefined ? entries.get(entry) : `../../connectors/${connector}/index`
  return path === undefined ? undefined : new URL(`${path}${extension}`, import.meta.url).href
}

const entries = new Map([
  ["", "../index"],
  ["api", "../contract/index"],
  ["client", "../contract/client"],
  ["service", "../service/index"],
  ["testing", "../testing/entry"]
])

let isShared = false

const shareOwn = (): void => {
  if (isShared) return
  isShared = true
  const ownFolder = new URL("../..", import.meta.url).href
  Module.registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = "" } = context
      const own = ownModule(specifier)
      // None of our modules imports another by the name of the package: a file of the checkout that does is an example.
      if (own !== undefined) return { url: own, shortCircuit: true }
      return /^effect(?:\/|$)/.test(specifier) && !parentURL.startsWith(ownFolder) && sharesOurs(parentURL)
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context)
    },
    load: (url, context, next) => {
      const isOthers = url.startsWith(ownFolder) || url.includes("/node_modules/")
      return next(
        url,
        isOthers || !isMistaken(url, context.format) ? context : { ...context, format: esm(context.format) }
      )
    }
  })
}

/**
 * Whether a module of the user is written as an ES module in a folder whose package.json says "type": "commonjs". `npm init`
 * writes that for everybody, and few mean it.
 */
const isMistaken = (url: string, format: string | null | undefined): boolean =>
  /\.[jt]s$/.test(url) &&
  (format === "commonjs" || format === "commonjs-typescript") &&
  declaration.test(readFileSync(fileURLToPath(url), "utf8"))

const esm = (format: string | null | undefined) => (format === "commonjs" ? "module" : "module-typescript")

/** The line of an import or an export of an ES module. */
const declaration = /^(?:import\s*(?:["'{*]|[\w$]+\s*(?:,|from\b|\{))|export(?:\s*[{*]|\s+\w))/m

/** Whether a module gets our Effect: one of the user's own, and one of a package that asks for Millrace. */
const sharesOurs = (parentURL: string): boolean => {
  if (!parentURL.includes("/node_modules/")) return true
  const manifest = Module.findPackageJSON(parentURL)
  if (manifest === undefined) return false
  const known = asking.get(manifest)
  if (known !== undefined) return known
  const says = asksForUs(manifest)
  asking.set(manifest, says)
  return says
}

const asking = new Map<string, boolean>()

const asksForUs = (manifest: string): boolean => {
  try {
    const json: unknown = JSON.parse(readFileSync(manifest, "utf8"))
    const needs = (key: string): boolean => {
      const named: unknown = typeof json === "object" && json !== null ? Reflect.get(json, key) : undefined
      return typeof named === "object" && named !== null && Object.hasOwn(named, "millrace")
    }
    return needs("dependencies") || needs("peerDependencies")
  } catch {
    return false
  }
}

/** What went wrong, with the line of the module if the JavaScript engine reports it. */
const reasonOf = (cause: unknown, file: string): string => {
  if (!(cause instanceof Error)) return String(cause)
  const message = cause.message.replaceAll(pathToFileURL(file).href, file)
  const [, line] = new RegExp(`^${escaped(pathToFileURL(file).href)}:(\\d+)`).exec(cause.stack ?? "") ?? []
  const [, own] = new RegExp(`${escaped(pathToFileURL(file).href)}:(\\d+:\\d+)`).exec(cause.stack ?? "") ?? []
  const at = line ?? own
  const reason = message.replace(/ imported from .*$/, "")
  return at === undefined ? reason : `line ${at}: ${reason}`
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
