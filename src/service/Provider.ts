/**
 * A data provider as the operator configures it: its topics, its cost, and its terms.
 */
import { createHash } from "node:crypto"
import type * as Redacted from "effect/Redacted"
import { wordsIn } from "#base/Words"

export interface Provider {
  readonly id: string
  readonly name: string
  readonly capability: string
  /** A description of its data, for people. */
  readonly adds: string
  /** The URL of its calls: https, or http on this machine. */
  readonly endpoint: URL
  /** Words and phrases: it is used for prompts that contain one of them. */
  readonly helps: ReadonlyArray<string>
  readonly terms: Terms
  /** The credits of one call. */
  readonly cost: number
  /** The headers of each call, such as a key. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly timeoutMillis: number
  readonly maxRecords: number
  /** The maximum bytes of an answer. */
  readonly maxBytes: number
}

interface Terms {
  readonly version: string
  /** `digestOf` the text. */
  readonly digest: string
  readonly text: string
  /** The page where the provider shows them. Default: only a page of the service shows them. */
  readonly url?: string
}

export const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`

/** Whether the words contain one of the provider's words or phrases, as whole words in any case. */
export const isHelpful = ({ helps }: Pick<Provider, "helps">, words: string): boolean => {
  const sentence = ` ${wordsIn(words).join(" ")} `
  return helps.some((phrase) => {
    const sought = wordsIn(phrase)
    return sought.length > 0 && sentence.includes(` ${sought.join(" ")} `)
  })
}

/**
 * The key under which an acceptance is stored: it names the version and the digest of the text. If the text changes, a
 * person must accept it again, even if the version is the same. Older acceptances without a digest do not count.
 */
export const termsKey = ({ id, terms }: Provider): string => `${id}@${terms.version} ${terms.digest}`

/** The page where a person reads the terms: a URL of the provider, or a path of this service. */
export const termsPlace = ({ id, terms }: Pick<Provider, "id" | "terms">): string =>
  terms.url ?? `${termsPath}${encodeURIComponent(id)}`
export const termsPath = "/terms/"
