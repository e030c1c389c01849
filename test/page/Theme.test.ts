import { describe, expect, test } from "vitest"
import { contentVersion } from "#page/contentVersion"
import * as Page from "#page/Page"
import * as Theme from "#page/Theme"

const nouns = "wheel roof door stone race sluice hopper spout axle gear brake chain bolt floor wall lamp".split(" ")

/** A page of a manual: a sidebar of links that differ, its text in `div.text`, and a box in the text that is named as a sidebar. */
const manual = (about: string, text = long(about)) => `<html><head><title>${about} - Manual of the mill</title></head>
<body class="page-${about}">
  <div class="toc"><h4>Contents</h4><ul>${links(about, 12)}</ul><p>Manual of the mill, second edition</p></div>
  <div class="text"><h1>The ${about}</h1>${text}</div>
  <div class="foot"><p>Printed by the millers, who keep all rights</p></div>
</body></html>`
const long = (
  about: string
) => `<p>The ${about} of the mill is set with the small key, which hangs beside the ${about}.</p>
<pre>mill set ${about} --by 3</pre>
<div class="sidebar"><p>Never touch the ${about} while the mill is turning, as the ${about} is sharp.</p></div>
<p>Every spring the ${about} is oiled, and it is then good for another year of the ${about}.</p>`
const links = (about: string, count: number) =>
  Array.from({ length: count }, (_, i) => `<li><a href="/${about}/${i}">More of the ${about}, part ${i}</a></li>`).join(
    ""
  )

const urlOf = (about: string) => `http://manual.test/docs/${about}.html`
const read = (html: string, about: string, more: Partial<Page.PageOptions>) =>
  Page.parse({ url: urlOf(about), body: Buffer.from(html), contentType: "text/html" }, { ...Page.defaults, ...more })
const sketched = (html: string, about: string): Theme.SketchedPage => {
  const { sketch } = read(html, about, { sketches: true })
  if (sketch === undefined) throw new Error("the page has no sketch")
  return { url: urlOf(about), sketch: { ...sketch, isDocumentation: true } }
}
const pages = nouns.map((about) => sketched(manual(about), about))
const sketches = pages.map(({ sketch }) => sketch)
const theme = Theme.learn(sketches)

describe("the theme of a host", () => {
  test("shows the text of a short page, and nothing of the long sidebar", () => {
    const page = manual("bell", "<p>The bell rings when no grain is left.</p>")

    expect(read(page, "bell", { theme }).markdown).toBe("# The bell\n\nThe bell rings when no grain is left.")
  })

  test("shows the text of a short page where a host has two designs, and one says more around the text", () => {
    const volume = (about: string, text = long(about)) =>
      `<body><div class="side"><ul>${links(about, 12)}</ul><p>${"The second volume of all that was ever written of mills, of their parts and of their names. ".repeat(3)}</p></div><div class="leaf"><h1>The ${about}</h1>${text}</div></body>`
    const ofVolume = nouns
      .slice(0, 8)
      .map(
        (about) =>
          sketched(volume(about, [about, `old ${about}`, `new ${about}`, `${about} of iron`].map(long).join("")), about)
            .sketch
      )
    const more = ["saw", "oil", "paper", "powder"].flatMap((kind) =>
      nouns.map((about) => sketched(manual(`${kind} ${about}`), `${kind}-${about}`).sketch)
    )
    const both = Theme.learn([...ofVolume, ...sketches, ...more])
    const page = volume("bell", "<p>The bell rings.</p>")

    expect(read(page, "bell", { theme: both }).markdown).toBe("# The bell\n\nThe bell rings.")
  })

  test("keeps a box in the text, whatever it is named", () => {
    expect(read(manual("bell"), "bell", { theme }).markdown).toContain("Never touch the bell while the mill is turning")
  })

  test("leaves out what stands on every page beside a text without an element of its own", () => {
    const bare = (about: string) =>
      `<body><ul class="bar"><li><a href="/">Home</a></li><li>The ${about}</li><li><a href="/next">Next</a></li></ul><h1>The ${about}</h1>${long(about)}</body>`
    const learned = Theme.learn(nouns.map((about) => sketched(bare(about), about).sketch))
    const markdown = read(bare("bell"), "bell", { theme: learned }).markdown

    expect(markdown?.startsWith("# The bell\n\nThe bell of the mill is set")).toBe(true)
    expect(markdown).toContain("another year of the bell")
  })

  test("does not read a page of another layout", () => {
    const other = `<body><main><h1>News</h1>${long("bell")}</main></body>`

    expect(read(other, "bell", { theme }).markdown).toBe(read(other, "bell", {}).markdown)
  })

  test("does not trust its element on a page that says more outside of it", () => {
    const front = `<body><div class="text"><p>Read on.</p></div><div class="story">${nouns.map(long).join("")}</div></body>`

    expect(read(front, "bell", { theme }).markdown).toContain("Every spring the wheel is oiled")
  })

  test("is not learned from few pages, from one page under many addresses, or from pages that are no documentation", () => {
    expect(Theme.learn(sketches.slice(0, 7))).toBeUndefined()
    expect(Theme.learn(nouns.map(() => sketched(manual("bell"), "bell").sketch))).toBeUndefined()
    expect(Theme.learn(sketches.map((sketch) => ({ ...sketch, isDocumentation: false })))).toBeUndefined()
  })

  test("is a version of its own of the finder of main content", () => {
    expect(Theme.versionWith(undefined)).toBe(contentVersion)
    expect(read(manual("bell"), "bell", {}).contentVersion).toBe(contentVersion)
    expect(read(manual("bell"), "bell", { theme }).contentVersion).toBe(Theme.versionWith(theme))
    expect(Theme.versionWith(theme)).not.toBe(contentVersion)
    expect(Theme.versionWith(theme)).not.toBe(Theme.versionWith({ content: [1], beside: [], around: 0 }))
    for (const content of [[-1], [2 ** 31 - 1], [-(2 ** 31), 5]]) {
      const version = Theme.versionWith({ content, beside: [], around: 9 })
      expect(version).toBeGreaterThan(1000)
      expect(version).toBeLessThan(2 ** 31)
    }
  })
})

