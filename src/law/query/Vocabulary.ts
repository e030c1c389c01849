/**
 * What the index knows by name: jurisdictions, issuers, collections and documents; and where a query names them.
 *
 * A name counts only as a whole; of two names that overlap, the longer one counts. One word alone is not the name of a
 * document, because titles have names like "Labor".
 */
import type { Collection, Level } from "../GovText.ts"

export interface KnownDocument {
  readonly id: number
  readonly identity: string
  readonly title: string
  readonly names: ReadonlyArray<string>
  readonly issuer: string
  readonly level: Level
  readonly jurisdiction: string
  readonly collection: Collection
  readonly collectionName: string
  readonly version: string
  readonly versionDate: string | undefined
}

export interface Vocabulary {
  readonly documents: ReadonlyMap<number, KnownDocument>
  readonly mentions: (query: string) => ReadonlyArray<Mention>
}

export interface Mention {
  readonly start: number
  readonly end: number
  readonly kind: "jurisdiction" | "issuer" | "collection" | "document"
  /** The documents that it may mean. */
  readonly documents: ReadonlySet<number>
  /** For an agency: its name in texts. */
  readonly phrase?: string
}

interface Name {
  readonly text: string
  readonly kind: Mention["kind"]
  readonly isShort: boolean
  readonly phrase?: string
  readonly documents: Set<number>
}

export const ofDocuments = (documents: ReadonlyArray<KnownDocument>): Vocabulary => {
  const names = new Map<string, Name>()
  const add = (text: string, kind: Name["kind"], id: number | undefined, isShort = false, phrase?: string) => {
    const key = `${kind} ${isShort ? text : text.toLowerCase()}`
    const known = names.get(key) ?? {
      text,
      kind,
      isShort,
      documents: new Set(),
      ...(phrase === undefined ? {} : { phrase })
    }
    if (id !== undefined) known.documents.add(id)
    names.set(key, known)
  }
  for (const { id, ...one } of documents) {
    const parts = [one.jurisdiction, ...one.jurisdiction.split(", ")]
    for (const part of parts) add(part, "jurisdiction", id)
    for (const part of parts) for (const short of shortForms[part] ?? []) add(short, "jurisdiction", id, true)
    add(one.collectionName, "collection", id)
    const initials = initialsOf(one.collectionName)
    if (initials.length > 2) add(initials, "collection", id, true)
    if (one.issuer !== "") add(one.issuer, "issuer", id)
    for (const name of one.names.flatMap(forms)) if (/\S[\s\d-]+\S/.test(name)) add(name, "document", id)
    const own = one.title.replace(/^(?:title|part|chapter) \S+ /i, "").replace(/^[^\p{L}]+/u, "")
    if (own.split(" ").length > 2) add(own, "document", id)
  }
  for (const [short, name] of Object.entries(agencies)) {
    const core = coreOf(name)
    const phrase = name.replace(general, "").trim()
    const of = documents.filter(({ issuer }) => coreOf(issuer) === core || issuer.includes(name))
    add(short, "issuer", undefined, true, phrase)
    add(name, "issuer", undefined, false, phrase)
    for (const { id } of of) {
      add(short, "issuer", id, true, phrase)
      add(name, "issuer", id, false, phrase)
    }
  }
  // Most names are not in a query: its first word says so sooner than an expression.
  const byFirst = [
    ...Map.groupBy(
      [...names.values()].map((name) => ({ name, pattern: patternOf(name) })),
      ({ name }) => name.text.toLowerCase().split(/[\s,]+/, 1)[0] ?? ""
    )
  ]

  const mentions = (query: string): ReadonlyArray<Mention> => {
    const lower = query.toLowerCase()
    const found = byFirst
      .flatMap(([first, some]) => (lower.includes(first) ? some : []))
      .flatMap(({ name, pattern }) =>
        Array.from(query.matchAll(pattern), (match) => ({
          ...name,
          start: match.index,
          end: match.index + match[0].length
        }))
      )
      .sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)
    const apart: Array<Mention> = []
    for (const { documents, end, kind, phrase, start } of found) {
      const overlaps = apart.some(
        (other) =>
          start < other.end && other.start < end && !(other.start === start && other.end === end && other.kind !== kind)
      )
      if (!overlaps) apart.push({ start, end, kind, documents, ...(phrase === undefined ? {} : { phrase }) })
    }
    return apart
  }
  return { documents: new Map(documents.map((one) => [one.id, one])), mentions }
}

const patternOf = ({ isShort, text }: Name): RegExp => {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[\s,]+/g, "[\\s,]+")
  return new RegExp(String.raw`(?<![\p{L}\p{N}.])${escaped}(?![\p{L}\p{N}])`, isShort ? "gu" : "giu")
}

/** "Regulation E" is written "Reg. E" and "Reg E". */
const forms = (name: string): ReadonlyArray<string> =>
  name.startsWith("Regulation ")
    ? [name, name.replace("Regulation", "Reg."), name.replace("Regulation", "Reg")]
    : [name]

/** The initials of a name: SMMC for "San Mateo Municipal Code". */
const initialsOf = (name: string): string => (name.includes(".") ? "" : (name.match(/\b\p{Lu}/gu) ?? []).join(""))

/** What agencies are, and what their laws do not say of them. */
const general =
  /^(?:Department|Bureau|Office|Centers?) (?:of|for) (?:the )?| (?:Administration|Agency|Bureau|Commission|Service|Board|Corporation|Office)$/g

/** "Bureau of Consumer Financial Protection" and "Consumer Financial Protection Bureau" are one. */
const coreOf = (name: string): string =>
  name
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => !["of", "the", "and"].includes(word))
    .toSorted()
    .join(" ")

