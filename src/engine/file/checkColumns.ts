/** Checks the columns that the user names in `table:`. */

import { didYouMean } from "#base/didYouMean"
import * as FileReading from "../FileReading.ts"
import * as Pipeline from "../Pipeline.ts"
import * as Sink from "../Sink.ts"
import type * as Table from "../Table.ts"
import * as YamlTree from "../YamlTree.ts"

/** Adds a problem for each named column that neither the source nor a step nor the engine makes. */
export const checkColumns = (
  reading: FileReading.FileReading,
  table: Pipeline.TableOptions,
  main: Table.Table,
  made: ReadonlyArray<string>
): void => {
  const known = [...main.columns.map((column) => column.name), ...made]
  const check = (path: ReadonlyArray<string | number>, name: string) => {
    if (known.includes(name) || ofEngine.includes(name)) return
    const meant = didYouMean(name, known)
    const hint = `${meant === undefined ? "" : `did you mean \`${meant}\`? `}columns: ${known.join(", ")}`
    FileReading.add(reading, { path, at: "value", message: `the source has no column \`${name}\``, hint })
  }
  for (const key of ["key", "fingerprint"] as const) {
    const isList = YamlTree.nearest(reading.tree.root, ["table", key])._tag === "List"
    table[key]?.forEach((name, index) => {
      check(isList ? ["table", key, index] : ["table", key], name)
    })
  }
  const { key = [] } = table
  if (key.length > 0 && key.every((name) => ofRun.has(name))) {
    const message = `\`${key.join("`, `")}\` is the same in all rows of a run, so only one row of each run would remain`
    const hint = "name a column of the source too; or keep all rows with `write: append` in the sinks"
    FileReading.add(reading, { path: ["table", "key"], at: "value", message, hint })
  }
  for (const name of Object.keys(table.columnDescriptions ?? {})) check(["table", "column_descriptions", name], name)
}

/** The columns that the engine adds to those of the source. */
const ofEngine: ReadonlyArray<string> = [Pipeline.runIdColumn.name, Sink.pipelineColumn.name]

/** Columns that are equal in all rows of one run. */
const ofRun: ReadonlySet<string> = new Set([...ofEngine, "_job_id"])
