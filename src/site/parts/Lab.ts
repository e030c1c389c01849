/** The odd corners of the web: redirects, loops, pages that are missing, slow, broken, alike or endless, what robots must leave. */
import * as Blog from "./Blog.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

export const section = (history: History.History): Html.Section => [
  ...about,
  page("/lab/", "The lab", Html.list(contents.map((path) => Html.link(path, path)))),
  ...links,
  ...answers,
  ...alike(history),
  encyclopedia(history),
  ...forbidden
]

const page = (path: string, title: string, body: string, more: Partial<Html.Page> = {}): Html.Page => ({
  path,
  title,
  description: `${title}, a corner of Northmere.`,
  main: `${Html.heading(title)}\n${body}`,
  ...more
})

/** One page at three addresses. */
const about: Html.Section = ["/about", "/about/", "/about/index.html"].map((path) => {
  const main = `<h1>About Northmere</h1>
<p>Northmere is made up, down to the last heron. Its weather, its prices and its quarrels come from dice, and the same dice
always fall the same way. It exists so that programs that read the web have something to read.</p>
<p>Its pages may be read by anybody as often as they like. ${Html.link("/lab/", "The lab")} has the difficult ones.</p>`
  const page = { path, title: "About Northmere", description: "What Northmere is, and what it is not.", main }
  return path === "/about" ? page : { ...page, canonical: "/about", sameAs: "/about" }
})

const contents = Prose.list(`
/about/; /about/index.html; /lab/links; /r/catalogue-1998; /r/map; /r/loop-a; /r/partner; /r/moved.html; /r/kept;
/missing/bridge-plan; /missing/minutes-1911.html; /gone; /error; /lab/truncated.html; /lab/slow; /lab/reset;
/lab/leaflet-a; /lab/leaflet-b; /lab/encyclopedia; /app; /files/sluice-commands.pdf
`)

const kinds = `<ul>
<li><a href="mailto:clerk@northmere.invalid">by post</a>, <a href="tel:+441632960011">by telephone</a></li>
<li><a href="javascript:void(0)">a script</a>, <a href="data:text/plain,hello">data</a>, <a href="">nothing</a>, <a>no address</a></li>
<li><a href="#top">this page</a>, <a href="/app#/tides">a route</a>, <a href="/app#/gates/3">another route</a></li>
<li><a href="../lab/./links">this page again</a>, <a href="HTTP://[broken">not an address</a></li>
<li><a href="${Draft.wwwMark}/about">with www</a>, <a href="//partner.invalid/offer" rel="nofollow">elsewhere</a>,
<a href="https://partner.invalid/">a home page elsewhere</a></li>
<li><a href="/private/ledger">private</a>, <a href="/private/open/visitors">open</a>, <a href="/trap/">a trap</a>,
<a href="/calendar/?month=2026-01">the calendar</a></li>
</ul>`

const clock = `<p>This page draws itself by its route: <a href="#/tides">tides</a>, <a href="#/gates/3">gate 3</a>.</p>
<noscript>Low water is twenty past four.</noscript>`

const visitors = "<p>Robots may read this one, though not the rest of the shelf.</p>"
const unlinked = "<p>Only the sitemap knows that this is here.</p>"
const links: Html.Section = [
  page("/lab/links", "All kinds of links", kinds),
  page("/app", "Tide clock", clock),
  page("/private/open/visitors", "Visitors' book", visitors),
  page("/notes/unlinked", "A note that nothing links to", unlinked, { foundBy: "sitemap" })
]

const refused = (path: string, status: number, title: string, kind: Draft.Draft["kind"] = "missing"): Draft.Draft => {
  const html = `<!doctype html><title>${title}</title><h1>${title}</h1><p><a href="/">Home</a></p>\n`
  return Draft.bare(path, title, html, { status, kind })
}

const refresh = '<meta http-equiv="refresh" content="0; url=/council/"><title>Moved</title>'
const moved = `<!doctype html><html><head>${refresh}</head><body>One moment.</body></html>\n`

const cutOff = {
  title: "A page that was cut off",
  main: `<h1>A page that was cut off</h1>\n<p>The first part arrived. <a href="/about">About</a> <table><tr><td>and then <b>the`
}
const cutPage = `<!doctype html>\n<html lang="en"><head><title>${cutOff.title}</title></head><body><main>${cutOff.main}`

