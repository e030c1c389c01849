/**
 * `/terms/PROVIDER`: a page where a person reads the terms of a data provider, and accepts them for a team.
 *
 * Everyone who reaches the service may read the terms. To accept them, a person types a key of the team into the form: so
 * the browser stores nothing that another site could use. Only a form of this page is accepted: a browser names the page
 * that sends it in `Origin` and `Sec-Fetch-Site`. The form accepts the version and the digest that the page has shown; if
 * the terms have changed meanwhile, they are shown again.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HtmlPage from "#base/HtmlPage"
import { Accounts, everybody, keylessTeam, permit } from "../accounts/Accounts.ts"
import { AgentStore } from "../agent/AgentStore.ts"
import { Catalog } from "../Catalog.ts"
import { type Provider, termsKey, termsPath } from "../Provider.ts"
import { logFailure } from "./failures.ts"
import { requestOrigin } from "./requestHeaders.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The app with `/terms/PROVIDER`. */
export const termsPages = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { find } = yield* Catalog
  const store = yield* AgentStore

  const accept = Effect.fnUntraced(function* (request: Request, provider: Provider) {
    if (!isOwnForm(request)) return pageOf(provider, 403, "This form was sent by another page. Nothing was accepted.")
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? ""))
      return pageOf(provider, 415, "Send the form of this page. Nothing was accepted.")
    if (!(Number(request.headers["content-length"]) <= maxFormBytes))
      return pageOf(provider, 413, "The form is too large. Nothing was accepted.")
    const form = new URLSearchParams(yield* request.text)
    const account = accounts.identify((form.get("key") ?? "").trim())
    if (account === undefined || account.teamId === keylessTeam)
      return pageOf(provider, 401, "This is not the key of a team. Nothing was accepted.")
    yield* accounts.admit(account)
    yield* permit(account, "scrape")
    if (form.get("confirmed") !== "yes")
      return pageOf(provider, 400, "Tick the box to say that you agree. Nothing was accepted.")
    if (form.get("version") !== provider.terms.version || form.get("digest") !== provider.terms.digest)
      return pageOf(provider, 409, "The terms have changed. Read them again. Nothing was accepted.")
    yield* store.accept(account.teamId, termsKey(provider))
    return pageOf(provider, 200, "The terms are accepted for your team.", "accepted")
  })

  const answer = Effect.fnUntraced(function* (request: Request, provider: Provider) {
    if (request.method === "POST") return yield* accept(request, provider)
    if (request.method !== "GET")
      return pageOf(provider, 405, "This page is read with GET, and its form sent with POST.")
    // Without a key, the page knows the team only if all callers are one team.
    const isAccepted =
      accounts.identify("") === everybody && (yield* store.accepted(everybody.teamId)).has(termsKey(provider))
    return isAccepted ? pageOf(provider, 200, "These terms are accepted.", "accepted") : pageOf(provider, 200)
  })

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const [, id] = /^(?:https?:\/\/[^/]+)?\/terms\/([\w.-]{1,100})(?:\?|$)/.exec(request.url) ?? []
      if (id === undefined) return yield* app
      const provider = find(id)
      if (provider === undefined) return shell(404, "Terms", "<p>There is no such data provider here.</p>")
      return yield* answer(request, provider).pipe(
        Effect.catchTags({
          Forbidden: ({ message }) => Effect.succeed(pageOf(provider, 403, message)),
          HttpServerError: () =>
            Effect.succeed(pageOf(provider, 400, "The form did not arrive. Nothing was accepted.")),
          RateExceeded: ({ seconds }) =>
            Effect.succeed(pageOf(provider, 429, `Too many requests: try again in ${seconds} s.`)),
          StoreError: (error) =>
            Effect.as(
              logFailure("the store failed", error),
              pageOf(provider, 500, "The service cannot read or write its store. Try again in a moment.")
            )
        })
      )
    })
})

const maxFormBytes = 16 * 1024

/** Whether this page sent the form, or no browser did. Only hosts are compared: a TLS proxy need not forward the scheme. */
const isOwnForm = (request: Request): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  const isOurs = origin === undefined || URL.parse(origin)?.host === URL.parse(requestOrigin(request))?.host
  return isOurs && (site === undefined || site === "same-origin")
}

const pageOf = (provider: Provider, status: number, note?: string, state: "accepted" | "open" = "open") => {
  const { adds, capability, cost, id, name, terms } = provider
  const noteHtml = note === undefined ? "" : `<p role="status"><strong>${text(note)}</strong></p>`
  const elsewhere =
    terms.url === undefined
      ? ""
      : `<p>The provider shows them at <a href="${text(terms.url)}">${text(terms.url)}</a>.</p>`
  const form = `<form method="post" action="${termsPath}${text(id)}">
<input type="hidden" name="version" value="${text(terms.version)}"><input type="hidden" name="digest" value="${text(terms.digest)}">
<p><label>Key of your team (leave it empty if the service needs none)<br>
<input type="password" name="key" autocomplete="off" maxlength="1000"></label></p>
<p><label><input type="checkbox" name="confirmed" value="yes" required> I have read these terms, and I accept them for my team.</label></p>
<p><button>Accept</button></p></form>`
  return shell(
    status,
    `Terms of ${name}`,
    `${noteHtml}<p>${text(name)} is a data provider: ${text(adds)} (<code>${text(capability)}</code>, ${cost} ${cost === 1 ? "credit" : "credits"} a call).
Agents of a team ask it only after a person of the team has accepted its terms.</p>${elsewhere}
<h2>Version ${text(terms.version)}</h2><pre>${text(terms.text)}</pre><p><small>${text(terms.digest)}</small></p>
${state === "accepted" ? "" : form}`
  )
}

const shell = (status: number, title: string, body: string) =>
  HttpServerResponse.text(
    HtmlPage.page({ title, style: css, body: `<main><h1>${text(title)}</h1>\n${body}\n</main>` }),
    { status, contentType: "text/html; charset=utf-8", headers }
  )

/** A stricter referrer policy would make the browser send `Origin: null` with the form. */
const headers = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

const text = HtmlPage.escape

const css =
  "body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}main{max-width:45rem;margin:auto;padding:1rem}" +
  "pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #ccc;padding:1rem;font:inherit}small{overflow-wrap:anywhere}" +
  "@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4ff}}"
