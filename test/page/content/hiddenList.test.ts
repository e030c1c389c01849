import { expect, test } from "vitest"
import * as Dom from "#page/Dom"
import { hiddenListWarning, showHiddenList } from "#page/hiddenList"
import { defaults, parse } from "#page/Page"

const rows = Array.from(
  { length: 26 },
  (_, i) => `<tr><td>3/${i + 1}/2026</td><td>${127000 + i}</td><td>State v. Craig the ${i + 1}th</td></tr>`
).join("")
const table = `<table><thead><tr><th>Date</th><th>Number</th><th>Title</th></tr></thead><tbody>${rows}</tbody></table>`
const text = `<p>${"By default, the table shows data from the past three months, and older decisions are found by a search. ".repeat(20)}</p>`
const page = (hidden: string, around = text) =>
  `<html><body><header><nav><ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul></nav></header><main><h1>Search Decisions</h1><h2>Results</h2>${around}<div id="tableLoading">Loading results...</div>${hidden}</main></body></html>`
const read = (html: string) =>
  parse({ url: "https://court.test/", body: Buffer.from(html), contentType: "text/html; charset=utf-8" }, defaults)

test("the only list of a page is read though it is hidden until a script shows it, and the page says so", () => {
  for (const hidden of [`<div style="display:none;">${table}</div>`, `<div hidden><div>${table}</div></div>`]) {
    for (const around of [text, "<p>Search the decisions.</p>"]) {
      const { markdown, warnings } = read(page(hidden, around))
      expect(warnings).toEqual([hiddenListWarning])
      expect(markdown).toContain("| 3/26/2026 | 127025 | State v. Craig the 26th |")
    }
  }
})

test("a hidden list stays hidden beside another list, as a copy, in a dialog or as a menu", () => {
  const own = `<ul>${Array.from({ length: 6 }, (_, i) => `<li><h3>Case ${i}</h3><p>It was decided on day ${i}.</p></li>`).join("")}</ul>`
  const menu = `<ul style="display:none">${Array.from({ length: 9 }, (_, i) => `<li><a href="/${i}">Item ${i}</a><p><a href="/x${i}">More</a></p></li>`).join("")}</ul>`
  const copy = Array.from(
    { length: 26 },
    (_, i) => `<p>3/${i + 1}/2026</p><p>${127000 + i}</p><p>State v. Craig the ${i + 1}th</p>`
  ).join("")
  for (const html of [
    page(`<div style="display:none">${table}</div>`, text + own),
    page(`<div style="display:none">${table}</div>`, text + copy),
    page(`<div class="modal" style="display:none">${table}</div>`),
    page(`<div role="dialog" hidden>${table}</div>`),
    page(`<div aria-hidden="true">${table}</div>`),
    page(menu)
  ]) {
    const found = read(html)
    expect(found.warnings).toBeUndefined()
    expect(found.markdown).not.toContain("| State v. Craig the 26th")
  }
})

test("the list is visible in the tree, but not what is hidden in it", () => {
  const root = Dom.parse(
    page(`<div style="display:none">${table.replace("<td>127000</td>", "<td>127000<i hidden>x</i></td>")}</div>`)
  )
  expect(showHiddenList(root)).toBe(true)
  const [shown] = Dom.elements(root).filter(({ name }) => name === "table")
  expect(shown === undefined ? "" : Dom.textOf(shown)).toContain("3/1/2026 127000 State v. Craig the 1th")
})
