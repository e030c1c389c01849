/** Pages in German, French, Japanese and Arabic, and three in the character sets of older days. */
import * as Charset from "./Charset.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import { translations } from "./translations.ts"

export const section = (history: History.History): Html.Section => [
  ...translations.map(({ name, paragraphs, ...page }) => {
    const siblings = translations.filter((other) => other.lang === page.lang)
    const older = old.filter((other) => other.lang === page.lang)
    return {
      ...page,
      alternates: alternatesOf(name),
      main: `${Html.heading(page.title)}
${Html.paragraphs(paragraphs)}
${Html.list(siblings.map(({ path, title }) => Html.link(path, title)))}
${Html.lines(older, ({ path, title }) => `<p>${Html.link(path, title)}</p>`)}`
    }
  }),
  ...old.map((page) => inCharset(history.revision, page))
]

const alternatesOf = (name: string): Readonly<Record<string, string>> => ({
  ...(name === "home" ? { "x-default": "/", en: "/" } : {}),
  ...Object.fromEntries(translations.filter((page) => page.name === name).map(({ lang, path }) => [lang, path]))
})

interface OldPage {
  /** The language whose pages link to it. */
  readonly lang: string
  readonly path: string
  readonly title: string
  readonly text: string
  readonly charset: Charset.Charset
  /** Where the page says its charset: in its head, in the header of the answer, or by its first bytes. */
  readonly says: "meta" | "header" | "mark"
}

const old: ReadonlyArray<OldPage> = [
  {
    lang: "fr",
    path: "/fr/archives-1998.html",
    title: "Archives de l’été 1998",
    text: "Cet été-là, la crue emporta le vieux déversoir ; le maire promit « un chef-d’œuvre » pour 45 000 € – on l’attend encore…",
    charset: "windows-1252",
    says: "meta"
  },
  {
    lang: "ja",
    path: "/ja/tayori.html",
    title: "水車小屋だより",
    text: "春の水は冷たく、歯車はゆっくり回る。粉の香りが橋の向こうまで届くと、パン屋の主人が袋を持って歩いて来る。",
    charset: "shift_jis",
    says: "header"
  },
  {
    lang: "de",
    path: "/de/brief-utf16.html",
    title: "Brief des Schleusenwärters",
    text: "Am Wehr ist alles in Ordnung, nur der Fischotter frißt wieder die Köder. Grüße nach Übersee! → 河 → نهر",
    charset: "utf-16le",
    says: "mark"
  }
]

const inCharset = (revision: number, { charset, lang, path, says, text, title }: OldPage): Draft.Draft => {
  const main = `${Html.heading(title)}\n<p>${Html.escape(text)}</p>`
  const meta = says === "meta" ? `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">\n` : ""
  const document = `<html lang="${lang}">
<head>
${meta}<title>${Html.escape(title)}</title>
</head>
<body bgcolor="#ffffff">
<main>${main}</main>
<!-- counter ${revision * 17} -->
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
