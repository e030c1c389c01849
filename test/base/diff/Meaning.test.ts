import { describe, expect, it } from "vitest"
import * as Meaning from "#base/Meaning"

const isSame = (a: string, b: string) => Meaning.of({ markdown: a }) === Meaning.of({ markdown: b })

describe("noise", () => {
  it("is looked for in time that grows with the line", () => {
    expect(Meaning.line("1,".repeat(100_000))).toHaveLength(200_000)
  })

  it.each([
    ["white space and zero-width characters", "Two  words\u200b\n\n\nhere", "Two words \nhere\n"],
    ["emphasis and the bullets of a list", "* **Old** mill", "- Old _mill_"],
    ["times ago", "Posted 5 minutes ago by Ann", "Posted 2 hours ago by Ann"],
    [
      "times ago in other languages",
      "Vor 5 Minuten; il y a 3 heures; hace 2 días",
      "Vor 2 Stunden; il y a 4 jours; hace 1 hora"
    ],
    ["just now, and a while ago", "Updated just now", "Updated 12 minutes ago"],
    ["counters of visitors", "1,204 views · 12 people are viewing this", "9,310 views · 3 people are viewing this"],
    ["counters with their label first", "Views: 1,204", "Views: 1.3k"],
    ["stamps of renderings", "Page generated on 2026-03-02 10:00:01 UTC", "Page generated on 2026-03-09 11:30:59 UTC"],
    ["how long a rendering took", "Page rendered in 0.123 s", "Page rendered in 0.9 s"],
    ["last updated", "Last updated: 3 May 2026", "Last updated: 17 June 2026"],
    [
      "ids of builds and requests",
      "Build: 3f2a9c1d · request id: 7f-22-aa1",
      "Build: 77be0f12 · request id: 9c-01-bb4"
    ],
    ["a counter of visits that stands alone", "Ann · 3,000 visits · 2 notes", "Ann · 3,001 visits · 2 notes"],
    ["a stamp that stands alone", "By Ann | Updated 3 May 2026, 12:00 PM", "By Ann | Updated 4 May 2026, 1:00 PM"],
    ["ids of machines without a sign", "Session 8hf3kd92x on commit 3f2a9c1", "Session 9kf3ke07x on commit 77be0f1"],
    ["the year of a copyright", "© 2025 Mill Supply", "© 2026 Mill Supply"],
    ["a copyright of several years", "Copyright 2019–2025 Mill", "Copyright 2019–2026 Mill"],
    ["sessions and tracking in links", "[a](/x?id=1&sid=aa1&utm_source=b)", "[a](/x?id=1&sid=zz9)"],
    ["sessions in paths", "[a](/x;jsessionid=A1?id=1)", "[a](/x;jsessionid=B2?id=1)"],
    ["sessions of ASP.NET in paths", "[a](/%28S%28a1b2%29%29/x.aspx)", "[a](/%28S%28c3d4%29%29/x.aspx)"],
    ["the order of a link's parameters", "[a](/x?a=1&b=2)", "[a](/x?b=2&a=1)"],
    ["variants of one address", "[a](http://www.x.test/b/index.html#c)", "[a](https://x.test/b/#c)"],
    ["builds' names of files", "![logo](/logo.3f2a9c1d.png)", "![logo](/logo.77be0f12.png)"],
    ["advertisements", "Text.\n\nAdvertisement: buy lamps\n\nMore.", "Text.\n\nAdvertisement: buy boats\n\nMore."],
    [
      "lists that rotate",
      "# A\n\nText.\n\n## Related articles\n\n- [One](/1)\n- [Two](/2)",
      "# A\n\nText.\n\n## Related articles\n\n- [Six](/6)"
    ],
    [
      "a heading of a list that rotates, in more words",
      "Text.\n\n### Most read in News\n\n- [One](/1)",
      "Text.\n\n### Most read in News\n\n- [Two](/2)"
    ],
    ["copies of files", "![map](/map.png?v=3)", "![map](/map.png?v=4)"],
    [
      "what is of the day",
      "Text.\n\n### Quote of the day\n\n> Haste makes waste.\n\n## Next",
      "Text.\n\n### Quote of the day\n\n> All is well.\n\n## Next"
    ]
  ])("%s", (_, a, b) => {
    expect(isSame(a, b)).toBe(true)
  })
})

