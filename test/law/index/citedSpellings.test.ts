/** Sections of several codes, some with the number of another one, by their citations as people write them. */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect } from "vitest"
import * as Corpus from "#law/Corpus"
import { GovIndex } from "#law/GovIndex"
import * as GovLoader from "#law/GovLoader"
import * as GovSchema from "#law/GovSchema"
import { onEachDatabase } from "../../service/databases.ts"
import { platform, withFolder } from "../corpus/corpusOf.ts"
import { vsa } from "../corpus/html/vsa.ts"
import { comar } from "../corpus/openLaw/comar.ts"
import { over } from "./library.ts"

const prefixed = (prefix: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${prefix}/${name}`, text]))

const titleNineA = `<html><head><meta content="Release 81 of the Official Code of Vermont Annotated" name="description"></head>
  <body><h1>Title 9A Commercial</h1><h3>§ 2451a. Letters</h3><p>As 9 V.S.A. § 2451 says.</p>
  <h3>§ 2-101. Short title</h3><p>Sales.</p></body></html>`
/** It has the numbers of the others, and cites them. */
const decoys = `<container xmlns="https://open.law/schemas/library" containing-doc="City of Oakville, Cal., Code">
  <prefix>Title</prefix><num>21</num><heading>T</heading>
  <section><num>21.03.04.01</num><heading>One</heading><text>See COMAR 21.03.04.01 and 9 V.S.A. § 2451.</text></section>
  <section><num>1002.4</num><heading>Two</heading><text>It is about 12 CFR 1002.4.</text></section>
  <section><num>1983</num><heading>Three</heading><text>Of 42 U.S.C. 1983.</text></section></container>`
const usc = `<?xml version="1.0"?><uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" identifier="/us/usc/t42"><meta>
  <docNumber>42</docNumber><docPublicationName>Online@117-80</docPublicationName></meta><main>
  <title identifier="/us/usc/t42"><num value="42">Title 42</num><heading>HEALTH</heading>
  <section identifier="/us/usc/t42/s1983"><num value="1983">§ 1983.</num><heading>Civil action</heading><content><p>Every person.</p></content></section>
  <section identifier="/us/usc/t42/s1984"><num value="1984">§ 1984.</num><heading>Omitted from 42 U.S.C. 1983</heading><content><p>As 42 U.S.C. 1983 says.</p></content></section>
  </title></main></uscDoc>`
const cfr = `<regulation xmlns="eregs"><fdsys><cfrTitleNum>12</cfrTitleNum><title>BANKS</title></fdsys><preamble><agency>CFPB</agency>
  <cfr><title>12</title><section>1002</section></cfr><documentNumber>1</documentNumber><effectiveDate>2018-01-01</effectiveDate></preamble>
  <part label="1002"><content><subpart><content>
  <section label="1002-4" sectionNum="4"><subject>§ 1002.4 General rules.</subject><paragraph label="1002-4-a" marker="(a)"><content>A creditor.</content></paragraph></section>
  <section label="1002-5" sectionNum="5"><subject>§ 1002.5 Other.</subject><paragraph label="1002-5-a" marker="(a)"><content>As § 1002.4 and 12 CFR 1002.4 say.</content></paragraph></section>
  </content></subpart></content></part></regulation>`

const wanted: Readonly<Record<string, ReadonlyArray<string>>> = {
  "us-vt/code/release-81#t09p03c63s2451": [
    "9 V.S.A. § 2451",
    "9 V.S.A. § 2451(a)",
    "Vt. Stat. Ann. tit. 9, § 2451",
    "Vt. Stat. Ann. tit. 9 § 2451 (2021)",
    "9 VSA 2451",
    "9 V. S. A. §2451",
    "9 V.S.A. section 2451",
    "V.S.A. tit. 9, § 2451",
    "9 Vt. Stat. Ann. § 2451",
    "section 2451 of title 9, V.S.A.",
    "Vermont Statutes Annotated title 9 § 2451",
    "title 9, section 2451 of the Vermont Statutes"
  ],
  "us-vt/code/release-81#t09p03c63s2470aa": ["9 V.S.A. § 2470aa", "Vt. Stat. Ann. tit. 9, § 2470aa(b)(1)"],
  "us-vt/code/release-81#2451a": ["9A V.S.A. § 2451a", "Vt. Stat. Ann. tit. 9A, § 2451a"],
  "us-vt/code/release-81#2-101": ["9A V.S.A. § 2-101"],
  "us-md/code/21.03.04.01": [
    "COMAR 21.03.04.01",
    "COMAR § 21.03.04.01",
    "COMAR 21.03.04.01A(2)",
    "COMAR 21.03.04.01(A)",
    "Md. Code Regs. 21.03.04.01",
    "Md. Code Regs. § 21.03.04.01 (2020)",
    "Code of Maryland Regulations 21.03.04.01",
    "MD ADC 21.03.04.01",
    "COMAR Title 21, Subtitle 03, Chapter 04, Regulation .01"
  ],
  "us-md/code/21.03.04.01-1": ["COMAR 21.03.04.01-1"],
  "regulations/1002/2018-01-01/4/": [
    "12 CFR 1002.4",
    "12 C.F.R. § 1002.4(a)",
    "12 C. F. R. 1002.4",
    "section 1002.4 of title 12, Code of Federal Regulations"
  ],
  "title42-section1983": [
    "42 U.S.C. § 1983",
    "42 USC 1983(b)",
    "42 U.S.C.A. § 1983",
    "42 U. S. C. § 1983",
    "42 U.S. Code § 1983",
    "section 1983 of title 42"
  ]
}

const isAt = (url: string | undefined, end: string): boolean =>
  url?.endsWith(end) === true || url?.includes(`${end}&`) === true

onEachDatabase("citations in all their spellings", (database) => {
  it.live("find their section first, whatever else has its number or cites it", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const files = {
        ...prefixed("md", comar()),
        "vt/r80/9.html": vsa(80, "Of old."),
        "vt/r81/9.html": vsa(81),
        "vt/r81/9a.html": titleNineA,
        "ca/21.xml": decoys,
        "us/42.xml": usc,
        "us/1002.xml": cfr
      }
      const missed = yield* Effect.promise(() =>
        withFolder(files, (folder) =>
          Effect.gen(function* () {
            yield* GovSchema.ensure
            yield* Stream.runDrain(GovLoader.load("/corpus", Corpus.files(folder)))
            yield* GovSchema.changed
            const index = yield* GovIndex
            const asked = Object.entries(wanted).flatMap(([end, queries]) => queries.map((query) => ({ end, query })))
            const answers = yield* Effect.forEach(asked, ({ end, query }) =>
              Effect.map(index.search(query, 1), ({ hits: [hit] }) => (isAt(hit?.url, end) ? [] : [[query, hit?.url]]))
            )
            return answers.flat()
          }).pipe(Effect.provide([over(place), platform]), Effect.scoped, Effect.runPromise)
        )
      )
      expect(missed).toEqual([])
    })
  )
})
