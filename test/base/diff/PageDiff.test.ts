import { describe, expect, it } from "vitest"
import * as PageDiff from "#base/PageDiff"
import * as Page from "#page/Page"
import * as Site from "#site/Site"
import { times } from "../../thoroughness.ts"
import { withNoise } from "./noise.ts"

const origin = "http://northmere.test"
const text = { text: true, fields: false }

type Draft = ReturnType<Site.Site["pages"]["get"]> & {}

const htmlOf = (draft: Draft): string => new TextDecoder().decode(draft.write(origin))

const versionOf = (html: string, path: string): PageDiff.Version => {
  const contentType = "text/html; charset=utf-8"
  const { markdown = "", metadata } = Page.parse(
    { url: `${origin}${path}`, body: new TextEncoder().encode(html), contentType },
    Page.defaults
  )
  const { description, title } = metadata
  return { title: String(title ?? ""), description: String(description ?? ""), markdown }
}

/** Pages of the demo site that say something in UTF-8. */
const pagesOf = (site: Site.Site): ReadonlyArray<Draft> =>
  [...site.pages.values()].filter(
    ({ behaviour, kind, status, type }) =>
      kind === "page" && status === 200 && behaviour === undefined && type === "text/html; charset=utf-8"
  )

const isChanged = async (before: PageDiff.Version, after: PageDiff.Version) =>
  (await PageDiff.between(before, after, text)).isChanged

describe("pages of the demo site", () => {
  const visits = times(200, 1000)

  it(`that differ in noise alone are the same, ${visits} times`, async () => {
    const changed: Array<string> = []
    // All parts of the site have their turn, however few visits there are.
    const stride = 1000 / visits
    const pages = [1, 2, 3].flatMap((seed) => pagesOf(Site.make({ seed, revision: 1 })))
    for (let visit = 0; visit < visits; visit++) {
      const page = pages[(visit * stride) % pages.length]
      if (page === undefined) continue
      const [a, b] = [withNoise(htmlOf(page), visit * 2), withNoise(htmlOf(page), visit * 2 + 1)]
      const { isChanged, text: diff } = await PageDiff.between(versionOf(a, page.path), versionOf(b, page.path), text)
      if (isChanged) changed.push(`${page.path}\n${diff?.text}`)
      expect(a).not.toBe(b)
    }

    expect(pages.length).toBeGreaterThan(500)
    expect(changed).toEqual([])
  })

  it("that were edited between two revisions are changed, also under noise, and no other is", async () => {
    const wrong: Array<string> = []
    let [edits, unchanged] = [0, 0]
    for (let revision = 2; revision <= 5; revision++) {
      const before = Site.make({ seed: 1, revision: revision - 1 })
      const after = Site.make({ seed: 1, revision })
      for (const page of pagesOf(after)) {
        const old = before.pages.get(page.path)
        const known = after.truth.changes.get(page.path)
        if (old === undefined || known === undefined || known.status === "new" || known.status === "removed") continue
        unchanged += known.status === "changed" ? 0 : 1
        if (known.status !== "changed" && unchanged % times(4, 1) !== 0) continue
        const found = await isChanged(
          versionOf(withNoise(htmlOf(old), 1), page.path),
          versionOf(withNoise(htmlOf(page), 2), page.path)
        )
        if (known.status === "changed") edits += 1
        if (found !== (known.status === "changed"))
          wrong.push(`${revision} ${page.path}: ${known.status} ${known.fields}`)
      }
    }

    expect(edits).toBeGreaterThan(40)
    expect(wrong).toEqual([])
  })

  it("are changed by the smallest edit of a reader's: a word swapped, a digit, a line less", async () => {
    const missed: Array<string> = []
    let edits = 0
    for (const [at, page] of pagesOf(Site.make({ seed: 1, revision: 1 })).entries()) {
      if (at % times(2, 1) !== 0) continue
      // Its first number is a stamp of its rendering, which is noise by right.
      if (page.path === "/lab/") continue
      const version = versionOf(htmlOf(page), page.path)
      const { markdown } = version
      const edited = [
        markdown.replace(/\b(\p{Lu}\p{Ll}{3,}) (\p{Ll}{4,})\b/u, "$2 $1"),
        markdown.replace(/(?<![\w/.-])\d+(?![\w/.-])/, (digits) => String(Number(digits) + 1)),
        markdown.replace(/^(?!#)(?=.*\p{L}{4}).{30,}$/mu, "")
      ].filter((one) => one !== markdown)
      for (const one of edited) {
        edits += 1
        if (!(await isChanged(version, { ...version, markdown: one })))
          missed.push(`${page.path}: ${firstDifference(markdown, one)}`)
      }
    }

    expect(edits).toBeGreaterThan(400)
    expect(missed).toEqual([])
  })
})

describe("a page that is watched by its fields", () => {
  const page = (price: number, markdown: string): PageDiff.Version => ({ markdown, json: { offer: { price } } })

  it("has changed where a field has, and not where its text has", async () => {
    const fields = { text: false, fields: true }
    const repriced = await PageDiff.between(page(10, "a"), page(9, "b"), fields)

    expect(repriced).toEqual({
      isChanged: true,
      text: undefined,
      fields: { "offer.price": { previous: 10, current: 9 } }
    })
    expect(await PageDiff.between(page(10, "a"), page(10, "b"), fields)).toEqual({
      isChanged: false,
      text: undefined,
      fields: undefined
    })
  })

  it("and by its text has changed where either has", async () => {
    const both = { text: true, fields: true }
    const reworded = await PageDiff.between(page(10, "old"), page(10, "new"), both)

    expect(reworded).toMatchObject({ isChanged: true, fields: undefined })
    expect(reworded.text?.text).toContain("-old\n+new")
  })
})

it("shows the change alone, without the noise beside it", async () => {
  const before = { markdown: "# Mill\n\n1,204 views\n\nOpen on Mondays.\n\nPosted 5 minutes ago" }
  const after = { markdown: "# Mill\n\n2,310 views\n\nOpen on Tuesdays.\n\nPosted 2 hours ago" }
  const { text: diff } = await PageDiff.between(before, after, text)

  expect(diff?.text.split("\n").filter((line) => /^[-+](?![-+])/.test(line))).toEqual([
    "-Open on Mondays.",
    "+Open on Tuesdays."
  ])
})

it("shows a change in a block of code, where a stamp or a counter is a statement", async () => {
  const page = (count: string) => ({ markdown: `# Log\n\n\`\`\`\nserved: ${count} views\n\`\`\`` })
  const { isChanged, text: diff } = await PageDiff.between(page("12"), page("13"), text)

  expect(isChanged).toBe(true)
  expect(diff?.text).toContain("-served: 12 views\n+served: 13 views")
})

const firstDifference = (a: string, b: string): string => {
  const at = [...a].findIndex((char, index) => char !== b[index])
  return JSON.stringify(a.slice(Math.max(0, at - 20), at + 60))
}
