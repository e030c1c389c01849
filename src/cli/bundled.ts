/**
 * The first module of the command line of a package: starts its bundles, or the modules of the package as they are where the
 * command is about modules of a user.
 */
import { bundled } from "../library/bundled.ts"
import { namesOwnModules } from "./ownModules.ts"

if (namesOwnModules(process.argv.slice(2), process.env, process.cwd())) {
  await import(new URL("./main.js", import.meta.url).href)
} else {
  Reflect.set(globalThis, bundled, true)
  await import("./main.ts")
}
