/** The blog: fifty posts at the beginning and one more with every revision, in pages, by tags, and as a feed. */
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"
import * as Stories from "./stories.ts"

type Post = ReturnType<typeof post>

const atFirst = 50
const perPage = 10

/** The newest first. */
export const posts = (history: History.History): ReadonlyArray<Post> =>
  Array.from({ length: atFirst + history.revision - 1 }, (_, index) => post(history, index)).reverse()

export const section = (history: History.History): Html.Section => {
  const all = posts(history)
  return [
    ...Html.paged(all, perPage, "/blog/").map(({ page: number, pager, path, some }) => {
      const title = number === 1 ? "The Northmere blog" : `The Northmere blog, page ${number}`
      return overview(path, title, some, pager, history.today)
    }),
    ...Stories.tags.map((tag) => {
      const some = all.filter((one) => one.tags.includes(tag))
      const modified = Draft.latest(some.map(({ day }) => day))
      return overview(`/blog/tag/${tag}`, `Posts about ${tag}`, some, "", modified)
    }),
    ...all.map(page),
    feed(all.slice(0, 20), history.today)
  ]
}

const post = (history: History.History, index: number) => {
  const dice = history.dice("post", index)
  const day =
    index < atFirst
      ? Draft.addDays(Draft.firstDay, (index - atFirst + 1) * 9 - dice.int(0, 6))
      : Draft.dayOfRevision(index - atFirst + 2)
  const [tag = "", heading = "", opening = ""] = dice.pick(Stories.stories)
  const one = (name: string) => Prose.sentence(dice, `{${name}}`)
  const words = { place: dice.pick(Stories.places), person: one("person") }
  // The first sentence continues with the subject of the title.
  const subject = { ...words, ...Object.fromEntries(Stories.subjects.map((name) => [name, one(name)])) }
  const title = Prose.opening(dice, heading, subject)
  const corrected = index < atFirst ? history.times("post corrected", index) : 0
  const closing = Prose.paragraph(history.dice("post", index, "closing", corrected), Stories.closings, 2, words)
  const middle = Array.from({ length: dice.int(2, 5) }, () =>
    Prose.paragraph(dice, Stories.middles, dice.int(3, 6), words)
  )
  const quote = Prose.opening(dice, dice.pick(Stories.quotes), words)
  const summary = Prose.opening(dice, opening, subject)
  return {
    path: `/blog/${day.slice(0, 4)}/${Prose.slug(title)}-${index + 1}`,
    title,
    author: words.person,
    /** The day it came out. */
    day,
    modified: corrected > 0 ? history.lastDay("post", index) : day,
    tags: [...new Set([tag, ...dice.sample(Stories.tags, 1)])],
    summary,
    body: `${Html.paragraphs([summary, ...middle.slice(0, -1)])}
<blockquote><p>${Html.escape(quote)}</p></blockquote>
${Html.paragraphs([...middle.slice(-1), closing])}`
  }
}

const page = ({ author, body, day, modified, path, summary, tags, title }: Post): Html.Page => ({
  path,
  modified,
  title: `${title} | Northmere`,
  description: summary,
  ogType: "article",
  jsonLd: Html.thing("BlogPosting", {
    headline: title,
    datePublished: day,
    author: Html.thing("Person", { name: author }),
    keywords: tags
  }),
  facts: { headline: title, author, day, tags },
  main: `<article>
${Html.heading(title)}
<p class="byline">By ${Html.escape(author)}, ${Html.time(day)}</p>
${body}
<p class="tags">${tags.map((tag) => Html.link(`/blog/tag/${tag}`, tag)).join(" ")}</p>
</article>`
})

const overview = (
  path: string,
  title: string,
  some: ReadonlyArray<Post>,
  pager: string,
  modified: string
): Html.Page => ({
  path,
  modified,
  title,
  description: "News, repairs and walks from Northmere.",
  head: '<link rel="alternate" type="application/rss+xml" href="/blog/feed.xml" title="Northmere">',
  main: `${Html.heading(title)}
${Html.lines(some, teaser)}
${pager}
<p>${Html.link("/blog/feed.xml", "Feed")}</p>`
})

const teaser = (one: Post): string => `<section class="teaser">
<h2>${Html.link(one.path, one.title)}</h2>
<p>${Html.time(one.day)} ${Html.escape(one.summary)}</p>
</section>`

const feed = (some: ReadonlyArray<Post>, modified: string): Draft.Draft => ({
  ...Draft.file(
    "/blog/feed.xml",
    "application/rss+xml; charset=utf-8",
    `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>The Northmere blog</title>
<link>${Draft.originMark}/blog/</link>
<description>News, repairs and walks from Northmere.</description>
${Html.lines(some, item)}
</channel></rss>
`
  ),
  modified
})

const item = (one: Post): string => `<item>
<title>${Html.escape(one.title)}</title>
<link>${Draft.originMark}${one.path}</link>
<guid isPermaLink="false">northmere${one.path}</guid>
<pubDate>${new Date(one.day).toUTCString()}</pubDate>
<description>${Html.escape(one.summary)}</description>
</item>`
