import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { citingSentences } from "#law/GovCiting"
import type { GovIndex } from "#law/GovIndex"
import * as GovLoader from "#law/GovLoader"
import * as GovSchema from "#law/GovSchema"
import type { GovSection } from "#law/GovText"
import { onEachDatabase } from "../../service/databases.ts"
import { document, file, load, over, section, urls } from "./library.ts"

const title = document({ identity: "us/usc/t17" })
const other = document({ identity: "us/usc/t35", title: "Title 35, Patents", url: "http://law.test/us/usc/t35" })
const about = (number: number, text: string, of = "17"): GovSection =>
  section({
    document: `us/usc/t${of}`,
    identity: `us/usc/t${of}/s${number}`,
    citation: `${of} U.S.C. § ${number}`,
    heading: `Matter ${number}`,
    text
  })
const urlOf = (number: number, of = "17"): string => `http://law.test/us/usc/t${of}/s${number}/`
const cited = about(1, "Nothing that anybody would ask for stands here.")
const citing = about(2, "The wombat privilege that section 1 of this title grants is not transferable.")

/** What is said of each section, by its identity. */
const said = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ identity: string; cited: string }>`SELECT s.identity, c.cited FROM gov_cited c
    JOIN gov_section s ON s.id = c.section_id ORDER BY s.identity`
  return Object.fromEntries(rows.map((row) => [row.identity, row.cited]))
})

onEachDatabase("what others say of a section", (database) => {
  const fresh = (name: string, test: Effect.Effect<void, unknown, GovIndex | SqlClient.SqlClient>) =>
    it.live(name, () => Effect.scoped(Effect.flatMap(database.fresh, (place) => Effect.provide(test, over(place)))))

  fresh(
    "finds it, behind who says it",
    Effect.gen(function* () {
      yield* load(file("17.xml", [title, cited, citing, about(3, "Wombats sleep.")]))
      expect((yield* urls("wombat privilege")).slice(0, 2)).toEqual([urlOf(2), urlOf(1)])
      expect(yield* said).toEqual({
        "us/usc/t17/s1": "The wombat privilege that of this title grants is not transferable."
      })
    })
  )

  fresh(
    "goes with the section that says it, and comes back with it",
    Effect.gen(function* () {
      const files = [file("1.xml", [title, cited]), file("2.xml", [title, citing])] as const
      yield* load(...files)
      yield* load(files[0], file("2.xml", [title, about(2, "It says nothing of that.")]))
      expect([yield* said, yield* urls("wombat privilege")]).toEqual([{}, []])
      yield* load(...files)
      expect(yield* urls("wombat privilege")).toEqual([urlOf(2), urlOf(1)])
      yield* load(files[0])
      yield* GovLoader.prune("/corpus", new Set(["1.xml"]))
      yield* GovSchema.changed
      expect([yield* said, yield* urls("wombat privilege")]).toEqual([{}, []])
    })
  )

  fresh(
    "is the same whatever came first, and however often it is loaded",
    Effect.gen(function* () {
      const [one, two] = [file("a.xml", [title, cited]), file("b.xml", [title, citing])]
      yield* load(two)
      expect(yield* said).toEqual({})
      yield* load(one)
      const first = yield* said
      expect(Object.keys(first)).toEqual(["us/usc/t17/s1"])
      yield* load(file("a.xml", one.path === "a.xml" ? [title, cited] : [], "another digest"), two)
      expect(yield* said).toEqual(first)
    })
  )

  fresh(
    "is that of a number only in the same document, and never what a section says of itself",
    Effect.gen(function* () {
      yield* load(
        file("35.xml", [other, about(1, "A patent, and section 1 is what this platypus section is.", "35")]),
        file("17.xml", [title, cited, citing])
      )
      expect(Object.keys(yield* said)).toEqual(["us/usc/t17/s1"])
      yield* load(
        file("35.xml", [
          other,
          about(1, "A patent.", "35"),
          about(4, "The wombat of section 1 of title 17 is not that of section 1 of this title.", "35")
        ])
      )
      expect(Object.keys(yield* said)).toEqual(["us/usc/t17/s1", "us/usc/t35/s1"])
      expect(yield* urls("not that wombat", 5)).toContain(urlOf(1, "35"))
    })
  )

  fresh(
    "is no more than its limits, however many cite it",
    Effect.gen(function* () {
      const many = Array.from({ length: 60 }, (_, at) =>
        about(at + 2, `Here is ${"a very long matter ".repeat(9)} of kind ${at} that section 1 of this title governs.`)
      )
      yield* load(file("17.xml", [title, cited, ...many]))
      const [text = ""] = Object.values(yield* said)
      expect(text.split("\n").length).toBeLessThanOrEqual(16)
      expect(text.length).toBeLessThanOrEqual(3_000)
      expect(text.length).toBeGreaterThan(3_000 / 2)
    })
  )

  fresh(
    "comes to an index of the form before, which answers until then as it did",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = [file("17.xml", [title, cited, citing])]
      yield* load(...files)
      yield* sql.onDialectOrElse({
        orElse: () => sql`DROP TABLE gov_saying`,
        pg: () => sql`SELECT 1`
      })
      for (const table of ["gov_citing", "gov_recite", "gov_cited"]) yield* sql`DROP TABLE ${sql.literal(table)}`
      yield* sql`UPDATE gov_state SET form = 2`
      yield* sql`UPDATE gov_section SET digest = 'of the form before'`
      yield* sql`UPDATE gov_file SET form = 2`

      expect(yield* urls("wombat privilege")).toEqual([urlOf(2)])
      expect(yield* urls("17 U.S.C. 1", 1)).toEqual([urlOf(1)])
      expect(yield* GovSchema.ensure).toBe("upgraded")
      expect(yield* load(...files)).toMatchObject([{ sections: 2, written: 2, isKnown: false }])
      expect(yield* urls("wombat privilege")).toEqual([urlOf(2), urlOf(1)])
      expect(yield* GovLoader.older).toMatchObject({ files: 0 })
    })
  )

  fresh(
    "is written in the next load where one was killed before its end",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* load(file("17.xml", [title, cited, citing]))
      yield* sql`DELETE FROM gov_cited`
      yield* sql`INSERT INTO gov_recite ${sql.insert([{ key: "s/1" }])}`
      yield* load()
      expect(yield* urls("wombat privilege")).toEqual([urlOf(2), urlOf(1)])
    })
  )
})

