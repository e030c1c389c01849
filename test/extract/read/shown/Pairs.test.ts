import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/Pairs"
import { pairs } from "../outline.ts"

const labels = (html: string) => pairs(read(new Page(html, "https://site.test/")))

describe("labels beside their values", () => {
  it("are read where rows of a label and a value come several times", () => {
    expect(
      labels("<div><div><span>Height</span><span>2 m</span></div><div><span>Width:</span><span>1 m</span></div></div>")
    ).toEqual({ Height: "2 m", Width: "1 m" })
  })

  it("are read where one row says by its class that it has a label", () => {
    expect(
      labels("<div><p class=x></p><div><span class='spec-label'>Height</span><span>2 m</span></div></div>")
    ).toEqual({
      Height: "2 m"
    })
    expect(labels("<div><div><span>Height</span><span>2 m</span></div></div>")).toEqual({})
  })

  it("are read where labels and values come in turns", () => {
    expect(labels("<div><b class=k>One</b><i>1</i><b class=k>Two</b><i><a href=/2>2</a></i></div>")).toEqual({
      One: "1",
      Two: "2"
    })
  })

  it("are not the links and texts of cards", () => {
    expect(
      labels("<ul><li><a href=/1>One</a><span>May</span></li><li><a href=/2>Two</a><span>June</span></li></ul>")
    ).toEqual({})
  })
})
