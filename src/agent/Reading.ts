/**
 * How the pages of a run are read: each by the sub-agent of its host, told before and after, its data taken in.
 *
 * What a page gave, its end in the ledger and its events in the trace are one transaction.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Unprocessable } from "../api/Errors.ts"
import * as PageUrl from "../api/PageUrl.ts"
import type { TraceEvent } from "../api/Trace.ts"
import type { Known, Lead, Look } from "../crawler/crawl/Gather.ts"
import { FetchError } from "../crawler/fetch/Fetch.ts"
import type { StoreError } from "../crawler/StoreError.ts"
import * as PageDocuments from "../crawler/scrape/PageDocuments.ts"
import type { Scraped } from "../crawler/scrape/Scraper.ts"
import type { Extractor } from "../extract/Extractor.ts"
import * as FilledPage from "../extract/FilledPage.ts"
import { linkScore } from "../extract/linkScore.ts"
import { linkTexts } from "../extract/linkTexts.ts"
import { pointerOf } from "../extract/match/Objects.ts"
import * as PageInput from "../extract/PageInput.ts"
import { isList, isSchema, type Json, type JsonSchema } from "../jsonSchema/JsonSchema.ts"
import type { AgentPlan } from "./AgentPlan.ts"
import type { Snapshot } from "./AgentStore.ts"
import * as CollectedData from "./CollectedData.ts"
import type { Reader } from "./Reader.ts"
import type { Recorder, Version } from "./Recorder.ts"
import type { SubAgents } from "./SubAgents.ts"

/** What reading a page costs, and taking its data. */
export const pageCredits = 1

export interface Parts {
  readonly plan: AgentPlan
  readonly recorder: Recorder
  readonly team: SubAgents
  readonly harvest: CollectedData.CollectedData
  readonly reader: Reader
  readonly fill: Extractor["Service"]["fill"]
  readonly append: (
    events: ReadonlyArray<TraceEvent>,
    snapshots: ReadonlyArray<Snapshot>,
    action: string
  ) => Effect.Effect<void, StoreError>
}

/** A call that was reported and is under way; when it began, in milliseconds since the epoch. */
interface Call {
  readonly toolCallId: string
  readonly startedAt: number
}

/** A page that was read and is not yet written down. */
interface Fresh {
  readonly page: FilledPage.FilledPage
  readonly title: string
  readonly versions: ReadonlyArray<Version>
}

