/** The blog: fifty posts at the beginning and one more with every revision, in pages, by tags, and as a feed. */
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

type Post = ReturnType<typeof post>
const atFirst = 50

/** The newest first. */
export const posts = (history: History.History): ReadonlyArray<Post> =>
  Array.from({ length: atFirst + history.revision - 1 }, (_, index) => post(history, index)).reverse()

export const section = (history: History.History): Html.Section => {
  const all = posts(history)
  return [
    ...Html.paged(all, 10, "/blog/").map(({ page: number, pager, path, some }) =>
      overview(path, `The Northmere blog${number === 1 ? "" : `, page ${number}`}`, some, history.today, pager)
    ),
    ...tags.map((tag) => {
      const some = all.filter((one) => one.tags.includes(tag))
      const modified = some.reduce((latest, { day }) => (latest < day ? day : latest), Draft.firstDay)
      return overview(`/blog/tag/${tag}`, `Posts about ${tag}`, some, modified)
    }),
    ...all.map(({ page }) => page),
    feed(all.slice(0, 20), history.today)
  ]
}

const post = (history: History.History, index: number) => {
  const dice = history.dice("post", index)
  const day =
    index < atFirst
      ? Draft.addDays(Draft.firstDay, (index - atFirst + 1) * 9 - dice.int(0, 6))
      : Draft.dayOfRevision(index - atFirst + 2)
  const [tag, heading = "", opening = ""] = dice.pick(stories)
  const one = (name: string) => Prose.sentence(dice, `{${name}}`)
  const words = { place: dice.pick(places), person: one("person") }
  const subject = { ...words, ...Object.fromEntries(subjects.map((name) => [name, one(name)])) }
  const title = Prose.opening(dice, heading, subject)
  const corrected = index < atFirst ? history.times("post corrected", index) : 0
  const closing = Prose.paragraph(history.dice("post", index, "closing", corrected), closings, 2, words)
  const middle = Array.from({ length: dice.int(2, 5) }, () => Prose.paragraph(dice, middles, dice.int(3, 6), words))
  const quote = Prose.opening(dice, dice.pick(quotes), words)
  const summary = Prose.opening(dice, opening, subject)
  const topics = [...new Set([tag, ...dice.sample(tags, 1)])]
  const author = words.person
  const page: Html.Page = {
    path: `/blog/${day.slice(0, 4)}/${Prose.slug(title)}-${index + 1}`,
    modified: corrected > 0 ? history.lastDay("post", index) : day,
    title: `${title} | Northmere`,
    description: summary,
    ogType: "article",
    jsonLd: Html.thing("BlogPosting", {
      headline: title,
      datePublished: day,
      author: Html.thing("Person", { name: author }),
      keywords: topics
    }),
    facts: { headline: title, author, day, tags: topics },
    main: `<article>
${Html.heading(title)}
<p class="byline">By ${Html.escape(author)}, ${Html.time(day)}</p>
${Html.paragraphs([summary, ...middle.slice(0, -1)])}
<blockquote><p>${Html.escape(quote)}</p></blockquote>
${Html.paragraphs([...middle.slice(-1), closing])}
<p class="tags">${topics.map((topic) => Html.link(`/blog/tag/${topic}`, topic)).join(" ")}</p>
</article>`
  }
  return { path: page.path, title, summary, day, tags: topics, page }
}

const overview = (path: string, title: string, some: ReadonlyArray<Post>, modified: string, pager = ""): Html.Page => ({
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

const teaser = ({ day, path, summary, title }: Post): string => `<section class="teaser">
<h2>${Html.link(path, title)}</h2>
<p>${Html.time(day)} ${Html.escape(summary)}</p>
</section>`

const feed = (some: ReadonlyArray<Post>, modified: string): Draft.Draft => {
  const content = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>The Northmere blog</title>
<link>${Draft.originMark}/blog/</link>
<description>News, repairs and walks from Northmere.</description>
${Html.lines(some, item)}
</channel></rss>
`
  return { ...Draft.file("/blog/feed.xml", "application/rss+xml; charset=utf-8", content), modified }
}

const item = (one: Post): string => `<item>
<title>${Html.escape(one.title)}</title>
<link>${Draft.originMark}${one.path}</link>
<guid isPermaLink="false">northmere${one.path}</guid>
<pubDate>${new Date(one.day).toUTCString()}</pubDate>
<description>${Html.escape(one.summary)}</description>
</item>`

const tags = ["repairs", "wildlife", "food", "history", "walks", "workshop", "weather", "people"]
const places = ["Alder Bridge", "Quarry Hill", "the Old Wharf", "Saltergate", "the Lower Lock", "Heron Weir"] as const

/** The words that a story's title and first sentence share. */
const subjects = ["machine", "animal", "food", "year", "material", "month", "trade"] as const

/** Tag, title and first sentence. */
const stories = Prose.rows(`
repairs | the {machine} at {place} turns again
  | after {5-40} months of silence the {machine} at {place} was started on a wet {weekday}.
wildlife | {2-9} {animal}s counted near {place}
  | the yearly count found {2-9} {animal}s between {place} and the weir, {1-3} more than last {season}.
food | how {person} makes {food}
  | {person} learned to make {food} from a card found in a drawer at {place}.
history | what stood at {place} in {year}
  | a photograph of {year} shows {place} with a {trade}'s sign that nobody alive remembers.
walks | a {adjective} walk from {place}
  | start at {place}, keep {river} on your left, and allow {2-5} hours.
workshop | {person} on {material} and patience
  | in the workshop behind {place} {person} works with {material}, and with no hurry at all.
weather | {month}, by the numbers
  | our gauge at {place} measured {20-190} millimetres of rain in {month}, on {6-25} days.
people | meet the {trade} of {place}
  | {person} is the [third|fourth|fifth] {trade} in the family, and the first to write things down.
`)

/** The sentences that continue any story. */
export const middles = Prose.sentences(`
the work took {3-60} days, most of them spent waiting for {material}. {person} had kept the drawings in a tin since
{year}. at the second attempt the {tool} slipped, and the afternoon was lost. by {month} the whole row of houses at
{place} had an opinion. we measured twice: {12-88} {unit} before, {12-88} after. it is said that the {trade} of {year}
did the same with half the tools. nobody had asked the {animal}, which moved in before the paint was dry. the council
paid for the {material}, the rest came from a collection at {place}. for lunch there was {food}, as there always is. the
old parts are on show at {place} until the end of {month}. one of the neighbours keeps a list, and by it this was repair
number {14-212}. the water of {river} stood {2-30} centimetres higher than in the {season} before. what looks like
{material} is, on closer view, mostly filler from {year}. children from the school drew the {machine} and got the number
of teeth right. in the end a {adjective} solution won, because it could be reached with a ladder. the bill came to
{40-990} pounds, {2-30} less than feared. if you want to help, come on a {weekday} and bring a {tool}. there are still
{2-12} of these left in the county, and {1-2} of them move.
`)

const quotes = Prose.sentences(`
it only looks {adjective} because you did not see it in {year}. a {machine} tells you what is wrong, if you are quiet. I
would do it again, but with better {material}. {place} is never finished, and that is the point of it.
`)

const closings = Prose.sentences(`
the next open day is on the [first|second|third|last] {weekday} of {month}. {person} will answer questions at {place}
all week. a longer version of this was printed in the Courier. we will measure again in {season} and write about it
here. thanks to {person}, who read this before it went out. photographs are at the library, in the drawer marked {year}.
`)
