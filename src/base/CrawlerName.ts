/**
 * Who a crawler says it is. One name stands in every request (robots.txt, sitemaps, pages, files, browsers, webhooks), and
 * is the name whose rules in a robots.txt are obeyed (RFC 9309, 2.2.1).
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

/**
 * The name of a crawler, and how its owner is reached.
 *
 * @see RFC 9309, 2.2.1 (product tokens); RFC 9110, 10.1.2 and 10.1.5 (From, User-Agent)
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { CrawlerName } from "millrace/api"
 *
 * const name = Schema.decodeUnknownSync(CrawlerName)({ name: "AcmeBot/1.0", contact: "https://acme.example/bot" })
 * console.log(name.contact) // "https://acme.example/bot"
 * ```
 */
export const CrawlerName = Schema.Struct({
  name: Schema.String.check(
    Schema.isPattern(/^[A-Za-z][A-Za-z_-]{0,63}(?:\/\d[\d.]{0,15})?$/, {
      expected: "a name of letters, - and _, such as AcmeBot or AcmeBot/1.0, as a robots.txt can write it"
    })
  ).annotate({ description: "the name in requests, whose rules in robots.txt are obeyed: AcmeBot, or AcmeBot/1.0" }),
  contact: Schema.String.check(
    Schema.isPattern(/^(?:https?:\/\/[^\s()/]+\.[^\s()]+|mailto:[^\s()@]+@[^\s()@]+)$/, {
      expected: "the URL of a page about the crawler, or mailto:NAME@HOST"
    })
  ).annotate({ description: "a page about the crawler, or mailto:NAME@HOST: where the owner of a site can complain" }),
  from: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/, { expected: "NAME@HOST" })
    ).annotate({ description: "an address of mail that is sent as From" })
  )
}).annotate({ identifier: "CrawlerName" })
export type CrawlerName = typeof CrawlerName.Type

/** A crawler as requests present it. */
export interface Identity {
  /** The name that a robots.txt has rules for. */
  readonly token: string
  /** The headers of every request. */
  readonly headers: { readonly "user-agent": string; readonly from?: string }
}

/** What requests say where nobody has chosen a name. */
export const millrace: Identity = { token: "Millrace", headers: { "user-agent": "Millrace/0.1 (web data service)" } }

/** How requests present a crawler: `AcmeBot/1.0 (+https://acme.example/bot)`, and `From`. */
export const identityOf = (crawler: CrawlerName | undefined): Identity =>
  crawler === undefined
    ? millrace
    : {
        token: crawler.name.replace(/\/.*$/, ""),
        headers: {
          "user-agent": `${crawler.name} (+${crawler.contact})`,
          ...(crawler.from === undefined ? {} : { from: crawler.from })
        }
      }

/** For whom requests are made: the crawler of a pipeline, of a service, or of one of its teams. */
export const Current = Context.Reference<Identity>("millrace/base/CrawlerName", { defaultValue: () => millrace })