export const make = ({ append, fill, harvest, plan, reader, recorder, team }: Parts) => {
  const calls = new Map<Lead["url"]["href"], Call>()
  const fresh = new Map<string, Fresh>()
  const scoreOf = linkScore(plan.wanted)
  let pagesWithout = 0

  const keep = Effect.fnUntraced(function* (
    { document, links }: Scraped,
    lead: Known
  ): Effect.fn.Return<{ document: string; credits: number }, FetchError | Unprocessable> {
    yield* PageInput.checkStatus(document)
    const { metadata } = document
    const filled = yield* fill(PageInput.of(document), plan.wanted)
    const page = { url: metadata.url, filled, place: FilledPage.placeOf(lead, scoreOf) }
    const name = nameOf(lead.url)
    reader.take(lead.url, document, links, filled)
    fresh.set(lead.url.href, {
      page,
      title: metadata.title ?? "",
      versions: [
        text(`pages/${name}.md`, "markdown", document.markdown),
        text(`pages/${name}.html`, "html", document.html),
        text(`pages/${name}.png`, "screenshot", document.screenshot)
      ].flatMap((version) => version ?? [])
    })
    return { document: FilledPage.encode(page), credits: PageDocuments.creditsOf(document) }
  })

  const begun = Effect.fnUntraced(function* ({ url }: Lead) {
    const { identity } = yield* team.of(url)
    const toolCallId = crypto.randomUUID()
    calls.set(url.href, { toolCallId, startedAt: yield* Clock.currentTimeMillis })
    const session = plan.scrape.needsBrowser
      ? ([{ type: "browser.session.started", sessionId: toolCallId }] as const)
      : ([] as const)
    yield* recorder.tell(
      identity,
      { type: "tool_call.started", toolCallId, toolName: "scrape", parameters: { url: url.href } },
      ...session
    )
  })

  const ended = Effect.fnUntraced(function* (lead: Lead, look: Look) {
    const sub = yield* team.of(lead.url)
    const now = yield* Clock.currentTimeMillis
    const { startedAt, toolCallId } = calls.get(lead.url.href) ?? { startedAt: now, toolCallId: "" }
    const got = fresh.get(lead.url.href)
    calls.delete(lead.url.href)
    fresh.delete(lead.url.href)
    if (look.state === "scraped") sub.pages += 1
    const version = got === undefined ? undefined : harvest.add(got.page)
    pagesWithout = version === undefined ? pagesWithout + 1 : 0
    const { events, snapshots } = yield* recorder.finishedCall(sub.identity, {
      toolCallId,
      toolName: "scrape",
      result: resultOf(look, got),
      versions: [...(got?.versions ?? []), ...(version === undefined ? [] : [version])],
      ...(plan.scrape.needsBrowser ? { session: { durationMs: now - startedAt } } : {}),
      ...(look.state === "failed" ? { error: look.message } : {})
    })
    const creditsUsed = look.state === "scraped" ? look.kept.credits : 0
    const action = [{ creditsUsed, action: "scrape", input: { url: lead.url.href } }]
    yield* append(events, snapshots, JSON.stringify(action))
  })

  /** Links that promise more of the data, on the host of the page that has them; at high effort, any that may lead to it. */
  const leadsOf = ({ document, links }: Scraped, lead: Lead): ReadonlyArray<Lead> => {
    const depth = lead.depth + 1
    if (plan.isStrict || depth > plan.depth) return []
    const rows = openRows(fresh.get(lead.url.href)?.page.filled)
    const texts = linkTexts(document.rawHtml ?? "", document.metadata.url)
    return links
      .flatMap((href): ReadonlyArray<Lead> => {
        const url = PageUrl.normalize(href)
        if (url === undefined || PageUrl.bareHost(url) !== PageUrl.bareHost(lead.url)) return []
        const isRow = rows.has(PageUrl.key(url, false))
        const score =
          scoreOf(url.href, texts.get(href.replace(/#.*$/, "")) ?? "") + nearness(lead.url, url) + (isRow ? 3 : 0)
        const isFollowed = score > 0 || (score === 0 && plan.followsAll)
        return isFollowed ? [{ url, depth, kind: "link", score: score - depth / 10 }] : []
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, maxLeads)
  }

  /** There is no room for more; or every value is there, and where lists are wanted, the last pages have added nothing. */
  const hasEnough = (): boolean => {
    const { data, missing } = harvest.result()
    if (CollectedData.isAnswered(data) || harvest.isFull()) return true
    if (CollectedData.isEmpty(data) || missing.length > 0) return pagesWithout >= patience && harvest.pages().length > 0
    return !wantsLists(plan.wanted.schema) || pagesWithout >= patience
  }

  return { keep, begun, ended, leadsOf, hasEnough }
}

/** Where rows of a list lead to that lack something: their own pages may say it. */
const openRows = (filled: FilledPage.FilledPage["filled"] | undefined): ReadonlySet<string> => {
  const found = new Set<string>()
  const missing = new Set(filled?.missing.map((pointer) => pointer.slice(0, pointer.lastIndexOf("/"))))
  const visit = (json: Json, pointer: string): void => {
    if (isList(json)) for (const [i, row] of json.entries()) visit(row, `${pointer}/${i}`)
    else if (isSchema(json)) {
      for (const [name, value] of Object.entries(json)) {
        const url = typeof value === "string" && /^https?:/.test(value) ? PageUrl.normalize(value) : undefined
        if (url === undefined) visit(value, pointerOf(pointer, name))
        else if (missing.has(pointer)) found.add(PageUrl.key(url, false))
      }
    }
  }
  if (filled !== undefined) visit(filled.data, "")
  return found
}

/** Pages in a row that may add nothing before the run stops looking. */
const patience = 20
/** Leads that one page gives at most. */
const maxLeads = 50

/**
 * What a link is to the page that has it. The next pages of a list are worth most; the same list in another order is
 * worth nothing; pages beside and below are more of the same, half a word's worth.
 */
const nearness = (from: URL, to: URL): number => {
  const isOwn = from.pathname === to.pathname && from.search !== to.search
  if (isOwn) return isNextPage(to.searchParams) ? 5 : -5
  const folder = from.pathname.slice(0, from.pathname.lastIndexOf("/") + 1)
  if (/\/page\/\d+\/?$/.test(to.pathname) && to.pathname.startsWith(folder)) return 5
  return folder.length > 1 && to.pathname.startsWith(folder) ? 0.5 : 0
}

/** Whether a query does nothing but turn pages. */
const isNextPage = (query: URLSearchParams): boolean =>
  query.size > 0 && [...query].every(([name, value]) => pagers.has(name.toLowerCase()) && /^\d+$/.test(value))

const pagers = new Set("page p pg start offset from paged seite pagina".split(" "))

const wantsLists = (schema: JsonSchema | undefined): boolean =>
  schema === undefined ||
  schema["type"] === "array" ||
  Object.values(isSchema(schema["properties"]) ? schema["properties"] : {}).some(
    (part) => isSchema(part) && (part["type"] === "array" || part["items"] !== undefined)
  )

const text = (path: string, kind: Version["kind"], content: string | undefined): Version | undefined =>
  content === undefined || content === "" ? undefined : { path, kind, content, change: "init" }

const nameOf = (url: URL): string =>
  `${url.host}${url.pathname}${url.search}`
    .replaceAll(/[^\w.-]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 150)

const resultOf = (look: Look, got: Fresh | undefined): { readonly [name: string]: Json } => {
  if (look.state === "failed") return { success: false, code: look.code, error: look.message }
  if (look.state === "blocked") return { success: false, code: "ROBOTS_BLOCKED", error: "robots.txt does not allow it" }
  if (look.state === "alias") return { success: true, sameAs: look.landed.href }
  const read = { success: true, url: look.landed.href, title: (got?.title ?? "").slice(0, maxTitle) }
  const data = got?.page.filled.data ?? null
  // A trace is read whole each time: what is long is in the artifact.
  return JSON.stringify(data).length <= maxData ? { ...read, data } : { ...read, data: null, truncated: true }
}

/** Characters of one page's title and data in the trace. */
const maxTitle = 1000
const maxData = 100_000
