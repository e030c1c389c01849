/**
 * The live view of a session: a page with a picture of its browser, which reloads every two seconds.
 *
 * It needs only the token in its URL, so that a person can watch without the team's key. It cannot change anything.
 */

import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HtmlPage from "#base/HtmlPage"
import { type Session, Sessions } from "#web/Sessions"

/** The app with `/live/TOKEN` before it. */
export const liveView = Effect.map(
  Sessions,
  (sessions) =>
    <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const [, token, part] = /\/live\/([\w-]{1,100})(\/picture)?(?:[?#]|$)/.exec(request.url) ?? []
        if (token === undefined || request.method !== "GET") return yield* app
        const session = sessions.viewedBy(token)
        if (session === undefined) return HttpServerResponse.text("this session has ended\n", { status: 404, headers })
        if (part === undefined) return viewOf(session)
        return yield* session.page.picture.pipe(
          Effect.map((bytes) => HttpServerResponse.uint8Array(bytes, { contentType: "image/jpeg", headers })),
          Effect.catchTag("FetchError", ({ message }) =>
            Effect.succeed(HttpServerResponse.text(`${message}\n`, { status: 503, headers }))
          )
        )
      })
)

/** The browser stores nothing, sends the URL to no one else, and runs nothing of the page, which is only a picture. */
const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
}

const viewOf = ({ token }: Session) =>
  HttpServerResponse.text(
    HtmlPage.page({
      title: "Live view",
      head: '<meta http-equiv="refresh" content="2">\n',
      style: "body{margin:0;background:#222}img{display:block;max-width:100%;margin:auto}",
      body: `<img src="/live/${token}/picture" alt="what the browser shows">`
    }),
    { contentType: "text/html; charset=utf-8", headers }
  )