const keys = (text: string) => citingSentences(text).map(({ key }) => key)

describe("the sentences by which a text cites", () => {
  it("say what is cited, without the citation", () => {
    expect(citingSentences("The fair use of a work, as section 107 of title 17 allows it, needs no license.")).toEqual([
      { key: "usc/17/107", within: "anywhere", text: "The fair use of a work, as allows it, needs no license." }
    ])
    expect(
      keys("A consumer may recover damages under 15 U.S.C. § 1692k(a) or 12 CFR 1005.6, as the case may be.")
    ).toEqual(["usc/15/1692k", "cfr/12/1005.6"])
  })

  it("tell a number of their own document from one of another text", () => {
    expect(citingSentences("An owner has the exclusive rights of section 106 of this title.")).toMatchObject([
      { key: "s/106", within: "document" }
    ])
    expect(citingSentences("The notice that § 1005.7 requires is given at the time of contracting.")).toMatchObject([
      { key: "n/1005.7", within: "code" }
    ])
    expect(keys("Any person who is a carrier under section 5 of the Clean Air Act of another year.")).toEqual([])
  })

  it("are left out where they cite nothing, or say nothing about what they cite", () => {
    expect(keys("In this section, 12 apples are a dozen and section (a) is none.")).toEqual([])
    expect(keys("See section 107.")).toEqual([])
  })

  it("are one for each text that is cited, the first, and a hundred at most", () => {
    const twice = "The first sentence of section 107 is this one.\nAnother line about section 107 says more."
    expect(citingSentences(twice).map(({ text }) => text)).toEqual(["The first sentence of is this one."])
    const many = Array.from({ length: 300 }, (_, at) => `What is said of section ${at + 1} in this long list.`)
    expect(citingSentences(many.join("\n"))).toHaveLength(100)
  })

  it("of a long line are cut at blanks around the citation", () => {
    const [one] = citingSentences(`${"before ".repeat(100)}under section 9 ${"after ".repeat(100)}`)
    expect(one?.text.length).toBeLessThanOrEqual(301)
    expect(one?.text).toMatch(/^before .* under after .* after$/)
  })
})
