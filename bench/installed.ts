/**
 * Millrace as who installs it has it: the package's files in a folder of their own, made of this checkout.
 *
 * The law: it is made anew for each run of the bench, so what is measured is this code.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const folder = join(tmpdir(), "millrace-bench-installed")

/** The command line. */
export const millrace = join(folder, "bin/millrace")

export const install = (): void => {
  const { status } = spawnSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" })
  if (status !== 0) throw new Error("the package cannot be built: npm run build says why")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const part of ["bin", "dist", "pipelines", "package.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
}
