import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { GovIndex } from "#law/GovIndex"
import { onEachDatabase } from "../../service/databases.ts"
import { document, file, library, load, over, section, titles, urls } from "./library.ts"

onEachDatabase("the index of government texts", (database) => {
  /** A test over the loaded library. */
  const loaded = (name: string, test: Effect.Effect<void, unknown, GovIndex>) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const place = yield* database.fresh
        yield* Effect.andThen(load(...library), test).pipe(Effect.provide(over(place)))
      })
    )
  const first = (query: string) => Effect.map(urls(query), ([url]) => url)

  loaded(
    "finds a section by any form of its citation, and tells it first",
    Effect.gen(function* () {
      const forms = {
        "http://law.test/us/usc/t17/s101/": [
          "17 U.S.C. 101",
          "17 USC § 101",
          "section 101 of title 17",
          "what is in 17 usc 101?"
        ],
        "http://law.test/us/cfr/t12/s1005.6/": ["12 CFR 1005.6", "12 C.F.R. § 1005.6(b)", "Reg. E 1005.6"],
        "http://law.test/us-dc/code/42-3505.31/": ["D.C. Code § 42-3505.31", "DC ST 42–3505.31", "42-3505.31"],
        "http://law.test/us-ca/san-mateo/code/7.30.040/": ["San Mateo Municipal Code 7.30.040", "SMMC § 7.30.040"],
        "http://law.test/us/cfr/t12/s1005.6/interp/": ["12 CFR part 1005, Supplement I, § 1005.6"],
        "http://law.test/us/cfr/t12/s1005.6/interp/ ": ["official interpretation of 12 CFR 1005.6", "comment 1005.6"],
        "http://law.test/us/bill/116/hr1058/s3/Enrolled Bill": ["H.R. 1058 section 3", "HR 1058 (116th Congress)"]
      }
      const wrong = yield* Effect.forEach(Object.entries(forms), ([url, queries]) =>
        Effect.forEach(queries, (query) =>
          Effect.map(first(query), (found) => (found === url.trim() ? [] : [query, found]))
        )
      )
      expect(wrong.flat(2)).toEqual([])
    })
  )

  loaded(
    "says that a section that is cited does not exist, and shows the nearest of the same code as such",
    Effect.gen(function* () {
      const index = yield* GovIndex
      const ask = (query: string) =>
        Effect.map(index.search(query, 10), ({ hits, warning }) => [warning, hits.map(({ url }) => url)])
      const nearest = "; the nearest sections of this code follow"

      expect(yield* ask("99 U.S.C. § 1")).toEqual(["there is no 99 U.S.C. § 1 in this index", []])
      expect(yield* ask("12 V.S.A. § 999999")).toEqual(["there is no 12 V.S.A. § 999999 in this index", []])
      expect(yield* ask("Ga. Code § 42-3505.31")).toEqual(["there is no Ga. Code § 42-3505.31 in this index", []])
      expect(yield* ask("17 U.S.C. § 106")).toEqual([
        `there is no 17 U.S.C. § 106 in this index${nearest}`,
        [
          "http://law.test/us/usc/t17/s107/",
          "http://law.test/us/usc/t17/s101/",
          "http://law.test/us/usc/t17/s107/112-90"
        ]
      ])
      expect(yield* ask("12 CFR 1005.7")).toEqual([
        `there is no 12 CFR 1005.7 in this index${nearest}`,
        ["http://law.test/us/cfr/t12/s1005.6/", "http://law.test/us/cfr/t12/s1005.31/"]
      ])
      const { hits, warning } = yield* index.search("12 CFR 1005.999 unauthorized transfers", 10)
      expect(warning).toContain("there is no 12 CFR 1005.999 in this index")
      expect(hits.map(({ url }) => url.includes("/us/cfr/t12/")).every(Boolean) && hits.length > 0).toBe(true)
      expect((yield* index.search("17 U.S.C. 101", 10)).warning).toBeUndefined()
    })
  )

  loaded(
    "lists a part or a chapter that is named as its file has it",
    Effect.gen(function* () {
      expect((yield* urls("12 CFR part 1005")).slice(0, 2)).toEqual([
        "http://law.test/us/cfr/t12/s1005.6/",
        "http://law.test/us/cfr/t12/s1005.31/"
      ])
      expect((yield* urls("San Mateo Municipal Code chapter 7.30", 2)).toSorted()).toEqual([
        "http://law.test/us-ca/san-mateo/code/7.30.010/",
        "http://law.test/us-ca/san-mateo/code/7.30.040/"
      ])
    })
  )

  loaded(
    "prefers a heading to a text, and law to guidance",
    Effect.gen(function* () {
      const found = yield* urls("liability of consumer for unauthorized transfers")
      expect(found.slice(0, 2)).toEqual([
        "http://law.test/us/cfr/t12/s1005.6/",
        "http://law.test/us/cfr/t12/s1005.6/interp/"
      ])
      expect(yield* first("official interpretation liability of consumer for unauthorized transfers")).toBe(
        "http://law.test/us/cfr/t12/s1005.6/interp/"
      )
    })
  )

  loaded(
    "understands plain questions by the words that law has for them",
    Effect.gen(function* () {
      expect(yield* first("can my landlord kick me out in DC")).toBe("http://law.test/us-dc/code/42-3505.01/temporary")
      expect(yield* first("how long does copyright last")).toBe("http://law.test/us/usc/t17/s302/")
      expect(yield* first("what is fair use")).toBe("http://law.test/us/usc/t17/s107/")
    })
  )

  loaded(
    "prefers the place that is named",
    Effect.gen(function* () {
      expect(yield* first("evictions San Mateo")).toBe("http://law.test/us-ca/san-mateo/code/7.30.010/")
      expect(yield* first("evictions in the District of Columbia")).toContain("us-dc")
      expect(yield* first("CFPB disclosures")).toBe("http://law.test/us/cfr/t12/s1005.31/")
    })
  )

  loaded(
    "tells the version in force first, unless another is meant",
    Effect.gen(function* () {
      expect((yield* urls("17 U.S.C. 107")).slice(0, 2)).toEqual([
        "http://law.test/us/usc/t17/s107/",
        "http://law.test/us/usc/t17/s107/112-90"
      ])
      expect(yield* first("17 U.S.C. 107 as of 2015")).toBe("http://law.test/us/usc/t17/s107/112-90")
      expect(yield* first("fair use release 112-90")).toBe("http://law.test/us/usc/t17/s107/112-90")
      expect(yield* first("42-3505.01")).toBe("http://law.test/us-dc/code/42-3505.01/temporary")
      expect(yield* first("42-3505.01 permanent")).toBe("http://law.test/us-dc/code/42-3505.01/permanent")
      expect(yield* first("H.R. 1058 as introduced in the House")).toContain("Introduced")
      expect(yield* first("programs relating to autism")).toContain("Enrolled")
    })
  )

  loaded(
    "says in the title what to check before citing",
    Effect.gen(function* () {
      expect((yield* titles("42-3505.01 permanent"))[0]).toBe(
        "D.C. Code § 42-3505.01. Evictions [District of Columbia, historical, permanent]"
      )
      expect((yield* titles("12 CFR 1005.6"))[0]).toBe(
        "12 C.F.R. § 1005.6. Liability of consumer for unauthorized transfers [United States, in force, 2016-11-14]"
      )
    })
  )

  loaded(
    "shows the passage that answers, and the paragraph that is cited",
    Effect.gen(function* () {
      const index = yield* GovIndex
      const {
        hits: [found]
      } = yield* index.search("two business days after loss or theft of the access device", 1)
      expect(found?.description).toContain("shall not exceed $50")
      expect(found?.description).not.toContain("Conditions for liability")
      const {
        hits: [cited]
      } = yield* index.search("17 U.S.C. 107(2)", 1)
      expect(cited?.description).toBe("(2) the nature of the copyrighted work.")
    })
  )

  loaded(
    "keeps to what stands in quotation marks where anything has it",
    Effect.gen(function* () {
      expect(yield* urls('"remittance transfer provider"')).toEqual(["http://law.test/us/cfr/t12/s1005.31/"])
      expect(yield* urls('"no such words anywhere" evictions')).not.toEqual([])
    })
  )

  loaded(
    "gives at most k, the same each time, and nothing where nothing is found",
    Effect.gen(function* () {
      const all = yield* urls("copyright work", 100)
      expect(all.length).toBeGreaterThan(3)
      expect(yield* urls("copyright work", 2)).toEqual(all.slice(0, 2))
      expect(yield* urls("copyright work", 100)).toEqual(all)
      expect(yield* urls("zyzzyva quokka")).toEqual([])
    })
  )

  loaded(
    "takes any query for what it is: text",
    Effect.gen(function* () {
      const hostile = [
        '"',
        "'; DROP TABLE gov_section; --",
        "NEAR(copyright work)",
        "copyright AND OR NOT",
        "heading:copyright*",
        "^copyright -work +use",
        "\u0000\u0001\u0002 copyright \u0000",
        "()[]{}",
        "§§§",
        "%_\\",
        "🦆 copyright",
        "a".repeat(50_000),
        "17 U.S.C. 107 ".repeat(2_000)
      ]
      for (const query of hostile) expect(Array.isArray(yield* urls(query))).toBe(true)
      expect(yield* first("'; DROP TABLE gov_section; -- fair use")).toContain("s107")
    })
  )

  it.live("has nothing before anything is loaded, and sees what is loaded later", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      yield* Effect.gen(function* () {
        const index = yield* GovIndex
        expect(yield* index.sections).toBe(0)
        expect((yield* index.search("17 U.S.C. 101", 10)).hits).toEqual([])
        yield* load(...library)
        expect(yield* index.sections).toBe(15)
        expect((yield* index.search("17 U.S.C. 101", 10)).hits[0]?.url).toBe("http://law.test/us/usc/t17/s101/")
      }).pipe(Effect.provide(over(place)))
    })
  )

  it.live("finds the only text that words were copied from among many with one of them in the heading", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const rule = (number: number, heading: string, text: string) =>
        section({
          document: "us/usc/t9",
          identity: `us/usc/t9/s${number}`,
          citation: `9 U.S.C. § ${number}`,
          heading,
          text
        })
      const many = Array.from({ length: 250 }, (_, at) =>
        rule(
          at + 1,
          "Rulings",
          "Rulings must be final. A ruling of the board, and rulings of others, must be given in writing."
        )
      )
      const source = rule(
        900,
        "Appeals",
        "The board must be given what follows from the ruling given in writing on the day before."
      )
      yield* Effect.gen(function* () {
        yield* load(file("t9.xml", [document({ identity: "us/usc/t9" }), ...many, source]))
        expect((yield* urls("follows from the ruling given"))[0]).toBe("http://law.test/us/usc/t9/s900/")
        // Postgres leaves "from", "the" and "in" out of its index, so there is no run of four words.
        if (database.name === "SQLite") {
          expect((yield* urls("from the ruling given in writing"))[0]).toBe("http://law.test/us/usc/t9/s900/")
        }
      }).pipe(Effect.provide(over(place)))
    })
  )
})
