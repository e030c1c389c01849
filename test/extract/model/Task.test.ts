import { describe, expect, it } from "vitest"
import * as Task from "#extract/ModelExtractor"

const nothing = { data: { name: "Ash" }, sources: new Map(), missing: [] }
const wanted = { schema: undefined, prompt: "the lamp", systemPrompt: "Be brief." }
const task = (html: string, title = "Lamp") =>
  Task.taskOf({ url: "http://site.test/lamp", html, metadata: { title } }, wanted, nothing, { type: "object" })

describe("the task of a model", () => {
  it("holds the schema, what is wanted, what rules found, and the page between marks that differ each time", () => {
    const [one, other] = [task("<p>Ash lamp</p>"), task("<p>Ash lamp</p>")]
    const marks = [one, other].map(({ user }) => user.match(/^----- (\S+)$/m)?.[1])

    for (const part of ['{"type":"object"}', "the lamp", '{"name":"Ash"}', "http://site.test/lamp", "Ash lamp"]) {
      expect(one.user).toContain(part)
    }
    expect(one.system.endsWith("Be brief.")).toBe(true)
    expect(marks[0]).not.toBe(marks[1])
    expect(one.user.split(marks[0] ?? "")).toHaveLength(3)
  })

  it("tells a page as a reader sees it, cut to a length", () => {
    const { text, user, warning } = task(`<script>secret()</script><p>${"lamp ".repeat(100_000)}</p>`)

    expect(text).not.toContain("secret")
    expect(text.length).toBeLessThan(61_000)
    expect(user.length).toBeLessThan(65_000)
    expect(warning).toBe("the model was given the first 60,000 characters of the page's text, and no more")
    expect(task("<p>Ash lamp</p>")).not.toHaveProperty("warning")
  })
})
