/**
 * The odd corners of the web, each at an address of its own: redirects and loops, pages that are missing, slow, broken, cut
 * off, endless or the same as others, links that are not links, and what robots must not touch.
 */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"
import * as Stories from "./stories.ts"

export const drafts = (edition: Html.Edition): ReadonlyArray<Draft.Draft> => [
  ...about(edition),
  contents(edition),
  ...links(edition),
  ...redirects,
  ...missing,
  ...broken(edition),
  ...alike(edition),
  encyclopedia(edition),
  ...forbidden(edition)
]

const page = (
  edition: Html.Edition,
  path: string,
  title: string,
  body: string,
  more: Partial<Draft.Draft> = {}
): Draft.Draft =>
  Html.draft(
    edition,
    { path, title, description: `${title}, a corner of Northmere.`, main: `<h1>${Html.escape(title)}</h1>\n${body}` },
    more
  )

/** One page at three addresses. */
const about = (edition: Html.Edition): ReadonlyArray<Draft.Draft> =>
  ["/about", "/about/", "/about/index.html"].map((path) =>
    Html.draft(
      edition,
      {
        path,
        title: "About Northmere",
        description: "What Northmere is, and what it is not.",
        main: `<h1>About Northmere</h1>
<p>Northmere is made up, down to the last heron. Its weather, its prices and its quarrels come from dice, and the same dice
always fall the same way. It exists so that programs that read the web have something to read.</p>
<p>Its pages may be read by anybody as often as they like. ${Html.link("/lab/", "The lab")} has the difficult ones.</p>`,
        ...(path === "/about" ? {} : { canonical: "/about" })
      },
      path === "/about" ? {} : { sameAs: "/about" }
    )
  )

const contents = (edition: Html.Edition): Draft.Draft => {
  const paths = [
    "/about/",
    "/about/index.html",
    "/lab/links",
    "/r/catalogue-1998",
    "/r/map",
    "/r/loop-a",
    "/r/partner",
    "/r/moved.html",
    "/r/kept",
    "/missing/bridge-plan",
    "/missing/minutes-1911.html",
    "/gone",
    "/error",
    "/lab/truncated.html",
    "/lab/slow",
    "/lab/reset",
    "/lab/leaflet-a",
    "/lab/leaflet-b",
    "/lab/encyclopedia",
    "/app",
    "/files/sluice-commands.pdf"
  ]
  return page(edition, "/lab/", "The lab", Html.list(paths.map((path) => Html.link(path, path))))
}

const links = (edition: Html.Edition): ReadonlyArray<Draft.Draft> => [
  page(
    edition,
    "/lab/links",
    "All kinds of links",
    `<ul>
<li><a href="mailto:clerk@northmere.invalid">by post</a>, <a href="tel:+441632960011">by telephone</a></li>
<li><a href="javascript:void(0)">a script</a>, <a href="data:text/plain,hello">data</a>, <a href="">nothing</a>, <a>no address</a></li>
<li><a href="#top">this page</a>, <a href="/app#/tides">a route</a>, <a href="/app#/gates/3">another route</a></li>
<li><a href="../lab/./links">this page again</a>, <a href="HTTP://[broken">not an address</a></li>
<li><a href="${Draft.wwwMark}/about">with www</a>, <a href="//partner.invalid/offer" rel="nofollow">elsewhere</a>,
<a href="https://partner.invalid/">a home page elsewhere</a></li>
<li><a href="/private/ledger">private</a>, <a href="/private/open/visitors">open</a>, <a href="/trap/">a trap</a>,
<a href="/calendar/?month=2026-01">the calendar</a></li>
</ul>`
  ),
  page(
    edition,
    "/app",
    "Tide clock",
    `<p>This page draws itself by its route: <a href="#/tides">tides</a>, <a href="#/gates/3">gate 3</a>.</p>
<noscript>Low water is twenty past four.</noscript>`
  ),
  page(
    edition,
    "/private/open/visitors",
    "Visitors' book",
    "<p>Robots may read this one, though not the rest of the shelf.</p>"
  ),
  page(edition, "/notes/unlinked", "A note that nothing links to", "<p>Only the sitemap knows that this is here.</p>", {
    foundBy: "sitemap"
  })
]

const redirects: ReadonlyArray<Draft.Draft> = [
  Draft.redirect("/r/catalogue-1998", 301, "/r/catalogue", "/shop/"),
  Draft.redirect("/r/catalogue", 301, `${Draft.originMark}/r/shop`, "/shop/"),
  Draft.redirect("/r/shop", 308, "/shop/", "/shop/"),
  Draft.redirect("/r/map", 302, "../about", "/about"),
  Draft.redirect("/r/kept", 307, "./map", "/about"),
  Draft.redirect("/r/partner", 302, "https://partner.invalid/offer", "https://partner.invalid/offer"),
  { ...Draft.redirect("/r/loop-a", 302, "/r/loop-b", "/r/loop-a"), kind: "failing" },
  { ...Draft.redirect("/r/loop-b", 302, "/r/loop-a", "/r/loop-b"), kind: "failing" },
  Draft.make({
    path: "/r/moved.html",
    fields: { title: "Moved" },
    target: "/council/",
    write: Draft.text(
      '<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/council/"><title>Moved</title></head><body>One moment.</body></html>\n'
    )
  })
]

