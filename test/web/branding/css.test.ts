import { describe, expect, it } from "vitest"
import * as Css from "#web/branding/css"

const read = (css: string) =>
  Css.read(css).map(({ declarations, selectors }) => [selectors.join(), Object.fromEntries(declarations)])

describe("a style sheet", () => {
  it("is read as rules, with comments, strings and addresses that hold marks", () => {
    expect(
      read(`/* a { b } */ @import "x;y"; body, .A{COLOR: red; background:url(data:image/png;base64,AA}==);
      --Main: "}" } h1 { font: 1px "{;" !important }`)
    ).toEqual([
      ["body,.a", { color: "red", background: "url(data:image/png;base64,AA}==)", "--Main": '"}"' }],
      ["h1", { font: '1px "{;"' }]
    ])
  })

  it("counts what holds always, and not what a medium or a feature makes hold", () => {
    expect(
      read(`@media print { body { color: black } } @supports (x: y) { body { color: blue } }
      @layer base { body { color: red } @media (min-width: 1px) { body { color: lime } } } p { a { color: navy } }`)
    ).toEqual([["body", { color: "red" }]])
  })

  it.each(["body { color: red", "}}}} body { color: red }", "{ } @ { ; } body { color: red }", "a { : }"])(
    "that is broken costs only what is broken: %s",
    (css) => {
      expect(read(css).length).toBeLessThan(2)
    }
  )

  it("is read in time that grows with its length", () => {
    const start = process.threadCpuUsage()
    for (const part of ["/*", "{", "a{b:c}", '"', "url(", "}", "@layer x{"])
      Css.read(part.repeat(1_000_000 / part.length))
    expect(process.threadCpuUsage(start).user / 1e6).toBeLessThan(30)
  })
})
