/**
 * (e) Keywords with the name of a jurisdiction or an agency: what is found is theirs.
 *
 * Keywords are words that headings of several jurisdictions have, so that the words alone do not tell, and headings of the
 * jurisdiction itself. Two rows each: the first is theirs, and all of the first ten that could be.
 */
import type { Engine } from "./Engine.ts"
import { type Placed, sampled, type Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

interface Party {
  readonly name: string
  readonly called: ReadonlyArray<string>
  readonly isTheirs: (one: Placed) => boolean
}

const place = (jurisdiction: string, ...called: ReadonlyArray<string>): Party => ({
  name: jurisdiction,
  called,
  isTheirs: ({ document }) => document.jurisdiction === jurisdiction
})

/** An agency by the sections that it made, and by the issuer that a document names. */
const agency = (name: string, sections: RegExp, issuer: RegExp, ...called: ReadonlyArray<string>): Party => ({
  name,
  called,
  isTheirs: ({ document, section }) => sections.test(section.identity) || issuer.test(document.issuer)
})

const cfpb = "Consumer Financial Protection Bureau"
const ttb = "Alcohol and Tobacco Tax and Trade Bureau"
const atf = "Bureau of Alcohol, Tobacco, Firearms, and Explosives"

const parties: ReadonlyArray<Party> = [
  place("San Mateo, California", "San Mateo", "San Mateo, California", "city of San Mateo"),
  place("Spanish Fork, Utah", "Spanish Fork", "Spanish Fork, Utah", "Spanish Fork City"),
  place("District of Columbia", "District of Columbia", "D.C.", "DC", "Washington, D.C."),
  place("United States", "United States", "federal", "federal law"),
  agency(cfpb, /^us\/cfr\/t12\//, /consumer financial protection/i, "CFPB", cfpb),
  // Chapter I of title 27 is parts 1 to 399; what follows is the other bureau's.
  agency(ttb, /^us\/cfr\/t27\/s[1-3]?\d{1,2}\./, /alcohol and tobacco tax/i, "TTB", ttb),
  agency(atf, /^us\/cfr\/t27\/s[4-9]\d\d\./, /alcohol, tobacco, firearms/i, "ATF", atf)
]

const keywords =
  "noise taxicab dog rent tenant sign tree water parking building permit record tax liquor tobacco employee wage license fee appeal hearing penalty inspection fire sewer vehicle food health housing discrimination nuisance weapon alcohol beer wine label export bond credit account loan mortgage disclosure privacy notice exemption definition enforcement".split(
    " "
  )

export const jurisdictions = async (
  texts: Texts,
  engines: ReadonlyArray<Engine>,
  { most, seed }: { readonly most: number; readonly seed: number }
): Promise<ReadonlyArray<Trial.Row>> => {
  const rows: Array<Trial.Row> = []
  for (const party of parties) {
    const own = texts.sections.filter(party.isTheirs)
    if (own.length === 0) continue
    const isTheirs = (url: string): boolean => {
      const one = texts.at(url)
      return one !== undefined && party.isTheirs(one)
    }
    const words = keywords.filter((word) =>
      own.some(({ section }) => new RegExp(`\\b${word}`, "i").test(section.heading))
    )
    const trial = (topic: string, called: string): Trial.Trial => ({
      query: `${topic} ${called}`,
      isRight: isTheirs,
      wanted: party.name
    })
    const byWord = words.flatMap((word) => party.called.map((called) => trial(word, called)))
    const others = sampled(own, most, seed, party.name).filter(({ section }) => section.heading.split(" ").length >= 2)
    const byHeading = others.map(({ section }, at) =>
      trial(section.heading, party.called[at % party.called.length] ?? party.name)
    )
    for (const [name, trials] of [
      ["keyword", byWord],
      ["heading", byHeading]
    ] as const) {
      rows.push(
        await Trial.row(`(e) ${party.name}: ${name} and name, the first is theirs`, trials, engines, {
          figure: "first",
          least: 0.95
        })
      )
    }
    rows.push(await shareOfTen(`(e) ${party.name}: keyword and name, share of the first ten`, byWord, engines))
  }
  return rows
}

/** The share of the first ten answers that are theirs, told as `first`. */
const shareOfTen = async (
  name: string,
  trials: ReadonlyArray<Trial.Trial>,
  engines: ReadonlyArray<Engine>
): Promise<Trial.Row> => {
  const figures: Record<string, Trial.Figures> = {}
  for (const engine of engines) {
    let [right, all] = [0, 0]
    for (const { isRight, query } of trials) {
      const found = await engine.search(query, 10)
      right += found.filter(isRight).length
      all += found.length
    }
    const share = all === 0 ? 0 : right / all
    figures[engine.name] = { first: share, mrr: share, within: share, misses: [] }
  }
  return { name, trials: trials.length, figures }
}
