import { describe, expect, it } from "vitest"
import * as Published from "#extract/article/Published"
import type { Source } from "#extract/Candidates"
import { Page } from "#extract/page/Page"

const source: Source = { kind: "meta", path: "", span: [0, 0] }

describe("Published", () => {
  it.each([
    ["2026-05-03", "2026-05-03"],
    ["2026-05-03T09:00:00+02:00", "2026-05-03T09:00:00+02:00"],
    ["3 May 2026", "2026-05-03"],
    ["May 3, 2026 9:30 am", "2026-05-03T09:30:00Z"],
    ["two hours ago", undefined],
    ["0001-01-01T00:00:00Z", undefined],
    ["1970-01-01", undefined]
  ])("%s is %s", (text, date) => {
    expect(Published.normal({ text, source }, "en")?.text).toBe(date)
  })

  const shown = (html: string, from = 0, to = html.length) =>
    Published.shown(new Page(html, "http://site.test/"), from, to, "en")?.text

  it("takes the first time of the page before one that only its name tells", () => {
    expect(shown('<p class="date">1 May 2026</p><time datetime="2026-05-03">x</time>')).toBe("2026-05-03")
    expect(shown('<p class="date">1 May 2026</p><p>2 May 2026</p>')).toBe("2026-05-01")
  })

  it("looks only where it is told to, and never at what is hidden", () => {
    const html = '<time datetime="2026-05-03">x</time>'

    expect(shown(html, 5)).toBeUndefined()
    expect(shown(`<div hidden>${html}</div>`)).toBeUndefined()
  })

  it.each([
    ["http://site.test/2026/05/03/mill", "2026-05-03"],
    ["http://site.test/a-2026-05-03-b", "2026-05-03"],
    ["http://site.test/20260503/mill", "2026-05-03"],
    ["http://site.test/2026/may/3/mill", "2026-05-03"],
    ["http://site.test/2026/15/03/mill", undefined],
    ["http://site.test/12026/05/03/", undefined]
  ])("the address %s tells %s", (url, date) => {
    expect(Published.inAddress(url, source)?.text).toBe(date)
  })

  const near = (html: string, language = "en") => {
    const page = new Page(`<h1>The mill</h1>${html}<p>It turns.</p>`, "http://site.test/")
    const [shown, changed] = [Published.shown, Published.changed].map((of) => of(page, 0, page.html.length, language))
    return [shown?.text, changed?.text]
  }

  it.each([
    ["en", "Published on May 3, 2026"],
    ["en", "First published 3 May 2026 by Ada Stone"],
    ["de", "Veröffentlicht am 3. Mai 2026"],
    ["fr", "Publié le 3 mai 2026 à 9h30"],
    ["es", "Publicado el 3 de mayo de 2026"],
    ["pt", "Publicado em 3 de maio de 2026"],
    ["it", "Pubblicato il 3 maggio 2026"],
    ["nl", "Geplaatst op 3 mei 2026"],
    ["sv", "Publicerad 3 maj 2026"],
    ["da", "Udgivet den 3. maj 2026"],
    ["nb", "Publisert 3. mai 2026"],
    ["fi", "Julkaistu 3.5.2026"],
    ["pl", "Opublikowano 3 maja 2026"],
    ["cs", "Publikováno 3. května 2026"],
    ["hu", "Megjelent: 2026. május 3."],
    ["ro", "Publicat pe 3 mai 2026"],
    ["tr", "Yayınlanma tarihi: 3 Mayıs 2026"],
    ["ru", "Опубликовано 3 мая 2026"],
    ["uk", "Опубліковано 3 травня 2026"],
    ["zh", "发布于 2026年5月3日"],
    ["ja", "公開日：2026年5月3日"],
    ["ko", "게시일 2026년 5월 3일"]
  ])("is said in %s: %s", (language, line) => {
    expect(near(`<p>${line}</p>`, language)).toEqual(["2026-05-03", undefined])
  })

  it.each([
    ["en", "Last updated: May 3, 2026"],
    ["de", "Zuletzt aktualisiert: 3. Mai 2026"],
    ["fr", "Mis à jour le 3 mai 2026"],
    ["es", "Actualizado el 3 de mayo de 2026"],
    ["ja", "更新日：2026年5月3日"],
    ["ru", "Обновлено 3 мая 2026"]
  ])("is not the day of a change, in %s: %s", (language, line) => {
    expect(near(`<p>${line}</p>`, language)).toEqual([undefined, "2026-05-03"])
  })

  it("is told from the day of a change where both stand there, in words, in times and in classes", () => {
    const both = ["2026-05-03", "2026-06-04"]

    expect(near("<p>Published May 3, 2026 | Updated June 4, 2026</p>")).toEqual(both)
    expect(near("<p>Updated <time datetime=2026-06-04>x</time></p><p><time datetime=2026-05-03>y</time></p>")).toEqual(
      both
    )
    expect(near("<i class=updated>June 4, 2026</i><i class=published>May 3, 2026</i>")).toEqual(both)
  })

  it("is a line near the headline that is a date and little else, or whose label stands on the line before", () => {
    expect(near("<p>By Ada Stone</p><p>May 3, 2026 · 5 min read</p>")).toEqual(["2026-05-03", undefined])
    expect(near("<p>Published</p><p>May 3, 2026</p>")).toEqual(["2026-05-03", undefined])
    expect(near("<p>In the spring of May 3, 2026 the river rose over the mill twice.</p>")).toEqual([
      undefined,
      undefined
    ])
  })

  it.each([
    "<p>© May 3, 2026 Valley News</p>",
    "<div class=comment><time datetime=2026-05-03>x</time></div>",
    "<ul class=related-posts><li><time datetime=2026-05-03>x</time></ul>",
    "<div class=event><time datetime=2026-05-03>x</time></div>",
    "<p>Deadline: May 3, 2026</p>",
    "<p>Member since May 3, 2026</p>",
    "<p class=todays-date>May 3, 2026</p>"
  ])("is none of %s", (html) => {
    expect(near(html)).toEqual([undefined, undefined])
  })
})
