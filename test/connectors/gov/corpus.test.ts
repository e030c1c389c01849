import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { govCorpus } from "#connectors/gov/index"
import * as Source from "#engine/Source"
import * as SourceSuite from "#testing/SourceSuite"

const section = (number: string, text: string) =>
  `<section xmlns="https://open.law/schemas/library" containing-doc="City of Oakville, Cal., Code"><num>${number}</num><heading>Noise.</heading><text>${text}</text></section>`

/** A title with so many sections that it does not fit into one answer. */
const title = `<container xmlns="https://open.law/schemas/library" containing-doc="City of Oakville, Cal., Code"><prefix>Title</prefix><num>9</num><heading>Many</heading>
  ${Array.from({ length: 250 }, (_, at) => section(`9.01.${String(at).padStart(3, "0")}`, `Rule ${at}.`)).join("\n")}</container>`

const files: Record<string, string> = {
  "a.xml": section("1.01.010", "One."),
  "b.xml": title,
  "c.xml": section("2.01.010", "Two."),
  "d.md": "no law",
  "e.xml": "<section xmlns='https://open.law/schemas/library'>\n<num>",
  "f.xml": section("3.01.010", "Three.")
}

/** A folder of a test, with those files. */
const folderOf = (content: Record<string, string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "millrace-gov-"))
      for (const [name, text] of Object.entries(content)) writeFileSync(join(folder, name), text)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const collect = (reader: Source.Reader<never>, from: Partial<Source.ResumePoint<unknown, unknown>> = {}) =>
  Effect.map(Stream.runCollect(Source.read(reader, from)), (elements) => [...elements])

type Elements = Effect.Success<ReturnType<typeof collect>>

const rowsOf = (elements: Elements, table: string) =>
  elements.flatMap((element) => (element._tag === "Batch" && element.table.name === table ? element.rows : []))

const numbersOf = (elements: Elements) => rowsOf(elements, "gov_sections").map((row) => row["number"])

const rejectsOf = (elements: Elements) =>
  elements.flatMap((element) => (element._tag === "Reject" ? [element.reason] : []))

const factsOf = (elements: Elements) => {
  const last = elements.findLast((element) => element._tag === "Progress")
  return last?._tag === "Progress" ? last.facts : {}
}

const stateOf = (elements: Elements) => {
  const last = elements.findLast((element) => element._tag === "Checkpoint")
  return last?._tag === "Checkpoint" ? Option.some(last.state) : Option.none()
}

SourceSuite.suite("gov_corpus", {
  reader: Effect.map(folderOf({ ...files }), (path) => govCorpus.with({ path })),
  layer: Layer.empty,
  volatile: ["_fetched_at"]
})

