/** The commands that serve HTTP: `millrace serve`, and `millrace site`, the demo website. */
import * as Config from "effect/Config"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const data = Flag.String("data").pipe(
  Flag.withDescription("the folder that keeps jobs and results; default: .millrace/service"),
  Flag.withDefault(".millrace/service")
)

const database = Flag.Redacted("database").pipe(
  Flag.withDescription("a postgres:// URL, which several processes may share; default: a SQLite file in --data"),
  Flag.withFallbackConfig(Config.Redacted("MILLRACE_DATABASE_URL")),
  Flag.optional
)

const key = Flag.Redacted("key").pipe(
  Flag.withDescription(
    "an API key that callers must send; may be repeated; MILLRACE_KEYS has several, separated by commas; without any key, only this machine may call, unless --open is set"
  ),
  Flag.atLeast(0)
)

const moreKeys = Config.Redacted("MILLRACE_KEYS")
const sealKey = Config.Redacted("MILLRACE_SEAL_KEY")
const operatorKey = Config.Redacted("MILLRACE_OPERATOR_KEY")
const allowHost = Flag.String("allow-host").pipe(
  Flag.withDescription(
    "a host name that requests may have, besides IP addresses and localhost; may be repeated; *: any name"
  ),
  Flag.atLeast(0)
)
const open = Flag.Boolean("open").pipe(
  Flag.withDescription("with --host: everyone who can reach the address may call without a key"),
  Flag.withDefault(false)
)

const keys = Flag.String("keys").pipe(Flag.withDescription("a YAML file with keys, teams and plans"), Flag.optional)
const webhookSecret = Flag.Redacted("webhook-secret").pipe(
  Flag.withDescription(
    "the secret that signs webhooks; default: a random one, kept in the file webhook-secret of the data folder"
  ),
  Flag.optional
)

const modelUrl = Flag.String("model-url").pipe(
  Flag.withDescription(
    "the chat completions endpoint of a language model, such as http://localhost:11434/v1; if not set, extraction and agents use rules"
  ),
  Flag.withFallbackConfig(Config.String("MILLRACE_MODEL_URL")),
  Flag.optional
)
const model = Flag.String("model").pipe(
  Flag.withDescription("the name of the model at --model-url"),
  Flag.withFallbackConfig(Config.String("MILLRACE_MODEL")),
  Flag.optional
)
const modelKey = Flag.Redacted("model-key").pipe(
  Flag.withDescription("the API key for --model-url"),
  Flag.withFallbackConfig(Config.Redacted("MILLRACE_MODEL_KEY")),
  Flag.optional
)
const unsupported = Flag.Literals("unsupported", ["leave_out", "keep"]).pipe(
  Flag.withDescription(
    "facts that the model gives and no page says: leave_out makes them null, keep leaves them in the data; both list them in `unsupported`; default: leave_out"
  ),
  Flag.withFallbackConfig(Config.Literals(["leave_out", "keep"], "MILLRACE_UNSUPPORTED")),
  Flag.optional
)
const webSearch = Flag.String("web-search").pipe(
  Flag.withDescription("the URL of a server with SearXNG's JSON API, for web searches; default: none"),
  Flag.withAlias("searxng"),
  Flag.withFallbackConfig(
    Config.String("MILLRACE_WEB_SEARCH_URL").pipe(Config.orElse(() => Config.String("MILLRACE_SEARXNG_URL")))
  ),
  Flag.optional
)

const providers = Flag.String("providers").pipe(
  Flag.withDescription("a YAML or JSON file with data providers that agents may query; default: none"),
  Flag.withFallbackConfig(Config.String("MILLRACE_PROVIDERS")),
  Flag.optional
)

const smtp = Flag.Redacted("smtp").pipe(
  Flag.withDescription(
    "the mail server for the e-mails of monitors, such as smtp://name:password@mail.example.com:587; default: none"
  ),
  Flag.withFallbackConfig(Config.Redacted("MILLRACE_SMTP_URL")),
  Flag.optional
)
const mailFrom = Flag.String("mail-from").pipe(
  Flag.withDescription("the sender address of these e-mails"),
  Flag.withFallbackConfig(Config.String("MILLRACE_MAIL_FROM")),
  Flag.optional
)

