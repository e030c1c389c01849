/** Pages in German, French, Japanese and Arabic, and three in the character sets of older days. */
import * as Charset from "./Charset.ts"
import * as Draft from "./Draft.ts"
import * as Html from "./Html.ts"
import { translations } from "./translations.ts"

export const drafts = (edition: Html.Edition): ReadonlyArray<Draft.Draft> => [
  ...Object.entries(translations).flatMap(([lang, pages]) =>
    Object.entries(pages).map(([name, { title, paragraphs }]) =>
      Html.draft(edition, {
        path: pathOf(lang, name),
        lang,
        title,
        description: paragraphs[0],
        alternates: alternatesOf(name),
        main: `<h1>${Html.escape(title)}</h1>
${Html.paragraphs(paragraphs)}
${Html.list(Object.entries(pages).map(([other, page]) => Html.link(pathOf(lang, other), page.title)))}
${(old[lang] ?? []).map(({ path, title: text }) => `<p>${Html.link(path, text)}</p>`).join("\n")}`
      })
    )
  ),
  ...Object.entries(old).flatMap(([lang, pages]) => pages.map((page) => inCharset(edition, lang, page)))
]

const pathOf = (lang: string, name: string): string => `/${lang}/${name === "home" ? "" : name}`

const alternatesOf = (name: string): Readonly<Record<string, string>> => ({
  ...(name === "home" ? { "x-default": "/", en: "/" } : {}),
  ...Object.fromEntries(Object.keys(translations).map((lang) => [lang, pathOf(lang, name)]))
})

interface OldPage {
  readonly path: string
  readonly title: string
  readonly text: string
  readonly charset: Charset.Charset
  /** Where the page says its charset: in its head, in the header of the answer, or by its first bytes. */
  readonly says: "meta" | "header" | "mark"
}

/** By the language whose home page links to them. */
const old: Readonly<Record<string, ReadonlyArray<OldPage>>> = {
  fr: [
    {
      path: "/fr/archives-1998.html",
      title: "Archives de l’été 1998",
      text: "Cet été-là, la crue emporta le vieux déversoir ; le maire promit « un chef-d’œuvre » pour 45 000 € – on l’attend encore…",
      charset: "windows-1252",
      says: "meta"
    }
  ],
  ja: [
    {
      path: "/ja/tayori.html",
      title: "水車小屋だより",
      text: "春の水は冷たく、歯車はゆっくり回る。粉の香りが橋の向こうまで届くと、パン屋の主人が袋を持って歩いて来る。",
      charset: "shift_jis",
      says: "header"
    }
  ],
  de: [
    {
      path: "/de/brief-utf16.html",
      title: "Brief des Schleusenwärters",
      text: "Am Wehr ist alles in Ordnung, nur der Fischotter frißt wieder die Köder. Grüße nach Übersee! → 河 → نهر",
      charset: "utf-16le",
      says: "mark"
    }
  ]
}

const inCharset = (edition: Html.Edition, lang: string, { charset, path, says, text, title }: OldPage): Draft.Draft => {
  const main = `<h1>${Html.escape(title)}</h1>\n<p>${Html.escape(text)}</p>`
  const meta = says === "meta" ? `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">\n` : ""
  const document = `<html lang="${lang}">
<head>
${meta}<title>${Html.escape(title)}</title>
</head>
<body bgcolor="#ffffff">
<main>${main}</main>
<!-- counter ${edition.revision * 17} -->
<p><a href="/${lang}/">/${lang}/</a></p>
</body>
</html>
`
  return Draft.make({
    path,
    type: says === "header" ? `text/html; charset=${charset}` : "text/html",
    inSitemap: true,
    fields: { title, main },
    facts: { title, text, charset },
    write: () => Charset.encode(document, charset)
  })
}
