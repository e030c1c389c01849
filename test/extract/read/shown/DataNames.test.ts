import { expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/DataNames"
import { pairs } from "../outline.ts"

const names = (html: string) => pairs(read(new Page(html, "https://shop.test/")))

it("data attributes name the numbers of an article where all of them say the same", () => {
  expect(names("<i data-product-sku=L-7 data-ean=4006381333931></i><b data-sku=L-7 data-id=9></b>")).toEqual({
    sku: "L-7",
    ean: "4006381333931"
  })
  expect(names("<i data-sku=L-7></i><b data-sku=L-8></b>")).toEqual({})
  expect(names("<nav><i data-sku=L-7></i></nav><b data-sku='{}'></b>")).toEqual({})
})
