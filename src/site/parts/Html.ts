/**
 * How a page of the site is written as HTML: the shell around `<main>`, and the noise that a living site has (build stamps, nonces,
 * adverts, the order of attributes, white space). It differs in every revision and never touches the content of `<main>`.
 */
import * as Dice from "../Dice.ts"
import * as Draft from "./Draft.ts"
import * as Prose from "./Prose.ts"

/** A page, as its section describes it. What it says of a draft holds for the draft too. */
export interface Page extends Partial<Omit<Draft.Draft, "path" | "write">> {
  readonly path: string
  readonly title: string
  readonly description: string
  /** HTML, without noise. */
  readonly main: string
  readonly lang?: string
  /** The address that search engines shall know it by, where it is another one. */
  readonly canonical?: string
  /** Language to path, where the page exists in several. */
  readonly alternates?: Readonly<Record<string, string>>
  readonly jsonLd?: Readonly<Record<string, unknown>>
  readonly ogType?: "website" | "article" | "product"
  /** More for the head, as HTML. */
  readonly head?: string
}

/** What a section of the site consists of: pages, and what is written down already, such as redirects and files. */
export type Section = ReadonlyArray<Page | Draft.Draft>

export interface Edition {
  readonly seed: number
  readonly revision: number
}

/** The fields of a page are its title, its description, its main part and those given. */
export const draft = (edition: Edition, page: Page): Draft.Draft => {
  const { canonical, description, facts, fields, main, title } = page
  return Draft.make({
    inSitemap: canonical === undefined,
    write: (origin) => Draft.text(document(edition, page))(origin),
    ...page,
    fields: { title, description, main, ...fields },
    facts: { title, ...facts }
  })
}

/** The whole document, with the mark of the origin still in it. */
const document = ({ revision, seed }: Edition, page: Page): string => {
  const dice = Dice.make(seed, "noise", revision, page.path)
  const { lang = "en", title } = page
  const build = `${revision}.${Dice.make(seed, "build", revision).int(1000, 9999)}`
  const nonce = dice.int(0, 0xffffff).toString(16)
  return `<!doctype html>
<!-- build ${build} -->
<html lang="${lang}"${lang === "ar" ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
${headOf(page)}
<link rel="stylesheet" href="/assets/site.css?v=${build}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>${banner}</header>
<aside class="advert" data-slot="${dice.int(1, 9)}"><p>${dice.pick(adverts)} <a href="/shop/">To the shop</a></p></aside>
<main id="main">
${restless(page.main, dice)}
</main>
<footer>${footer}<p class="stamp">Build ${build}, rendered in ${dice.int(3, 40)} ms</p></footer>
<script nonce="${nonce}">window.pageview = { id: "${nonce}", at: ${dice.int(1_700_000_000, 1_799_999_999)} }</script>
</body>
</html>
`
}

export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** What a writer makes of each, a line each. */
export const lines = <A>(all: ReadonlyArray<A>, write: (one: A, index: number) => string): string =>
  all.map(write).join("\n")

export const heading = (text: string): string => `<h1>${escape(text)}</h1>`
export const time = (day: string): string => `<time datetime="${day}">${day}</time>`
export const link = (path: string, text: string): string => `<a href="${escape(path)}">${escape(text)}</a>`
export const paragraphs = (texts: ReadonlyArray<string>): string => lines(texts, (text) => `<p>${escape(text)}</p>`)

