/**
 * The catalog of data providers (specification, POST /v2/scrape with catalog field; Agent terms approval). It holds what the
 * operator configures; none by default.
 *
 * A provider with terms is never called before a person of the team has accepted exactly these terms, which their digest
 * identifies.
 */
import { createHash } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as AddressGuard from "../crawler/fetch/AddressGuard.ts"
import { wordsIn } from "../text/Words.ts"
import * as ProviderCalls from "./ProviderCalls.ts"

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

export class Catalog extends Context.Service<
  Catalog,
  {
    readonly providers: ReadonlyArray<Provider>
    readonly find: (id: string) => Provider | undefined
    /** Asks a provider. Whoever calls it knows that its terms are accepted. */
    readonly call: ProviderCalls.Call
  }
>()("millrace/service/agent/Catalog") {
  static readonly layer = (providers: ReadonlyArray<Provider> = [], guard: AddressGuard.Options = strictest) =>
    Layer.effect(
      Catalog,
      Effect.map(ProviderCalls.make(guard), (call) => ({
        providers,
        find: (id: string) => providers.find((provider) => provider.id === id),
        call
      }))
    )
}

const strictest: AddressGuard.Options = { allowPrivate: false, resolve: new Map() }

/** The name under which the catalog's own capabilities are called: ours, and the one that public clients send. */
export const ownNames: ReadonlySet<string> = new Set(["millrace", "firecrawl"])

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
export const keyOf = (id: string, version: string, digest: string | null): string => `${id}@${version} ${digest}`
export const termsKey = ({ id, terms }: Provider): string => keyOf(id, terms.version, terms.digest)

/** Where a person reads the terms: the provider's own address, or a path of this service. */
export const termsPlace = ({ id, terms }: Pick<Provider, "id" | "terms">): string =>
  terms.url ?? `${termsPath}${encodeURIComponent(id)}`
export const termsPath = "/terms/"
