/** The work behind `millrace explore`: serves a page about the tables of a pipeline on this machine, until Ctrl-C. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { boundedServer } from "#base/boundedServer"
import * as HtmlPage from "#base/HtmlPage"
import { makePrivateFolder } from "#base/privateFolder"
import { temporaryFolder } from "#engine/temporaryFolder"
import { engine } from "#library/services"
import { failed, notListening, wrong } from "./CliFailure.ts"
import * as Explorer from "./explore/Explorer.ts"
import { exploreApp } from "./explore/exploreApp.ts"
import { makeToken } from "./explore/gate.ts"
import { preparePage } from "./explore/pageFiles.ts"
import { openFile } from "./report/openFile.ts"

interface Options extends Explorer.Options {
  readonly port: number
  readonly open: boolean
  /** The folder to write the page and the data to; nothing is served then. */
  readonly export: Option.Option<string>
  /** Only with `export`: whether the pages of evidence are fetched again. */
  readonly fetch: boolean
}

const host = "127.0.0.1"

export const explorePipeline = Effect.fn("explorePipeline")(
  function* (options: Options) {
    const explorer = yield* Explorer.open(options)
    if (Option.isSome(options.export)) {
      const { exportFolder } = yield* Effect.promise(() => import("./explore/exportFolder.ts"))
      return yield* exportFolder(explorer, options.export.value, options.fetch).pipe(
        Effect.catchTag("SinkError", ({ message }) =>
          failed(`${explorer.loaded.pipeline.name}: sink ${explorer.name}: ${message}`)
        )
      )
    }
    if (options.fetch)
      return yield* wrong("--fetch needs --export; without it, the page has a button that fetches pages again")
    const url = yield* serveExplorer(explorer, options.port)
    process.stdout.write(`${explorer.loaded.pipeline.name}, sink ${explorer.name}: ${url}\n`)
    process.stderr.write(
      "Open this URL in a browser; it contains the token that the page needs. Ctrl-C stops the server.\n"
    )
    if (options.open) yield* openPage(url, explorer.loaded.pipeline.directory)
    return yield* Effect.never
  },
  Effect.scoped,
  Effect.provide(engine)
)

/** Serves until the scope closes; returns the URL with its token. */
const serveExplorer = Effect.fnUntraced(function* (explorer: Explorer.Explorer, port: number) {
  const token = makeToken()
  const server = yield* Layer.build(
    NodeHttpServer.layer(() => boundedServer(), { host, port, gracefulShutdownTimeout: "1 second" })
  ).pipe(Effect.catchTag("ServeError", ({ cause }) => notListening(host, port, cause)))
  const services = yield* Effect.context<Layer.Success<typeof engine>>()
  return yield* Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const own = address._tag === "UnixPathAddress" ? port : address.port
    yield* HttpServer.serveEffect(exploreApp(explorer, { token, port: own }, services))
    yield* Effect.forkScoped(preparePage)
    return `http://${host}:${own}/?token=${token}`
  }).pipe(Effect.provideContext(server))
})

/**
 * Opens the URL of the page in the browser.
 *
 * Guarantee: the URL has the token, and every user of a machine can read the arguments of its programs. So the browser is given a
 * file that only its own user can read, which leads to the URL. The file is gone with the scope.
 */

/** `directory`: where the pipeline file is. Browsers of some systems see nothing of the system's folder for what is temporary. */
export const openPage = Effect.fn("openPage")(
  function* (url: string, directory: string) {
    const place = join(directory, ".millrace")
    yield* Effect.tryPromise(() => makePrivateFolder(place))
    const file = join(yield* temporaryFolder("explore", place), "page.html")
    yield* Effect.tryPromise(() => writeFile(file, leadingTo(url), { mode: 0o600 }))
    yield* openFile(file)
  },
  Effect.mapError(() =>
    failed("the page cannot be opened in the browser: start without --open, and open the URL yourself")
  )
)

const leadingTo = (url: string): string =>
  HtmlPage.page({
    title: "millrace explore",
    head: `${HtmlPage.noReferrer}<meta http-equiv="refresh" content="0; url=${HtmlPage.escape(url)}">\n`,
    body: ""
  })
