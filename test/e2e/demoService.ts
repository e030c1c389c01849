/** `millrace serve` in a process of its own, on the demo site: what public clients are tried on. */
import * as Effect from "effect/Effect"
import * as Server from "#site/Server"
import * as Site from "#site/Site"
import { inFolder, start } from "../app/millrace.ts"

export interface DemoService {
  readonly url: string
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** The demo site's pages as northmere.example. */
export const demoService = async (): Promise<DemoService> => {
  const serving = Promise.withResolvers<{ readonly url: string; readonly folder: string }>()
  const stopping = Promise.withResolvers<void>()
  const stopped = inFolder((folder) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const site = Site.make({ seed: 1, revision: 1 })
          const { url } = yield* Server.serve(site, { host: "127.0.0.1", port: 0, slowness: 1 })
          const resolve = `northmere.example=${new URL(url).host}`
          const { process, ended } = start(folder, "serve", "--port", "0", "--resolve", resolve)
          process.stdout?.once("data", (chunk) =>
            serving.resolve({ url: /http:\S+/.exec(String(chunk))?.[0] ?? "", folder })
          )
          yield* Effect.promise(() => stopping.promise)
          process.kill("SIGTERM")
          yield* Effect.promise(() => ended)
        })
      )
    )
  )
  const { url, folder } = await serving.promise
  return {
    url,
    folder,
    stop: () => {
      stopping.resolve()
      return stopped
    }
  }
}

/** The URL of the first page of a product that a map of the demo site names. */
export const productOf = async ({ url }: DemoService): Promise<string> => {
  const body = JSON.stringify({ url: "http://northmere.example/shop/", limit: 500 })
  const headers = { "content-type": "application/json" }
  const answer = await (await fetch(`${url}/v2/map`, { method: "POST", headers, body })).json()
  const links: ReadonlyArray<{ readonly url: string }> = answer.links
  return links.map((link) => link.url).find((link) => /\/shop\/p\/[^/?]+$/.test(link)) ?? ""
}
