import { expect, it } from "vitest"
import * as FileFacts from "#web/files/FileFacts"

it.each([
  ["D:20240305101530+01'00'", "2024-03-05T10:15:30+01:00"],
  ["D:20240305101530Z", "2024-03-05T10:15:30Z"],
  ["D:20240305101530-08'30", "2024-03-05T10:15:30-08:30"],
  ["D:202403051015", "2024-03-05T10:15:00"],
  ["D:20240305", "2024-03-05"],
  ["D:2024", "2024"],
  ["D:20249905", "2024"],
  ["March 2024", undefined],
  [undefined, undefined]
])("the time %j of a PDF is %j", (written, time) => {
  expect(FileFacts.pdfTime(written)).toBe(time)
})

it("leaves out what a file does not say", () => {
  expect(FileFacts.of({ title: " A\n title\0", author: "", keywords: undefined, language: null })).toEqual({
    title: "A title"
  })
})
