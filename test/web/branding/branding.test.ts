import { describe, expect, it } from "vitest"
import * as Branding from "#web/branding/branding"

const url = "https://shop.test/lamps/"
const of = (html: string, ...sheets: ReadonlyArray<string>) => Branding.branding(Branding.read(html), url, sheets)

describe("the branding of a page", () => {
  it("is nothing where the page says nothing", () => {
    expect(of("<title>Lamps</title><p>Lamps.</p>")).toEqual({})
  })

  it("is its name, logo and icons, as its markup says them", () => {
    const html = `<head><base href="/x/"><meta property="og:site_name" content="Lamp House"><meta name="theme-color" content="#0a5">
      <link rel="shortcut icon" href="f.ico"><link rel="apple-touch-icon" href="/t.png"><meta property="og:image" content="/o.png">
      <meta name="color-scheme" content="dark"></head><body><img src="/logos.png"><header><img class="site-logo" src="/l.svg"></header>`

    expect(of(html)).toEqual({
      colorScheme: "dark",
      brandName: "Lamp House",
      logo: "https://shop.test/l.svg",
      colors: { themeColor: "#0a5" },
      images: {
        logo: "https://shop.test/l.svg",
        favicon: "https://shop.test/x/f.ico",
        appleTouchIcon: "https://shop.test/t.png",
        ogImage: "https://shop.test/o.png"
      }
    })
  })

  it("takes the logo and the name that JSON-LD declares of an organization, however deep", () => {
    const graph = {
      "@graph": [
        { "@type": "WebSite", name: "no" },
        { publisher: { "@type": ["Organization"], name: "LH", logo: { url: "/d.png" } } }
      ]
    }

    expect(of(`<script type="application/ld+json">${JSON.stringify(graph)}</script>`)).toMatchObject({
      brandName: "LH",
      logo: "https://shop.test/d.png"
    })
  })

  it("is its colours and fonts, as its style sheets write them, the page's own last", () => {
    const sheet = `:root{--bs-primary:#123456;--color-secondary:hsl(10 20% 30%);--primary-dark:#000;--accent:var(--bs-primary);
      --text:var(--nowhere);--error:var(--nowhere, crimson)} body{font-family:"Inter",system-ui,sans-serif;color:var(--bs-primary);background:#fff url(x.png)}
      h1{font-family:Lora,serif;font-size:3rem} a{color:inherit} @font-face{font-family:Icons}
      .btn-primary{background-color:var(--accent);border-radius:4px}`

    expect(of("<style>body{background-color:ivory} code{font-family:'Fira Code',monospace}</style>", sheet)).toEqual({
      colors: {
        primary: "#123456",
        secondary: "hsl(10 20% 30%)",
        accent: "#123456",
        error: "crimson",
        background: "ivory",
        textPrimary: "#123456"
      },
      fonts: [{ family: "Inter" }, { family: "Lora" }, { family: "Icons" }, { family: "Fira Code" }],
      typography: {
        fontFamilies: { primary: "Inter", heading: "Lora", code: "Fira Code" },
        fontStacks: {
          primary: ["Inter", "system-ui", "sans-serif"],
          heading: ["Lora", "serif"],
          code: ["Fira Code", "monospace"]
        },
        fontSizes: { h1: "3rem" }
      },
      components: { buttonPrimary: { background: "#123456", borderRadius: "4px" } }
    })
  })

  it("links style sheets for every reader and for screens, once each, and only those of the web", () => {
    const html = `<link rel=stylesheet href=a.css><link rel="stylesheet" href="/lamps/a.css"><link rel="stylesheet" media="print" href="p.css">
      <link rel="alternate stylesheet" href="b.css"><link rel="preload stylesheet" media="screen" href="//cdn.test/c.css">
      <link rel="stylesheet" href="data:text/css,x"><link rel="icon" href="i.ico">`

    expect(Branding.sheetsOf(Branding.read(html), url).map(({ href }) => href)).toEqual([
      "https://shop.test/lamps/a.css",
      "https://cdn.test/c.css"
    ])
  })

  it("of variables that name each other in a circle ends", () => {
    expect(of("<style>:root{--a:var(--b);--b:var(--a)} body{color:var(--a)}</style>")).toEqual({})
  })
})
