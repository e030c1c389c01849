import { describe, expect, it, test } from "vitest"
import { kindOf } from "#page/Elements"
import * as Page from "#page/Page"
import { Budget, TooCostly } from "#page/tree/Budget"
import { sampleOf } from "../../thoroughness.ts"

const read = (html: string, options: Partial<Page.PageOptions> = {}) => {
  const input = { url: "https://site.test/", body: Buffer.from(html), contentType: "text/html" }
  try {
    return Page.parse(input, { ...Page.defaults, ...options })
  } catch (cause) {
    if (cause instanceof TooCostly) return cause.message
    throw cause
  }
}

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join("")

const tooCostly = (what: string) =>
  expect.stringMatching(new RegExp(`^the page is too costly to read: more than .* ${what}$`))

describe("the budget of a page", () => {
  it("says what was too much", () => {
    const small = { elements: 3, blocks: 2, attributes: 4, cells: 5, characters: 6, milliseconds: 2000 }
    const over = (use: (budget: Budget) => void) => () => use(new Budget(small, () => 0))
    const div = kindOf("div")
    const span = kindOf("span")

    expect(over((budget) => [1, 2, 3].forEach(() => budget.open(span, 0)))).not.toThrow()
    expect(over((budget) => [1, 2, 3, 4].forEach(() => budget.open(span, 0)))).toThrow("more than 3 elements")
    expect(over((budget) => [1, 2, 3].forEach(() => budget.open(div, 0)))).toThrow("more than 2 paragraphs")
    expect(over((budget) => budget.open(span, 5))).toThrow("more than 4 attributes")
    expect(over((budget) => budget.cell(6))).toThrow("more than 5 cells of tables")
    expect(over((budget) => budget.write(7))).toThrow("more than 6 characters")
  })

  it("ends a page that takes too long, at the next step", () => {
    let now = 0
    const budget = new Budget(undefined, () => now)
    for (let at = 1; at < 1000; at++) budget.open(kindOf("b"), 0)
    now = 20_001

    expect(() => budget.open(kindOf("b"), 0)).toThrow("the page is too costly to read: it takes longer than 20 s")
  })
})

/** Each of them took minutes or gigabytes once, or would in a reader that does not count. */
describe("a page", () => {
  const costly: Readonly<Record<string, readonly [html: () => string, what: string]>> = {
    "of 1.3 million short rows below a wide header": [
      () => `<table><tr>${"<th>h".repeat(100)}${"<tr><td>x".repeat(1_300_000)}`,
      "cells"
    ],
    "of rows that span all columns": [
      () => `<table><tr><th>h<th>i${"<tr><td colspan=100>x".repeat(20_000)}`,
      "cells of tables"
    ],
    "of a million nested parts": [() => "<div>".repeat(1_000_000), "cells"],
    "of 1.1 million elements in a line": [() => "<b>x</b>".repeat(1_100_000), "elements"],
    "of tags full of attributes": [() => `<p ${many(60, (at) => `a${at} `)}>x`.repeat(60_000), "attributes"],
    "of links below a long base": [
      () => `<base href="https://e.test/${"x".repeat(5000)}/">${many(100_000, (at) => `<a href="p${at}">l</a> `)}`,
      "characters of addresses and text"
    ],
    "of code far inside of lists": [
      () => `${"<ul><li>".repeat(60)}<pre>${"a\n".repeat(3_000_000)}`,
      "characters of addresses and text"
    ],
    "of list items without an end": [() => `${"<ul><li>".repeat(200)}${"<li>a".repeat(1_000_000)}`, "cells"]
  }

  test.each(sampleOf(Object.entries(costly), 3, ([name]) => name))(
    "%s is too costly, and that is known soon",
    (_, [html, what]) => {
      expect(read(html())).toEqual(tooCostly(what))
    }
  )

  const read_: Readonly<Record<string, () => string>> = {
    "of 100,000 short rows below a wide header": () =>
      `<table><tr>${"<th>h".repeat(100)}${"<tr><td>x".repeat(100_000)}</table><p>the end`,
    "of 2,000 header cells": () => `<table><tr>${"<th>h".repeat(2000)}${"<tr><td>x".repeat(10_000)}</table><p>the end`,
    "of 100,000 links": () => `${many(100_000, (at) => `<a href="/p/${at}">link ${at}</a> `)}<p>the end`,
    "of a million comments": () => `${"<!--c-->x".repeat(1_000_000)}<p>the end`,
    "of comments that do not end": () => `<p>the end<p>${"<!--".repeat(2_000_000)}`,
    "of one tag with a million attributes": () => `<p ${many(1_000_000, (at) => `a${at}=b `)}>the end`,
    "of classes of ten megabytes": () => `<div class="${"a ".repeat(5_000_000)}">the end</div>`,
    "of JSON-LD of ten megabytes": () =>
      `<script type="application/ld+json">${'{"a":[1,2,'.repeat(1_000_000)}</script><p>the end`,
    "of lists in lists": () => `${"<ul><li>x".repeat(100_000)}<p>the end`,
    "of end tags that end nothing": () => `${"<span>".repeat(250)}${"</i>".repeat(100_000)}<p>the end`
  }

  test.each(sampleOf(Object.entries(read_), 3, ([name]) => name))(
    "%s is read in time that grows with it",
    (_, html) => {
      const page = read(html(), { onlyMainContent: false })

      expect(typeof page === "string" ? page : page.markdown).toContain("the end")
    }
  )

  it("with short rows has no more Markdown than they say", () => {
    const html = `<table><tr>${"<th>h".repeat(100)}${"<tr><td>x".repeat(1000)}</table>`
    const page = read(html, { onlyMainContent: false })

    expect(typeof page === "string" ? page : page.markdown?.length).toBeLessThan(html.length)
  })
})
