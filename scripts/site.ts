/**
 * `npm run site [FOLDER]`: the documentation as pages of HTML, in FOLDER (default: `.cache/site`). The pages need no server of
 * their own and no other site: any file server shows them, and without scripts all of them can be read.
 */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { writeSite } from "./site/writeSite.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = resolve(process.argv[2] ?? `${root}.cache/site`)
const { pages } = await writeSite(root, folder)
process.stdout.write(`${pages} pages in ${folder}; open index.html, or serve the folder\n`)
