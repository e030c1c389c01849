/**
 * The entry of an installed command line: starts its bundle, or the single modules of the package if the command may use
 * modules of the user (`ownModules.ts` says why).
 */
import { bundled } from "#library/bundled"
import { namesOwnModules } from "./ownModules.ts"

if (namesOwnModules(process.argv.slice(2), process.env, process.cwd())) {
  await import(new URL("./main.js", import.meta.url).href)
} else {
  Reflect.set(globalThis, bundled, true)
  await import("./main.ts")
}
