/** A service that is asked over HTTP, wherever it runs and whatever it has loaded: POST /v2/search/gov. */
import type { Engine } from "./Engine.ts"

export const served = (url: string): Engine => ({
  name: "served",
  search: async (query, k) => {
    const answer = await fetch(new URL("/v2/search/gov", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, k })
    })
    const body: unknown = await answer.json()
    const web: unknown = isObject(body) && isObject(body["data"]) ? body["data"]["web"] : undefined
    if (!Array.isArray(web)) throw new Error(`${url} answers ${answer.status} to ${JSON.stringify(query)}`)
    return web.map((hit: unknown) => (isObject(hit) ? String(hit["url"]) : ""))
  },
  close: async () => {}
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
