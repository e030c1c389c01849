/**
 * The pages that sitemaps list: how they enter a crawl, at the depth of its start.
 */
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import * as Scope from "../CrawlScope.ts"
import type { CrawlStore } from "../CrawlStore.ts"
import type { DiscoveredUrl, Failure } from "../CrawlUrl.ts"
import type * as Frontier from "../frontier/Frontier.ts"
import type { Job } from "../Job.ts"
import { notAPage } from "../visitedPages.ts"
import type { LevelProgress } from "./LevelProgress.ts"
import type { NamedFiles } from "./NamedFiles.ts"

interface Crawl {
  readonly job: Job
  readonly rules: Scope.Rules
  readonly store: CrawlStore["Service"]
  readonly frontier: Frontier.Frontier
  readonly named: NamedFiles
  readonly progress: LevelProgress
  readonly writing: Semaphore.Semaphore
}

/** Takes URLs of sitemaps. */
export const create = ({ frontier, job, named, progress, rules, store, writing }: Crawl) => {
  const isListed = (url: URL): boolean => {
    const verdict = Scope.judge(rules, url, 0)
    return Scope.isInternal(rules, url) && (verdict === "in" || verdict === "file")
  }

  const enter = Effect.fnUntraced(
    function* (urls: ReadonlyArray<URL>) {
      const found = urls.flatMap(
        (url) => frontier.discover(url, 0, "sitemap", named.fileAt(url) === undefined ? "queued" : "failed") ?? []
      )
      const changes = frontier.changes()
      yield* store.discover(job.id, found, changes)
      const failures = found.flatMap((one) => failureOf(one, named.fileAt(new URL(one.url))))
      yield* store.fail(job.id, failures)
      yield* progress.enqueue(found)
      for (const change of changes) {
        if (change._tag !== "Nearer" || change.was <= progress.level()) continue
        const nearer = yield* store.waiting(job.id, change.seq - 1, 1, 0)
        for (const url of nearer) yield* progress.bring(url)
      }
    },
    writing.withPermits(1),
    Effect.uninterruptible
  )

  return Effect.fnUntraced(function* (hrefs: ReadonlyArray<string>) {
    const urls = hrefs.flatMap((href) => PageUrl.normalize(href) ?? []).filter(isListed)
    yield* named.learn(urls.filter(Scope.isNamedLikeFile))
    yield* enter(urls)
  })
}

const failureOf = ({ state, url }: DiscoveredUrl, file: string | undefined): ReadonlyArray<Failure> => {
  const { failure } = file === undefined ? {} : notAPage(file)
  return failure === undefined || state !== "failed" ? [] : [{ id: uuid7(), url, ...failure }]
}
