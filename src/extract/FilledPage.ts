/**
 * A page's data with where each value comes from, as the ledger of a job keeps it.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Engine } from "../api/Extract.ts"
import { CrawlStore } from "../crawler/crawl/CrawlStore.ts"
import * as Candidates from "./Candidates.ts"
import type { Filled } from "./Extractor.ts"

export interface FilledPage {
  readonly url: string
  readonly filled: Filled
}

const Stored = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    data: Schema.Json,
    sources: Schema.Array(
      Schema.Tuple([
        Schema.String,
        Schema.Struct({
          kind: Schema.Literals(Candidates.kinds),
          path: Schema.String,
          span: Schema.Tuple([Schema.Finite, Schema.Finite]),
          supported: Schema.optionalKey(Schema.Boolean)
        })
      ])
    ),
    missing: Schema.Array(Schema.String),
    engine: Engine,
    tokens: Schema.Finite
  })
)

export const encode = ({ filled, url }: FilledPage): string => {
  const { data, engine, missing, sources, tokens } = filled
  return JSON.stringify({ url, data, sources: [...sources], missing, engine, tokens })
}

/** What was not written by `encode` is a defect: nobody else writes there. */
export const decode = (text: string): Effect.Effect<FilledPage> =>
  Effect.map(Effect.orDie(decodeStored(text)), ({ url, sources, ...filled }) => ({
    url,
    filled: { ...filled, sources: new Map(sources) }
  }))

/** Every page that a job has filled, in the order they ended. */
export const all = Effect.fnUntraced(function* (jobId: string) {
  const store = yield* CrawlStore
  const pages: Array<FilledPage> = []
  for (;;) {
    const { documents } = yield* store.chunk(jobId, pages.length, together)
    if (documents.length === 0) return pages
    for (const document of documents) pages.push(yield* decode(document))
  }
})

const together = 200

const decodeStored = Schema.decodeUnknownEffect(Stored)
