/**
 * How a page of the site is written as HTML: the shell around `<main>`, and the noise that a living site has.
 *
 * The noise (build stamps, nonces, adverts, the order of attributes, white space) differs in every revision and never
 * touches the content of `<main>`.
 */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"

interface Page {
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
  /** The day of the last change that a reader would notice, where it is not the first day. */
  readonly modified?: string
  /** More for the head, as HTML. */
  readonly head?: string
}

export interface Edition {
  readonly seed: number
  readonly revision: number
}

/** A draft of an HTML page. Its fields are its title, its description, its main part and those given. */
export const draft = (
  edition: Edition,
  page: Page,
  more: Partial<Draft.Draft> & { readonly fields?: Readonly<Record<string, string>> } = {}
): Draft.Draft => {
  const { description, main, path, title } = page
  return Draft.make({
    path,
    inSitemap: page.canonical === undefined,
    modified: page.modified ?? Draft.firstDay,
    write: (origin) => Draft.text(document(edition, page))(origin),
    ...more,
    fields: { title, description, main, ...more.fields },
    facts: { title, ...more.facts }
  })
}

/** The whole document, with the mark of the origin still in it. */
const document = (edition: Edition, page: Page): string => {
  const dice = Dice.make(edition.seed, "noise", edition.revision, page.path)
  const { lang = "en", title } = page
  const build = `${edition.revision}.${Dice.make(edition.seed, "build", edition.revision).int(1000, 9999)}`
  const nonce = dice.int(0, 0xffffff).toString(16)
  const body = `<body>
<a class="skip" href="#main">Skip to content</a>
<header>${banner}</header>
<aside class="advert" data-slot="${dice.int(1, 9)}"><p>${dice.pick(adverts)} <a href="/shop/">To the shop</a></p></aside>
<main id="main">
${restless(page.main, dice)}
</main>
<footer>${footer}<p class="stamp">Build ${build}, rendered in ${dice.int(3, 40)} ms</p></footer>
<script nonce="${nonce}">window.pageview = { id: "${nonce}", at: ${dice.int(1_700_000_000, 1_799_999_999)} }</script>
</body>`
  return `<!doctype html>
<!-- build ${build} -->
<html lang="${lang}"${lang === "ar" ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
${headOf(page)}
<link rel="stylesheet" href="/assets/site.css?v=${build}">
</head>
${body}
</html>
`
}

export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** A paragraph for each text. */
export const paragraphs = (texts: ReadonlyArray<string>): string =>
  texts.map((text) => `<p>${escape(text)}</p>`).join("\n")

export const list = (items: ReadonlyArray<string>, tag: "ul" | "ol" = "ul"): string =>
  `<${tag}>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</${tag}>`

export const link = (path: string, text: string): string => `<a href="${escape(path)}">${escape(text)}</a>`

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  `<table>\n<thead><tr>${head.map((cell) => `<th>${escape(cell)}</th>`).join("")}</tr></thead>\n<tbody>\n${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join("")}</tr>`)
    .join("\n")}\n</tbody>\n</table>`

/** "Page 2 of 4" with links to the others. */
export const pager = (pathOf: (page: number) => string, page: number, pages: number): string =>
  pages < 2
    ? ""
    : `<nav class="pager" aria-label="Pages"><ol>${Array.from({ length: pages }, (_, index) =>
        index + 1 === page ? `<li>${page}</li>` : `<li>${link(pathOf(index + 1), String(index + 1))}</li>`
      ).join("")}</ol></nav>`

const headOf = (page: Page): string => {
  const { alternates = {}, description, head = "", jsonLd, lang = "en", ogType = "website", title } = page
  const canonical = `${Draft.originMark}${page.canonical ?? page.path}`
  const lines = [
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="description" content="${escape(description)}">`,
    `<link rel="canonical" href="${escape(canonical)}">`,
    `<meta property="og:title" content="${escape(title)}">`,
    `<meta property="og:description" content="${escape(description)}">`,
    `<meta property="og:type" content="${ogType}">`,
    `<meta property="og:url" content="${escape(canonical)}">`,
    `<meta property="og:image" content="${Draft.originMark}/assets/og.svg">`,
    `<meta property="og:locale" content="${locales[lang] ?? lang}">`,
    ...Object.entries(alternates).flatMap(([language, path]) => [
      `<link rel="alternate" hreflang="${language}" href="${Draft.originMark}${path}">`,
      ...(language === lang || language === "x-default"
        ? []
        : [`<meta property="og:locale:alternate" content="${locales[language] ?? language}">`])
    ]),
    ...(jsonLd === undefined
      ? []
      : [`<script type="application/ld+json">${JSON.stringify(jsonLd).replaceAll("<", "\\u003c")}</script>`]),
    head
  ]
  return lines.filter((line) => line !== "").join("\n")
}

const locales: Readonly<Record<string, string>> = {
  en: "en_GB",
  de: "de_DE",
  fr: "fr_FR",
  ja: "ja_JP",
  ar: "ar_EG"
}

const banner = `<p class="logo"><a href="/">Northmere</a></p>
<nav><ul><li><a href="/shop/">Shop</a></li><li><a href="/docs/">Docs</a></li><li><a href="/blog/">Blog</a></li>
<li><a href="/jobs/">Jobs</a></li><li><a href="/council/">Council</a></li><li><a href="/about">About</a></li></ul></nav>`

const footer = `<nav><ul><li><a href="/de/" hreflang="de">Deutsch</a></li><li><a href="/fr/" hreflang="fr">Français</a></li>
<li><a href="/ja/" hreflang="ja">日本語</a></li><li><a href="/ar/" hreflang="ar">العربية</a></li></ul></nav>
<p>Northmere is a town that is not on any map. <a href="mailto:hello@northmere.invalid">Write to us</a></p>`

const adverts = [
  "Two lanterns for the price of one, this week only.",
  "The wharf café has apple cake again.",
  "Subscribe to the Northmere Courier.",
  "Your roof before the rain: ask Pike & Sons.",
  "Evening classes in rope making begin soon."
] as const

/** The same HTML with its attributes in another order and other white space between blocks. `<pre>` is not changed. */
const restless = (html: string, dice: Dice.Dice): string =>
  html
    .split(/(<pre[\s\S]*?<\/pre>)/)
    .map((part) =>
      part.startsWith("<pre")
        ? part
        : part
            .replaceAll(/<([a-z][a-z0-9]*)((?: [a-z-]+="[^"]*"){2,})>/g, (_, tag: string, attributes: string) => {
              const all = attributes.match(/ [a-z-]+="[^"]*"/g) ?? []
              return `<${tag}${dice.sample(all, all.length).join("")}>`
            })
            .replaceAll(/>\n</g, () => `>\n${" ".repeat(dice.int(0, 3))}<`)
    )
    .join("")