/*
 * Short names of jurisdictions and agencies.
 *
 * Short forms count only as they are written here, with capitals: "OR" is a state and "or" is not.
 */

/** The short forms of a jurisdiction's name, and of the state in which a city is. */
const shortForms: Readonly<Record<string, ReadonlyArray<string>>> = {
  "United States": ["U.S.", "US", "USA", "federal", "Federal", "nationwide"],
  "District of Columbia": ["D.C.", "DC", "Washington, D.C.", "Washington, DC", "Washington DC", "D. C."],
  Alabama: ["AL", "Ala."],
  Alaska: ["AK"],
  Arizona: ["AZ", "Ariz."],
  Arkansas: ["AR", "Ark."],
  California: ["CA", "Calif.", "Cal."],
  Colorado: ["CO", "Colo."],
  Connecticut: ["CT", "Conn."],
  Delaware: ["DE", "Del."],
  Florida: ["FL", "Fla."],
  Georgia: ["GA", "Ga."],
  Hawaii: ["HI"],
  Idaho: ["ID"],
  Illinois: ["IL", "Ill."],
  Indiana: ["IN", "Ind."],
  Iowa: ["IA"],
  Kansas: ["KS", "Kan."],
  Kentucky: ["KY", "Ky."],
  Louisiana: ["LA", "La."],
  Maine: ["ME"],
  Maryland: ["MD", "Md."],
  Massachusetts: ["MA", "Mass."],
  Michigan: ["MI", "Mich."],
  Minnesota: ["MN", "Minn."],
  Mississippi: ["MS", "Miss."],
  Missouri: ["MO"],
  Montana: ["MT", "Mont."],
  Nebraska: ["NE", "Neb."],
  Nevada: ["NV", "Nev."],
  "New Hampshire": ["NH", "N.H."],
  "New Jersey": ["NJ", "N.J."],
  "New Mexico": ["NM", "N.M."],
  "New York": ["NY", "N.Y."],
  "North Carolina": ["NC", "N.C."],
  "North Dakota": ["ND", "N.D."],
  Ohio: ["OH"],
  Oklahoma: ["OK", "Okla."],
  Oregon: ["OR", "Or.", "Ore."],
  Pennsylvania: ["PA", "Pa."],
  "Rhode Island": ["RI", "R.I."],
  "South Carolina": ["SC", "S.C."],
  "South Dakota": ["SD", "S.D."],
  Tennessee: ["TN", "Tenn."],
  Texas: ["TX", "Tex."],
  Utah: ["UT"],
  Vermont: ["VT", "Vt."],
  Virginia: ["VA", "Va."],
  Washington: ["WA", "Wash."],
  "West Virginia": ["WV", "W. Va."],
  Wisconsin: ["WI", "Wis."],
  Wyoming: ["WY", "Wyo."]
}

/** The abbreviations of federal agencies. */
const agencies: Readonly<Record<string, string>> = {
  ATF: "Bureau of Alcohol, Tobacco, Firearms, and Explosives",
  BIA: "Bureau of Indian Affairs",
  BLM: "Bureau of Land Management",
  CBP: "Customs and Border Protection",
  CDC: "Centers for Disease Control and Prevention",
  CFPB: "Consumer Financial Protection Bureau",
  CFTC: "Commodity Futures Trading Commission",
  CMS: "Centers for Medicare and Medicaid Services",
  CPSC: "Consumer Product Safety Commission",
  DEA: "Drug Enforcement Administration",
  DHS: "Department of Homeland Security",
  DOC: "Department of Commerce",
  DOD: "Department of Defense",
  DOE: "Department of Energy",
  DOI: "Department of the Interior",
  DOJ: "Department of Justice",
  DOL: "Department of Labor",
  DOT: "Department of Transportation",
  ED: "Department of Education",
  EEOC: "Equal Employment Opportunity Commission",
  EPA: "Environmental Protection Agency",
  FAA: "Federal Aviation Administration",
  FCC: "Federal Communications Commission",
  FDA: "Food and Drug Administration",
  FDIC: "Federal Deposit Insurance Corporation",
  FEC: "Federal Election Commission",
  FEMA: "Federal Emergency Management Agency",
  FERC: "Federal Energy Regulatory Commission",
  FHFA: "Federal Housing Finance Agency",
  FTC: "Federal Trade Commission",
  GAO: "Government Accountability Office",
  GSA: "General Services Administration",
  HHS: "Department of Health and Human Services",
  HUD: "Department of Housing and Urban Development",
  ICE: "Immigration and Customs Enforcement",
  IRS: "Internal Revenue Service",
  NASA: "National Aeronautics and Space Administration",
  NCUA: "National Credit Union Administration",
  NHTSA: "National Highway Traffic Safety Administration",
  NIH: "National Institutes of Health",
  NLRB: "National Labor Relations Board",
  NOAA: "National Oceanic and Atmospheric Administration",
  NPS: "National Park Service",
  NRC: "Nuclear Regulatory Commission",
  NSF: "National Science Foundation",
  OCC: "Office of the Comptroller of the Currency",
  OMB: "Office of Management and Budget",
  OPM: "Office of Personnel Management",
  OSHA: "Occupational Safety and Health Administration",
  SBA: "Small Business Administration",
  SEC: "Securities and Exchange Commission",
  SSA: "Social Security Administration",
  TSA: "Transportation Security Administration",
  TTB: "Alcohol and Tobacco Tax and Trade Bureau",
  USCIS: "Citizenship and Immigration Services",
  USDA: "Department of Agriculture",
  USPTO: "Patent and Trademark Office",
  VA: "Department of Veterans Affairs"
}
