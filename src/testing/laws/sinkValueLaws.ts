/** The laws of a sink about values: every cell comes back as it went in. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Table from "#engine/Table"
import { type Law, law, link } from "../SinkBench.ts"
import { canonical, draw, everything, links, pages, seed, special } from "../specimens.ts"

export const sinkValueLaws: ReadonlyArray<Law> = [
  law("null, empty text, unicode, 2^53+1, far dates and nested values come back equal", ({ rows, load }) =>
    Effect.gen(function* () {
      yield* load("run-1", everything, "append", special, 1)

      expect(yield* rows(everything)).toEqual(special.map((row) => canonical(everything, row)))
    })
  ),

  law(`random rows come back equal (MILLRACE_SEED=${seed})`, ({ rows, load }) =>
    Effect.gen(function* () {
      const drawn = draw(seed, 3000)

      yield* load("run-1", everything, "append", drawn, 1)

      expect(yield* rows(everything)).toEqual(drawn.map((row) => canonical(everything, row)))
    })
  ),

  law("a column that a row does not hold is null", ({ rows, load }) =>
    Effect.gen(function* () {
      yield* load("run-1", pages, "append", [{ url: "/a", version: 1 }], 1)

      expect(yield* rows(pages)).toEqual([{ url: "/a", title: null, version: 1n }])
    })
  ),

  law("a batch of a table that was not planned is refused", ({ rows, session }) =>
    Effect.gen(function* () {
      const write = yield* Effect.exit(
        session("run-1", [[pages, "append"]], (writer) => writer.write(Table.batch(links, [link("/a", 0)])))
      )

      expect(Exit.isFailure(write)).toBe(true)
      expect(yield* rows(links)).toEqual([])
    })
  )
]
