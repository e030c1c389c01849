/** A small library of government texts, as readers tell them, and the index of it on any database. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { client } from "#base/sqlClient"
import type { CorpusFile } from "#law/Corpus"
import { CorpusError } from "#law/CorpusSettings"
import { GovIndex } from "#law/GovIndex"
import * as GovLoader from "#law/GovLoader"
import * as GovSchema from "#law/GovSchema"
import type { GovDocument, GovSection, GovText } from "#law/GovText"
import { GovStore } from "#law/index/GovStore"
import { layerStore } from "#law/index/layerStore"
import type { ServiceConfig } from "#service/ServiceConfig"

export const document = (fields: Partial<GovDocument> & Pick<GovDocument, "identity">): GovDocument => ({
  _tag: "Document",
  title: "Title 17, Copyrights",
  issuer: "Office of the Law Revision Counsel",
  level: "federal",
  jurisdiction: "United States",
  collection: "us-code",
  collectionName: "U.S.C.",
  names: [],
  version: "117-80",
  versionDate: "2022-01-01",
  url: `http://law.test/${fields.identity}`,
  ...fields
})

export const section = (
  fields: Partial<GovSection> & Pick<GovSection, "document" | "identity" | "citation" | "heading" | "text">
): GovSection => ({
  _tag: "Section",
  number: fields.citation.split("§").at(-1)?.trim() ?? "",
  alsoCited: [],
  path: [],
  notes: "",
  status: "in force",
  version: "",
  url: `http://law.test/${fields.identity}/${fields.version ?? ""}`,
  ...fields
})

export const file = (path: string, texts: ReadonlyArray<GovText>, sha256 = JSON.stringify(texts)): CorpusFile => ({
  path,
  bytes: 1,
  sha256,
  format: "uslm",
  texts: Stream.fromIterable(texts)
})

/** It breaks behind these texts. */
export const broken = (path: string, texts: ReadonlyArray<GovText>): CorpusFile => ({
  ...file(path, texts, `broken ${path}`),
  texts: Stream.concat(
    Stream.fromIterable(texts),
    Stream.fail(new CorpusError({ file: path, line: 7, message: "an element is not closed" }))
  )
})

/** Loads files as the corpus /corpus. */
export const load = (...files: ReadonlyArray<CorpusFile>) =>
  Effect.gen(function* () {
    yield* GovSchema.ensure
    const loaded = yield* Stream.runCollect(GovLoader.load("/corpus", Stream.fromIterable(files)))
    yield* GovSchema.changed
    return loaded
  })

/** What is asked of the index, over a database that the loader works on too. */
export const over = (database: ServiceConfig["database"]) =>
  Layer.mergeAll(layerStore, Layer.empty).pipe(Layer.provideMerge(GovStore.layer), Layer.provideMerge(client(database)))

/** Addresses of the hits, best first. */
export const urls = (query: string, k = 10) =>
  Effect.flatMap(GovIndex, (index) => Effect.map(index.search(query, k), ({ hits }) => hits.map(({ url }) => url)))

export const titles = (query: string, k = 10) =>
  Effect.flatMap(GovIndex, (index) => Effect.map(index.search(query, k), ({ hits }) => hits.map(({ title }) => title)))

const copyright = document({ identity: "us/usc/t17", names: ["Copyright Act of 1976"] })
const oldCopyright = document({
  identity: "us/usc/t17",
  version: "112-90",
  versionDate: "2012-01-05",
  url: "http://law.test/us/usc/t17@112-90"
})
const regulationE = document({
  identity: "us/cfr/t12/p1005",
  title: "Electronic Fund Transfers (Regulation E)",
  issuer: "Bureau of Consumer Financial Protection",
  collection: "cfr",
  collectionName: "C.F.R.",
  names: ["Regulation E"],
  version: "2016-11-14",
  versionDate: "2016-11-14"
})
const district = document({
  identity: "us-dc/code/t42",
  title: "Title 42 Real Property",
  issuer: "Council of the District of Columbia",
  level: "state",
  jurisdiction: "District of Columbia",
  collection: "state-code",
  collectionName: "D.C. Code",
  version: "2024-10-08",
  versionDate: "2024-10-08"
})
const city = document({
  identity: "us-ca/san-mateo/code/t7",
  title: "Title 7 Health, Sanitation and Public Nuisance",
  issuer: "City of San Mateo",
  level: "local",
  jurisdiction: "San Mateo, California",
  collection: "municipal-code",
  collectionName: "San Mateo Municipal Code",
  version: "",
  url: "http://law.test/us-ca/san-mateo/code/t7"
})
const bill = (version: string, versionDate: string) =>
  document({
    identity: "us/bill/116/hr1058",
    title: "Autism CARES Act of 2019",
    issuer: "United States Congress",
    collection: "bill",
    collectionName: "bills",
    version,
    versionDate,
    url: `http://law.test/us/bill/116/hr1058/${version}`
  })
const billSection = (version: string): GovSection =>
  section({
    document: "us/bill/116/hr1058",
    identity: "us/bill/116/hr1058/s3",
    citation: "H.R. 1058, 116th Cong., § 3",
    number: "3",
    heading: "Programs relating to autism",
    text: `(a) Section 399AA of the Public Health Service Act is amended. This is the ${version}.`,
    status: "bill",
    version
  })

