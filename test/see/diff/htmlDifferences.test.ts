import { expect, it } from "vitest"
import { escape } from "#base/HtmlPage"
import { begin, end, entry } from "#see/diff/htmlDifferences"

const hostile = `</td><script>alert(1)</script><img src=x onerror='a'>"&\u0000\ud800`

it("text of a page is never markup, wherever it stands", () => {
  const page = [
    begin({ title: hostile, lines: [hostile], counts: [["added", 1]] }),
    entry({ kind: "added", key: [["url", `https://a.test/"${hostile}`]], fields: [] }),
    entry({
      kind: "changed",
      key: [
        [hostile, `javascript:${hostile}`],
        ["b", hostile]
      ],
      fields: [
        {
          name: hostile,
          pieces: (["same", "removed", "added", "gap"] as const).map((kind) => ({ kind, text: hostile }))
        }
      ]
    }),
    end(hostile)
  ].join("")

  const tags = [...page.matchAll(/<\/?([a-zA-Z]+)[^>]*>/g)].map(([, name]) => name)
  expect(tags).not.toContain("script")
  expect(tags).not.toContain("img")
  expect([...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.slice(0, 15))).toEqual(["https://a.test/"])
  expect(page).not.toMatch(/[^\P{Cc}\n]|\p{Cs}/u)
  expect(page.match(/<section/g)).toHaveLength(2)
})

it("shows words that went, came and stay, and how much is left out", () => {
  const pieces = [
    { kind: "gap", text: "12345" },
    { kind: "same", text: " a " },
    { kind: "removed", text: "b" },
    { kind: "added", text: "c" }
  ] as const

  expect(entry({ kind: "changed", key: [["id", "7"]], fields: [{ name: "title", pieces }] })).toContain(
    `<th>title</th><td><span class="gap" title="5 characters that are the same"> … </span> a <del>b</del><ins>c</ins></td>`
  )
})

it("needs no other file and may run nothing", () => {
  const page = `${begin({ title: "t", lines: [], counts: [] })}${end("")}`

  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  expect(page).not.toMatch(/src=|@import|url\(/)
  expect(escape(`<a href="x">'&`)).toBe("&lt;a href=&quot;x&quot;&gt;&#39;&amp;")
})
