/**
 * What the index knows by name: jurisdictions, issuers, collections and documents; and where a query names them.
 *
 * A name counts only as a whole; of two names that overlap, the longer one counts. One word alone is not the name of a
 * document, because titles have names like "Labor".
 */
import type { Collection, Level } from "../GovText.ts"
import { agencies, shortForms } from "./places.ts"

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
  const patterns = [...names.values()].map((name) => ({ name, pattern: patternOf(name) }))

  const mentions = (query: string): ReadonlyArray<Mention> => {
    const found = patterns
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
