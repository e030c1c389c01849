import { describe, expect, it } from "vitest"
import { inOrder } from "#law/index/answer"
import type { Candidate } from "#law/index/GovStore"
import * as Query from "#law/query/Query"
import * as Vocabulary from "#law/query/Vocabulary"

const version = (name: string, fields: Partial<Candidate> = {}): Candidate => ({
  id: 1,
  url: name,
  identity: "us/usc/t17/s107",
  documentId: 1,
  number: "107",
  citation: "17 U.S.C. § 107",
  heading: "",
  status: "in force",
  version: name,
  versionDate: undefined,
  adopted: undefined,
  effective: undefined,
  ...fields
})
const ordered = (versions: ReadonlyArray<Candidate>, query: string) =>
  inOrder(versions, Query.read(query, Vocabulary.ofDocuments([]))).map(({ url }) => url)

const releases = [
  version("112-90", { versionDate: "2012-01-05" }),
  version("117-80", { versionDate: "2022-01-05" }),
  version("114-10", { versionDate: "2016-01-05" })
]

describe("versions of a section", () => {
  it("come the newest first", () => {
    expect(ordered(releases, "fair use")).toEqual(["117-80", "114-10", "112-90"])
  })

  it("come as of a day: the last that had begun by then, then older ones, then later ones", () => {
    expect(ordered(releases, "fair use as of 2018")).toEqual(["114-10", "112-90", "117-80"])
    expect(ordered(releases, "fair use before 2000")).toEqual(["112-90", "114-10", "117-80"])
  })

  it("come the one that is named first, whatever its day", () => {
    expect(ordered(releases, "fair use release 112-90")[0]).toBe("112-90")
  })

  it("come what is in force before what is not, whatever its day", () => {
    const twins = [
      version("permanent", { status: "historical", versionDate: "2024-01-01" }),
      version("temporary", { versionDate: "2023-01-01" })
    ]
    expect(ordered(twins, "evictions")).toEqual(["temporary", "permanent"])
    expect(ordered(twins, "evictions permanent version")).toEqual(["permanent", "temporary"])
  })

  it("come the one that was law on the day that is asked for", () => {
    const twins = [
      version("until", { effectiveUntil: "2022-12-01" }),
      version("from", { status: "historical", effective: "2022-12-01" })
    ]
    expect(ordered(twins, "class B license")).toEqual(["until", "from"])
    expect(ordered(twins, "class B license as of 2022-11-30")).toEqual(["until", "from"])
    expect(ordered(twins, "class B license as of 2022-12-01")).toEqual(["from", "until"])
  })

  it("of a bill come the one that came furthest first, though its day is not told", () => {
    const stages = [
      version("Introduced in House", { status: "bill", versionDate: "2019-02-07" }),
      version("Enrolled Bill", { status: "bill" }),
      version("Engrossed in House", { status: "bill", versionDate: "2019-07-24" })
    ]
    expect(ordered(stages, "H.R. 1058")).toEqual(["Enrolled Bill", "Engrossed in House", "Introduced in House"])
    expect(ordered(stages, "H.R. 1058 IH")[0]).toBe("Introduced in House")
  })
})
