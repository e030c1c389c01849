/**
 * The peer: what SQLite gives who puts heading and text of every section into one FTS5 column with the default tokenizer, and
 * asks for any of the words, ranked by bm25.
 */
import { DatabaseSync } from "node:sqlite"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Maker } from "./Engine.ts"

export const plain: Maker = {
  name: "plain",
  load: async (files, file) => {
    const database = new DatabaseSync(file)
    database.exec("CREATE VIRTUAL TABLE section USING fts5(url UNINDEXED, said)")
    const insert = database.prepare("INSERT INTO section (url, said) VALUES (?, ?)")
    database.exec("BEGIN")
    await Effect.runPromise(
      Stream.runForEach(files, ({ texts }) =>
        Stream.runForEachArray(texts, (some) =>
          Effect.sync(() => {
            for (const text of some) {
              if (text._tag === "Section") insert.run(text.url, `${text.heading}\n${text.text}`)
            }
          })
        ).pipe(Effect.catchTag("CorpusError", () => Effect.void))
      ).pipe(Effect.provide(NodeServices.layer))
    )
    database.exec("COMMIT")
    database.close()
  },
  open: async (file) => {
    const database = new DatabaseSync(file)
    const ask = database.prepare("SELECT url FROM section WHERE section MATCH ? ORDER BY rank LIMIT ?")
    return {
      name: "plain",
      search: async (query, k) => {
        const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
        const anyOf = words.map((word) => `"${word}"`).join(" OR ")
        return words.length === 0 ? [] : ask.all(anyOf, k).map(({ url }) => String(url))
      },
      close: async () => database.close()
    }
  }
}
