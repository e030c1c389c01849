/** A provider of data behind terms, served on this machine, so that every way through terms, approvals and calls can be driven. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { digestOf, type Provider } from "#service/Provider"
import { termsOf } from "#web/Relevance"

const text = `Terms of the Sample Gazetteer, version 1.

The gazetteer holds a few well-known facts of some countries. It exists so that the acceptance of terms can be tried out.
You may use what it says for any purpose. It comes without any warranty. A person has to agree before a program may ask it.
`

/** As its operator has configured it; nothing listens at its endpoint. */
export const gazetteer: Provider = {
  id: "sample-gazetteer",
  name: "Sample Gazetteer",
  capability: "countries/lookup",
  adds: "capital, currency, calling code and ISO code of countries",
  endpoint: new URL("http://127.0.0.1:9/lookup"),
  helps: ["countries", "currency", "each country", "ISO codes"],
  terms: { version: "1", digest: digestOf(text), text },
  cost: 2,
  headers: { authorization: Redacted.make("Bearer gazetteer-key") },
  timeoutMillis: 20_000,
  maxRecords: 100,
  maxBytes: 100_000
}

export const withTerms = (text: string, version = "1"): Provider => ({
  ...gazetteer,
  terms: { version, digest: digestOf(text), text }
})

/** What the provider was asked. */
export interface Question {
  readonly method: string | undefined
  readonly key: string | undefined
  readonly body: any
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: any) => void

/** The provider, served until the scope closes, and what it was asked. `answer` may be another than its own. */
export const servedGazetteer = (answer: Answer = lookUp) =>
  Effect.acquireRelease(
    Effect.callback<Served>((resume) => {
      const asked: Array<Question> = []
      const server = createServer((request, response) => {
        const chunks: Array<Uint8Array> = []
        request.on("data", (chunk) => chunks.push(chunk))
        request.on("end", () => {
          const body = JSON.parse(Buffer.concat(chunks).toString() || "null")
          asked.push({ method: request.method, key: request.headers.authorization, body })
          answer(request, response, body)
        })
      })
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const provider = { ...gazetteer, endpoint: new URL(`http://127.0.0.1:${port}/lookup`) }
        resume(Effect.succeed({ provider, asked, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

export interface Served {
  readonly provider: Provider
  readonly asked: ReadonlyArray<Question>
  readonly close: () => void
}

export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(typeof value === "string" ? value : JSON.stringify(value))
}

const lookUp: Answer = (_request, response, { query }) => {
  const terms = new Set(termsOf(query))
  const named = countries.filter(({ country }) => termsOf(country).every((term) => terms.has(term)))
  json(response, { records: named.length > 0 ? named : countries })
}

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
