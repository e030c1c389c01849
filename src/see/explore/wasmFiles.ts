/**
 * What of DuckDB-WASM an exported folder has, as files of the package `@duckdb/duckdb-wasm`.
 *
 * The package takes 141 MB on the disk, of which a folder needs 35 MB. So Millrace does not depend on it: who exports installs it.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { wrong } from "../CliFailure.ts"

const module = "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"

/** The version that the page was tried with. */
const version = "1.32.0"

interface WasmFiles {
  /** A file of the folder, and the file that it is a copy of. */
  readonly copies: ReadonlyArray<readonly [path: string, source: string]>
  readonly texts: ReadonlyArray<readonly [path: string, text: string]>
}

/** By the packages of Millrace, then by those of a folder. */
export const wasmFiles = Effect.fnUntraced(function* (folder: string) {
  const wasm = resolved(import.meta.url) ?? resolved(join(folder, "package.json"))
  if (wasm === undefined) {
    return yield* wrong(
      `--export needs DuckDB as WebAssembly, which is not installed: npm install @duckdb/duckdb-wasm@${version}`
    )
  }
  const dist = dirname(wasm)
  const arrow = dirname(createRequire(wasm).resolve("apache-arrow/Arrow.dom"))
  const script = readFileSync(join(dist, "duckdb-browser.mjs"), "utf8")
  const files: WasmFiles = {
    copies: [
      ["duckdb/duckdb.wasm", wasm],
      ["duckdb/worker.js", join(dist, "duckdb-browser-eh.worker.js")],
      ["duckdb/Arrow.js", join(arrow, "Arrow.esnext.min.js")],
      ["duckdb/apache-arrow-LICENSE.txt", join(arrow, "LICENSE.txt")],
      ["duckdb/apache-arrow-NOTICE.txt", join(arrow, "NOTICE.txt")]
    ],
    texts: [
      ["duckdb/duckdb-wasm-LICENSE.txt", "@duckdb/duckdb-wasm: MIT, as its package.json says\n"],
      [
        "duckdb/duckdb.js",
        script.replaceAll('from"apache-arrow"', 'from"./apache-arrow.js"').replace(/^\/\/# source.*/m, "")
      ],
      // A classic script before it has made `Arrow`, since the package has no module in one file.
      ["duckdb/apache-arrow.js", "export const { RecordBatchReader, Table, Type } = globalThis.Arrow\n"]
    ]
  }
  return files
})

const resolved = (from: string): string | undefined => {
  try {
    return createRequire(from).resolve(module)
  } catch {
    return undefined
  }
}
