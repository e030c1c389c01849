/** A provider of data behind terms, so that every way through terms and approvals can be driven. */
import { createHash } from "node:crypto"
import type { Provider } from "../../src/agent/Catalog.ts"
import { termsOf } from "../../src/search/Relevance.ts"

const text = `Terms of the Sample Gazetteer, version 1.

The gazetteer holds a few well-known facts of some countries. It exists so that the acceptance of terms can be tried out.
You may use what it says for any purpose. It comes without any warranty. A person has to agree before a program may ask it.
`

export const gazetteer: Provider = {
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
