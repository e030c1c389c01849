/**
 * Millrace as who installs it has it: the package's files in a folder of their own, made of this checkout and beside its
 * packages. Gives the command line there.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

export const install = (folder: string, ...flags: ReadonlyArray<"--no-types">): string => {
  const { status } = spawnSync("npm", ["run", "--silent", "build", "--", ...flags], { cwd: root, stdio: "inherit" })
  if (status !== 0) throw new Error("the package cannot be built: npm run build says why")
  return installBuilt(folder)
}

/** The same of the `dist` that is there. */
export const installBuilt = (folder: string): string => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const part of ["bin", "dist", "pipelines", "package.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  return join(folder, "bin/millrace")
}
