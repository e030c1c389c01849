import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const page = (
  body: string,
  head = ""
) => `<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Title 6 - Animals | Oakville Municipal Code</title>
  <script type="application/ld+json">{"@context":"https://schema.org","@type":"Legislation","jurisdiction":{"@type":"GovernmentOrganization","name":"Oakville City"},"dateModified":"2024-03-19"}</script>${head}
  </head><body><nav><h2>6.99.010 Not law</h2><p>A menu.</p></nav><h1>Title 6 - Animals</h1>${body}<footer>6.01 of the page</footer></body></html>`

const dogs = `<section id="6_08_010"><h3>6.08.010 Dogs</h3></section><section id="6_08_020"><h3>6.08.020 Cats</h3></section>
  <section id="6_08_010"><h3>6.08.010 Dogs</h3><p>Dogs <b>shall</b> bark.<p>Unless:<ol type="a"><li>they sleep<li>they eat</ol>
    <table><tr><th>Dog</th><th>Fee</th></tr><tr><td>Big</td><td>$ 5</td></tr></table><p>HISTORY<p>Ord. 28-2023</section>
  <section id="6_08_020"><h3>6.08.020 Cats</h3><p>Cats may not.</p><h4>History</h4><ul><li>Ord. 1-2001</li></ul></section>
  <section id="6_08_030"><h3>6.08.030 [Repealed]</h3><p>Gone.</p></section><section id="6_08_040"><h3>6.08.040 Fish</h3></section>`

describe("a code in HTML", () => {
  it("is sections under headings with numbers; entries of a table of contents are none", async () => {
    const { documents, sections, skipped } = await corpusOf(
      { "a.html": page(dogs) },
      { jurisdiction: "Oakville, Utah" }
    )

    expect(
      documents.map(({ collectionName, identity, issuer, jurisdiction, title, version }) => [
        identity,
        title,
        issuer,
        jurisdiction,
        collectionName,
        version
      ])
    ).toEqual([
      [
        "us-ut/oakville/code/t6",
        "Title 6, Animals",
        "Oakville City",
        "Oakville, Utah",
        "Oakville Municipal Code",
        "2024-03-19"
      ]
    ])
    expect(sections.map(({ citation, heading, identity, status }) => [identity, citation, heading, status])).toEqual([
      ["us-ut/oakville/code/6.08.010", "Oakville Municipal Code § 6.08.010", "Dogs", "in force"],
      ["us-ut/oakville/code/6.08.020", "Oakville Municipal Code § 6.08.020", "Cats", "in force"],
      ["us-ut/oakville/code/6.08.030", "Oakville Municipal Code § 6.08.030", "[Repealed]", "historical"]
    ])
    expect(skipped.map(({ why }) => why)).toEqual(["a heading without text: 6.08.040"])
  })

  it("has lists with their numbers, tables as lines, and histories in its notes", async () => {
    const { section } = await corpusOf({ "a.html": page(dogs) })

    const { notes, path, text } = section("us/local/oakville/code/6.08.010")
    expect(text.split("\n")).toEqual([
      "Dogs shall bark.",
      "Unless:",
      "a. they sleep",
      "b. they eat",
      "Dog | Fee",
      "Big | $ 5"
    ])
    expect([notes, path]).toEqual(["Ord. 28-2023", ["Title 6 Animals"]])
    expect(section("us/local/oakville/code/6.08.020").notes).toBe("Ord. 1-2001")
  })

  it("is found where the page says, else a sitemap beside it, else where a setting says its folder is", async () => {
    const urls = async (files: Record<string, string>, options = {}) =>
      (await corpusOf(files, options)).sections.slice(0, 1).map(({ url }) => url)
    const sitemap = "<urlset><url><loc>https://city.example/law/a.html</loc></url></urlset>"

    expect(
      await urls({
        "x/a.html": page(dogs, `<link rel=canonical href="https://own.example/6">`),
        "x/sitemap.xml": sitemap
      })
    ).toEqual(["https://own.example/6#6_08_010"])
    expect(await urls({ "x/a.html": page(dogs), "x/sitemap.xml": sitemap })).toEqual([
      "https://city.example/law/a.html#6_08_010"
    ])
    expect(await urls({ "x/y/a.html": page(dogs) }, { folders: { x: { baseUrl: "https://set.example/" } } })).toEqual([
      "https://set.example/y/a.html#6_08_010"
    ])
    expect(await urls({ "a.html": page(dogs) })).toEqual(["urn:x-gov:us/local/oakville/code#6_08_010"])
  })

  it("has chapters between as the path, and numbers after § or in bold as headings", async () => {
    const body = `<h2>Chapter 2. Noise</h2><div><a name="n1"></a><p><b>§ 1-2-3. Bells.</b> No bells.</p><p>At night.</p></div>
      <h2>Article IV – Light</h2><h3 id="l">Section 12. Lamps</h3><p>Trim <i>them</i>.</p>`
    const { sections } = await corpusOf({ "a.html": page(body) })

    expect(
      sections.map(({ heading, number, path, text, url }) => [number, heading, text, path, url.replace(/.*#/, "")])
    ).toEqual([
      ["1-2-3", "Bells", "No bells.\nAt night.", ["Title 6 Animals", "Chapter 2 Noise"], "n1"],
      ["12", "Lamps", "Trim them.", ["Title 6 Animals", "Article IV Light"], "l"]
    ])
  })

  it("is left out where it has no sections, and where nobody says whose law it is", async () => {
    const { skipped } = await corpusOf({
      "index.html": page("<p>Welcome to the code.</p>"),
      "whose.html": "<html><body><h3>1.2.3 Dogs</h3><p>Bark.</p></body></html>"
    })

    expect(skipped.map(({ file, why }) => [file, why])).toEqual([
      ["index.html", "it has no section with a number"],
      ["whose.html", expect.stringContaining('--jurisdiction "Springfield, Illinois"')]
    ])
  })
})
