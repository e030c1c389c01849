/** A source of one's own: the lines of a text file, a row each. */
import { readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { Source } from "millrace"

export const lines = Source.simple({
  type: "lines",
  options: Schema.Struct({ path: Schema.String }),
  columns: { name: "VARCHAR NOT NULL", length: "BIGINT" },
  rows: async function* ({ path }, { resolve }) {
    for (const name of (await readFile(resolve(path), "utf8")).trim().split("\n")) yield { name, length: name.length }
  }
})
