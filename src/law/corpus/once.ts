/**
 * Passes on what a reader finds in a file, with each section only once in the whole corpus.
 *
 * Only one section may have an identity in one version, and only one may have an address. If the same text comes again, it is
 * skipped. A different text under a name that is taken is rejected, and the reason names both sections: the reader cannot
 * decide which of them is the law.
 */
import { createHash } from "node:crypto"
import type { GovSection, GovText, Rejected, Skipped } from "../GovText.ts"

export const once = (say: (text: GovText) => void, file: string, claims: Claims): ((text: GovText) => void) => {
  const documents = new Set<string>()
  claims.begin(file)

  const addressOf = (section: GovSection, claim: Claim): { readonly url: string } | { readonly holder: Claim } => {
    const holder = claims.take(`at ${section.url}`, claim)
    if (holder === undefined) return { url: section.url }
    if (holder.file !== file) return { holder }
    // Sections of one page can share an anchor. The number of the section makes the address unique.
    const url = `${section.url}${section.url.includes("#") ? "~" : "#"}${encodeURI(section.number)}`
    const other = claims.take(`at ${url}`, claim)
    return other === undefined ? { url } : { holder: other }
  }

  return (text) => {
    if (text._tag === "Skipped" || text._tag === "Rejected") return say(text)
    if (text._tag === "Document") {
      const key = `${text.identity} ${text.version}`
      if (!documents.has(key)) say(text)
      documents.add(key)
      return
    }
    const claim: Claim = { file, line: text.line, identity: text.identity, digest: digestOf(text) }
    const holder = claims.take(`is ${text.identity} ${text.version}`, claim)
    if (holder !== undefined) {
      return say(holder.digest === claim.digest ? again(text, file, holder) : rejected(text, file, holder))
    }
    const address = addressOf(text, claim)
    return say("url" in address ? { ...text, url: address.url } : rejected(text, file, address.holder))
  }
}

const digestOf = ({ heading, text, notes }: Pick<GovSection, "heading" | "text" | "notes">): string =>
  createHash("sha1")
    .update(JSON.stringify([heading, text === "" ? notes : text]))
    .digest("base64")

type Holder = Pick<Claim, "file" | "line"> & { readonly identity: string }

export const again = ({ citation, line }: GovSection, file: string, holder: Holder): Skipped => ({
  _tag: "Skipped",
  file,
  ...(line === undefined ? {} : { line }),
  why:
    holder.file === file
      ? `the same text again: ${citation}`
      : `the same text again: ${citation}, which ${placeOf(holder)} has`,
  ...(holder.file === file ? {} : { other: holder.file }),
  isAgain: true
})

export const rejected = (section: GovSection, file: string, holder: Holder): Rejected => {
  const { citation, identity, line, version } = section
  const place = placeOf({ file, line })
  const what = version === "" ? identity : `${identity} in version ${version}`
  return {
    _tag: "Rejected",
    file,
    ...(line === undefined ? {} : { line }),
    other: placeOf(holder),
    section,
    why:
      holder.identity === identity
        ? `two sections are ${what} (${citation}): ${placeOf(holder)}, which is loaded, and ${place}, which is not; give them numbers of their own, or leave one out`
        : `two sections have the address ${section.url}: ${holder.identity} in ${placeOf(holder)}, which is loaded, and ${what} in ${place}, which is not; give their folders a baseUrl of their own`
  }
}

/** The section that has a name, and its place. */
interface Claim {
  readonly file: string
  readonly line: number | undefined
  readonly identity: string
  /** Of its heading and its text. */
  readonly digest: string
}

/**
 * The names (identities and addresses) that the sections of a corpus have taken.
 *
 * Only one section of a corpus may have a name. It belongs to the section that was read first.
 */
export interface Claims {
  /** Releases the names that this file has taken: it is read again from its start. */
  readonly begin: (file: string) => void
  /** Takes a name. Returns the section that already has it; undefined: the name was free. */
  readonly take: (name: string, claim: Claim) => Claim | undefined
}

export const empty = (): Claims => {
  const taken = new Map<string, Claim>()
  const named = new Map<string, Array<string>>()
  return {
    begin: (file) => {
      for (const name of named.get(file) ?? []) taken.delete(name)
      named.set(file, [])
    },
    take: (name, claim) => {
      const holder = taken.get(name)
      if (holder !== undefined) return holder
      taken.set(name, claim)
      const names = named.get(claim.file)
      if (names === undefined) named.set(claim.file, [name])
      else names.push(name)
      return undefined
    }
  }
}

/** "12.xml:40", or only the file if the line is not known. */
const placeOf = ({ file, line }: { readonly file: string; readonly line?: number | undefined }): string =>
  line === undefined ? file : `${file}:${line}`