describe("the source gov_corpus", () => {
  it.effect("gives documents and sections as rows, with the file that they come from", () =>
    Effect.gen(function* () {
      const path = yield* folderOf({ "c.xml": section("2.01.010", "Two.") })
      const elements = yield* collect(govCorpus.with({ path, baseUrl: "https://law.example" }))

      expect(
        rowsOf(elements, "gov_documents").map((row) => [row["identity"], row["jurisdiction"], row["_file"]])
      ).toEqual([["us-ca/oakville/code", "Oakville, California", "c.xml"]])
      const [row = {}] = rowsOf(elements, "gov_sections")
      expect([row["citation"], row["text"], row["url"], row["adopted"]]).toEqual([
        "Oakville Municipal Code § 2.01.010",
        "Two.",
        "https://law.example/us/ca/cities/oakville/code/2.01.010",
        null
      ])
    })
  )

  it.effect("answers no more than a hundred texts at once", () =>
    Effect.gen(function* () {
      const path = yield* folderOf({ "b.xml": title })
      const answers = yield* Stream.runCollect(
        govCorpus
          .with({ path })
          .fetch({ start: Option.none(), after: Option.none(), key: "k", limits: {}, directory: "." })
      )

      expect([...answers].map(({ kind }) => kind)).toEqual(["texts", "texts", "texts", "state", "state"])
    })
  )

  it.effect("reads only what has changed since the checkpoint, and what is new", () =>
    Effect.gen(function* () {
      const path = yield* folderOf(files)
      const reader = govCorpus.with({ path })
      const first = yield* collect(reader)
      expect(numbersOf(first).length).toBe(253)

      expect(numbersOf(yield* collect(reader, { start: stateOf(first) }))).toEqual([])

      writeFileSync(join(path, "c.xml"), section("2.01.010", "Two and a half."))
      writeFileSync(join(path, "g.xml"), section("4.01.010", "Four."))
      const second = yield* collect(reader, { start: stateOf(first) })
      expect(numbersOf(second)).toEqual(["2.01.010", "4.01.010"])
      expect(numbersOf(yield* collect(reader, { start: stateOf(second) }))).toEqual([])
    })
  )

  it.effect("rejects a file that is broken, with its line, and goes on behind it", () =>
    Effect.gen(function* () {
      const elements = yield* collect(govCorpus.with({ path: yield* folderOf(files) }))

      expect(elements.flatMap((element) => (element._tag === "Reject" ? [element.reason] : []))).toEqual([
        "e.xml:2: <num>, which opens in line 2, is not closed"
      ])
      expect(numbersOf(elements).at(-1)).toBe("3.01.010")
      const told = elements.findLast((element) => element._tag === "Progress")
      expect(told?._tag === "Progress" ? told.facts : {}).toEqual({ discovered: 6, read: 5, failed: 1 })
    })
  )

  it.effect("does not call known what has changed while a run was down: the next run reads it", () =>
    Effect.gen(function* () {
      const path = yield* folderOf(files)
      const reader = govCorpus.with({ path })
      const from = { start: Option.none(), key: "k", limits: {}, directory: "." }
      const [, , third] = yield* Stream.runCollect(Stream.take(reader.fetch({ ...from, after: Option.none() }), 3))
      writeFileSync(join(path, "a.xml"), section("1.01.010", "One and more."))

      const rest = yield* collect(reader, { after: Option.fromUndefinedOr(third?.cursor) })
      const next = yield* collect(reader, { start: stateOf(rest) })

      expect(numbersOf(next)).toEqual(["1.01.010"])
    })
  )

  it.effect("rejects a section whose identity another one has, whichever of their files it reads", () =>
    Effect.gen(function* () {
      const path = yield* folderOf({ "a.xml": section("1.01.010", "One."), "c.xml": section("2.01.010", "Two.") })
      const reader = govCorpus.with({ path })
      const first = yield* collect(reader)
      writeFileSync(join(path, "b.xml"), section("2.01.010", "Two again."))
      const second = yield* collect(reader, { start: stateOf(first) })

      expect(numbersOf(second)).toEqual([])
      expect(rejectsOf(second)).toEqual([
        expect.stringMatching(
          /^two sections are us-ca\/oakville\/code\/2\.01\.010 .*c\.xml:1, which is loaded, and b\.xml:1/
        )
      ])
      expect(factsOf(second)).toEqual({ discovered: 3, read: 3, failed: 0, clashes: 1 })

      // It is not said again while nothing changes, and counts as long as it stays so.
      const third = yield* collect(reader, { start: stateOf(second) })
      expect([rejectsOf(third), factsOf(third)]).toEqual([[], { discovered: 3, read: 3, failed: 0, clashes: 1 }])

      // When the other one is gone, it is the section.
      rmSync(join(path, "c.xml"))
      const fourth = yield* collect(reader, { start: stateOf(third) })
      expect([numbersOf(fourth), factsOf(fourth)]).toEqual([["2.01.010"], { discovered: 2, read: 2, failed: 0 }])
    })
  )

  it.effect("says a document once that several files say", () =>
    Effect.gen(function* () {
      const path = yield* folderOf({ "a.xml": section("1.01.010", "One."), "c.xml": section("2.01.010", "Two.") })

      expect(rowsOf(yield* collect(govCorpus.with({ path })), "gov_documents")).toHaveLength(1)
    })
  )

  it.effect("warns of what it leaves out, with its place and the reason", () =>
    Effect.gen(function* () {
      const path = yield* folderOf({
        "c.xml": section("2.01.010", "Two."),
        "d.html": "<html><h1>503</h1><p>down</p></html>"
      })
      const elements = yield* collect(govCorpus.with({ path, jurisdiction: "Oakville, California" }))

      expect(numbersOf(elements)).toEqual(["2.01.010"])
      expect(elements.filter(({ _tag }) => _tag === "Warning")).toEqual([
        { _tag: "Warning", message: "it has no section with a number", about: ["d.html"] }
      ])
    })
  )

  it.effect(
    "fails where nothing of law is there, so that a folder that is gone or an error page empties no table",
    () =>
      Effect.gen(function* () {
        const failureOf = (path: string) =>
          Effect.map(Effect.flip(collect(govCorpus.with({ path }))), (error) =>
            String(error).replaceAll(path, "FOLDER")
          )

        expect(yield* failureOf(yield* folderOf({}))).toContain(
          "nothing was read from FOLDER: no file of law is in it; check the path"
        )
        expect(
          yield* failureOf(
            yield* folderOf({ "a.html": "<html><h1>Title 7</h1><h3>§ 7-1. One</h3><p>Text.</p></html>" })
          )
        ).toContain("nothing was read from FOLDER: it has no section with a number")
      })
  )

  it.effect("fails where there is no such folder, and says what to do", () =>
    Effect.gen(function* () {
      const path = "/nowhere/at/all"
      expect(existsSync(path)).toBe(false)

      const error = yield* Effect.flip(collect(govCorpus.with({ path })))

      expect(error.message).toMatch(/^\/nowhere\/at\/all: it cannot be read.*check the path$/s)
    })
  )
})