export const library: ReadonlyArray<CorpusFile> = [
  file("usc/17@112-90.xml", [
    oldCopyright,
    section({
      document: "us/usc/t17",
      identity: "us/usc/t17/s107",
      citation: "17 U.S.C. § 107",
      heading: "Limitations on exclusive rights: Fair use",
      text: "The fair use of a copyrighted work, as it was said before, is no infringement of copyright.",
      version: "112-90",
      versionDate: "2012-01-05"
    })
  ]),
  file("usc/17.xml", [
    copyright,
    section({
      document: "us/usc/t17",
      identity: "us/usc/t17/s101",
      citation: "17 U.S.C. § 101",
      heading: "Definitions",
      text: "As used in this title, the following terms mean the following:\nA “computer program” is a set of statements or instructions."
    }),
    section({
      document: "us/usc/t17",
      identity: "us/usc/t17/s107",
      citation: "17 U.S.C. § 107",
      heading: "Limitations on exclusive rights: Fair use",
      text: "The fair use of a copyrighted work, including such use by reproduction in copies, for criticism, comment or teaching, is not an infringement of copyright.\n(1) the purpose and character of the use;\n(2) the nature of the copyrighted work."
    }),
    section({
      document: "us/usc/t17",
      identity: "us/usc/t17/s302",
      citation: "17 U.S.C. § 302",
      heading: "Duration of copyright: Works created on or after January 1, 1978",
      text: "(a) In General.—Copyright in a work endures for a term consisting of the life of the author and 70 years after the author’s death."
    }),
    section({
      document: "us/usc/t17",
      identity: "us/usc/t17/s601",
      citation: "17 U.S.C. § 601",
      heading: "[Repealed]",
      text: "Manufacture and importation of copies was about public distribution of certain copies.",
      status: "historical"
    })
  ]),
  file("cfr/1005.xml", [
    regulationE,
    section({
      document: "us/cfr/t12/p1005",
      identity: "us/cfr/t12/s1005.6",
      citation: "12 C.F.R. § 1005.6",
      number: "1005.6",
      heading: "Liability of consumer for unauthorized transfers",
      text: "(a) Conditions for liability. A consumer may be held liable for an unauthorized electronic fund transfer.\n(b) Limitations on amount of liability.\n(1) Timely notice given. If the consumer notifies the financial institution within two business days after learning of the loss or theft of the access device, the consumer's liability shall not exceed $50."
    }),
    section({
      document: "us/cfr/t12/p1005",
      identity: "us/cfr/t12/s1005.6/interp",
      citation: "12 C.F.R. pt. 1005, Supp. I, § 1005.6",
      number: "1005.6",
      heading: "Liability of Consumer for Unauthorized Transfers",
      text: "6(b) 1. Negligence of the consumer cannot be used as the basis for imposing greater liability.",
      status: "guidance"
    }),
    section({
      document: "us/cfr/t12/p1005",
      identity: "us/cfr/t12/s1005.31",
      citation: "12 C.F.R. § 1005.31",
      number: "1005.31",
      heading: "Disclosures",
      text: "(a) A remittance transfer provider must disclose to the sender the amount and the fees, as § 1005.6 does not."
    })
  ]),
  file("dc/42.xml", [
    district,
    section({
      document: "us-dc/code/t42",
      identity: "us-dc/code/42-3505.31",
      citation: "D.C. Code § 42-3505.31",
      heading: "Authorized fees for the payment of rent beyond 5 days",
      text: "(a) A housing provider may charge a late fee of no more than 5% of the full amount of rent due by a tenant.\n(b) It may not be charged on a Sunday."
    }),
    section({
      document: "us-dc/code/t42",
      identity: "us-dc/code/42-3505.01",
      citation: "D.C. Code § 42-3505.01",
      heading: "Evictions",
      text: "(a) No tenant shall be evicted from a rental unit by a housing provider, so long as the tenant pays rent.",
      version: "temporary"
    }),
    section({
      document: "us-dc/code/t42",
      identity: "us-dc/code/42-3505.01",
      citation: "D.C. Code § 42-3505.01",
      heading: "Evictions",
      text: "(a) No tenant shall be evicted from a rental unit by a housing provider, but for cause.",
      version: "permanent",
      status: "historical"
    })
  ]),
  file("san-mateo/7.xml", [
    city,
    section({
      document: "us-ca/san-mateo/code/t7",
      identity: "us-ca/san-mateo/code/7.30.040",
      citation: "San Mateo Municipal Code § 7.30.040",
      heading: "Maximum permissible sound levels",
      text: "It is unlawful to operate any source of sound whose noise level is above 60 dB at night.\nLeaf blowers shall rest on Sundays.",
      path: ["Title 7", "Chapter 7.30 Noise Regulations"]
    }),
    section({
      document: "us-ca/san-mateo/code/t7",
      identity: "us-ca/san-mateo/code/7.30.010",
      citation: "San Mateo Municipal Code § 7.30.010",
      heading: "Evictions",
      text: "Nobody is put out of a rented house for noise alone.",
      path: ["Title 7", "Chapter 7.30 Noise Regulations"]
    })
  ]),
  file("bills/hr1058.xml", [
    bill("Introduced in House", "2019-02-07"),
    billSection("Introduced in House"),
    bill("Enrolled Bill", "2019-09-20"),
    billSection("Enrolled Bill")
  ])
]
