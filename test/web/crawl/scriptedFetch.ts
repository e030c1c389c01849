/** Answers without a network: what `followRedirects`, `SitemapWalk` and `SiteRules` get when they fetch. */
import * as Effect from "effect/Effect"
import { FetchError, type FetchResult } from "#web/Fetch"

export type Said =
  | string
  | Uint8Array
  | (Partial<FetchResult> & { readonly text?: string })
  | { readonly fails: string }

/** Says these things at these URLs, 404 at any other; and what was asked. */
export const scriptedFetch = (answers: Readonly<Record<string, Said>>) => {
  const asked: Array<string> = []
  const get = (url: URL): Effect.Effect<FetchResult, FetchError> => {
    asked.push(url.href)
    const said = answers[url.href] ?? { status: 404 }
    if (typeof said === "object" && "fails" in said) {
      return Effect.fail(new FetchError({ url: url.href, code: said.fails, message: said.fails, retryable: false }))
    }
    const { text = "", ...answer } =
      typeof said === "string" ? { text: said } : said instanceof Uint8Array ? { body: said } : said
    return Effect.succeed({
      status: 200,
      contentType: undefined,
      location: undefined,
      retryAfter: undefined,
      body: Buffer.from(text),
      ...answer
    })
  }
  return { asked, get }
}

export const moved = (location: string, status = 301): Said => ({ status, location })