describe("a sample of pages", () => {
  const themesOf = (...added: ReadonlyArray<Theme.SketchedPage>) => {
    const sample = new Theme.Sample()
    for (const each of added) sample.add(each)
    return Theme.pack(sample.themes(new Map(), new Map()))
  }

  test("gives the same themes in any order of its pages, and if a page is added twice", () => {
    expect(themesOf(...pages)).toBe(
      Theme.pack(new Map([["manual.test", theme ?? { content: [], beside: [], around: 0 }]]))
    )
    expect(themesOf(...pages.toReversed())).toBe(themesOf(...pages))
    expect(themesOf(...pages, ...pages)).toBe(themesOf(...pages))
  })

  test("keeps the same few of many pages and of many hosts, in any order", () => {
    const many = Array.from({ length: 12 }, (_, host) =>
      Array.from({ length: host === 0 ? 300 : 9 }, (_, i): Theme.SketchedPage => {
        const about = `${nouns[i % nouns.length]}${"abcdefghij"[i % 10]}${"abcdefghij"[Math.floor(i / 10) % 10]}${"xyz"[Math.floor(i / 100)]}`
        return { ...sketched(manual(about), about), url: `http://host${host}.test/${i}` }
      })
    ).flat()
    const first = new Theme.Sample()
    for (const page of many) first.add(page)
    const wanted = many.filter(({ url }) => first.wants(url))

    expect(themesOf(...many.toReversed())).toBe(themesOf(...many))
    expect(Theme.unpack(themesOf(...many)).size).toBe(8)
    expect(wanted.length).toBeLessThan(200)
  })

  test("keeps the theme that it had, until another serves its pages clearly better", () => {
    const before = new Map([["manual.test", theme ?? { content: [], beside: [], around: 0 }]])
    const sampleOf = (added: ReadonlyArray<Theme.SketchedPage>) => {
      const sample = new Theme.Sample()
      for (const each of added) sample.add(each)
      return sample.themes(before, new Map()).get("manual.test")
    }
    const redesigned = nouns.map((about) => sketched(manual(about).replaceAll('"text"', '"prose"'), about))

    expect(sampleOf(pages.slice(0, 3))).toBe(theme)
    expect(sampleOf(redesigned.slice(0, 3))).toBe(theme)
    expect(sampleOf(pages.slice(0, 9))).toBe(theme)
    expect(sampleOf(redesigned)).not.toEqual(theme)
    expect(
      read(manual("bell").replaceAll('"text"', '"prose"'), "bell", { theme: sampleOf(redesigned) }).markdown
    ).toContain("Never touch the bell")
  })
})

describe("packed themes", () => {
  test("are the themes again, and hosts that do not fit are left out", () => {
    const one: Theme.Theme = { content: [1, -2], beside: [3], around: 7, isUsed: true }
    const large: Theme.Theme = { content: [1], beside: Array.from({ length: 3000 }, (_, i) => i), around: 0 }

    expect(Theme.unpack(Theme.pack(new Map([["a.test", one]])))).toEqual(new Map([["a.test", one]]))
    expect(
      Theme.unpack(
        Theme.pack(
          new Map([
            ["a.test", large],
            ["b.test", one]
          ])
        )
      )
    ).toEqual(new Map([["b.test", one]]))
  })

  test("are no themes if they are something else", () => {
    for (const text of [
      "",
      "{",
      "null",
      "7",
      '[["a.test",1,[],0]]',
      "[[1,[],[],0]]",
      '[["a.test",["x"],[],0]]',
      '[["a.test",[1],[]]]',
      "[null]"
    ])
      expect([text, Theme.unpack(text).size]).toEqual([text, 0])
  })
})
