/**
 * Reads the pages of a run: the sub-agent of the host reads each, with events before and after, and its data is collected.
 *
 * The data of a page, its end in the ledger and its events in the trace are written in one transaction.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { pointerOf } from "#base/pointerOf"
import type { Unprocessable } from "#contract/Errors"
import { isList, isSchema, type Json, type JsonSchema } from "#contract/JsonSchema"
import * as PageUrl from "#contract/PageUrl"
import type { TraceEvent } from "#contract/Trace"
import type { Extractor } from "#extract/Extractor"
import * as FilledPage from "#extract/FilledPage"
import { linkScore } from "#extract/linkScore"
import { linkTexts } from "#extract/linkTexts"
import * as PageInput from "#extract/PageInput"
import { FetchError } from "#web/Fetch"
import type { Known, Lead, Look } from "#web/Gather"
import * as PageDocuments from "#web/PageDocuments"
import type { Scraped } from "#web/Scraper"
import type { StoreError } from "#web/StoreError"
import type { AgentPlan } from "./AgentPlan.ts"
import type { Snapshot } from "./AgentStore.ts"
import * as CollectedData from "./CollectedData.ts"
import type { Reader } from "./Reader.ts"
import type { Recorder, Version } from "./Recorder.ts"
import type { SubAgents } from "./SubAgents.ts"

/** The credits for reading a page and its data. */
export const pageCredits = 1

interface Parts {
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

/** A tool call whose start was recorded, and which has not ended. `startedAt`: milliseconds since the epoch. */
interface Call {
  readonly toolCallId: string
  readonly startedAt: number
}

/** A page that was read, and is not stored yet. */
interface Fresh {
  readonly page: FilledPage.FilledPage
  readonly title: string
  readonly versions: ReadonlyArray<Version>
}

export const start = ({ append, fill, harvest, plan, reader, recorder, team }: Parts) => {
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
    reader.take(lead.url, document, links, filled)
    fresh.set(lead.url.href, { page, title: metadata.title ?? "", versions: versionsOf(lead.url, document) })
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
    const freshPage = fresh.get(lead.url.href)
    calls.delete(lead.url.href)
    fresh.delete(lead.url.href)
    if (look.state === "scraped") sub.pages += 1
    const version = freshPage === undefined ? undefined : harvest.add(freshPage.page)
    pagesWithout = version === undefined ? pagesWithout + 1 : 0
    const { events, snapshots } = yield* recorder.finishedCall(sub.identity, {
      toolCallId,
      toolName: "scrape",
      result: resultOf(look, freshPage),
      versions: [...(freshPage?.versions ?? []), ...(version === undefined ? [] : [version])],
      ...(plan.scrape.needsBrowser ? { session: { durationMs: now - startedAt } } : {}),
      ...(look.state === "failed" ? { error: look.message } : {})
    })
    const creditsUsed = look.state === "scraped" ? look.retained.credits : 0
    const action = [{ creditsUsed, action: "scrape", input: { url: lead.url.href } }]
    yield* append(events, snapshots, JSON.stringify(action))
  })

  const leadsOf = (page: Scraped, lead: Lead): ReadonlyArray<Lead> =>
    plan.isStrict || lead.depth >= plan.depth
      ? []
      : leadsIn(page, lead, openRows(fresh.get(lead.url.href)?.page.filled), { plan, scoreOf })

  /** Whether to stop: no more rows fit, or all values were found. For lists, the last pages must also have added nothing. */
  const hasEnough = (): boolean => {
    const { data, missing } = harvest.result()
    if (CollectedData.isAnswered(data) || harvest.isFull()) return true
    if (CollectedData.isEmpty(data) || missing.length > 0) return pagesWithout >= patience && harvest.pages().length > 0
    return !wantsLists(plan.wanted.schema) || pagesWithout >= patience
  }

  return { keep, begun, ended, leadsOf, hasEnough }
}

