/** JSON Lines: a row is a JSON object on one line, with all columns of the table, also those that are null. */
import { createReadStream } from "node:fs"
import { ownCell } from "#engine/ownCell"
import { parseJson } from "#engine/parseJson"
import type * as Table from "#engine/Table"
import { cellOfJson, jsonText } from "./cellText.ts"
import type { Format } from "./Format.ts"
import * as TextFile from "./TextFile.ts"

export const jsonl: Format = {
  create: (path, columns) => TextFile.create(path, { head: "", lineOf: jsonText({ _tag: "STRUCT", fields: columns }) }),
  read: async function* (path, columns) {
    const cells = columns.map(({ name, type }) => [name, cellOfJson(type)] as const)
    let rows: Array<Table.Row> = []
    for await (const line of linesOf(path)) {
      const value = parseJson(line)
      if (typeof value !== "object" || value === null) throw new Error(`${path} has a line that is not a JSON object`)
      rows.push(Object.fromEntries(cells.map(([name, convert]) => [name, convert(ownCell(value, name))])))
      if (rows.length === atOnce) {
        yield rows
        rows = []
      }
    }
    if (rows.length > 0) yield rows
  }
}

const atOnce = 256

/** The lines of a file. A line ends only at a line feed, which a JSON text never contains. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest: Array<string> = []
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 1 << 18 })) {
    const [first = "", ...others] = String(chunk).split("\n")
    rest.push(first)
    for (const line of others) {
      yield rest.join("")
      rest = [line]
    }
  }
  const last = rest.join("")
  if (last !== "") yield last
}