const answer = (path: string, status: number, kind: Draft.Kind, title: string): Draft.Draft =>
  Draft.make({
    path,
    status,
    kind,
    fields: { title },
    write: Draft.text(`<!doctype html><title>${title}</title><h1>${title}</h1><p><a href="/">Home</a></p>\n`)
  })

const missing: ReadonlyArray<Draft.Draft> = [
  answer("/missing/bridge-plan", 404, "missing", "Not found"),
  answer("/missing/minutes-1911.html", 404, "missing", "Not found"),
  answer("/gone", 410, "missing", "Gone"),
  answer("/error", 500, "failing", "The clerk has dropped the ink")
]

const broken = (edition: Html.Edition): ReadonlyArray<Draft.Draft> => {
  const title = "A page that was cut off"
  const main = `<h1>${title}</h1>\n<p>The first part arrived. <a href="/about">About</a> <table><tr><td>and then <b>the`
  return [
    Draft.make({
      path: "/lab/truncated.html",
      fields: { title, main },
      facts: { title },
      inSitemap: true,
      write: Draft.text(`<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><main>${main}`)
    }),
    page(edition, "/lab/slow", "A page that takes its time", "<p>It is worth the wait, or so it says.</p>", {
      behaviour: "slow"
    }),
    page(edition, "/lab/reset", "Never seen", "", { kind: "failing", behaviour: "reset", inSitemap: false })
  ]
}

/** Two leaflets that differ in one word. */
const alike = (edition: Html.Edition): ReadonlyArray<Draft.Draft> => {
  const texts = Array.from({ length: 6 }, (_, i) =>
    Prose.paragraph(Dice.make(edition.seed, "leaflet", i), Stories.middles, 5)
  )
  return ["a", "b"].map((name) =>
    page(
      edition,
      `/lab/leaflet-${name}`,
      "Leaflet for visitors",
      Html.paragraphs([`Please keep to the ${name === "a" ? "left" : "right"} on the bridge.`, ...texts])
    )
  )
}

/** A megabyte of entries. */
const encyclopedia = (edition: Html.Edition): Draft.Draft => {
  const dice = Dice.make(edition.seed, "encyclopedia")
  const sentences = Array.from({ length: 240 }, (_, i) =>
    Prose.paragraph(Dice.make(edition.seed, "encyclopedia", i), Stories.middles, 1)
  )
  const entries: Array<string> = []
  for (let size = 0; size < 1_048_576; size += entries.at(-1)?.length ?? 0) {
    const number = entries.length + 1
    entries.push(
      `<h2 id="e${number}">Entry ${number}</h2>\n${Html.paragraphs([dice.sample(sentences, 6).join(" ")])}\n`
    )
  }
  return page(edition, "/lab/encyclopedia", "The Northmere encyclopedia", entries.join(""))
}

/** What robots.txt forbids. */
const forbidden = (edition: Html.Edition): ReadonlyArray<Draft.Draft> => {
  const blocked = { kind: "blocked", inSitemap: false } as const
  return [
    page(edition, "/private/ledger", "The ledger", "<p>Nobody's business.</p>", blocked),
    page(edition, "/trap/", "The trap", `<p>${Html.link("/trap/drip", "Drip")}</p>`, blocked),
    page(edition, "/trap/drip", "Drip", "", { ...blocked, foundBy: "nothing", behaviour: "drip" }),
    { ...month(edition, "2026-01"), ...blocked, foundBy: "link" }
  ]
}

/** A month of a calendar that has no end: each links to the next and the one before. */
export const month = (edition: Html.Edition, name: string): Draft.Draft => {
  const days = Array.from({ length: 28 }, (_, i) => Html.link(`/calendar/?month=${name}&day=${i + 1}`, String(i + 1)))
  const others = [-1, 1].map((step) => {
    const date = new Date(`${name}-15T00:00:00Z`)
    date.setUTCMonth(date.getUTCMonth() + step)
    const other = date.toISOString().slice(0, 7)
    return Html.link(`/calendar/?month=${other}`, other)
  })
  const body = `<p>${days.join(" ")}</p>\n<p>${others.join(" ")}</p>`
  return page(edition, `/calendar/?month=${name}`, `Calendar for ${name}`, body, {
    kind: "blocked",
    foundBy: "nothing"
  })
}
