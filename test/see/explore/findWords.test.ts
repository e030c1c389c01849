import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Database from "#engine/Duckdb"
import { longestFind, marksOf, patternsOf } from "#see/explore/findWords"

const marked = (find: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(marksOf(find) ?? /$^/g)].map(([word]) => word)

/** What the browser finds: each word has a mark. */
const inBrowser = (find: string, text: string): boolean =>
  patternsOf(find).every((pattern) => new RegExp(pattern, "iu").test(text))

const texts = [
  "Die große Straße am Fluß",
  "DIE GROSSE STRASSE AM FLUSS",
  "Cafe\u0301 und Café und cafe",
  "price:\u00a019.99\u00a0€ (incl. 20% VAT) [a.b*c] C:\\dir | {x} ^$",
  "バス停と ハス",
  "Ελλάδα ΕΛΛΆΔΑ ς σ",
  "Чай и йод, ёлка",
  "Ærø, Łódź, İstanbul, naïve œuvre",
  "it's \"quoted\" '; DROP",
  ""
]
const finds = [
  "grosse strasse",
  "STRASSE grosse",
  '"große straße"',
  '"strasse die"',
  "fluss",
  "cafe",
  "CAFÉ",
  '"19.99 €"',
  "20%",
  "a.b*c",
  "[a",
  "c:\\dir",
  "| {x} ^$",
  "バス",
  "ハス",
  "ελλαδα",
  "елка",
  "и",
  "йод",
  "aero lodz",
  "istanbul",
  "oeuvre NAÏVE",
  "'; drop",
  '"',
  "it's",
  "„große Straße“",
  "nothing"
]

describe("words that are looked for", () => {
  it("are found in any order, phrases as they stand, in any case and with or without accents", () => {
    const found = (find: string) => texts.flatMap((text, at) => (inBrowser(find, text) ? [at] : []))

    expect(found("STRASSE grosse")).toEqual([0, 1])
    expect(found('"große straße"')).toEqual([0, 1])
    expect(found("„große Straße“")).toEqual([0, 1])
    expect(found('"strasse die"')).toEqual([])
    expect(found("fluss")).toEqual([0, 1])
    expect(found("CAFÉ")).toEqual([2])
    expect(found('"19.99 €"')).toEqual([3])
    expect(found("a.b*c")).toEqual([3])
    expect(found("елка")).toEqual([6])
    expect(found("aero lodz")).toEqual([7])
    expect(found("oeuvre NAÏVE")).toEqual([7])
    expect(found("'; drop")).toEqual([8])
  })

  it("of a script whose marks make other letters are found as they are", () => {
    expect(inBrowser("ハス", "バス")).toBe(false)
    expect(inBrowser("バス", "バス停")).toBe(true)
    expect(inBrowser("йод", "иод")).toBe(false)
  })

  it("are marked, of two that begin alike the longer one", () => {
    expect(marked("cafe", texts[2] ?? "")).toEqual(["Cafe\u0301", "Café", "cafe"])
    expect(marked("str straße", "Strasse, Strom")).toEqual(["Strasse", "Str"])
    expect(marked('"a  b"', "a\n b, ab")).toEqual(["a\n b"])
    expect(marksOf(' "" ')).toBeUndefined()
  })

  it("are the same in DuckDB as in the browser", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const spill = join(tmpdir(), "millrace-unused.spill")
          const database = yield* Database.open({ threads: 1, memory: "64MB", spill })
          for (const find of finds) {
            for (const text of texts) {
              const has = patternsOf(find).map(
                (pattern) => `regexp_matches(${Database.literal(text)}, ${Database.literal(`(?i)${pattern}`)})`
              )
              const [found] = yield* Database.texts(database, `SELECT ${["true", ...has].join(" AND ")}`)
              expect([find, text, found]).toEqual([find, text, String(inBrowser(find, text))])
            }
          }
        })
      )
    ))

  it("are as many as an expression can hold", () => {
    const sentence = "é".repeat(longestFind)
    expect(inBrowser(sentence, "E".repeat(longestFind))).toBe(true)
    expect(patternsOf("a ".repeat(longestFind))).toHaveLength(1)
  })
})
