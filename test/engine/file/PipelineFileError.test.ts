import { expect, it } from "vitest"
import { type Issue, PipelineFileError } from "#engine/PipelineFileError"

const issue = (given: Partial<Issue>): Issue => ({
  file: "a.yaml",
  line: 3,
  column: 1,
  path: "x",
  message: "wrong",
  source: "x: 1",
  ...given
})

it("puts the caret under the column, behind tabs too", () => {
  const error = new PipelineFileError({ issues: [issue({ column: 5, source: "\ta: b", hint: "right it" })] })
  expect(error.render()).toBe("a.yaml:3:5: wrong\n    \ta: b\n    \t   ^\n  hint: right it")
})

it("shows a part of a long line", () => {
  const error = new PipelineFileError({ issues: [issue({ column: 5_001, source: `${"-".repeat(5_000)}!` })] })
  const [, line, caret] = error.render().split("\n")
  expect([line?.length, line?.at(-1), caret?.length]).toEqual([line?.length, "!", line?.length])
  expect(line?.length).toBeLessThan(120)
})

it("does not let a file steer the terminal", () => {
  const error = new PipelineFileError({ issues: [issue({ source: "a: \u001b[2Jgone" })] })
  expect(error.render()).toBe("a.yaml:3:1: wrong\n    a: �[2Jgone\n    ^")
})

it("is its own message", () => {
  const error = new PipelineFileError({ issues: [issue({}), issue({ line: 9, source: "" })] })
  expect(error.message).toBe("a.yaml:3:1: wrong\n    x: 1\n    ^\na.yaml:9:1: wrong")
})

it("shows no password of a URL, and its reference to a secret", () => {
  const error = new PipelineFileError({
    issues: [
      issue({ column: 6, source: "url: http://ada:s3cret@site.test/" }),
      issue({ column: 6, source: "url: http://ada:${secrets.SITE}@site.test/" })
    ]
  })
  expect(error.render()).toBe(
    "a.yaml:3:6: wrong\n    url: http://ada:******@site.test/\n         ^\n" +
      "a.yaml:3:6: wrong\n    url: http://ada:${secrets.SITE}@site.test/\n         ^"
  )
})
