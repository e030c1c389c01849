/**
 * The handler of the search group.
 *
 * A search costs two credits for each ten results, plus the cost of its scrapes; the team's credits must cover all of it
 * before it starts. A search that exceeds its timeout is 408; a scrape that does gives its result a warning.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { RequestTimeout } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import type { SearchAnswer, SearchRequest, SearchResult } from "#contract/Search"
import { uuid7 } from "#contract/uuid7"
import * as Categories from "#web/Categories"
import * as PageDocuments from "#web/PageDocuments"
import { PageIndex } from "#web/PageIndex"
import { PoliteFetch } from "#web/PoliteFetch"
import * as ScrapePlan from "#web/ScrapePlan"
import { Scraper } from "#web/Scraper"
import { ScrapeStore } from "#web/ScrapeStore"
import { Search } from "#web/Search"
import type { WebHit } from "#web/SearchHit"
import * as SearchRun from "#web/SearchRun"
import { type Content, type HitsRequest, scrapeHits } from "#web/scrapeHits"
import { Accounts } from "../../accounts/Accounts.ts"
import { keepsNothing, retaining } from "../../retention.ts"
import { storeFailed } from "../failures.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const services = yield* Effect.context<Accounts | PageIndex | PoliteFetch | ScrapeStore | Scraper | Search>()

    const search = Effect.fnUntraced(
      function* ({ payload }: { readonly payload: SearchRequest }) {
        const { teamId } = yield* Caller
        return yield* Effect.provideContext(answer(teamId, payload), services)
      },
      Effect.catchTag("StoreError", storeFailed)
    )
    return handlers.handle("search", search)
  })
)

const answer = Effect.fnUntraced(function* (teamId: string, request: SearchRequest) {
  const accounts = yield* Accounts
  const isKept = !keepsNothing(request, accounts.of(teamId).plan)
  const millis = request.timeout ?? Limits.defaultSearchTimeoutMillis
  const end = (yield* Clock.currentTimeMillis) + millis
  const plan =
    request.scrapeOptions == null
      ? undefined
      : yield* retaining(yield* ScrapePlan.ofOptions(request.scrapeOptions), isKept)
  const limit = request.limit ?? Limits.defaultSearchResults
  const searchRun = SearchRun.run(teamId, request).pipe(
    Effect.timeoutOrElse({
      duration: Duration.millis(millis),
      orElse: () => new RequestTimeout({ message: `Request Timeout: the search took longer than ${millis} ms` })
    }),
    Effect.map((results) => {
      const { images = [], news = [], web = [] } = results
      return { value: results, credits: Limits.creditsOfResults(web.length + news.length + images.length) }
    })
  )
  const hits = plan === undefined ? 0 : limit * PageDocuments.leastCredits(plan)
  yield* accounts.cover(teamId, Limits.creditsOfResults(limit) + hits)
  const results = yield* accounts.spend(teamId, Limits.creditsOfResults(limit), searchRun)
  const { images, news = [], tools, web = [] } = results
  const credits = Limits.creditsOfResults(web.length + news.length + (images ?? []).length)

  const id = uuid7()
  const urls = [...web, ...news].map(({ url }) => url)
  const pay: HitsRequest["pay"] = (credits, page) => accounts.spend(teamId, credits, page)
  const inTurn = accounts.inTurn(teamId, id)
  const contents = plan === undefined ? [] : yield* scrapeHits(urls, { teamId, plan, end, inTurn, pay })
  const withContent = <Hit>(hits: ReadonlyArray<Hit>, first: number) =>
    hits
      .map((hit, at) => ({ hit, content: contents[first + at] }))
      .filter(({ content }) => request.ignoreInvalidURLs !== true || !isUnreachable(content))
      .map(({ content, hit }, at) => ({ hit, position: at + 1, content: contentOf(content) }))

  const scraped = contents.reduce((sum, content) => sum + costOf(content), 0)
  const body: SearchAnswer = {
    success: true,
    id,
    data: {
      ...(results.web === undefined
        ? {}
        : {
            web: withContent(web, 0).map(({ content, hit: { description, title, url }, position }): SearchResult => {
              const category = Categories.nameOf(results.categories, url)
              return { ...content, url, title, description, position, ...(category === undefined ? {} : { category }) }
            })
          }),
      ...(results.news === undefined
        ? {}
        : {
            news: withContent(news, web.length).map(({ content, hit, position }) => ({
              ...content,
              url: hit.url,
              title: hit.title,
              snippet: hit.description,
              ...(hit.publishedAt === undefined ? {} : { date: new Date(hit.publishedAt).toISOString() }),
              position
            }))
          }),
      ...(images === undefined ? {} : { images: images.flatMap(imageOf) }),
      ...(tools === undefined ? {} : { tools })
    },
    creditsUsed: credits + scraped,
    ...(results.warnings.length === 0 ? {} : { warning: results.warnings.join("; ") })
  }
  return body
})

const imageOf = ({ image, title, url }: WebHit, at: number) =>
  image === undefined
    ? []
    : [
        {
          title,
          imageUrl: image.url,
          ...(image.width === undefined ? {} : { imageWidth: image.width }),
          ...(image.height === undefined ? {} : { imageHeight: image.height }),
          url,
          position: at + 1
        }
      ]

const isUnreachable = (content: Content | undefined): boolean =>
  content !== undefined && "isUnreachable" in content && content.isUnreachable

const costOf = (content: Content): number => ("document" in content ? PageDocuments.creditsOf(content.document) : 0)

const contentOf = (content: Content | undefined) => {
  if (content === undefined) return {}
  return "document" in content ? content.document : { warning: content.warning }
}
