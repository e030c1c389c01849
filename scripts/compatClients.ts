/** Installs the clients that `npm run compat` tries beside those of package.json, in a folder of their own; says so where it cannot. */
import { spawnSync } from "node:child_process"
import { resolve } from "node:path"

const folder = resolve(import.meta.dirname, "../test/e2e/clients")
const { status } = spawnSync(
  "npm",
  ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--prefix", folder],
  { cwd: folder, stdio: "inherit" }
)
if (status !== 0)
  process.stderr.write("SKIPPED: the other clients could not be installed; only those of package.json are tried\n")