export const list = (items: ReadonlyArray<string>, tag: "ul" | "ol" = "ul"): string =>
  `<${tag}>\n${lines(items, (item) => `<li>${item}</li>`)}\n</${tag}>`

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const row = (cells: ReadonlyArray<string>, tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join("")}</tr>`
  return `<table>\n<thead>${row(head, "th")}</thead>\n<tbody>\n${lines(rows, (cells) => row(cells, "td"))}\n</tbody>\n</table>`
}

export const terms = (definitions: Readonly<Record<string, string>>): string =>
  `<dl>\n${lines(Object.entries(definitions), ([term, text]) => `<dt>${term}</dt><dd>${escape(text)}</dd>`)}\n</dl>`

/** A long list in pages, the first at the bare path, each with links to the others ("Page 2 of 4"). */
export const paged = <A>(all: ReadonlyArray<A>, perPage: number, bare: string) => {
  const numbers = Array.from({ length: Math.max(1, Math.ceil(all.length / perPage)) }, (_, index) => index + 1)
  const pathOf = (page: number) => (page === 1 ? bare : `${bare}?page=${page}`)
  return numbers.map((page) => {
    const items = numbers.map((other) => `<li>${other === page ? page : link(pathOf(other), String(other))}</li>`)
    const pager = `<nav class="pager" aria-label="Pages"><ol>${items.join("")}</ol></nav>`
    const some = all.slice((page - 1) * perPage, page * perPage)
    return { page, path: pathOf(page), some, pager: numbers.length < 2 ? "" : pager }
  })
}

/** A thing of schema.org. */
export const thing = (type: string, properties: Readonly<Record<string, unknown>>) => ({ "@type": type, ...properties })

const headOf = (page: Page): string => {
  const { alternates = {}, description, head = "", jsonLd, lang = "en", ogType = "website", title } = page
  const canonical = `${Draft.originMark}${page.canonical ?? page.path}`
  const data = JSON.stringify({ "@context": "https://schema.org", ...jsonLd }).replaceAll("<", "\\u003c")
  const property = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`
  const all = [
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="description" content="${escape(description)}">`,
    `<link rel="canonical" href="${escape(canonical)}">`,
    ...Object.entries({ title, description, type: ogType, url: canonical }).map(([name, text]) =>
      property(name, escape(text))
    ),
    property("image", `${Draft.originMark}/assets/og.svg`),
    property("locale", locales[lang] ?? lang),
    ...Object.entries(alternates).flatMap(([language, path]) => [
      `<link rel="alternate" hreflang="${language}" href="${Draft.originMark}${path}">`,
      language === lang || language === "x-default" ? "" : property("locale:alternate", locales[language] ?? language)
    ]),
    jsonLd === undefined ? "" : `<script type="application/ld+json">${data}</script>`,
    head
  ]
  return all.filter((line) => line !== "").join("\n")
}

const locales: Readonly<Record<string, string>> = { en: "en_GB", de: "de_DE", fr: "fr_FR", ja: "ja_JP", ar: "ar_EG" }

const banner = `<p class="logo"><a href="/">Northmere</a></p>
<nav><ul><li><a href="/shop/">Shop</a></li><li><a href="/docs/">Docs</a></li><li><a href="/blog/">Blog</a></li>
<li><a href="/jobs/">Jobs</a></li><li><a href="/council/">Council</a></li><li><a href="/about">About</a></li></ul></nav>`

const footer = `<nav><ul><li><a href="/de/" hreflang="de">Deutsch</a></li><li><a href="/fr/" hreflang="fr">Français</a></li>
<li><a href="/ja/" hreflang="ja">日本語</a></li><li><a href="/ar/" hreflang="ar">العربية</a></li></ul></nav>
<p>Northmere is a town that is not on any map. <a href="mailto:hello@northmere.invalid">Write to us</a></p>`

const adverts = Prose.sentences(`
Two lanterns for the price of one, this week only. The wharf café has apple cake again. Subscribe to the Northmere
Courier. Your roof before the rain: ask Pike & Sons. Evening classes in rope making begin soon.
`)

/** The same HTML with its attributes in another order and other white space between blocks. `<pre>` is not changed. */
const restless = (html: string, dice: Dice.Dice): string => {
  const stir = (part: string) =>
    part
      .replaceAll(/<([a-z][a-z0-9]*)((?: [a-z-]+="[^"]*"){2,})>/g, (_, tag: string, attributes: string) => {
        const all = attributes.match(/ [a-z-]+="[^"]*"/g) ?? []
        return `<${tag}${dice.sample(all, all.length).join("")}>`
      })
      .replaceAll(/>\n</g, () => `>\n${" ".repeat(dice.int(0, 3))}<`)
  const parts = html.split(/(<pre[\s\S]*?<\/pre>)/)
  return parts.map((part) => (part.startsWith("<pre") ? part : stir(part))).join("")
}
