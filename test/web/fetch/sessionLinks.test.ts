import { describe, expect, it } from "vitest"
import type { FetchResult } from "#web/Fetch"
import { carriesSession } from "#web/SiteCookies"

const url = new URL("https://site.test/forum/")
const fetched = (html: string): FetchResult => ({
  status: 200,
  contentType: "text/html",
  location: undefined,
  retryAfter: undefined,
  body: Buffer.from(html)
})
const carries = (html: string, ...set: ReadonlyArray<string>) =>
  carriesSession(fetched(html), url, set.length === 0 ? ["s=81f2ab99c0; Path=/"] : set)

describe("a page carries its session", () => {
  it("where a link has the value of the cookie that it sets, in a parameter or in the path", () => {
    expect(carries('<a href="/b?p=1&amp;s=81f2ab99c0">b</a>')).toBe(true)
    expect(carries("<a class=x href=../81f2ab99c0/b>b</a>")).toBe(true)
    expect(carries("<a href='/b?s=81f2ab99c0'>b</a>", "lang=en", "s=81f2ab99c0")).toBe(true)
  })

  it("where a thread has read the page and its links", () => {
    const page = { document: new Uint8Array(), contentVersion: 1, credits: 1, refresh: undefined, traits: undefined }
    const read = (links: string) => carriesSession({ ...fetched(""), page: { ...page, links } }, url, ["s=81f2ab99c0"])

    expect(read("https://site.test/a\nhttps://site.test/b?s=81f2ab99c0")).toBe(true)
    expect(read("https://site.test/a\nhttps://site.test/b")).toBe(false)
  })

  it("not where the value stands in the text, in a form or in a script", () => {
    expect(carries('<p>81f2ab99c0</p><input name=csrf value="81f2ab99c0"><script>s = "81f2ab99c0"</script>')).toBe(
      false
    )
  })

  it("not where the value is that of a choice, or the parameter is known to name no page", () => {
    expect(carries('<a href="/b?currency=EUR">b</a>', "currency=EUR; Path=/")).toBe(false)
    expect(carries('<a href="/b?lang=english-british">b</a>', "lang=english-british")).toBe(false)
    expect(carries('<a href="/b?PHPSESSID=81f2ab99c0">b</a><a href="/c;jsessionid=81f2ab99c0">c</a>')).toBe(false)
  })

  it("not behind many places that are no links: nobody searches a page that repeats a value", () => {
    expect(carries(`${"81f2ab99c0 ".repeat(1000)}<a href="/b?s=81f2ab99c0">b</a>`)).toBe(false)
  })
})
