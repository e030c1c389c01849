/**
 * Checks types, and what goes wrong with effects: an effect that nobody runs, a generator whose parameters are `any`, a
 * context that nobody provides. The compiler of @effect/tsgo says it; by which rules, `tsconfig.json` says.
 *
 *     node scripts/effectCheck.ts [TSCONFIG]
 *
 * The compiler is called as it is: nothing in node_modules is patched, and nothing is downloaded.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const [project = join(root, "tsconfig.json")] = process.argv.slice(2)

const command = join(root, "node_modules/@effect/tsgo/dist/effect-tsgo.cjs")
const compiler = execFileSync(process.execPath, [command, "get-exe-path"], { cwd: root, encoding: "utf8" }).trim()

/** What was found before is not looked for again. */
const known = join(dirname(project), ".cache/effectCheck.tsbuildinfo")

const { error, status } = spawnSync(compiler, ["-p", project, "--incremental", "--tsBuildInfoFile", known], {
  stdio: "inherit"
})
if (error !== undefined) throw error
process.exitCode = status ?? 1