const perHost = Flag.Int("per-host").pipe(
  Flag.withDescription(
    "the maximum number of requests in progress to one host; a crawl delay in its robots.txt overrides this; default: 8"
  ),
  flags.within(1, 1000),
  Flag.withDefault(8)
)

const inFlight = Flag.Int("in-flight").pipe(
  Flag.withDescription(
    "the maximum number of requests in progress in this process, to all hosts together; default: no limit"
  ),
  flags.within(1, 100_000),
  Flag.optional
)

const acceptWrongLength = Flag.Boolean("accept-wrong-length").pipe(
  Flag.withDescription(
    "read a page that is shorter than its Content-Length, with a warning; otherwise it fails, as it always does behind a proxy"
  ),
  Flag.withDefault(false)
)

const accessLog = Flag.String("access-log").pipe(
  Flag.withDescription(
    "a file that gets one line of JSON for each request: time, id, method, operation, status, milliseconds; -: stdout; default: none"
  ),
  Flag.withFallbackConfig(Config.String("MILLRACE_ACCESS_LOG")),
  Flag.optional
)

const crawlerName = Flag.String("crawler-name").pipe(
  Flag.withDescription(
    "the name of requests to the web, such as AcmeBot/1.0: robots.txt is read for it; a plan of --keys may have its own; default: Millrace"
  ),
  Flag.withFallbackConfig(Config.String("MILLRACE_CRAWLER_NAME")),
  Flag.optional
)

const crawlerContact = Flag.String("crawler-contact").pipe(
  Flag.withDescription("with --crawler-name: the URL of a page about the crawler, or mailto:NAME@HOST"),
  Flag.withFallbackConfig(Config.String("MILLRACE_CRAWLER_CONTACT")),
  Flag.optional
)

const crawlerFrom = Flag.String("crawler-from").pipe(
  Flag.withDescription("with --crawler-name: an address of mail that is sent as From; default: none"),
  Flag.withFallbackConfig(Config.String("MILLRACE_CRAWLER_FROM")),
  Flag.optional
)

const advertise = Flag.String("advertise").pipe(
  Flag.withDescription(
    "the HOST:PORT at which other processes with the same postgres:// database reach this one; port 0 takes a free port; default: 127.0.0.1:0, for processes on one machine"
  ),
  Flag.withFallbackConfig(Config.String("MILLRACE_ADVERTISE")),
  Flag.optional
)

/** `millrace serve`: the web data service, for any client of its API. */
export const serve = Command.make(
  "serve",
  {
    host: flags.host,
    port: flags.port(3002),
    allowHost,
    open,
    data,
    database,
    key,
    keys,
    webhookSecret,
    modelUrl,
    model,
    modelKey,
    unsupported,
    webSearch,
    providers,
    smtp,
    mailFrom,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve,
    perHost,
    inFlight,
    acceptWrongLength,
    crawlerName,
    crawlerContact,
    crawlerFrom,
    advertise,
    accessLog
  },
  Effect.fnUntraced(function* (options) {
    const { serveService } = yield* Effect.promise(() => import("../serve/serveService.ts"))
    return yield* serveService({
      ...options,
      moreKeys: yield* Config.option(moreKeys),
      sealKey: yield* Config.option(sealKey),
      operatorKey: yield* Config.option(operatorKey)
    })
  })
).pipe(Command.withDescription("Serve the web data service on a port"))

const revision = Flag.Int("revision").pipe(
  Flag.withDescription("the revision of the site, from 1; some pages differ between revisions; default: 1"),
  Flag.withDefault(1)
)
const seed = Flag.Int("seed").pipe(
  Flag.withDescription("the number that the site is generated from; default: 1"),
  Flag.withDefault(1)
)

/** `millrace site`: a demo website to crawl, generated from a seed. */
export const site = Command.make("site", { host: flags.host, port: flags.port(8787), revision, seed }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../serve/serveSite.ts")),
    ({ serveSite }) => serveSite(options)
  )
).pipe(Command.withDescription("Serve the demo site: about 300 pages to try a crawler on"))
