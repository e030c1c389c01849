/**
 * Emits the installable package: JavaScript and declarations of `src` and `connectors` into `dist`.
 * A checkout needs no build; Node runs TypeScript there, but not below node_modules.
 */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

rmSync(at("dist"), { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  [at("node_modules/typescript/bin/tsc"), "-p", at("tsconfig.build.json")],
  {
    stdio: "inherit"
  }
)
process.exitCode = status ?? 1
