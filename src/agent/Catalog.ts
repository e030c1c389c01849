/**
 * The catalog of data providers: one sample provider, so that every way through terms and approvals can be driven
 * without an account anywhere (specification, POST /v2/scrape with catalog field; Agent terms approval).
 *
 * The law: a provider behind terms is never called before somebody of the team has accepted exactly these terms; their
 * digest is that of their text.
 */
import { createHash } from "node:crypto"
import type { Json } from "../jsonSchema/JsonSchema.ts"
import { termsOf } from "../search/Relevance.ts"

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

/** The name under which the catalog's own capabilities are called: ours, and the one that public clients send. */
export const ownNames: ReadonlySet<string> = new Set(["millrace", "firecrawl"])

const text = `Terms of the Sample Gazetteer, version 1.

The gazetteer holds a few well-known facts of some countries. It exists so that the acceptance of terms can be tried out.
You may use what it says for any purpose. It comes without any warranty. A person has to agree before a program may ask it.
`

const gazetteer: Provider = {
  id: "sample-gazetteer",
  name: "Sample Gazetteer",
  capability: "countries/lookup",
  adds: "capital, currency, calling code and ISO code of countries",
  terms: {
    version: "1",
    digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
    url: "https://millrace.invalid/terms/sample-gazetteer/1",
    text
  },
  cost: 2,
  helps: (words) => {
    const terms = new Set(termsOf(words))
    return [...subjects].filter((subject) => terms.has(subject)).length >= 2
  },
  call: ({ query }) => {
    const terms = new Set(termsOf(query))
    const named = countries.filter(({ country }) => termsOf(country).every((term) => terms.has(term)))
    return { records: named.length > 0 ? named : countries }
  }
}

/** Two of these words in a prompt ask for what the gazetteer has. */
const subjects = new Set(["country", "countrie", "capital", "currency", "currencie", "calling", "iso", "gazetteer"])

const country = (country: string, iso_code: string, capital: string, currency: string, calling_code: string) => ({
  country,
  iso_code,
  capital,
  currency,
  calling_code
})

const countries = [
  country("Austria", "AT", "Vienna", "EUR", "+43"),
  country("Brazil", "BR", "Brasília", "BRL", "+55"),
  country("Canada", "CA", "Ottawa", "CAD", "+1"),
  country("Denmark", "DK", "Copenhagen", "DKK", "+45"),
  country("Egypt", "EG", "Cairo", "EGP", "+20"),
  country("France", "FR", "Paris", "EUR", "+33"),
  country("Ghana", "GH", "Accra", "GHS", "+233"),
  country("Iceland", "IS", "Reykjavik", "ISK", "+354"),
  country("Japan", "JP", "Tokyo", "JPY", "+81"),
  country("Kenya", "KE", "Nairobi", "KES", "+254"),
  country("New Zealand", "NZ", "Wellington", "NZD", "+64"),
  country("Peru", "PE", "Lima", "PEN", "+51")
]

export const providers: ReadonlyArray<Provider> = [gazetteer]

export const find = (id: string): Provider | undefined => providers.find((provider) => provider.id === id)

/** How an acceptance is remembered: new terms are accepted anew. */
export const keyOf = (id: string, version: string): string => `${id}@${version}`
export const termsKey = ({ id, terms }: Provider): string => keyOf(id, terms.version)