/** What answers with something else than a page, or with a part of one. */
const answers: Html.Section = [
  Draft.redirect("/r/catalogue-1998", 301, "/r/catalogue", "/shop/"),
  Draft.redirect("/r/catalogue", 301, `${Draft.originMark}/r/shop`, "/shop/"),
  Draft.redirect("/r/shop", 308, "/shop/", "/shop/"),
  Draft.redirect("/r/map", 302, "../about", "/about"),
  Draft.redirect("/r/kept", 307, "./map", "/about"),
  Draft.redirect("/r/partner", 302, "https://partner.invalid/offer", "https://partner.invalid/offer"),
  { ...Draft.redirect("/r/loop-a", 302, "/r/loop-b", "/r/loop-a"), kind: "failing" },
  { ...Draft.redirect("/r/loop-b", 302, "/r/loop-a", "/r/loop-b"), kind: "failing" },
  Draft.bare("/r/moved.html", "Moved", moved, { target: "/council/" }),
  refused("/missing/bridge-plan", 404, "Not found"),
  refused("/missing/minutes-1911.html", 404, "Not found"),
  refused("/gone", 410, "Gone"),
  refused("/error", 500, "The clerk has dropped the ink", "failing"),
  Draft.bare("/lab/truncated.html", cutOff.title, cutPage, {
    fields: cutOff,
    facts: { title: cutOff.title },
    inSitemap: true
  }),
  page("/lab/slow", "A page that takes its time", "<p>It is worth the wait, or so it says.</p>", { behaviour: "slow" }),
  page("/lab/reset", "Never seen", "", { kind: "failing", behaviour: "reset", inSitemap: false })
]

/** Two leaflets that differ in one word. */
const alike = ({ dice }: History.History): Html.Section => {
  const texts = Array.from({ length: 6 }, (_, i) => Prose.paragraph(dice("leaflet", i), Blog.middles, 5))
  return Object.entries({ a: "left", b: "right" }).map(([name, side]) => {
    const body = Html.paragraphs([`Please keep to the ${side} on the bridge.`, ...texts])
    return page(`/lab/leaflet-${name}`, "Leaflet for visitors", body)
  })
}

/** A megabyte of entries. */
const encyclopedia = ({ dice }: History.History): Html.Page => {
  const order = dice("encyclopedia")
  const sentences = Array.from({ length: 240 }, (_, i) => Prose.paragraph(dice("encyclopedia", i), Blog.middles, 1))
  let entries = ""
  for (let number = 1; entries.length < 1_048_576; number++) {
    const text = Html.paragraphs([order.sample(sentences, 6).join(" ")])
    entries += `<h2 id="e${number}">Entry ${number}</h2>\n${text}\n`
  }
  return page("/lab/encyclopedia", "The Northmere encyclopedia", entries)
}

/** A month of a calendar that has no end: each links to the next and the one before. */
export const month = (name: string): Html.Page => {
  const days = Array.from({ length: 28 }, (_, i) => Html.link(`/calendar/?month=${name}&day=${i + 1}`, String(i + 1)))
  const others = [-1, 1].map((step) => {
    const date = new Date(`${name}-15T00:00:00Z`)
    date.setUTCMonth(date.getUTCMonth() + step)
    const other = date.toISOString().slice(0, 7)
    return Html.link(`/calendar/?month=${other}`, other)
  })
  const body = `<p>${days.join(" ")}</p>\n<p>${others.join(" ")}</p>`
  return page(`/calendar/?month=${name}`, `Calendar for ${name}`, body, { kind: "blocked", foundBy: "nothing" })
}

/** What robots.txt forbids. */
const blocked = { kind: "blocked", inSitemap: false } as const
const forbidden: Html.Section = [
  page("/private/ledger", "The ledger", "<p>Nobody's business.</p>", blocked),
  page("/trap/", "The trap", `<p>${Html.link("/trap/drip", "Drip")}</p>`, blocked),
  page("/trap/drip", "Drip", "", { ...blocked, foundBy: "nothing", behaviour: "drip" }),
  { ...month("2026-01"), ...blocked, foundBy: "link" }
]
