import { describe, expect, it } from "vitest"
import * as Query from "#law/query/Query"
import * as Vocabulary from "#law/query/Vocabulary"

const vocabulary = Vocabulary.ofDocuments([
  {
    id: 1,
    identity: "us/cfr/t12/p1005",
    title: "Electronic Fund Transfers (Regulation E)",
    names: ["Regulation E"],
    issuer: "Bureau of Consumer Financial Protection",
    level: "federal",
    jurisdiction: "United States",
    collection: "cfr",
    collectionName: "C.F.R.",
    version: "2016-11-14",
    versionDate: "2016-11-14"
  },
  {
    id: 2,
    identity: "us-ca/san-mateo/code/t7",
    title: "Labor",
    names: [],
    issuer: "City of San Mateo",
    level: "local",
    jurisdiction: "San Mateo, California",
    collection: "municipal-code",
    collectionName: "San Mateo Municipal Code",
    version: "",
    versionDate: undefined
  }
])
const read = (text: string) => Query.read(text, vocabulary)
const named = (text: string) => read(text).mentions.map(({ documents, kind }) => [kind, ...documents])

describe("a query", () => {
  it("is about its telling words, without citation, names and day", () => {
    const query = read("What does 12 CFR 1005.6 say about stolen cards in San Mateo as of 2018?")
    expect(query.words).toEqual(["stolen", "cards"])
    expect(query.nameWords).toEqual(["san", "mateo"])
    expect(query.asOf).toBe("2018-12-31")
    expect(query.cited.map(({ keys }) => keys[0])).toEqual(["cfr/12/1005.6"])
  })

  it("keeps dull words where it has no others", () => {
    expect(read("who may and who must").words).toEqual(["who", "may", "and", "must"])
  })

  it.each([
    ["noise in San Mateo", ["jurisdiction", 2]],
    ["noise in California", ["jurisdiction", 2]],
    ["CA noise limits", ["jurisdiction", 2]],
    ["SMMC 7.30.040", ["collection", 2]],
    ["Reg. E errors", ["document", 1]],
    ["regulation e errors", ["document", 1]],
    ["CFPB remittances", ["issuer", 1]],
    ["Consumer Financial Protection Bureau remittances", ["issuer", 1]],
    ["federal law on transfers", ["jurisdiction", 1]]
  ])("names in %j what the index has", (text, mention) => {
    expect(named(text)).toEqual([mention])
  })

  it.each(["a ca noise limit", "tell us of labor", "san mateos", "Regulation Evening"])(
    "names nothing in %j",
    (text) => {
      expect(named(text).filter(([kind]) => kind !== "collection")).toEqual([])
    }
  )

  it("is about an agency that has issued nothing here, by what the agency is about", () => {
    const query = read("OSHA employers")
    expect(query.words).toEqual(["osha", "employers"])
    expect(query.mentions.map(({ phrase }) => phrase)).toEqual(["Occupational Safety and Health"])
  })

  it("wishes for bills, guidance or what was, where it says so", () => {
    const wish = (text: string) => [...read(text).statuses]
    expect(wish("H.R. 1058 as introduced")).toEqual(["bill"])
    expect(wish("official interpretation of 1005.6")).toEqual(["guidance"])
    expect(wish("repealed taxes")).toEqual(["historical"])
    expect(wish("a bill of lading")).toEqual([])
  })

  it("knows the short names of a bill's stages", () => {
    expect(read("HR 1058 ENR").versionWords.has("enrolled")).toBe(true)
  })

  it("has phrases of at least two words in its quotation marks", () => {
    expect(read('"access device" and “unauthorized transfer” but "card"').phrases).toEqual([
      "access device",
      "unauthorized transfer"
    ])
  })

  it("is cut where it is endless", () => {
    expect(read("a".repeat(100_000)).text.length).toBe(2000)
  })
})

describe("the day as of which a query asks", () => {
  it.each([
    ["17 USC 107 as of 2018", "2018-12-31"],
    ["rent control as of 2018-03", "2018-03-31"],
    ["as of 2018-03-04, what is", "2018-03-04"],
    ["in effect on January 1, 2012", "2012-01-01"],
    ["in force in March 2016", "2016-03-31"],
    ["effective 5 Sept. 2019", "2019-09-05"],
    ["as it was on 7/4/2001", "2001-07-04"],
    ["the law in 1999", "1999-12-31"],
    ["before 2017", "2016-12-31"],
    ["prior to March 1, 2016", "2016-02-29"],
    ["during Feb 2024", "2024-02-29"]
  ])("is read from %j", (text, day) => {
    expect(read(text).asOf).toBe(day)
  })

  it.each([
    "Consolidated Appropriations Act 2018",
    "the Act of 1976",
    "in 20185",
    "as of 2018-13-01",
    "section 2018",
    "in 2018.5"
  ])("is not read from %j", (text) => {
    expect(read(text).asOf).toBeUndefined()
  })

  it("says where it stands, so that it is no word of what is asked", () => {
    const { asOf, words } = read("fair use as of 2018 in schools")
    expect([asOf, words]).toEqual(["2018-12-31", read("fair use in schools").words])
  })
})
