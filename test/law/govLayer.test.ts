import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { client } from "#base/sqlClient"
import type { CorpusFile } from "#law/Corpus"
import { GovIndex } from "#law/GovIndex"
import { layer } from "#law/govLayer"
import { served } from "../service/served.ts"
import { broken, file, library, load } from "./index/library.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-gov-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)
const loadInto = (place: string, ...files: ReadonlyArray<CorpusFile>) => Effect.provide(load(...files), client(place))

describe("an index of government texts in a file", () => {
  it.live("has no texts before the file is there, and makes none", () =>
    Effect.gen(function* () {
      const place = join(yield* folder, "gov.sqlite")
      yield* Effect.gen(function* () {
        const index = yield* GovIndex
        expect([yield* index.sections, (yield* index.search("17 U.S.C. 101", 10)).hits]).toEqual([0, []])
        yield* loadInto(place, ...library)
        expect(yield* index.sections).toBe(15)
        expect((yield* index.search("17 U.S.C. 101", 1)).hits[0]?.url).toBe("http://law.test/us/usc/t17/s101/")
      }).pipe(Effect.provide(layer(place)))
    })
  )

  it.live("answers many at once, each its own question, while it is loaded", () =>
    Effect.gen(function* () {
      const place = join(yield* folder, "gov.sqlite")
      yield* loadInto(place, ...library)
      const asked = ["17 U.S.C. 101", "17 U.S.C. 302", "12 CFR 1005.6", "42-3505.31", "SMMC 7.30.040"]
      const ask = Effect.gen(function* () {
        const index = yield* GovIndex
        const all = Array.from({ length: 40 }, (_, at) => asked[at % asked.length] ?? "")
        return yield* Effect.forEach(
          all,
          (query) => Effect.map(index.search(query, 1), ({ hits: [hit] }) => hit?.title),
          {
            concurrency: "unbounded"
          }
        )
      }).pipe(Effect.provide(layer(place)))
      const more = Array.from({ length: 20 }, (_, at) => file(`more/${at}.xml`, [], `digest ${at}`))
      const [titles] = yield* Effect.all([ask, loadInto(place, ...more, broken("b.xml", []))], { concurrency: 2 })
      const cited = titles.map((title) => title?.split(". ")[0])
      expect(cited.slice(0, 5)).toEqual(
        [
          "17 U.S.C. § 101",
          "17 U.S.C. § 302",
          "12 C.F.R. § 1005.6",
          "D.C. Code § 42-3505.31",
          "San Mateo Municipal Code § 7.30.040"
        ].map((citation) => citation.split(". ")[0])
      )
      expect(cited).toEqual(Array.from({ length: 8 }, () => cited.slice(0, 5)).flat())
    })
  )

  it.live("that is no index is told, and breaks nobody else's question", () =>
    Effect.gen(function* () {
      const index = yield* Effect.provide(
        Effect.flatMap(GovIndex, (index) => Effect.result(index.search("fair use", 10))),
        layer(import.meta.filename)
      )
      expect(index).toMatchObject({ _tag: "Failure", failure: { _tag: "GovIndexFailed" } })
    })
  )

  it.live("is what the service answers from", () =>
    Effect.gen(function* () {
      const place = join(yield* folder, "gov.sqlite")
      yield* loadInto(place, ...library)
      const service = yield* served({ govDatabase: place })
      const found = yield* service.ask("GET", "/v2/search/gov?query=17%20USC%20107&k=1")
      expect(found.body).toEqual({
        success: true,
        data: {
          web: [
            {
              position: 1,
              title: "17 U.S.C. § 107. Limitations on exclusive rights: Fair use [United States, in force, 117-80]",
              url: "http://law.test/us/usc/t17/s107/",
              description: expect.stringContaining("is not an infringement of copyright")
            }
          ]
        }
      })
      const posted = yield* service.ask("POST", "/v2/search/gov", { body: { query: "zyzzyva", k: "3" } })
      expect(posted.body).toEqual({ success: true, data: { web: [] } })
    })
  )
})
