/**
 * What a reader says of one file, each text once.
 *
 * The law: two sections of one file never share an identity or a URL. The same text said again is left out; another text under
 * a number that is taken, as where a code has two sections 512, is told apart by its count.
 */
import { createHash } from "node:crypto"
import type { GovSection, GovText } from "../GovText.ts"

export const once = (say: (text: GovText) => void, file: string): ((text: GovText) => void) => {
  const taken = new Map<string, Array<string>>()
  const documents = new Set<string>()
  return (text) => {
    if (text._tag === "Skipped") return say(text)
    if (text._tag === "Document") {
      const key = `${text.identity} ${text.version}`
      if (!documents.has(key)) say(text)
      documents.add(key)
      return
    }
    const key = `${text.identity} ${text.version}`
    const digests = taken.get(key) ?? []
    const digest = digestOf(text)
    if (digests.includes(digest)) {
      return say({ _tag: "Skipped", file, why: `the same text again: ${text.citation}` })
    }
    digests.push(digest)
    taken.set(key, digests)
    say(digests.length === 1 ? text : counted(text, digests.length))
  }
}

const digestOf = ({ heading, text, notes }: GovSection): string =>
  createHash("sha1")
    .update(JSON.stringify([heading, text === "" ? notes : text]))
    .digest("base64")

const counted = (section: GovSection, count: number): GovSection => ({
  ...section,
  identity: `${section.identity}~${count}`,
  url: `${section.url}${section.url.includes("#") ? "~" : "#"}${count}`
})
