import { request } from "node:http"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { serve } from "#site/Server"
import * as Site from "#site/Site"

const site = Site.make({ seed: 1, revision: 1 })

const served = <A>(use: (url: string) => Promise<A>, address: Partial<Parameters<typeof serve>[1]> = {}): Promise<A> =>
  serve(site, { host: "127.0.0.1", port: 0, slowness: 0, ...address }).pipe(
    Effect.flatMap(({ url }) => Effect.promise(() => use(url))),
    Effect.scoped,
    Effect.runPromise
  )

it("carries the answers, with addresses of the host that was asked", async () => {
  await served(async (url) => {
    const about = await fetch(`${url}/about`)
    expect([about.status, about.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(await about.text()).toContain(`<link rel="canonical" href="${url}/about">`)
    expect((await fetch(`${url}/gone`)).status).toBe(410)
    expect((await fetch(`${url}/about`, { method: "DELETE" })).status).toBe(405)
    const kept = await fetch(`${url}/r/kept`)
    expect([kept.url, kept.redirected]).toEqual([`${url}/about`, true])
  })
})

it("answers to the name that a visitor uses, and not to what is no name", async () => {
  const canonical = (url: string, host: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      request(`${url}/about`, { headers: { host } }, async (response) => {
        let text = ""
        for await (const part of response) text += String(part)
        resolve(/canonical" href="([^"]+)"/.exec(text)?.[1])
      })
        .once("error", reject)
        .end()
    })
  await served(async (url) => {
    expect(await canonical(url, "shop.example")).toBe("http://shop.example/about")
    expect(await canonical(url, '"><script>')).toBe(`${url}/about`)
  })
})

it("answers in the end where a page is slow", async () => {
  await served(async (url) => {
    const slow = await fetch(`${url}/lab/slow`)
    expect([slow.status, (await slow.text()).includes("worth the wait")]).toEqual([200, true])
  })
})

it("cuts the connection of a page that resets", async () => {
  await served(async (url) => {
    await expect(fetch(`${url}/lab/reset`)).rejects.toThrow("fetch failed")
  })
})

it("closes with its scope, also while an answer drips", async () => {
  const dripping = await served(async (url) => {
    const answer = await fetch(`${url}/trap/drip`)
    expect(answer.status).toBe(200)
    return { url, rest: answer.text() }
  })
  await expect(dripping.rest).rejects.toThrow("terminated")
  await expect(fetch(dripping.url)).rejects.toThrow("fetch failed")
})

it("says what to do when the port is taken", async () => {
  await served(async (url) => {
    const port = Number(new URL(url).port)
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(serve(site, { host: "127.0.0.1", port }))))
    expect(error).toMatchObject({ _tag: "SiteError" })
    expect(error.message).toMatch(/^cannot serve the site on 127\.0\.0\.1:\d+ \(.*EADDRINUSE.*\); choose another port$/)
  })
})
