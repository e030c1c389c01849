/**
 * All rows of a table that a page shows, as a file: CSV or Parquet, in the order of the page.
 *
 * The file is complete before its first byte is sent: what fails is said, and never is a file that ends too early.
 */
import { createReadStream } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { temporaryFolder } from "#engine/temporaryFolder"
import { failed, wrong } from "../CliFailure.ts"
import { asCsv } from "../sql/answerText.ts"
import { writingFile } from "../writingFile.ts"
import type * as Explorer from "./Explorer.ts"
import { selectionIn } from "./exploreRows.ts"
import { allSql } from "./gridSql.ts"

const types: Readonly<Record<string, string>> = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet"
}

/** `name`: of the file, such as `pages.csv`. The file is there as long as the scope. */
export const exploreDownload = Effect.fn("exploreDownload")(function* (
  explorer: Explorer.Explorer,
  name: string,
  params: URLSearchParams
) {
  const [, table = "", format = ""] = /^(.+)\.(\w+)$/s.exec(name) ?? []
  const type = types[format]
  if (type === undefined) return yield* wrong(`a download is TABLE.csv or TABLE.parquet, not ${name.slice(0, 100)}`)
  const folder = yield* Effect.mapError(temporaryFolder("download"), ({ message }) => failed(message))
  const file = join(folder, `rows.${format}`)
  const asked = new URLSearchParams([...params, ["table", table]])
  const { loaded, sink } = explorer
  yield* Effect.scoped(
    Effect.gen(function* () {
      const queries = yield* sink.queries(loaded.pipeline.directory, format === "parquet" ? { file } : {})
      const sql = allSql(yield* selectionIn(explorer, queries, asked))
      if (format === "parquet") return yield* queries.toParquet(sql)
      const answer = yield* queries.ask(sql)
      return yield* writingFile(file, (out) => asCsv(answer, out))
    })
  )
  return { type, name: fileName(`${table}.${format}`), body: createReadStream(file) }
})

/** For the header: what a file may be called everywhere. */
const fileName = (name: string): string => name.replace(/[^\w.-]+/g, "_")
