/**
 * Pages rendered by a browser, for what plain HTTP cannot give: scripts, actions, screenshots, phones.
 *
 * The browser reaches the web only through the guarded proxy. It is started at its first use and ended with the layer.
 * Each page has its own context, which ends with its scrape whatever the page does.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type * as Playwright from "playwright-core"
import * as CrawlerName from "#base/CrawlerName"
import * as FairPlaces from "#base/FairPlaces"
import type { ScrapeOptions } from "#contract/ScrapeOptions"
import type * as AddressGuard from "./AddressGuard.ts"
import { BrowserUnavailable, type Chromium, isThere, launch } from "./browser/Chromium.ts"
import { drive, enter, explain, type Rendered } from "./browser/drive.ts"
import type { GuardedProxy } from "./browser/GuardedProxy.ts"
import * as OpenPage from "./browser/OpenPage.ts"
import { FetchError } from "./Fetch.ts"
import { monotonicMillis } from "./monotonicMillis.ts"

export class Browser extends Context.Service<
  Browser,
  {
    /** Opens the page and does what the options say. `headers` are sent to this host only. */
    readonly render: (
      url: URL,
      options: ScrapeOptions,
      headers: Readonly<Record<string, string>>,
      timeoutMillis: number,
      /** Whether to wait until its scripts have finished loading. */
      settles?: boolean
    ) => Effect.Effect<Rendered, FetchError>
    /** Opens a page that stays open until the scope closes. */
    readonly open: (url: URL, timeoutMillis: number) => Effect.Effect<OpenPage.OpenPage, FetchError, Scope.Scope>
    /** Whether a browser is available; checked only before optional work. */
    readonly isThere: Effect.Effect<boolean>
  }
>()("millrace/service/Browser") {
  static readonly layer = (guard: AddressGuard.Options) => Layer.effect(Browser, make(guard))
}

/** The maximum number of open pages: each takes more than a hundred megabytes. */
const maxPages = 4

/** The maximum size of all answers of one page together, as sent. */
const maxBytes = 100 * 1024 * 1024

/** The same for a page that stays open. */
const maxBytesOfSession = 500 * 1024 * 1024

/** An unused browser is ended after this long: it takes two hundred megabytes. */
const idleTime = Duration.seconds(10)

/** Milliseconds for which a browser that hung at its start is not started again: pages would wait for nothing. */
const hungMillis = 60_000

/** How long a context may take to open or to close before the browser is considered dead. */
const patience = Duration.seconds(5)

const make = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const places = FairPlaces.create(maxPages)
  const context = contextIn(yield* makeProcess(guard))

  const render = Effect.fnUntraced(function* (
    url: URL,
    options: ScrapeOptions,
    headers: Readonly<Record<string, string>>,
    timeoutMillis: number,
    settles: boolean = false
  ) {
    const visit = { url, options, headers, timeoutMillis, settles }
    return yield* context(options, headers, maxBytes).pipe(
      Effect.flatMap(({ context, network }) => attempt(url, () => drive(context, visit, network))),
      Effect.scoped,
      inTime(url, timeoutMillis),
      places.during
    )
  })

  const open = (url: URL, timeoutMillis: number) =>
    Effect.gen(function* () {
      const opened = yield* context({}, {}, maxBytesOfSession)
      const visit = { url, headers: {}, timeoutMillis }
      const { page } = yield* attempt(url, () => enter(opened.context, visit, opened.network))
      return OpenPage.of(page, opened.network)
    }).pipe(inTime(url, timeoutMillis))

  return Browser.of({ render, open, isThere: Effect.sync(isThere) })
})

type Process = Effect.Success<ReturnType<typeof makeProcess>>

/** The process of the browser, with its proxy. It ends with the scope, and when nobody has used it for a while. */
const makeProcess = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const starting = yield* Semaphore.make(1)
  const scope = yield* Effect.scope
  let proxy: GuardedProxy | undefined
  let running: Chromium | undefined

  const kill = Effect.suspend(() => {
    const dead = running
    running = undefined
    return dead === undefined ? Effect.void : Effect.promise(() => dead.kill().catch(() => {}))
  })
  yield* Effect.addFinalizer(() => kill)

  const begin = Effect.gen(function* () {
    if (proxy === undefined) {
      // Loaded with the first browser, because it loads the HTTP server.
      const { serve } = yield* Effect.promise(() => import("./browser/GuardedProxy.ts"))
      proxy = yield* serve(guard).pipe(Effect.provideService(Scope.Scope, scope))
    }
    yield* kill
    running = yield* launch(proxy)
    return { browser: running.browser, proxy }
  })
  let beginning: Fiber.Fiber<Effect.Success<typeof begin>, BrowserUnavailable> | undefined
  let hung: { readonly error: BrowserUnavailable; readonly until: number } | undefined

  /** All who wait for the browser wait for one start, which goes on if one of them gives up. A hung start is not repeated at once. */
  const start = Effect.gen(function* () {
    if (proxy !== undefined && running?.browser.isConnected() === true) return { browser: running.browser, proxy }
    if (hung !== undefined && (yield* monotonicMillis) < hung.until) return yield* Effect.fail(hung.error)
    beginning ??= yield* begin.pipe(
      Effect.tapError((error) =>
        Effect.map(monotonicMillis, (now) => {
          if (error.isHung) hung = { error, until: now + hungMillis }
        })
      ),
      Effect.ensuring(Effect.sync(() => (beginning = undefined))),
      Effect.forkIn(scope)
    )
    return beginning
  }).pipe(
    starting.withPermits(1),
    Effect.flatMap((started) => (Fiber.isFiber(started) ? Fiber.join(started) : Effect.succeed(started)))
  )

  /** Users of the browser: each until its scope closes. */
  let users = 0
  let changes = 0
  const endIdle = Effect.gen(function* () {
    const change = ++changes
    yield* Effect.sleep(idleTime)
    if (users === 0 && change === changes) yield* kill
  }).pipe(Effect.forkIn(scope))
  const use = Effect.acquireRelease(
    Effect.sync(() => {
      users += 1
      changes += 1
    }),
    () => Effect.suspend(() => (--users === 0 ? endIdle : Effect.void))
  )

  return { start, use, kill }
})

