/** The blog: fifty posts at the beginning and one more with every revision, in pages, by tags, and as a feed. */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"
import * as Stories from "./stories.ts"

interface Post {
  readonly path: string
  readonly title: string
  readonly author: string
  /** The day it came out. */
  readonly day: string
  readonly modified: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly body: string
}

const atFirst = 50
const perPage = 10

/** The newest first. */
export const posts = (history: History.History): ReadonlyArray<Post> =>
  Array.from({ length: atFirst + history.revision - 1 }, (_, index) => post(history, index)).reverse()

export const drafts = (history: History.History): ReadonlyArray<Draft.Draft> => {
  const all = posts(history)
  const pages = Math.ceil(all.length / perPage)
  const pathOf = (page: number) => (page === 1 ? "/blog/" : `/blog/?page=${page}`)
  return [
    ...Array.from({ length: pages }, (_, i) =>
      overview(history, {
        path: pathOf(i + 1),
        title: i === 0 ? "The Northmere blog" : `The Northmere blog, page ${i + 1}`,
        some: all.slice(i * perPage, (i + 1) * perPage),
        pager: Html.pager(pathOf, i + 1, pages),
        modified: Draft.dayOfRevision(history.revision)
      })
    ),
    ...Stories.tags.map((tag) => {
      const some = all.filter((one) => one.tags.includes(tag))
      const modified = Draft.latest(some.map(({ day }) => day))
      return overview(history, { path: `/blog/tag/${tag}`, title: `Posts about ${tag}`, some, pager: "", modified })
    }),
    ...all.map((one) => page(history, one)),
    feed(all.slice(0, 20), Draft.dayOfRevision(history.revision))
  ]
}

const post = (history: History.History, index: number): Post => {
  const dice = Dice.make(history.seed, "post", index)
  const day =
    index < atFirst
      ? Draft.addDays(Draft.firstDay, (index - atFirst + 1) * 9 - dice.int(0, 6))
      : Draft.dayOfRevision(index - atFirst + 2)
  const story = dice.pick(Stories.stories)
  const one = (name: string) => Prose.sentence(dice, `{${name}}`)
  const words = { place: dice.pick(Stories.places), person: one("person") }
  // The first sentence continues with the subject of the title.
  const subject = { ...words, ...Object.fromEntries(Stories.subjects.map((name) => [name, one(name)])) }
  const title = Prose.capital(Prose.sentence(dice, story.title, subject))
  const corrected = index < atFirst ? history.times("post corrected", index) : 0
  const closing = Prose.paragraph(
    Dice.make(history.seed, "post", index, "closing", corrected),
    Stories.closings,
    2,
    words
  )
  const middle = Array.from({ length: dice.int(2, 5) }, () =>
    Prose.paragraph(dice, Stories.middles, dice.int(3, 6), words)
  )
  const quote = Prose.capital(Prose.sentence(dice, dice.pick(Stories.quotes), words))
  const summary = Prose.capital(Prose.sentence(dice, story.opening, subject))
  return {
    path: `/blog/${day.slice(0, 4)}/${Prose.slug(title)}-${index + 1}`,
    title,
    author: words.person,
    day,
    modified: index < atFirst && corrected > 0 ? Draft.dayOfRevision(history.last("post", index)) : day,
    tags: [...new Set([story.tag, ...dice.sample(Stories.tags, 1)])],
    summary,
    body: `${Html.paragraphs([summary, ...middle.slice(0, -1)])}
<blockquote><p>${Html.escape(quote)}</p></blockquote>
${Html.paragraphs([...middle.slice(-1), closing])}`
  }
}

const page = (history: History.History, one: Post): Draft.Draft => {
  const { author, body, day, modified, path, summary, tags, title } = one
  const main = `<article>
<h1>${Html.escape(title)}</h1>
<p class="byline">By ${Html.escape(author)}, <time datetime="${day}">${day}</time></p>
${body}
<p class="tags">${tags.map((tag) => Html.link(`/blog/tag/${tag}`, tag)).join(" ")}</p>
</article>`
  const jsonLd = {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: title,
    datePublished: day,
    author: { "@type": "Person", name: author },
    keywords: tags
  }
  return Html.draft(
    history,
    { path, title: `${title} | Northmere`, description: summary, main, ogType: "article", jsonLd },
    { modified, facts: { headline: title, author, day, tags } }
  )
}

const overview = (
  history: History.History,
  given: {
    readonly path: string
    readonly title: string
    readonly some: ReadonlyArray<Post>
    readonly pager: string
    readonly modified: string
  }
): Draft.Draft =>
  Html.draft(history, {
    path: given.path,
    modified: given.modified,
    title: given.title,
    description: "News, repairs and walks from Northmere.",
    head: '<link rel="alternate" type="application/rss+xml" href="/blog/feed.xml" title="Northmere">',
    main: `<h1>${Html.escape(given.title)}</h1>
${given.some
  .map(
    (one) => `<section class="teaser">
<h2>${Html.link(one.path, one.title)}</h2>
<p><time datetime="${one.day}">${one.day}</time> ${Html.escape(one.summary)}</p>
</section>`
  )
  .join("\n")}
${given.pager}
<p>${Html.link("/blog/feed.xml", "Feed")}</p>`
  })

const feed = (some: ReadonlyArray<Post>, modified: string): Draft.Draft => {
  const items = some
    .map(
      (one) => `<item>
<title>${Html.escape(one.title)}</title>
<link>${Draft.originMark}${one.path}</link>
<guid isPermaLink="false">northmere${one.path}</guid>
<pubDate>${new Date(one.day).toUTCString()}</pubDate>
<description>${Html.escape(one.summary)}</description>
</item>`
    )
    .join("\n")
  const content = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>The Northmere blog</title>
<link>${Draft.originMark}/blog/</link>
<description>News, repairs and walks from Northmere.</description>
${items}
</channel></rss>
`
  return Draft.make({
    path: "/blog/feed.xml",
    type: "application/rss+xml; charset=utf-8",
    kind: "file",
    modified,
    fields: { content },
    write: Draft.text(content)
  })
}
