/** Pages in German, French, Japanese and Arabic, and three in the character sets of older days. */
import * as Charset from "../Charset.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

export const section = ({ revision }: History.History): Html.Section => [
  ...translations.map(({ lang, name, paragraphs, ...page }) => {
    const siblings = translations.filter((other) => other.lang === lang)
    const others = translations.filter((other) => other.name === name).map((other) => [other.lang, other.path] as const)
    return {
      ...page,
      lang,
      alternates: { ...(name === "home" ? { "x-default": "/", en: "/" } : {}), ...Object.fromEntries(others) },
      main: `${Html.heading(page.title)}
${Html.paragraphs(paragraphs)}
${Html.list(siblings.map(({ path, title }) => Html.link(path, title)))}
${old.flatMap((one) => (one.lang === lang ? [`<p>${Html.link(one.path, one.title)}</p>`] : [])).join("\n")}`
    }
  }),
  ...old.map((page) => inCharset(revision, page))
]

const inCharset = (revision: number, { charset, lang, path, text, title }: (typeof old)[number]): Draft.Draft => {
  const main = `${Html.heading(title)}\n<p>${Html.escape(text)}</p>`
  const head = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">\n`
  const document = `<html lang="${lang}">
<head>
${lang === "fr" ? head : ""}<title>${Html.escape(title)}</title>
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
    type: lang === "ja" ? `text/html; charset=${charset}` : "text/html",
    inSitemap: true,
    fields: { title, main },
    facts: { title, text, charset },
    write: () => Charset.encode(document, charset)
  })
}

/** Each stands in the language whose pages link to it, and says its charset in the head, in the header, or by a mark. */
const old = Prose.rows(`
fr | windows-1252 | archives-1998.html | Archives de l’été 1998 | Cet été-là, la crue emporta le vieux déversoir ; le maire
  promit « un chef-d’œuvre » pour 45 000 € – on l’attend encore…
ja | shift_jis | tayori.html | 水車小屋だより
  | 春の水は冷たく、歯車はゆっくり回る。粉の香りが橋の向こうまで届くと、パン屋の主人が袋を持って歩いて来る。
de | utf-16le | brief-utf16.html | Brief des Schleusenwärters | Am Wehr ist alles in Ordnung, nur der Fischotter frißt wieder
  die Köder. Grüße nach Übersee! → 河 → نهر
`).map(([lang, charset = "", name = "", title = "", text = ""]) => ({
  lang,
  charset,
  path: `/${lang}/${name}`,
  title,
  text
}))

/** What the pages in other languages say. Each language has the same three pages. */
const translations = Prose.rows(`
de | home | Northmere, die Stadt am Wehr | Northmere liegt an zwei Flüssen und einem Kanal, und auf keiner Karte. | Die
  Mühlen mahlen seit 1894, das Wehr wird von einem Programm bewacht, und dienstags ist Markt.
de | visit | Besuch und Öffnungszeiten | Die Alte Mühle ist von April bis Oktober täglich außer montags von 10 bis 17
  Uhr geöffnet. | Der Eintritt kostet 6,50 £, für Schülerinnen und Schüler die Hälfte. Hunde dürfen an der Leine mit.
de | delivery | Versand nach Deutschland | Pakete gehen dienstags und freitags ab und sind nach vier bis sieben
  Werktagen da. | Bis 2 kg kostet der Versand 9,80 £. Zoll und Einfuhrumsatzsteuer zahlen Sie beim Empfang.
fr | home | Northmere, la ville du déversoir | Northmere se trouve entre deux rivières et un canal, et sur aucune carte.
  | Les moulins tournent depuis 1894, un programme garde les vannes, et le marché a lieu le mardi.
fr | visit | Visite et horaires | Le vieux moulin est ouvert tous les jours sauf le lundi, d’avril à octobre, de 10 h à
  17 h. | L’entrée coûte 6,50 £ ; les élèves paient la moitié. Les chiens sont admis en laisse.
fr | delivery | Livraison en France | Les colis partent le mardi et le vendredi et arrivent en quatre à sept jours
  ouvrés. | Jusqu’à 2 kg, le port coûte 9,80 £. Les droits de douane sont payés à la réception.
ja | home | 堰の町ノースミア | ノースミアは二つの川と一本の運河のほとりにあり、どの地図にも載っていません。 | 水車は一八九四年から回り続け、水門はプログラムが見守り、火曜日には市が立ちます。
ja | visit | 見学と開館時間 | 旧水車小屋は四月から十月まで、月曜日を除く毎日、十時から十七時まで開いています。 | 入場料は六ポンド五十ペンス、学生は半額です。犬はひもをつければ入れます。
ja | delivery | 日本への発送 | 荷物は火曜日と金曜日に発送し、七日から十日ほどで届きます。 | 二キロまでの送料は十二ポンドです。関税は受け取りの際にお支払いください。
ar | home | نورثمير، مدينة السد | تقع نورثمير بين نهرين وقناة، ولا تظهر على أي خريطة.
  | تدور الطواحين منذ عام 1894، ويحرس برنامج بوابات الماء، ويقام السوق يوم الثلاثاء.
ar | visit | الزيارة وأوقات العمل
  | الطاحونة القديمة مفتوحة من أبريل إلى أكتوبر كل يوم ما عدا الاثنين، من العاشرة حتى الخامسة.
  | ثمن التذكرة ستة جنيهات ونصف، وللطلاب نصف الثمن. يسمح بالكلاب المقيدة.
ar | delivery | الشحن إلى الخارج | ترسل الطرود يومي الثلاثاء والجمعة وتصل خلال عشرة أيام عمل.
  | أجرة الشحن حتى كيلوغرامين اثنا عشر جنيها. تدفع الرسوم الجمركية عند الاستلام.
`).map(([lang, name = "", title = "", ...paragraphs]) => ({
  path: `/${lang}/${name === "home" ? "" : name}`,
  lang,
  name,
  title,
  description: paragraphs[0] ?? "",
  paragraphs
}))
