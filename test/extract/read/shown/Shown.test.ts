import { expect, test } from "vitest"
import { Page } from "#extract/page/Page"
import { imageOf, shown } from "#extract/read/shown/Shown"
import { elements } from "#page/Dom"

const value = (html: string) => {
  const page = new Page(html, "https://site.test/a/")
  const [element] = elements(page.root)
  return element === undefined ? undefined : shown(page, "table", element)
}

test("an element shows its text and where it leads", () => {
  expect(value("<td>by <a href=jo>Jo</a></td>")).toMatchObject({ data: "by Jo", href: "https://site.test/a/jo" })
})

test("without text it shows what its picture is, or where it leads", () => {
  expect(value("<td><img alt='a cat' src=cat.png></td>")?.data).toBe("a cat")
  expect(value("<td><img src=cat.png></td>")?.data).toBe("https://site.test/a/cat.png")
  expect(value("<td><a href=b></a></td>")?.data).toBe("https://site.test/a/b")
  expect(value("<td> </td>")).toBeUndefined()
})

test("a picture that is loaded late has the address that it is loaded from", () => {
  const page = new Page(
    "<img src='data:image/gif;base64,R0' data-src=/b.png><img srcset='c.png 1x, d.png 2x'>",
    "https://site.test/a/"
  )

  expect(page.elements.map((element) => imageOf(page, element))).toEqual([
    "https://site.test/b.png",
    "https://site.test/a/c.png"
  ])
})
