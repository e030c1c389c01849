/**
 * The catalog of data providers (specification, POST /v2/scrape with catalog field; Agent terms approval). It holds what the
 * operator configures; none by default.
 *
 * A provider with terms is never called before a person of the team has accepted exactly these terms, which their digest
 * identifies.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Json } from "../jsonSchema/JsonSchema.ts"

export interface Provider {
  readonly id: string
  readonly name: string
  readonly capability: string
  /** What it would add, for people. */
  readonly adds: string
  readonly terms: { readonly version: string; readonly digest: string; readonly url: string; readonly text: string }
  /** Credits of one call. */
  readonly cost: number
  /** Whether the words ask for what it has. */
  readonly helps: (words: string) => boolean
  readonly call: (options: { readonly query: string }) => {
    readonly records: ReadonlyArray<{ readonly [name: string]: Json }>
  }
}

export class Catalog extends Context.Service<
  Catalog,
  {
    readonly providers: ReadonlyArray<Provider>
    readonly find: (id: string) => Provider | undefined
  }
>()("millrace/service/agent/Catalog") {
  static readonly layer = (providers: ReadonlyArray<Provider> = []) =>
    Layer.succeed(Catalog, { providers, find: (id) => providers.find((provider) => provider.id === id) })
}

/** The name under which the catalog's own capabilities are called: ours, and the one that public clients send. */
export const ownNames: ReadonlySet<string> = new Set(["millrace", "firecrawl"])

/** How an acceptance is remembered: new terms are accepted anew. */
export const keyOf = (id: string, version: string): string => `${id}@${version}`
export const termsKey = ({ id, terms }: Provider): string => keyOf(id, terms.version)