/** Makes new contexts, each with its own password for the proxy. Both end with the scope. */
const contextIn = ({ kill, start, use }: Process) => {
  const close = (context: Playwright.BrowserContext) =>
    Effect.promise(() => context.close().catch(() => {})).pipe(
      Effect.timeoutOption(patience),
      Effect.flatMap((closed) => (Option.isSome(closed) ? Effect.void : kill))
    )

  return Effect.fnUntraced(function* (
    options: ScrapeOptions,
    headers: Readonly<Record<string, string>>,
    maxBytes: number
  ) {
    yield* use
    const { browser, proxy } = yield* start
    const network = yield* proxy.admit({ maxBytes, rejectUnauthorized: options.skipTlsVerification !== true })
    const { password, username } = network
    const visitor = contextOptions(options, headers, {
      version: browser.version(),
      crawler: yield* CrawlerName.Current
    })
    const opening = Effect.tryPromise({
      try: () =>
        browser.newContext({
          ...visitor,
          proxy: { server: `http://127.0.0.1:${proxy.port}`, bypass: "<-loopback>", username, password }
        }),
      catch: (cause) => new BrowserUnavailable(`the browser cannot open a page: ${String(cause)}`)
    }).pipe(Effect.timeoutOption(patience))
    const opened = yield* Effect.acquireRelease(opening, (context) =>
      Option.isSome(context) ? close(context.value) : Effect.void
    )
    if (Option.isSome(opened)) return { context: opened.value, network }
    yield* kill
    return yield* Effect.fail(new BrowserUnavailable("the browser does not answer; it was ended, try again"))
  })
}

const failing = (url: URL) => (code: string, message: string) =>
  new FetchError({ url: url.href, code, message, retryable: code === "SCRAPE_TIMEOUT" })

const attempt = <A>(url: URL, work: () => Promise<A>): Effect.Effect<A, FetchError> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => (cause instanceof FetchError ? cause : failing(url)(...explain(cause)))
  })

/** A timeout, and a missing browser, are failures of the page. */
const inTime =
  (url: URL, timeoutMillis: number) =>
  <A, R>(work: Effect.Effect<A, FetchError | BrowserUnavailable, R>): Effect.Effect<A, FetchError, R> =>
    work.pipe(
      Effect.catchTag("BrowserUnavailable", ({ message }) =>
        Effect.fail(failing(url)("SCRAPE_BROWSER_UNAVAILABLE", message))
      ),
      Effect.timeoutOrElse({
        duration: Duration.millis(timeoutMillis),
        orElse: () =>
          Effect.fail(failing(url)("SCRAPE_TIMEOUT", `the page took longer than ${timeoutMillis} ms in the browser`))
      })
    )

/**
 * How the browser presents itself: the window of a desktop or a phone, the crawler's name in the user agent, the
 * caller's languages.
 */
const contextOptions = (
  options: ScrapeOptions,
  headers: Readonly<Record<string, string>>,
  { crawler, version }: { readonly crawler: CrawlerName.Identity; readonly version: string }
): Playwright.BrowserContextOptions => {
  const locale = options.location?.languages?.[0]
  const { from, "user-agent": own } = crawler.headers
  const { userAgent, ...window } = options.mobile === true ? phone(version) : desktop(version)
  return {
    ...window,
    userAgent: headers["user-agent"] ?? `${userAgent} ${own}`,
    ...(from === undefined ? {} : { extraHTTPHeaders: { from } }),
    ...(locale !== undefined && isLocale(locale) ? { locale } : {}),
    acceptDownloads: false,
    serviceWorkers: "block"
  }
}

const desktop = (version: string): Playwright.BrowserContextOptions => ({
  viewport: { width: 1280, height: 800 },
  userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`
})

const phone = (version: string): Playwright.BrowserContextOptions => ({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  userAgent: `Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Mobile Safari/537.36`
})

const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
