import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { linesOf } from "#extract/read/shown/Lines"
import { read } from "#extract/read/shown/Texts"
import { pairs } from "../outline.ts"

const properties = (html: string) => {
  const page = new Page(html, "https://site.test/")
  return read(page, linesOf(page.root))
}
const texts = (html: string) => pairs(properties(html))

describe("texts", () => {
  it("have prices, dates and people", () => {
    expect(texts("<p>By Jane Doe on May 1, 2024</p><p>Now 5,00 €, by Dr. John Q. Public</p>")).toEqual({
      person: ["Jane Doe", "Dr. John Q. Public"],
      author: "Jane Doe",
      date: "May 1, 2024",
      price: "5,00 €"
    })
  })

  it("have e-mails and phone numbers, also in links", () => {
    expect(
      texts(
        "<p>a@b.test</p><a href='mailto:c@d.test?subject=x'>Write</a><a href='tel:+49301234567'>Call</a><p>Tel. 030 1234567</p><p>+1 (555) 123-4567</p>"
      )
    ).toEqual({ email: ["a@b.test", "c@d.test"], phone: ["+49301234567", "030 1234567", "+1 (555) 123-4567"] })
  })

  it("have addresses, by element or by form", () => {
    expect(
      texts(
        "<address>Somewhere 5</address><p>at 12 Main Street, Springfield, IL 62701</p><p>Hauptstraße 5, 12345 Berlin</p><p>12 rue de la Paix, 75002 Paris</p>"
      )
    ).toEqual({
      address: [
        "Somewhere 5",
        "12 Main Street, Springfield, IL 62701",
        "Hauptstraße 5, 12345 Berlin",
        "12 rue de la Paix, 75002 Paris"
      ]
    })
  })

  it.each(["ISBN 978-3-16-148410-0", "2024-05-01 10:30", "1234567", "by the way", "order 12 eggs"])(
    "are not read more into than is there: %s",
    (text) => {
      const { date: _, ...others } = texts(`<p>${text}</p>`)
      expect(others).toEqual({})
    }
  )

  it("have a rating in a line of less than 80 letters: a longer one tells a story", () => {
    const line = (letters: number) => `<p>${"4.6 (87 reviews), as of today".padEnd(letters, "x")}</p>`

    expect([texts(line(79)), texts(line(80))]).toEqual([{ rating: "4.6 (87 reviews)" }, {}])
  })

  it("say where they stand", () => {
    const html = "<p>only <b>5 €</b></p>"
    const [price] = properties(html)

    expect(price?.value.source).toMatchObject({ kind: "text", path: "p" })
    expect(html.slice(...(price?.value.source.span ?? [0, 0]))).toBe("5 €")
  })

  it.each(["1 ", "a@", "By A ", "12 A ", "Aa-", "(1)", "a.b@c."])("end soon on %j again and again", (text) => {
    expect(properties(`<p>${text.repeat(20_000)}</p>`).length).toBeLessThan(301)
  })
})

describe("a line", () => {
  it("that says whether something can be had says its availability", () => {
    expect(texts("<p>Disponible</p><p>We are available on Mondays</p>")).toEqual({ availability: "Disponible" })
  })

  it("that begins with a name behind a by is signed", () => {
    expect(texts("<p>von Greta Moll</p><p>Eine Karte von Anna Berg</p>")).toMatchObject({ author: "Greta Moll" })
  })
})
