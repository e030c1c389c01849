/**
 * (a) Every section by its citation, in the forms that people write.
 *
 * The forms are made here, from what the corpus says a section is; nothing of how the index reads citations is used. Where
 * a form names several sections (documents that begin on one page of the Federal Register), any of them is right.
 */
import type { Engine } from "./Engine.ts"
import { type Placed, sampled, type Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

type Form = readonly [name: string, say: (one: Placed) => string | undefined]

export const citations = async (
  texts: Texts,
  engines: ReadonlyArray<Engine>,
  { most, seed }: { readonly most: number; readonly seed: number }
): Promise<ReadonlyArray<Trial.Row>> => {
  const identities = [...Map.groupBy(texts.sections, ({ section }) => section.identity).values()].flatMap(
    ([one]) => one ?? []
  )
  const rows: Array<Trial.Row> = []
  for (const [kind, forms] of Object.entries(formsOf)) {
    const own = identities.filter((one) => kindOf(one) === kind)
    for (const [name, say] of forms) {
      const said = own.flatMap((one) => {
        const query = name === corpusForm || hasNumber(one) ? say(one) : undefined
        return query === undefined ? [] : [{ query, one }]
      })
      const meant = Map.groupBy(said, ({ query }) => query)
      const trials = sampled([...meant], most, seed, kind, name).map(([query, ones]): Trial.Trial => {
        const right = new Set(ones.map(({ one }) => wholeOf(one.section.identity)))
        return {
          query,
          isRight: (url) => right.has(wholeOf(texts.at(url)?.section.identity ?? "")),
          wanted: [...right].join(" or ")
        }
      })
      if (trials.length > 0) {
        rows.push(await Trial.row(`(a) ${kind}: ${name}`, trials, engines, { figure: "first", least: 0.99 }))
      }
    }
  }
  return rows
}

/** A document of the Federal Register is cited as a whole, whatever part of it is found. */
const wholeOf = (identity: string): string =>
  identity.startsWith("us/fr/") ? identity.split("/", 3).join("/") : identity

const kindOf = ({ document, section }: Placed): string => {
  if (section.identity.endsWith("/interp")) return "interpretation"
  if (/\/app-|\/appendix/i.test(section.identity)) return "appendix"
  return section.identity.startsWith("us/act/") ? "act by name" : document.collection
}

const titleOf = ({ section }: Placed): string => /\/t(\w+)\//.exec(section.identity)?.[1] ?? ""
const partOf = ({ section }: Placed): string =>
  /\/p(\w+)\//.exec(section.identity)?.[1] ?? section.number.split(".")[0] ?? ""
const placeOf = ({ document }: Placed): string => document.jurisdiction.split(",")[0] ?? ""

/** "San Mateo, Cal."; undefined: the state is not said. */
const bluebookOf = ({ document }: Placed): string | undefined => {
  const [place, state] = document.jurisdiction.split(", ")
  const short = { California: "Cal.", Utah: "Utah" }[state ?? ""]
  return short === undefined ? undefined : `${place}, ${short}`
}

const whenNamed =
  (say: (number: string, name: string) => string, which: (name: string) => boolean) =>
  ({ document, section }: Placed): string | undefined => {
    const name = document.names.find(which)
    return name === undefined ? undefined : say(section.number, name)
  }

/** "116", "hr", "1058" of us/bill/116/hr1058/s2. */
const billOf = ({ section }: Placed) => {
  const [, congress = "", kind = "", number = ""] = /^us\/bill\/(\d+)\/([a-z]+)(\d+)\//.exec(section.identity) ?? []
  const written = billKinds[kind]
  return written === undefined ? undefined : { congress, number, dotted: written[0], plain: written[1] }
}
const billKinds: Readonly<Record<string, readonly [string, string]>> = {
  hr: ["H.R.", "HR"],
  s: ["S.", "S"],
  hjres: ["H.J. Res.", "HJ Res"],
  sjres: ["S.J. Res.", "SJ Res"],
  hconres: ["H. Con. Res.", "H Con Res"],
  sconres: ["S. Con. Res.", "S Con Res"],
  hres: ["H. Res.", "H Res"],
  sres: ["S. Res.", "S Res"]
}

const lawOf = ({ section }: Placed): string | undefined => /^us\/pl\/([\d-]+)\//.exec(section.identity)?.[1]
const ordinanceOf = ({ section }: Placed): string | undefined => /\/ord\/([\w.-]+)\/s/.exec(section.identity)?.[1]
/** Volume and page of "83 Fed. Reg. 21707". */
const pageOf = ({ section }: Placed) =>
  /(\d+) Fed\. Reg\. (\d+)/.exec([section.citation, ...section.alsoCited].join(" "))
const frNumberOf = ({ section }: Placed): string | undefined => /^us\/fr\/([\w-]+)$/.exec(section.identity)?.[1]

const corpusForm = "as the corpus writes it"
const own: Form = [corpusForm, ({ section }) => section.citation]

/** Whether it is cited by one number: not "151 to 167", and not "title I". */
const hasNumber = (one: Placed): boolean =>
  /^[\w.–-]*\d[\w.–-]*$/.test(numberOf(one)) || /^us\/fr\/|\/app-\w+$/.test(one.section.identity)

/** An interpretation is cited by the number of the section that it interprets. */
const numberOf = ({ section }: Placed): string => /\/s([\w.-]+)\/interp$/.exec(section.identity)?.[1] ?? section.number

const formsOf: Readonly<Record<string, ReadonlyArray<Form>>> = {
  "us-code": [
    own,
    ["17 U.S.C. 101", (one) => `${titleOf(one)} U.S.C. ${one.section.number}`],
    ["17 USC § 101", (one) => `${titleOf(one)} USC § ${one.section.number}`],
    ["17 U.S.C. §101", (one) => `${titleOf(one)} U.S.C. §${one.section.number}`],
    ["17 u.s.c.a. sec. 101", (one) => `${titleOf(one)} u.s.c.a. sec. ${one.section.number}`],
    ["title 17, section 101", (one) => `title ${titleOf(one)}, section ${one.section.number}`],
    [
      "section 101 of title 17, United States Code",
      (one) => `section ${one.section.number} of title ${titleOf(one)}, United States Code`
    ],
    ["what does 17 USC 101 say?", (one) => `what does ${titleOf(one)} USC ${one.section.number} say?`]
  ],
  cfr: [
    own,
    ["12 CFR 1005.6", (one) => `${titleOf(one)} CFR ${one.section.number}`],
    ["12 CFR § 1005.6", (one) => `${titleOf(one)} CFR § ${one.section.number}`],
    ["12 C.F.R. §1005.6", (one) => `${titleOf(one)} C.F.R. §${one.section.number}`],
    [
      "section 1005.6 of title 12, Code of Federal Regulations",
      (one) => `section ${one.section.number} of title ${titleOf(one)}, Code of Federal Regulations`
    ],
    [
      "Regulation E § 1005.6",
      whenNamed(
        (number, name) => `${name} § ${number}`,
        (name) => name.startsWith("Regulation ")
      )
    ],
    [
      "Reg. E, 1005.6",
      whenNamed(
        (number, name) => `${name}, ${number}`,
        (name) => name.startsWith("Reg. ")
      )
    ]
  ],
  interpretation: [
    own,
    [
      "official interpretation of 12 CFR 1005.6",
      (one) => `official interpretation of ${titleOf(one)} CFR ${numberOf(one)}`
    ],
    ["comment 1005.6", (one) => `${titleOf(one)} CFR Supplement I comment ${numberOf(one)}`]
  ],
  appendix: [
    own,
    [
      "Appendix A to 12 CFR Part 1005",
      (one) => {
        const [, letter] = /app-(\w+)$/i.exec(one.section.identity) ?? []
        return letter === undefined
          ? undefined
          : `Appendix ${letter.toUpperCase()} to ${titleOf(one)} CFR Part ${partOf(one)}`
      }
    ]
  ],
  "state-code": [
    own,
    ["DC Code 42-3505.31", ({ section }) => `DC Code ${section.number}`],
    ["D.C. Official Code § 42-3505.31", ({ section }) => `D.C. Official Code § ${section.number}`],
    ["DC ST § 42-3505.31", ({ section }) => `DC ST § ${section.number}`],
    ["D.C. Code Ann. §42-3505.31", ({ section }) => `D.C. Code Ann. §${section.number}`],
    ["§ 42-3505.31", ({ section }) => `§ ${section.number}`],
    [
      "section 42-3505.31 of the District of Columbia Code",
      ({ section }) => `section ${section.number} of the District of Columbia Code`
    ]
  ],
  "municipal-code": [
    own,
    ["San Mateo Municipal Code 10.04.010", (one) => `${placeOf(one)} Municipal Code ${one.section.number}`],
    [
      "section 10.04.010 of the San Mateo Municipal Code",
      (one) => `section ${one.section.number} of the ${placeOf(one)} Municipal Code`
    ],
    [
      "San Mateo, Cal., Municipal Code § 10.04.010",
      (one) => {
        const place = bluebookOf(one)
        return place === undefined ? undefined : `${place}, Municipal Code § ${one.section.number}`
      }
    ],
    ["SMMC 10.04.010", (one) => `${placeOf(one).replaceAll(/[^A-Z]/g, "")}MC ${one.section.number}`],
    ["10.04.010 San Mateo", (one) => `${one.section.number} ${placeOf(one)}`]
  ],
  charter: [
    own,
    [
      "section 1.03 of the San Mateo City Charter",
      (one) => `section ${one.section.number} of the ${placeOf(one)} City Charter`
    ]
  ],
  ordinance: [
    own,
    [
      "San Mateo Ordinance No. 2025-01, section 1",
      (one) => {
        const number = ordinanceOf(one)
        return number === undefined
          ? undefined
          : `${placeOf(one)} Ordinance No. ${number}, section ${one.section.number}`
      }
    ]
  ],
  bill: [
    own,
    [
      "HR 1058 section 2, 116th Congress",
      (one) => {
        const bill = billOf(one)
        return bill === undefined
          ? undefined
          : `${bill.plain} ${bill.number} section ${one.section.number}, ${bill.congress}th Congress`
      }
    ],
    [
      "section 2 of H.R. 1058 (116th Congress)",
      (one) => {
        const bill = billOf(one)
        return bill === undefined
          ? undefined
          : `section ${one.section.number} of ${bill.dotted} ${bill.number} (${bill.congress}th Congress)`
      }
    ],
    [
      "116 H.R. 1058 § 2",
      (one) => {
        const bill = billOf(one)
        return bill === undefined ? undefined : `${bill.congress} ${bill.dotted} ${bill.number} § ${one.section.number}`
      }
    ]
  ],
  act: [
    own,
    ["Public Law 91-596 section 5", (one) => sayLaw(one, (law, number) => `Public Law ${law} section ${number}`)],
    ["P.L. 91-596 § 5", (one) => sayLaw(one, (law, number) => `P.L. ${law} § ${number}`)],
    ["section 5 of Public Law 91-596", (one) => sayLaw(one, (law, number) => `section ${number} of Public Law ${law}`)]
  ],
  "act by name": [
    own,
    ["section 5 of the Act", ({ document, section }) => `section ${section.number} of the ${document.title}`]
  ],
  "federal-register": [
    own,
    [
      "83 FR 21707",
      (one) => {
        const page = frNumberOf(one) === undefined ? null : pageOf(one)
        return page === null ? undefined : `${page[1]} FR ${page[2]}`
      }
    ],
    [
      "83 Fed. Reg. 21707",
      (one) => {
        const page = frNumberOf(one) === undefined ? null : pageOf(one)
        return page === null ? undefined : `${page[1]} Fed. Reg. ${page[2]}`
      }
    ],
    [
      "FR Doc. 2018-09910",
      (one) => {
        const number = frNumberOf(one)
        return number === undefined ? undefined : `FR Doc. ${number}`
      }
    ]
  ]
}

function sayLaw(one: Placed, say: (law: string, number: string) => string): string | undefined {
  const law = lawOf(one)
  return law === undefined ? undefined : say(law, one.section.number)
}
