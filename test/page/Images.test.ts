import { expect, it } from "vitest"
import * as Page from "#page/Page"

const images = (html: string) =>
  Page.parse(
    { url: "http://site.test/a/", body: new TextEncoder().encode(html), contentType: "text/html; charset=utf-8" },
    { ...Page.defaults, images: true }
  ).images

it("finds every picture once, absolute, in the order of the page", () => {
  const found = images(
    '<meta property="og:image" content="/og.png"><img src="one.png" srcset="one.png 1x, two.png 2x">' +
      '<picture><source srcset="three.avif 480w,\nfour,4.avif 800w"><img data-src="/late.jpg" src="data:image/gif;base64,R0"></picture>' +
      '<video poster="still.jpg"></video><noscript><img src="bare.png"></noscript><img src="javascript:x"><img src="">'
  )

  expect(found).toEqual([
    "http://site.test/og.png",
    "http://site.test/a/one.png",
    "http://site.test/a/two.png",
    "http://site.test/a/three.avif",
    "http://site.test/a/four,4.avif",
    "http://site.test/late.jpg",
    "http://site.test/a/still.jpg",
    "http://site.test/a/bare.png"
  ])
})

it("gives none where none are asked for", () => {
  expect(
    Page.parse({ url: "http://site.test/", body: new Uint8Array(), contentType: "text/html" }, Page.defaults).images
  ).toBe(undefined)
})
