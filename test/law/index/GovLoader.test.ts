import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import type { GovIndex } from "#law/GovIndex"
import * as GovLoader from "#law/GovLoader"
import type { GovSection, GovText } from "#law/GovText"
import { onEachDatabase } from "../../service/databases.ts"
import { broken, document, file, load, over, section, urls } from "./library.ts"

const title = document({ identity: "us/usc/t17" })
const about = (number: number, text = `It is about oddity ${number}.`): GovSection =>
  section({
    document: "us/usc/t17",
    identity: `us/usc/t17/s${number}`,
    citation: `17 U.S.C. § ${number}`,
    heading: `Oddity of number ${number}`,
    text
  })
const urlOf = (number: number): string => `http://law.test/us/usc/t17/s${number}/`
const texts = (...sections: ReadonlyArray<GovText>): ReadonlyArray<GovText> => [title, ...sections]

onEachDatabase("loading government texts", (database) => {
  const fresh = (name: string, test: Effect.Effect<void, unknown, GovIndex | SqlClient.SqlClient>) =>
    it.live(name, () => Effect.scoped(Effect.flatMap(database.fresh, (place) => Effect.provide(test, over(place)))))

  fresh(
    "reads no file again that is as it was",
    Effect.gen(function* () {
      const one = file("17.xml", texts(about(1), about(2)), "digest")
      expect(yield* load(one)).toMatchObject([
        { documents: ["us/usc/t17 117-80"], sections: 2, written: 2, isKnown: false }
      ])
      const unread = { ...one, texts: broken("17.xml", []).texts }
      expect(yield* load(unread)).toMatchObject([
        { documents: ["us/usc/t17 117-80"], sections: 2, written: 0, isKnown: true }
      ])
    })
  )

  fresh(
    "indexes of a changed file what has changed, and takes out what is gone",
    Effect.gen(function* () {
      yield* load(file("17.xml", texts(about(1), about(2), about(3))))
      const [again] = yield* load(file("17.xml", texts(about(1), about(2, "Now about a platypus."), about(4))))
      expect(again).toMatchObject({ sections: 3, written: 2, removed: 1 })
      expect(yield* urls("platypus")).toEqual([urlOf(2)])
      expect(yield* urls("17 U.S.C. 3", 1)).not.toEqual([urlOf(3)])
      expect(yield* urls("17 U.S.C. 4", 1)).toEqual([urlOf(4)])
      expect((yield* urls("oddity", 100)).toSorted()).toEqual([urlOf(1), urlOf(2), urlOf(4)])
    })
  )

  fresh(
    "leaves what a file had when it breaks, and goes on with the next",
    Effect.gen(function* () {
      yield* load(file("17.xml", texts(about(1), about(2))))
      const [failed, next] = yield* load(
        broken("17.xml", texts(about(1, "Half written."), about(7))),
        file("18.xml", texts(about(9)))
      )
      expect(failed).toMatchObject({ sections: 0, failed: { line: 7, message: "an element is not closed" } })
      expect(next).toMatchObject({ sections: 1 })
      expect((yield* urls("oddity", 100)).toSorted()).toEqual([urlOf(1), urlOf(2), urlOf(9)])
      // It is read again as soon as it is whole.
      const [whole] = yield* load(file("17.xml", texts(about(1), about(7))))
      expect(whole).toMatchObject({ isKnown: false, sections: 2, written: 1, removed: 1 })
    })
  )

  fresh(
    "keeps another version of a section beside it",
    Effect.gen(function* () {
      const old = { ...about(1), url: "http://law.test/old", version: "112-90", versionDate: "2012-01-05" }
      yield* load(file("17.xml", texts(about(1))), file("17-old.xml", texts(old)))
      expect(yield* urls("17 U.S.C. 1")).toEqual([urlOf(1), "http://law.test/old"])
    })
  )

  fresh(
    "has a section once where it has moved to another file",
    Effect.gen(function* () {
      yield* load(file("a.xml", texts(about(1), about(2))))
      const [, moved] = yield* load(file("a.xml", texts(about(2))), file("b.xml", texts(about(1))))
      expect(moved).toMatchObject({ sections: 1 })
      expect((yield* urls("oddity", 100)).toSorted()).toEqual([urlOf(1), urlOf(2)])
      const [same] = yield* load(file("b.xml", texts(about(1)), "as it was, but for a comment"))
      expect(same).toMatchObject({ sections: 1, written: 0, removed: 0 })
    })
  )

  fresh(
    "rejects a section whose identity a file has that was not read again, and counts what is there",
    Effect.gen(function* () {
      const first = file("a.xml", texts(about(1), about(2)), "as it was")
      yield* load(first)
      const twin = { ...about(1, "Another oddity."), url: "http://law.test/elsewhere" }
      const neighbour = { ...about(8), url: urlOf(2) }
      const [, second] = yield* load(first, file("b.xml", texts(twin, neighbour, about(3))))
      expect(second?.rejected.map(({ why }) => why)).toEqual([
        expect.stringMatching(
          /^two sections are us\/usc\/t17\/s1 .*: a\.xml, which is loaded, and b\.xml, which is not/
        ),
        expect.stringMatching(/^two sections have the address .*us\/usc\/t17\/s2 in a\.xml.*us\/usc\/t17\/s8 in b\.xml/)
      ])
      expect(second).toMatchObject({ sections: 1, written: 1 })
      expect(yield* GovLoader.compare("/corpus", new Set(["a.xml", "b.xml"]))).toEqual({ sections: 3, differences: [] })
      expect((yield* urls("oddity", 100)).toSorted()).toEqual([urlOf(1), urlOf(2), urlOf(3)])
      // The other file has changed: what it had is free, and the one that waited for it is read again.
      const [, freed] = yield* load(file("a.xml", texts(about(2))), file("b.xml", texts(twin, about(3))))
      expect(freed).toMatchObject({ sections: 2, rejected: [] })
    })
  )

  fresh(
    "reads a file again that another one has taken a section from, so that both are told",
    Effect.gen(function* () {
      const second = file("b.xml", texts(about(1), about(2)), "as it was")
      yield* load(second)
      const moved = file("a.xml", texts({ ...about(1), url: "http://law.test/a1" }))
      const [, again] = yield* load(moved, second)
      expect(again).toMatchObject({ isKnown: false, sections: 1 })
      expect(again?.rejected.length === 1 || again?.skipped.length === 1).toBe(true)
      expect(yield* GovLoader.compare("/corpus", new Set(["a.xml", "b.xml"]))).toEqual({ sections: 2, differences: [] })
    })
  )

  fresh(
    "keeps what a file had that has no section any more, as one that is empty, and calls it failed",
    Effect.gen(function* () {
      yield* load(file("17.xml", texts(about(1), about(2))))
      const empty: GovText = { _tag: "Skipped", file: "17.xml", why: "it is empty" }

      const [emptied] = yield* load(file("17.xml", [empty], "cut off"))

      const message =
        "it has no section any more (it is empty); the 2 sections that it had stay in the index: delete the file and load with --prune to remove what it had"
      expect(emptied).toMatchObject({ sections: 0, removed: 0, isKnown: false, failed: { file: "17.xml", message } })
      expect((yield* urls("oddity", 100)).toSorted()).toEqual([urlOf(1), urlOf(2)])
      expect(yield* load(file("17.xml", texts(about(2))))).toMatchObject([{ sections: 1, removed: 1 }])
    })
  )

  fresh(
    "says again why parts of a known file were left out",
    Effect.gen(function* () {
      const left: GovText = { _tag: "Skipped", file: "17.xml", line: 4, why: "a table of contents" }
      const one = file("17.xml", texts(about(1), left), "digest")
      yield* load(one)
      expect(yield* load(one)).toMatchObject([{ isKnown: true, skipped: [left] }])
    })
  )

  fresh(
    "tells of which file the index has another number of sections",
    Effect.gen(function* () {
      yield* load(file("17.xml", texts(about(1), about(2))))
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM gov_section WHERE url = ${urlOf(2)}`
      expect(yield* GovLoader.compare("/corpus", new Set(["17.xml"]))).toEqual({
        sections: 1,
        differences: [{ file: "17.xml", told: 2, counted: 1 }]
      })
    })
  )

  fresh(
    "takes out files that are gone, of this corpus alone, when it is told to",
    Effect.gen(function* () {
      yield* load(file("a.xml", texts(about(1))), file("b.xml", texts(about(2))))
      expect(yield* GovLoader.prune("/other", new Set())).toEqual({ files: 0, sections: 0 })
      expect(yield* GovLoader.prune("/corpus", new Set(["b.xml"]))).toEqual({ files: 1, sections: 1 })
      expect(yield* urls("oddity", 100)).toEqual([urlOf(2)])
    })
  )

  fresh(
    "takes texts with NUL and lone surrogates, and very long ones",
    Effect.gen(function* () {
      // Two thousand wombats are enough: SQLite marks them in the square of their number.
      const long = `${`wombat ${"burrow ".repeat(99)}`.repeat(2000)}quokka`
      const [loaded] = yield* load(file("17.xml", texts(about(1, "a \u0000 numbat"), about(2, long))))
      expect(loaded).toMatchObject({ sections: 2 })
      expect(yield* urls("numbat")).toEqual([urlOf(1)])
      expect(yield* urls("wombat")).toEqual([urlOf(2)])
    })
  )
})
