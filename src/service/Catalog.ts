/**
 * The catalog of data providers (specification, POST /v2/scrape with catalog field; Agent terms approval). The operator
 * configures them. Default: none.
 *
 * A provider with terms is never called before a person of the team has accepted exactly these terms, which their digest
 * identifies.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as AddressGuard from "#web/AddressGuard"
import type { Provider } from "./Provider.ts"
import * as ProviderCalls from "./ProviderCalls.ts"

export class Catalog extends Context.Service<
  Catalog,
  {
    readonly providers: ReadonlyArray<Provider>
    readonly find: (id: string) => Provider | undefined
    /** Calls a provider. The caller must have checked that its terms are accepted. */
    readonly call: ProviderCalls.Call
  }
>()("millrace/service/agent/Catalog") {
  static readonly layer = (providers: ReadonlyArray<Provider> = [], guard: AddressGuard.Options = strictest) =>
    Layer.effect(
      Catalog,
      Effect.map(ProviderCalls.open(guard), (call) => ({
        providers,
        find: (id: string) => providers.find((provider) => provider.id === id),
        call
      }))
    )
}

const strictest: AddressGuard.Options = { allowPrivate: false, resolve: new Map() }

/** The names of the provider of the catalog's own capabilities: ours, and the one that public clients send. */
export const ownNames: ReadonlySet<string> = new Set(["millrace", "firecrawl"])
