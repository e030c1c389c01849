// Copied by `npm run docs` from docs/library.md. Do not edit.
// jsonl.ts
import { appendFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { Sink } from "../../../src/index.ts"

export const jsonl = Sink.simple({
  type: "jsonl",
  options: Schema.Struct({ path: Schema.String }),
  batch: (_, { rows }) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.join(""))
})
