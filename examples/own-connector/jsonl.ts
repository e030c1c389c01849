/** A sink of one's own: rows are appended to a file, one JSON object a line. */
import { appendFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { Sink } from "millrace"

export const jsonl = Sink.simple({
  type: "jsonl",
  options: Schema.Struct({ path: Schema.String }),
  batch: (_, { rows }) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.join(""))
})