describe("a change", () => {
  it.each([
    ["a word", "The mill is open", "The mill is closed"],
    ["the order of words", "dog bites man", "man bites dog"],
    ["the order of lines", "one\n\ntwo", "two\n\none"],
    ["a price", "£10.50", "£9.50"],
    ["a number", "Seats: 12", "Seats: 13"],
    ["a date that is no stamp", "The deadline is 3 May 2026", "The deadline is 4 May 2026"],
    ["a negation", "Dogs are allowed", "Dogs are not allowed"],
    ["where a link leads", "[law](/a)", "[law](/b)"],
    ["a parameter that asks for something", "[p](/x?page=1)", "[p](/x?page=2)"],
    ["a checksum that says what a file is", "sha256 9f86d081884c7d65", "sha256 60303ae22b998861"],
    ["code, with its blanks", "```\nif x:\n  y\n```", "```\nif x:\n    y\n```"],
    ["a change beside noise", "Posted 5 minutes ago: open", "Posted 2 hours ago: closed"],
    [
      "a paragraph behind a list that rotates",
      "## Related\n\n- [a](/a)\n\n## Terms\n\nPay in 10 days.",
      "## Related\n\n- [b](/b)\n\n## Terms\n\nPay in 20 days."
    ],
    ["letters that only look alike", "café", "cafe"],
    ["a version", "Version 1.2.3 is out", "Version 1.3.0 is out"],
    ["a year that is part of the text", "Report 2025", "Report 2026"],
    ["a score", "Home 2 : 1 Away", "Home 2 : 2 Away"],
    ["a version of what machines are called by", "Node 24.1.0 is current", "Node 24.2.0 is current"],
    ["a revision", "Revision: 1.2.3", "Revision: 1.2.4"],
    ["the years of a session", "Legislative Session 2025-2026", "Legislative Session 2026-2027"],
    ["an amount behind a word for ids", "Commit 100000 euros", "Commit 200000 euros"],
    ["the date of a deployment", "Deployment 2026-01-05 of the ship", "Deployment 2026-02-05 of the ship"],
    ["what is recommended", "Recommended dose: 5 mg", "Recommended dose: 10 mg"],
    [
      "a list that is recommended",
      "## Recommended settings\n\n- Memory: 4 GB",
      "## Recommended settings\n\n- Memory: 8 GB"
    ],
    ["what is related", "Related party transactions: 5 million", "Related party transactions: 6 million"],
    ["who was promoted", "Promoted to captain: Ann", "Promoted to captain: Bob"],
    ["who sponsors a bill", "Sponsored by Rep. Smith", "Sponsored by Rep. Jones"],
    ["a sentence that begins with ad", "Ad valorem duty 5 %", "Ad valorem duty 6 %"],
    ["a sentence about advertising", "Advertising costs rose to 5 million", "Advertising costs rose to 6 million"],
    ["the day from which something holds", "As of 1 January 2026 the fee is £10", "As of 1 March 2026 the fee is £10"],
    ["when something was built", "The mill was built on 3 May 1926 by Ann", "The mill was built on 4 May 1926 by Ann"],
    ["the time of a meal", "Dinner served 18:00", "Dinner served 19:00"],
    ["how many visits are paid", "The plan pays 20 visits a year", "The plan pays 30 visits a year"],
    ["how many visitors there were", "In 2025 the mill had 3,000 visitors", "In 2025 the mill had 4,000 visitors"],
    ["which video a link plays", "[v](https://www.video.test/watch?v=abc)", "[v](https://www.video.test/watch?v=xyz)"],
    ["a tick", "- ✓", "- ✗"]
  ])("of %s", (_, a, b) => {
    expect(isSame(a, b)).toBe(false)
  })

  it("of the title or the description is one of the page", () => {
    const base = { title: "A", description: "B", markdown: "C" }

    expect(Meaning.of({ ...base, title: "A2" })).not.toBe(Meaning.of(base))
    expect(Meaning.of({ ...base, description: "B2" })).not.toBe(Meaning.of(base))
  })
})

it("a page is read once, however often its lines are asked for", () => {
  const page = { title: "Mill", markdown: "# Mill\n\nOpen on Mondays." }

  expect(Meaning.linesOf(page)).toBe(Meaning.linesOf(page))
  expect(Meaning.of(page)).toBe("Mill\n\n# Mill\nOpen on Mondays.")
})