/** Links of a page to promising pages on the same host; at high effort, also links that are not clearly irrelevant. */
const leadsIn = (
  { document, links }: Scraped,
  lead: Lead,
  rows: ReadonlySet<string>,
  { plan, scoreOf }: { readonly plan: AgentPlan; readonly scoreOf: ReturnType<typeof linkScore> }
): ReadonlyArray<Lead> => {
  const depth = lead.depth + 1
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

/** The URLs in incomplete rows of a list: these pages may have the missing values. */
const openRows = (filled: FilledPage.FilledPage["filled"] | undefined): ReadonlySet<string> => {
  const rowPointers = new Set<string>()
  const missing = new Set(filled?.missing.map((pointer) => pointer.slice(0, pointer.lastIndexOf("/"))))
  const visit = (json: Json, pointer: string): void => {
    if (isList(json)) for (const [i, row] of json.entries()) visit(row, `${pointer}/${i}`)
    else if (isSchema(json)) {
      for (const [name, value] of Object.entries(json)) {
        const url = typeof value === "string" && /^https?:/.test(value) ? PageUrl.normalize(value) : undefined
        if (url === undefined) visit(value, pointerOf(pointer, name))
        else if (missing.has(pointer)) rowPointers.add(PageUrl.key(url, false))
      }
    }
  }
  if (filled !== undefined) visit(filled.data, "")
  return rowPointers
}

/** How many pages in a row may add nothing before the run stops. */
const patience = 20
/** The maximum number of leads from one page. */
const maxLeads = 50

/**
 * Scores a link by its place relative to its page. The next pages of a list score most; the same list in another order
 * scores negative; pages in the same folder score half as much as a matching word.
 */
const nearness = (from: URL, to: URL): number => {
  const isOwn = from.pathname === to.pathname && from.search !== to.search
  if (isOwn) return isNextPage(to.searchParams) ? 5 : -5
  const folder = from.pathname.slice(0, from.pathname.lastIndexOf("/") + 1)
  if (/\/page\/\d+\/?$/.test(to.pathname) && to.pathname.startsWith(folder)) return 5
  return folder.length > 1 && to.pathname.startsWith(folder) ? 0.5 : 0
}

/** Whether a query only selects the page of a list. */
const isNextPage = (query: URLSearchParams): boolean =>
  query.size > 0 && [...query].every(([name, value]) => pagers.has(name.toLowerCase()) && /^\d+$/.test(value))

const pagers = new Set("page p pg start offset from paged seite pagina".split(" "))

const wantsLists = (schema: JsonSchema | undefined): boolean =>
  schema === undefined ||
  schema["type"] === "array" ||
  Object.values(isSchema(schema["properties"]) ? schema["properties"] : {}).some(
    (part) => isSchema(part) && (part["type"] === "array" || part["items"] !== undefined)
  )

/** What a page is kept as. */
const versionsOf = (url: URL, { html, markdown, screenshot }: Scraped["document"]): ReadonlyArray<Version> => {
  const name = nameOf(url)
  return [
    text(`pages/${name}.md`, "markdown", markdown),
    text(`pages/${name}.html`, "html", html),
    text(`pages/${name}.png`, "screenshot", screenshot)
  ].flatMap((version) => version ?? [])
}

const text = (path: string, kind: Version["kind"], content: string | undefined): Version | undefined =>
  content === undefined || content === "" ? undefined : { path, kind, content, change: "init" }

const nameOf = (url: URL): string =>
  `${url.host}${url.pathname}${url.search}`
    .replaceAll(/[^\w.-]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 150)

const resultOf = (look: Look, freshPage: Fresh | undefined): { readonly [name: string]: Json } => {
  if (look.state === "failed") return { success: false, code: look.code, error: look.message }
  if (look.state === "blocked") return { success: false, code: "ROBOTS_BLOCKED", error: "robots.txt does not allow it" }
  if (look.state === "alias") return { success: true, sameAs: look.landed.href }
  const read = { success: true, url: look.landed.href, title: (freshPage?.title ?? "").slice(0, maxTitle) }
  const data = freshPage?.page.filled.data ?? null
  // A trace is always read as a whole, so long data is only in the artifact.
  return JSON.stringify(data).length <= maxData ? { ...read, data } : { ...read, data: null, truncated: true }
}

/** The maximum characters of a page's title and data in the trace. */
const maxTitle = 1000
const maxData = 100_000
