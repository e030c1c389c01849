/** Questions to the server, with the token that the URL of the page has. */
import type { Failure } from "../ExploreApi.ts"

const token = new URLSearchParams(location.search).get("token") ?? ""

const headers = { authorization: `Bearer ${token}` }

/** `A` is what `ExploreApi.ts` says of the path: the server is of the same version as this page. */
export const get = <A>(path: string, params: Readonly<Record<string, string>> = {}): Promise<A> =>
  answered<A>(fetch(`${path}?${new URLSearchParams(params).toString()}`, { headers }))

export const post = <A>(path: string, body: unknown, signal?: AbortSignal): Promise<A> =>
  answered<A>(
    fetch(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, "content-type": "application/json" },
      ...(signal === undefined ? {} : { signal })
    })
  )

/** A page of its own, for a new tab. */
export const reportUrl = (run: string): string =>
  `/report/${encodeURIComponent(run)}?token=${encodeURIComponent(token)}`

const answered = async <A>(asked: Promise<Response>): Promise<A> => {
  const response = await asked.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause
    throw new Error("the server does not answer: start `millrace explore` again, and open its new URL", { cause })
  })
  const body: unknown = await response.json()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each answer that is not 200 is a Failure
  if (!response.ok) throw new Error((body as Failure).error)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the comment of `get` says
  return body as A
}
