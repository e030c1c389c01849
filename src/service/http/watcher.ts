/**
 * The WebSocket watcher of a crawl or batch (`public-clients`, trap 3).
 *
 * The protocol: the key is sent as subprotocol, which the 101 echoes. Text frames: one `{type:"catchup",data:<status answer>}`,
 * then `{type:"document",data:<page document>}` for each page after it, then close 1000 with reason `{"type":"done"}`.
 * Errors are close codes too: 1008 unknown job, 3000 not authorised, 1011 the store failed.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Socket from "effect/socket/Socket"
import * as Limits from "#contract/Limits"
import { CrawlStore } from "#web/CrawlStore"
import { Accounts } from "../accounts/Accounts.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { crawlStatus } from "./crawlStatus.ts"
import { requestOrigin } from "./requestHeaders.ts"

/** The app with watchers: every other request is passed on. */
export const watcher = Effect.gen(function* () {
  const accounts = yield* Accounts
  const jobs = yield* Jobs
  const store = yield* CrawlStore

  const watch = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    { id, isOlder, kind: named }: Target,
    write: Write
  ) {
    const key = (request.headers["sec-websocket-protocol"] ?? "").split(",", 1).join("").trim()
    const teamId = accounts.identify(key)?.teamId
    if (teamId === undefined) return yield* write(new Socket.CloseEvent(3000, "Unauthorized: Invalid token"))

    const beat = yield* jobs.beats(id)
    const crawl = yield* Effect.option(jobs.get(teamId, id, named))
    const kind = isOlder && crawl._tag === "None" ? "batch" : named
    const job = yield* jobs.get(teamId, id, kind)
    const query = { skip: undefined, limit: Limits.defaultPageSize, origin: requestOrigin(request) }
    const catchup = yield* crawlStatus(job, query)
    let sent = catchup.documents
    const sendNew = Effect.gen(function* () {
      for (;;) {
        const { documents } = yield* store.chunk(id, sent, Limits.defaultPageSize)
        for (const document of documents) yield* write(`{"type":"document","data":${document}}`)
        sent += documents.length
        if (documents.length === 0) return
      }
    })

    if (job.status !== "scraping") yield* sendNew
    yield* write(`{"type":"catchup","data":${catchup.text}}`)
    for (let { status } = job; ; { status } = yield* jobs.get(teamId, id, kind)) {
      yield* sendNew
      if (status !== "scraping") yield* store.wasRead(id, sent)
      if (status !== "scraping") return yield* write(new Socket.CloseEvent(1000, `{"type":"done"}`))
      yield* beat
    }
  })

  /** After the upgrade, every end is a close code. If the caller disconnects, the watch ends. */
  const serve = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, target: Target) {
    const socket = yield* request.upgrade
    const { write } = yield* socket.writer
    const { pull } = yield* socket.reader
    const watching = watch(request, target, write).pipe(
      Effect.provideService(CrawlStore, store),
      Effect.catchTag("NotFound", () => write(new Socket.CloseEvent(1008, `no ${target.kind} has this id`))),
      Effect.catchTag("StoreError", () => write(new Socket.CloseEvent(1011, "the service cannot read its store")))
    )
    yield* Effect.raceFirst(watching, Effect.forever(pull)).pipe(Effect.catchTag("SocketError", () => Effect.void))
    return HttpServerResponse.empty()
  }, Effect.scoped)

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const target = request.headers["upgrade"]?.toLowerCase() === "websocket" ? targetOf(request.url) : undefined
      return target === undefined ? yield* app : yield* serve(request, target)
    })
})

interface Target {
  readonly id: string
  readonly kind: "crawl" | "batch"
  readonly isOlder: boolean
}

/** The job of a path: /v2/crawl/{id} or /v2/batch/scrape/{id}. Clients of /v1 use the path of crawls for batches too. */
const targetOf = (url: string): Target | undefined => {
  const [, version, path, id] = /\/v([12])\/(crawl|batch\/scrape)\/([^/?#]+)(?:[?#]|$)/.exec(url) ?? []
  if (id === undefined) return undefined
  return { id, kind: path === "crawl" ? "crawl" : "batch", isOlder: version === "1" }
}

type Write = Socket.Writer["write"]
