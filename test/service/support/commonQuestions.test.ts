import { expect, test } from "vitest"
import { answer } from "#service/support/answer"

test.each([
  ["How do I limit a crawl to 10 pages?", `"limit": 10`],
  ["limit a crawl to 10 pages", `"limit": 10`],
  ["What does error 402 mean?", "402 Payment Required"],
  ["error 402", "402 Payment Required"],
  ["What is the minimum monitor interval?", "every 5 minutes"],
  ["minimum monitor interval", "every 5 minutes"]
])("the first thing that answers %j is said first", (question, said) => {
  expect(answer(question).text.split("\n\n")[0]).toContain(said)
})
