/// <reference types="node" />
/**
 * Links the Node that npm has installed as `node_modules/.bin/node`. npm before 11.12 removes that link again, together with the
 * package for the other processor, whose command has the same name. Node 20 runs this file, which is why it is no TypeScript.
 */
import { existsSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../node_modules", import.meta.url))
const name = `node-${process.platform}-${process.arch}`
const link = join(modules, ".bin/node")

if (existsSync(join(modules, name, "bin/node")) && !existsSync(link)) {
  rmSync(link, { force: true })
  symlinkSync(join("..", name, "bin/node"), link)
}
