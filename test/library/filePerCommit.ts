/** A simple sink that can say whether a commit is in: a folder with a file for each commit. */
import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import * as Sink from "#library/Sink"

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false
  )

export const filePerCommit = Sink.simple({
  type: "files",
  options: Schema.Struct({ path: Schema.String }),
  batch: (_, { rows, table }) => rows.map((row) => ({ table: table.name, row })),
  commit: async ({ path }, { commitId, pieces, resolve }) => {
    await mkdir(resolve(path), { recursive: true })
    // In the order of the commits.
    const at = String((await readdir(resolve(path))).length).padStart(6, "0")
    await writeFile(resolve(`${path}/.${commitId}`), JSON.stringify(pieces.flat()), { flush: true })
    await rename(resolve(`${path}/.${commitId}`), resolve(`${path}/${at}-${commitId}`))
  },
  committed: async ({ path }, { commitId, resolve }) =>
    (await isThere(resolve(path))) && (await readdir(resolve(path))).some((name) => name.endsWith(`-${commitId}`)),
  read: async ({ path }, { resolve, table }) => {
    if (!(await isThere(resolve(path)))) return []
    const files = (await readdir(resolve(path))).filter((name) => !name.startsWith(".")).sort()
    const texts = await Promise.all(files.map((name) => readFile(resolve(`${path}/${name}`), "utf8")))
    return texts.flatMap((text) => Rows(JSON.parse(text)).flatMap((one) => (one.table === table.name ? [one.row] : [])))
  }
})

const Rows = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ table: Schema.String, row: Schema.Record(Schema.String, Schema.Unknown) }))
)
