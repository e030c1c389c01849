/**
 * Labelled pages from translated manuals of Debian: node bench/mainContent/manuals.ts PACKAGES OUT
 *
 * PACKAGES holds each package of `trained` and `judging` unpacked in a folder of its name:
 * apt-get download NAME && dpkg -x NAME_*.deb PACKAGES/NAME. OUT gets the folders `manuals-dev` (to train with) and
 * `manuals-judge` (never to train with: other manuals, with other themes). The content element of the theme is the truth.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Dom from "../../src/page/Dom.ts"
import { plainText } from "../articlePages.ts"
import { scriptOf } from "./labelledPages.ts"

type Manual = readonly [packageName: string, folder: string, content: IsContent]
type IsContent = (element: Dom.Element) => boolean

const hasClass =
  (...names: ReadonlyArray<string>): IsContent =>
  ({ attributes, name }) =>
    name === "div" && names.some((one) => (attributes.get("class") ?? "").split(" ").includes(one))
const hasId =
  (id: string): IsContent =>
  ({ attributes }) =>
    attributes.get("id") === id
const docBook = hasClass("sect1", "section", "chapter", "appendix", "preface", "book", "part", "glossary", "reference")
const sphinx = hasClass("body")

const many = (names: string, folder: (language: string) => string, content: IsContent): ReadonlyArray<Manual> =>
  names
    .split(" ")
    .map((name) => [name, folder(name.replace(/^[a-z]+-(?:help|doc-html|faq|guide|doc|reference)-/, "")), content])

const trained: ReadonlyArray<Manual> = [
  ...many("gimp-help-ja gimp-help-ko", (language) => `usr/share/gimp/2.0/help/${language}`, docBook),
  ["gimp-help-zh-cn", "usr/share/gimp/2.0/help/zh_CN", docBook],
  ...["ja", "ko", "zh_CN", "ru", "el"].map(
    (language): Manual => ["installation-guide-amd64", `usr/share/doc/installation-guide-amd64/${language}`, docBook]
  ),
  ["debian-policy-ja", "usr/share/doc/debian-policy/ja/policy.html", sphinx],
  ["developers-reference-ja", "usr/share/developers-reference/ja", sphinx],
  ...many("debian-faq-ko debian-faq-zh-cn", (language) => `usr/share/doc/debian/FAQ/${language}`, docBook),
  ["lilypond-doc-html-ja", "usr/share/doc/lilypond/html/Documentation/usage", hasId("main")],
  ["lilypond-doc-html-zh", "usr/share/doc/lilypond/html/Documentation/learning", hasId("main")],
  ["aptitude-doc-ja", "usr/share/doc/aptitude/html/ja", docBook]
]

const judging: ReadonlyArray<Manual> = [
  ...["hi", "ja", "km", "ko", "zh-CN"].flatMap((language) =>
    ["shared/guide", "scalc/guide", "swriter/guide"].map(
      (part): Manual => [
        `libreoffice-help-${language.toLowerCase()}`,
        `usr/share/libreoffice/help/${language}/text/${part}`,
        hasId("DisplayArea")
      ]
    )
  ),
  ...["ja-JP", "zh-CN", "ko-KR", "ru-RU", "fa-IR", "ar-MA", "el-GR"].map(
    (language): Manual => ["debian-handbook", `usr/share/doc/debian-handbook/html/${language}`, docBook]
  ),
  ...["ja", "ko", "ru", "zh-cn"].flatMap((language) =>
    ["", "/howto", "/mod"].map(
      (part): Manual => ["apache2-doc", `usr/share/doc/apache2-doc/manual/${language}${part}`, hasId("page-content")]
    )
  )
]

/** Most of a manual's pages is content: with more of them, the trees would keep the foot of every page. */
const pagesToTrain = 2
const pagesToJudge = 12
/** A page with less text says nothing, and one with more is a whole book. */
const shortest = 300
const longest = 60_000

const [packages, out] = process.argv.slice(2)
if (packages === undefined || out === undefined)
  throw new Error("usage: node bench/mainContent/manuals.ts PACKAGES OUT")

const write = (set: string, manuals: ReadonlyArray<Manual>, pagesOfManual: number): void => {
  const truths: Record<string, { url: string; kind: string; text: string }> = {}
  mkdirSync(join(out, set, "html"), { recursive: true })
  for (const [packageName, folder, isContent] of manuals) {
    const files = readdirSync(join(packages, packageName, folder))
      .filter((file) => file.includes(".html"))
      .sort()
    const labelled = files.flatMap((file) => {
      const html = readFileSync(join(packages, packageName, folder, file))
      const text = contentOf(html.toString(), isContent)
      const isPage = text.length >= shortest && text.length <= longest && scriptOf(text) !== "Latin"
      return isPage ? [{ file, html, text }] : []
    })
    const step = Math.max(1, labelled.length / pagesOfManual)
    for (let i = 0; i < labelled.length; i += step) {
      const { file, html, text } = labelled[Math.floor(i)] ?? {}
      if (file === undefined || html === undefined || text === undefined) continue
      const name = `${packageName}_${folder.split("/").slice(-2).join("_")}_${file}`
      writeFileSync(join(out, set, "html", `${name}.html.gz`), gzipSync(html))
      truths[name] = { url: `https://${packageName}.test/${folder}/${file}`, kind: "documentation", text }
    }
  }
  writeFileSync(join(out, set, "truth.json"), JSON.stringify(truths))
  console.log(`${set}: ${Object.keys(truths).length} pages`)
}

const contentOf = (html: string, isContent: IsContent): string => {
  for (const element of Dom.elements(Dom.parse(html)))
    if (isContent(element)) return plainText(html.slice(element.from, element.to))
  return ""
}

write("manuals-dev", trained, pagesToTrain)
write("manuals-judge", judging, pagesToJudge)
