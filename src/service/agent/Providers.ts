/**
 * Data providers in a run: which of them have data for it, which may be called, and how the others are reported.
 *
 * Specification, Agent terms approval: a provider whose terms are not accepted is never called; in skip mode it is
 * listed, in ask mode its terms are offered; a provider that was declined in the thread is neither listed nor offered.
 */
import * as Effect from "effect/Effect"
import type { CatalogCall, ExchangeSummary, PendingApproval, RequiresAction } from "#contract/Exchange"
import { uuid7 } from "#contract/uuid7"
import { Catalog } from "../Catalog.ts"
import { isHelpful, type Provider, termsKey, termsPlace } from "../Provider.ts"
import type { AgentPlan } from "./AgentPlan.ts"
import { AgentStore } from "./AgentStore.ts"

export interface Choice {
  /** Providers that this run calls. */
  readonly usable: ReadonlyArray<Provider>
  /** Providers that would be called if their terms were accepted. */
  readonly gated: ReadonlyArray<Provider>
  /** Providers whose calls the user must approve first, because they cost credits. */
  readonly unapproved: ReadonlyArray<Provider>
}

export const choose = Effect.fn("Providers.choose")(function* (teamId: string, { exchange, words }: AgentPlan) {
  const store = yield* AgentStore
  const { providers } = yield* Catalog
  const { approved, declined, enabled, maxCalls, requireApproval, toolkits } = exchange
  const accepted = yield* store.accepted(teamId)
  const helping = providers.filter(
    (one) =>
      enabled && isHelpful(one, words) && !declined.has(one.id) && (toolkits === undefined || toolkits.includes(one.id))
  )
  const open = helping.filter((one) => accepted.has(termsKey(one)))
  const choice: Choice = {
    usable: open.filter(({ id }) => !requireApproval || approved.has(id)).slice(0, maxCalls),
    gated: helping.filter((one) => !accepted.has(termsKey(one))),
    unapproved: open.filter(({ id }) => requireApproval && !approved.has(id))
  }
  return choice
})

/** The part of the status for providers, and the approval that the run asks for. */
export const summarize = (
  { exchange, words }: AgentPlan,
  { gated, unapproved }: Choice,
  called: { readonly calls: number; readonly credits: number }
): { readonly exchange: ExchangeSummary; readonly pendingApproval?: PendingApproval } => {
  const asks = exchange.onTermsRequired === "ask" && gated.length > 0
  const approvalId = uuid7()
  const summary: ExchangeSummary = {
    enabled: exchange.enabled,
    ...(exchange.toolkits === undefined ? {} : { toolkits: exchange.toolkits }),
    requireApproval: exchange.requireApproval,
    onTermsRequired: exchange.onTermsRequired,
    paidCalls: called.calls,
    creditsUsed: called.calls === 0 ? null : called.credits,
    skippedProviders: gated.map((one) => ({
      provider: one.id,
      name: one.name,
      capability: one.capability,
      adds: one.adds,
      reason: "terms_required",
      version: one.terms.version,
      termsUrl: termsPlace(one)
    })),
    ...(asks ? { requiresAction: actionOf(approvalId, gated) } : {})
  }
  if (asks) return { exchange: summary, pendingApproval: termsApproval(approvalId, gated) }
  if (unapproved.length > 0) return { exchange: summary, pendingApproval: callsApproval(approvalId, unapproved, words) }
  return { exchange: summary }
}

const actionOf = (approvalId: string, gated: ReadonlyArray<Provider>): RequiresAction => ({
  type: "accept_terms",
  approvalId,
  providers: gated.map(({ adds, capability, id, name, terms }) => ({
    provider: id,
    name,
    capability,
    adds,
    version: terms.version,
    digest: terms.digest,
    url: termsPlace({ id, terms }),
    show: ofCatalog("terms/show", { provider: id }),
    accept: ofCatalog("terms/accept", {
      provider: id,
      version: terms.version,
      digest: terms.digest,
      confirmed: true
    })
  }))
})

const ofCatalog = (capability: string, options: NonNullable<CatalogCall["options"]>): CatalogCall => ({
  provider: "firecrawl",
  capability,
  options
})

const termsApproval = (id: string, gated: ReadonlyArray<Provider>): PendingApproval => ({
  id,
  kind: "terms",
  reason: `${namesOf(gated)} may have data: a person has to accept the terms first`,
  calls: [],
  terms: gated.map(({ id, name, terms }) => ({
    provider: id,
    name,
    version: terms.version,
    digest: terms.digest,
    url: termsPlace({ id, terms })
  })),
  resolution: null
})

const callsApproval = (id: string, unapproved: ReadonlyArray<Provider>, words: string): PendingApproval => ({
  id,
  kind: "calls",
  reason: `${namesOf(unapproved)} may have data and costs credits: approve the calls to use it`,
  calls: unapproved.map(({ capability, cost, id: provider }) => ({
    id: uuid7(),
    provider,
    capability,
    input: { query: words },
    creditsEstimate: cost
  })),
  terms: [],
  resolution: null
})

const namesOf = (providers: ReadonlyArray<Provider>): string => providers.map(({ name }) => name).join(", ")
