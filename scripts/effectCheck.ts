/**
 * Checks types and what goes wrong with effects: a floating effect, a generator whose parameters are `any`, a context that
 * nobody provides. The compiler of @effect/tsgo says it; which rules, `tsconfig.json` says.
 *
 * It is called as it is: nothing in node_modules is patched, and nothing is downloaded.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** What was found before is not looked for again. */
const known = at(".cache/effectCheck.tsbuildinfo")

const compiler = execFileSync(process.execPath, [at("node_modules/@effect/tsgo/dist/effect-tsgo.cjs"), "get-exe-path"])

const { error, status } = spawnSync(
  compiler.toString().trim(),
  ["-p", at("tsconfig.json"), "--incremental", "--tsBuildInfoFile", known, ...process.argv.slice(2)],
  { stdio: "inherit", cwd: at("") }
)
if (error !== undefined) throw error
process.exitCode = status ?? 1
