import { expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { dayOf, type Prefix, valueOf } from "#extract/read/declared/Microformats"
import { elements } from "#page/Dom"

const value = (prefix: Prefix, html: string, day?: string): string => {
  const page = new Page(html, "https://site.test/")
  const [element] = elements(page.root)
  if (element === undefined) throw new Error("none")
  return valueOf(page, element, prefix, day).data
}

it.each<readonly [Prefix, string, string]>([
  ["p", "<abbr title=' Jane '>J</abbr>", "Jane"],
  ["p", "<data value=5>five</data>", "5"],
  ["p", "<img alt=A src=a.png>", "A"],
  ["p", "<b>A<script>x</script> <img alt=B src=b.png></b>", "A B"],
  ["p", "<b>x <i class=value>1</i> y <i class=value>2</i></b>", "12"],
  ["p", "<b><i class=value-title title=1> </i>one</b>", "1"],
  ["u", "<a href=a>x</a>", "https://site.test/a"],
  ["u", "<video poster=a.png>", "https://site.test/a.png"],
  ["u", "<b> a/b </b>", "https://site.test/a/b"],
  ["dt", "<time datetime=2024-05-01>May</time>", "2024-05-01"],
  [
    "dt",
    "<b><i class=value>2024-05-01</i> <i class=value>7:30pm</i> <i class=value>+02:00</i></b>",
    "2024-05-01 19:30+0200"
  ],
  ["dt", "<b>tomorrow</b>", "tomorrow"],
  ["e", "<p>A <b class=value>B</b></p>", "A B"]
])("the %s value of %s is %j", (prefix, html, data) => {
  expect(value(prefix, html)).toBe(data)
})

it("a time without a date has the date before it", () => {
  expect(value("dt", "<b><i class=value>19:30</i></b>", "2024-05-01")).toBe("2024-05-01 19:30")
  expect(dayOf("2024-05-01 19:30")).toBe("2024-05-01")
  expect(dayOf("tomorrow")).toBeUndefined()
})
