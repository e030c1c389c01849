/**
 * What an installation takes, in MB: the package as `npm pack` makes it, unpacked, and all that it needs, as the lock file has it
 * for this machine.
 */
import { execFileSync } from "node:child_process"
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../..")
const dist = join(root, "dist")
const wasBuilt = existsSync(dist)

/** Bytes of all files below a folder but those of packages in it, which are named by themselves. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + sizeOf(path)
    return sum + lstatSync(path).size
  }, 0)

const pack = ["pack", "--json", "--dry-run"]
const said = execFileSync("npm", pack, { cwd: root, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1e9 }).toString()
if (!wasBuilt) rmSync(dist, { recursive: true, force: true })
// What the build says stands before the JSON.
const [packed] = JSON.parse(said.slice(said.search(/^\[/m)))

const {
  packages
}: { readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly peer?: boolean }>> } = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8")
)
const needed = Object.entries(packages)
  .filter(([path, { dev, peer }]) => path !== "" && dev !== true && peer !== true)
  .map(([path]) => join(root, path))
const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10
const sizes = needed.filter(existsSync).map(sizeOf)
console.log(
  JSON.stringify({
    count: 1,
    figures: {
      "MB packed": megabytes(packed.size),
      "MB unpacked": megabytes(packed.unpackedSize),
      "packages needed": sizes.length,
      "MB with all that is needed": megabytes(packed.unpackedSize + sizes.reduce((sum, size) => sum + size, 0))
    }
  })
)
