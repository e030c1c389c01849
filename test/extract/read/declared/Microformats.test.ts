import { describe, expect, it, test } from "vitest"
import { Page } from "#extract/page/Page"
import { classicOf, classicRoots, read } from "#extract/read/declared/Microformats"
import { outline } from "../outline.ts"

/** What the first thing of a page says. */
const firstOf = (html: string): Readonly<Record<string, unknown>> => {
  const [first] = read(new Page(html, "https://site.test/"))
  return first === undefined ? {} : Object(outline(first))
}

const things = (html: string) => read(new Page(html, "https://site.test/a/")).map(outline)

describe("microformats", () => {
  it("become things with names without prefixes", () => {
    expect(
      things(`<div class=h-entry><h1 class=p-name>Title</h1><a class=u-url href=b>link</a><p class=e-content>Some <b>text</b></p>
        <time class=dt-published datetime=2024-05-01>May</time><div class="p-author h-card"><img class=u-photo src=c.png alt=C> <b>Jo</b></div></div>`)
    ).toEqual([
      {
        type: "entry",
        name: "Title",
        url: "https://site.test/a/b",
        content: "Some text",
        published: "2024-05-01",
        author: { type: "card", photo: "https://site.test/a/c.png", name: "C Jo" }
      }
    ])
  })

  it("have items that are no property as children", () => {
    expect(
      things(
        "<ul class=h-feed><li class=h-entry><b class=p-name>A</b></li><li class=h-entry><b class=p-name>B</b></li></ul>"
      )
    ).toEqual([
      {
        type: "feed",
        children: [
          { type: "entry", name: "A" },
          { type: "entry", name: "B" }
        ]
      }
    ])
  })

  it("are read in the form of the first ones", () => {
    expect(
      things(`<div class=vcard><b class=fn>Jo</b><a class=url href=/jo>me</a><i class=tel><b class=type>home</b><b class=value>5</b></i>
        <p class=adr><b class=locality>Ulm</b></p></div>`)
    ).toEqual([
      { type: "card", name: "Jo", url: "https://site.test/jo", tel: "5", adr: { type: "adr", locality: "Ulm" } }
    ])
    expect(
      things(
        '<div class=hreview><b class=rating>5</b><b class=summary>Good</b><b class="reviewer vcard"><i class=fn>Jo</i></b><a rel=tag href=x>tea</a></div>'
      )
    ).toEqual([{ type: "review", rating: "5", name: "Good", author: { type: "card", name: "Jo" }, category: "tea" }])
  })

  it("include what a first one names elsewhere, and never in a circle", () => {
    expect(things("<div class=vcard itemref=o><b class=fn>Jo</b></div><p id=o class=org>Acme</p>")).toEqual([
      { type: "card", name: "Jo", org: "Acme" }
    ])
    expect(things('<div class=vcard id=x><b class=fn>Jo</b><a class=include href="#x"></a></div>')).toHaveLength(1)
  })

  it("are not what only looks like one", () => {
    expect(things('<p class="h-6 h-Full h- h">x</p><template><p class=h-card>x</p></template>')).toEqual([])
  })
})

test("each root of the first microformats has classes, and each class a prefix and a name", () => {
  for (const type of classicRoots.values()) {
    const classes = [...(classicOf.get(type)?.classes.values() ?? [])]
    expect(classes.length).toBeGreaterThan(0)
    expect(classes.filter((meaning) => !/^(?:p|u|dt|e)-[a-z-]+$/.test(meaning))).toEqual([])
  }
})

test("a class means what the second ones say", () => {
  const card = classicOf.get("card")?.classes

  expect(["fn", "url", "bday", "title"].map((name) => card?.get(name))).toEqual([
    "p-name",
    "u-url",
    "dt-bday",
    "p-job-title"
  ])
})

const implied = (html: string) =>
  Object.entries(firstOf(html)).filter(([name]) => name !== "type" && name !== "children")

it.each([
  ["<p class=h-card> Jo <b>Doe</b></p>", [["name", "Jo Doe"]]],
  [
    "<a class=h-card href=/jo>Jo</a>",
    [
      ["name", "Jo"],
      ["url", "https://site.test/jo"]
    ]
  ],
  [
    "<img class=h-card alt=Jo src=/jo.png>",
    [
      ["name", "Jo"],
      ["photo", "https://site.test/jo.png"]
    ]
  ],
  [
    "<p class=h-card><a href=/jo><img alt=Jo src=/jo.png></a></p>",
    [
      ["name", "Jo"],
      ["photo", "https://site.test/jo.png"],
      ["url", "https://site.test/jo"]
    ]
  ],
  ["<p class=h-card><a href=/a>A</a><a href=/b>B</a></p>", [["name", "AB"]]],
  // All of it is said by the item in it.
  ["<p class=h-card><a class=h-card href=/a>A</a></p>", []]
])("%s says without naming it %j", (html, expected) => {
  expect(implied(html)).toEqual(expected)
})

type Prefix = "p" | "u" | "dt" | "e"

/** The value of an element that a thing has under a name with the prefix. */
const value = (prefix: Prefix, html: string) =>
  firstOf(`<div class=h-x>${html.replace(/^<\w+/, (tag) => `${tag} class=${prefix}-said`)}</div>`)["said"]

it.each<readonly [Prefix, string, string]>([
  ["p", "<abbr title=' Jane '>J</abbr>", "Jane"],
  ["p", "<data value=5>five</data>", "5"],
  ["p", "<img alt=A src=a.png>", "A"],
  ["p", "<b>A<script>x</script> <img alt=B src=b.png></b>", "A B"],
  ["p", "<b>x <i class=value>1</i> y <i class=value>2</i></b>", "12"],
  ["p", "<b><i class=value-title title=1> </i>one</b>", "1"],
  ["u", "<a href=a>x</a>", "https://site.test/a"],
  ["u", "<video poster=a.png>", "https://site.test/a.png"],
  ["u", "<b> a/b </b>", "https://site.test/a/b"],
  ["dt", "<time datetime=2024-05-01>May</time>", "2024-05-01"],
  [
    "dt",
    "<b><i class=value>2024-05-01</i> <i class=value>7:30pm</i> <i class=value>+02:00</i></b>",
    "2024-05-01 19:30+0200"
  ],
  ["dt", "<b>tomorrow</b>", "tomorrow"],
  ["e", "<p>A <b class=value>B</b></p>", "A B"]
])("the %s value of %s is %j", (prefix, html, data) => {
  expect(value(prefix, html)).toBe(data)
})

it("a time without a date has the date before it", () => {
  const after = (first: string) =>
    firstOf(`<div class=h-x><b class=dt-start>${first}</b><b class=dt-end><i class=value>19:30</i></b></div>`)["end"]

  expect(after("2024-05-01")).toBe("2024-05-01 19:30")
  expect(after("2024-05-01 18:00")).toBe("2024-05-01 19:30")
  expect(after("tomorrow")).toBe("19:30")
})
