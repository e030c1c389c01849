/**
 * The model and the web search of a service, from flags or from `MILLRACE_MODEL_URL`, `MILLRACE_MODEL`,
 * `MILLRACE_MODEL_KEY`, `MILLRACE_UNSUPPORTED` and `MILLRACE_WEB_SEARCH_URL` (or `MILLRACE_SEARXNG_URL`).
 *
 * A model without its endpoint (or the reverse) is reported as a mistake, and the service does not start without one; an
 * empty variable counts as not set. The key has an option of its own and is never part of an address.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { keepsUnsupported, UnsupportedOption } from "#contract/Formats"
import type { ServiceConfig } from "#service/ServiceConfig"
import { wrong } from "./StartError.ts"

interface Flags {
  readonly modelUrl: Option.Option<string>
  readonly model: Option.Option<string>
  readonly modelKey: Option.Option<Redacted.Redacted>
  readonly unsupported: Option.Option<UnsupportedOption>
  readonly webSearch: Option.Option<string>
}

export const thinkingConfig = Effect.fnUntraced(function* (flags: Flags) {
  const url = Option.getOrUndefined(flags.modelUrl)
  const model = Option.getOrUndefined(flags.model)
  const key = Option.getOrUndefined(flags.modelKey)
  const unsupported = keepsUnsupported(Option.getOrUndefined(flags.unsupported))
  const search = Option.getOrUndefined(flags.webSearch)
  if ((url === undefined) !== (model === undefined)) {
    return yield* wrong("--model-url and --model must be used together: an endpoint, and the name of a model there")
  }
  if (key !== undefined && url === undefined) return yield* wrong("--model-key needs --model-url and --model")
  const address = url === undefined ? undefined : yield* addressOf("--model-url", url)
  if (address !== undefined && `${address.username}${address.password}` !== "") {
    return yield* wrong(
      "--model-url must not contain a user or a password: give the key of the endpoint in --model-key"
    )
  }
  const config: Pick<ServiceConfig, "model" | "webSearch"> = {
    ...(address === undefined || model === undefined
      ? {}
      : {
          model: {
            baseUrl: address,
            model,
            ...(key === undefined ? {} : { key }),
            ...(unsupported === undefined ? {} : { keepsUnsupported: unsupported })
          }
        }),
    ...(search === undefined ? {} : { webSearch: yield* addressOf("--web-search", search) })
  }
  return config
})

/** Those of the environment, for services that no flags speak of. */
export const fromEnvironment = Effect.gen(function* () {
  const flags = yield* Config.all({
    modelUrl: Config.option(Config.String("MILLRACE_MODEL_URL")),
    model: Config.option(Config.String("MILLRACE_MODEL")),
    modelKey: Config.option(Config.Redacted("MILLRACE_MODEL_KEY")),
    unsupported: Config.option(Config.String("MILLRACE_UNSUPPORTED")),
    webSearch: Config.option(
      Config.String("MILLRACE_WEB_SEARCH_URL").pipe(Config.orElse(() => Config.String("MILLRACE_SEARXNG_URL")))
    )
  }).pipe(Effect.orDie) // an option of text cannot fail
  const { model, modelKey, modelUrl, unsupported, webSearch } = flags
  const fate = Option.filter(unsupported, isSaid)
  if (Option.exists(fate, (text) => !isUnsupportedOption(text)))
    return yield* wrong(
      `MILLRACE_UNSUPPORTED must be leave_out or keep, not ${JSON.stringify(Option.getOrUndefined(fate))}`
    )
  return yield* thinkingConfig({
    model: Option.filter(model, isSaid),
    modelUrl: Option.filter(modelUrl, isSaid),
    unsupported: Option.filter(fate, isUnsupportedOption),
    modelKey: Option.filter(modelKey, (key) => isSaid(Redacted.value(key))),
    webSearch: Option.filter(webSearch, isSaid)
  })
})

const isUnsupportedOption = Schema.is(UnsupportedOption)

const isSaid = (text: string): boolean => text.trim() !== ""

const addressOf = (flag: string, text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
    ? Effect.succeed(url)
    : Effect.fail(wrong(`${flag} must be an http or https address, not ${JSON.stringify(text)}`))
}
