/**
 * A data provider as the operator configures it: when it helps, what it costs, and under which terms.
 */
import { createHash } from "node:crypto"
import type * as Redacted from "effect/Redacted"
import { wordsIn } from "../text/Words.ts"

export interface Provider {
  readonly id: string
  readonly name: string
  readonly capability: string
  /** What it would add, for people. */
  readonly adds: string
  /** Where it is asked: https, or http on this machine. */
  readonly endpoint: URL
  /** Words and phrases; it helps where a prompt has one of them. */
  readonly helps: ReadonlyArray<string>
  readonly terms: Terms
  /** Credits of one call. */
  readonly cost: number
  /** Sent with each call, such as a key. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly timeoutMillis: number
  readonly maxRecords: number
  /** Bytes of an answer. */
  readonly maxBytes: number
}

export interface Terms {
  readonly version: string
  /** Of the text: `digestOf`. */
  readonly digest: string
  readonly text: string
  /** Where the provider shows them; undefined: on a page of the service alone. */
  readonly url?: string
}

export const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`

/** Whether the words have one of the provider's words or phrases, as whole words in any case. */
export const isHelpful = ({ helps }: Pick<Provider, "helps">, words: string): boolean => {
  const said = ` ${wordsIn(words).join(" ")} `
  return helps.some((phrase) => {
    const sought = wordsIn(phrase)
    return sought.length > 0 && said.includes(` ${sought.join(" ")} `)
  })
}

/**
 * How an acceptance is remembered: of one version, and of one text. Terms with another text are accepted anew, also where
 * their version is the same; so is what was remembered before digests were a part of it.
 */
export const termsKey = ({ id, terms }: Provider): string => `${id}@${terms.version} ${terms.digest}`

/** Where a person reads the terms: the provider's own address, or a path of this service. */
export const termsPlace = ({ id, terms }: Pick<Provider, "id" | "terms">): string =>
  terms.url ?? `${termsPath}${encodeURIComponent(id)}`
export const termsPath = "/terms/"
