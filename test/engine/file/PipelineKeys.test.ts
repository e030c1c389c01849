import { describe, expect, it } from "vitest"
import { renderedProblems } from "./renderedProblems.ts"

const minimal = `source: { type: crawl, url: a }
sinks: { out: { type: duckdb, path: out } }
`

describe("our own keys", () => {
  it("are known by name", async () => {
    expect(await renderedProblems(`${minimal}shedule: {}\nlimits: { credit: 1 }\n`)).toMatchInlineSnapshot(`
      "a.yaml:3:1: unknown key \`shedule\`
          shedule: {}
          ^
        hint: did you mean \`schedule\`? known keys: name, vars, schedule, notify, connectors, source, table, steps, checks, once, commit_every, journal, sinks, limits, service, network, crawler
      a.yaml:4:11: unknown key \`credit\` in \`limits\`
          limits: { credit: 1 }
                    ^
        hint: did you mean \`credits\`? known keys: credits, concurrency"
    `)
  })

  it("say so where this version does nothing with them", async () => {
    const text = `${minimal}emit: []
limits: { rate: 60/min }
`
    expect(await renderedProblems(text)).toMatchInlineSnapshot(`
      "a.yaml:3:1: \`emit\` is not supported by this version yet
          emit: []
          ^
        hint: remove it
      a.yaml:4:11: \`limits.rate\` is not supported by this version yet
          limits: { rate: 60/min }
                    ^
        hint: remove it"
    `)
  })

  it("say what a step and a check may be", async () => {
    const steps = (text: string) => renderedProblems(`${minimal}steps: [${text}]\n`)
    expect(await steps("{ whre: x > 1 }")).toMatchInlineSnapshot(`
      "a.yaml:3:11: unknown key \`whre\` in \`steps[0]\`
          steps: [{ whre: x > 1 }]
                    ^
        hint: did you mean \`where\`? known keys: table, where, derive, select, drop, rename, dedupe, mask, map, salt"
    `)
    expect(await steps("{ where: x > 1, drop: title }")).toMatchInlineSnapshot(`
      "a.yaml:3:9: \`steps[0]\`: a step is one of where, derive, select, drop, rename, dedupe, mask, map; this one has where and drop
          steps: [{ where: x > 1, drop: title }]
                  ^"
    `)
    expect(await steps("{ mask: { title: hide } }")).toMatchInlineSnapshot(`
      "a.yaml:3:26: \`steps[0].mask.title\` must be "hash", "redact" or "remove", got "hide"
          steps: [{ mask: { title: hide } }]
                                   ^"
    `)
    const checks = (text: string) => renderedProblems(`${minimal}checks: [${text}]\n`)
    expect(await checks("{ rows: { mni: 1 } }")).toMatchInlineSnapshot(`
      "a.yaml:3:20: unknown key \`mni\` in \`checks[0].rows\`
          checks: [{ rows: { mni: 1 } }]
                             ^
        hint: did you mean \`min\`? known keys: min, max, drop"
    `)
    expect(await checks("{ rows: { drop: 0.2 } }")).toMatchInlineSnapshot(`
      "a.yaml:3:26: \`checks[0].rows.drop\` must be a share such as 20%, got 0.2
          checks: [{ rows: { drop: 0.2 } }]
                                   ^"
    `)
    expect(await checks("{ freshness: { column: at, max: 1 year } }")).toMatchInlineSnapshot(`
      "a.yaml:3:42: \`checks[0].freshness.max\` must be a time such as 30m, 24h or 7 days, got "1 year"
          checks: [{ freshness: { column: at, max: 1 year } }]
                                                   ^"
    `)
    expect(await steps("{ derive: { 'bad name': x } }")).toMatchInlineSnapshot(`
      "a.yaml:3:21: the key \`bad name\` in \`steps[0].derive\` must be a column name (letters of any script, digits and _, no digit first)
          steps: [{ derive: { 'bad name': x } }]
                              ^"
    `)
    expect(await checks("{ rows: { min: 10, max: 5 } }")).toMatchInlineSnapshot(`
      "a.yaml:3:34: \`checks[0].rows.max\`: max (5) is less than min (10)
          checks: [{ rows: { min: 10, max: 5 } }]
                                           ^"
    `)
    expect(await checks("{}")).toMatchInlineSnapshot(`
      "a.yaml:3:10: \`checks[0]\`: a check is one of rows, not_null, unique, accepted, freshness, ok_status, changed, whole, required, sql; this one has none
          checks: [{}]
                   ^"
    `)
  })

  it("tell only of what happens, in ways that there are, to addresses that are some and are not shown", async () => {
    const notify = (text: string) => renderedProblems(`${minimal}notify: [${text}]\n`)
    expect(await notify("{ type: webhok, url: https://a.example }")).toMatchInlineSnapshot(`
      "a.yaml:3:18: \`notify[0].type\` must be "webhook", "slack", "command" or "email", got "webhok"
          notify: [{ type: webhok, url: https://a.example }]
                           ^
        hint: did you mean \`webhook\`?"
    `)
    expect(await notify("{ type: slack, url: hooks.example/T0/secret }")).toMatchInlineSnapshot(`
      "a.yaml:3:30: \`notify[0].url\` must be an address that begins with http:// or https://
          notify: [{ type: slack, url: hooks.example/T0/secret }]
                                       ^"
    `)
    expect(await notify("{ type: command, run: [] }")).toMatchInlineSnapshot(`
      "a.yaml:3:32: \`notify[0].run\` must be a list of texts with at least one item, got an empty list
          notify: [{ type: command, run: [] }]
                                         ^"
    `)
    expect(await notify("{ type: email, to: a@b.example, on: [broken] }")).toMatchInlineSnapshot(`
      "a.yaml:3:47: \`notify[0].on[0]\` must be "failed", "held", "recovered" or "changed", got "broken"
          notify: [{ type: email, to: a@b.example, on: [broken] }]
                                                        ^"
    `)
    expect(
      await renderedProblems(`${minimal}schedule: { cron: "@daily", retries: 99, backoff: soon }\n`)
    ).toMatchInlineSnapshot(`
      "a.yaml:3:38: \`schedule.retries\` must be a whole number from 0 to 20, got 99
          schedule: { cron: "@daily", retries: 99, backoff: soon }
                                               ^
      a.yaml:3:51: \`schedule.backoff\` must be a time such as 30m, 24h or 7 days, got "soon"
          schedule: { cron: "@daily", retries: 99, backoff: soon }
                                                            ^"
    `)
  })

  it("schedule only what comes, in a zone that is", async () => {
    const schedule = (text: string) => renderedProblems(`${minimal}schedule: ${text}\n`)
    expect(await schedule("{ timezone: UTC }")).toMatchInlineSnapshot(`
      "a.yaml:3:1: \`cron\` is missing in \`schedule\`
          schedule: { timezone: UTC }
          ^
        hint: minute hour day month weekday, or @hourly, @daily, @weekly, @monthly, @yearly (text)"
    `)
    expect(await schedule('{ cron: "0 2 * *" }')).toMatchInlineSnapshot(`
      "a.yaml:3:19: \`schedule.cron\`: "0 2 * *" is not a cron expression: invalid number of segments in cron expression
          schedule: { cron: "0 2 * *" }
                            ^"
    `)
    expect(await schedule('{ cron: "61 * * * *" }')).toMatchInlineSnapshot(`
      "a.yaml:3:19: \`schedule.cron\`: "61 * * * *" is not a cron expression: expected a value between 0 and 59
          schedule: { cron: "61 * * * *" }
                            ^"
    `)
    expect(await schedule('{ cron: "0 5 L * *" }')).toContain("; L, W, # and ? have no meaning here: write * and days")
    expect(await schedule('{ cron: "0 5 * * FRI-MON" }')).toContain("FRI-MON is FRI,SAT,SUN,MON")
    expect(await schedule('{ cron: "0 0 30 2 *" }')).toMatchInlineSnapshot(`
      "a.yaml:3:19: \`schedule.cron\`: "0 0 30 2 *" never occurs: the calendar has no such day
          schedule: { cron: "0 0 30 2 *" }
                            ^"
    `)
    expect(await schedule('{ cron: "@daily", timezone: Europe/Berln }')).toMatchInlineSnapshot(`
      "a.yaml:3:39: \`schedule.timezone\`: "Europe/Berln" is not a time zone; use one such as Europe/Berlin or UTC
          schedule: { cron: "@daily", timezone: Europe/Berln }
                                                ^"
    `)
    expect(await schedule('{ cron: "@daily", overlap: no, catch_up: first }')).toMatchInlineSnapshot(`
      "a.yaml:3:38: \`schedule.overlap\` must be "skip" or "queue", got "no"
          schedule: { cron: "@daily", overlap: no, catch_up: first }
                                               ^
      a.yaml:3:52: \`schedule.catch_up\` must be "last", "all" or "none", got "first"
          schedule: { cron: "@daily", overlap: no, catch_up: first }
                                                             ^"
    `)
  })

  it("name tables and columns that can be", async () => {
    const table = (text: string) => renderedProblems(`${minimal}table: ${text}\n`)
    expect(await table("{ name: Product Pages }")).toMatchInlineSnapshot(`
      "a.yaml:3:16: \`table.name\` must be a snake_case name (lower-case letters of any script, digits and _), such as product_pages, got "Product Pages"
          table: { name: Product Pages }
                         ^"
    `)
    expect(await table("{ key: ulr, fingerprint: markdwn }")).toMatchInlineSnapshot(`
      "a.yaml:3:15: the source has no column \`ulr\`
          table: { key: ulr, fingerprint: markdwn }
                        ^
        hint: did you mean \`url\`? columns: url, title, markdown
      a.yaml:3:33: the source has no column \`markdwn\`
          table: { key: ulr, fingerprint: markdwn }
                                          ^
        hint: did you mean \`markdown\`? columns: url, title, markdown"
    `)
    expect(await table("{ key: _fetched, fingerprint: [_run_id, _markdown] }")).toMatchInlineSnapshot(`
      "a.yaml:3:15: the source has no column \`_fetched\`
          table: { key: _fetched, fingerprint: [_run_id, _markdown] }
                        ^
        hint: columns: url, title, markdown
      a.yaml:3:48: the source has no column \`_markdown\`
          table: { key: _fetched, fingerprint: [_run_id, _markdown] }
                                                         ^
        hint: did you mean \`markdown\`? columns: url, title, markdown"
    `)
    expect(await table("{ key: _run_id }")).toMatchInlineSnapshot(`
      "a.yaml:3:15: \`_run_id\` is the same in all rows of a run, so only one row of each run would remain
          table: { key: _run_id }
                        ^
        hint: name a column of the source too; or keep all rows with \`write: append\` in the sinks"
    `)
    await expect(table("{ key: [url, _run_id] }"), "has no problem to be rendered").rejects.toBeDefined()
    expect(await table("{ key: [url, 3] }")).toMatchInlineSnapshot(`
      "a.yaml:3:21: \`table.key[1]\` must be a column name (letters of any script, digits and _, no digit first), got 3
          table: { key: [url, 3] }
                              ^"
    `)
    expect(await table("{ key: [] }")).toMatchInlineSnapshot(`
      "a.yaml:3:15: \`table.key\` must be a column name (letters of any script, digits and _, no digit first) or a list of texts with at least one item, got an empty list
          table: { key: [] }
                        ^"
    `)
  })

  it("take the service and the network as they must be written", async () => {
    const text = `${minimal}service: { url: "ftp://a", key: 1 }
network: { resolve: ["a:80:127.0.0.1"], allow_private: 1 }
`
    expect(await renderedProblems(text)).toMatchInlineSnapshot(`
      "a.yaml:3:17: \`service.url\` must be an address that begins with http:// or https://, got "ftp://a"
          service: { url: "ftp://a", key: 1 }
                          ^
      a.yaml:3:33: \`service.key\` must be text
          service: { url: "ftp://a", key: 1 }
                                          ^
      a.yaml:4:22: \`network.resolve[0]\` must be HOST=ADDR:PORT, such as shop.example=127.0.0.1:8080, got "a:80:127.0.0.1"
          network: { resolve: ["a:80:127.0.0.1"], allow_private: 1 }
                               ^
      a.yaml:4:56: \`network.allow_private\` must be true or false, got 1
          network: { resolve: ["a:80:127.0.0.1"], allow_private: 1 }
                                                                 ^"
    `)
    expect(await renderedProblems(`${minimal}network: { proxy: "socks5://a:1", tries: 0 }\n`)).toMatchInlineSnapshot(`
      "a.yaml:3:19: \`network.proxy\` must be http://HOST:PORT, https://HOST:PORT or none
          network: { proxy: "socks5://a:1", tries: 0 }
                            ^
      a.yaml:3:42: \`network.tries\` must be a whole number from 1 to 20, got 0
          network: { proxy: "socks5://a:1", tries: 0 }
                                                   ^"
    `)
    expect(await renderedProblems(`${minimal}service: embeded\n`)).toMatchInlineSnapshot(`
      "a.yaml:3:10: \`service\` must be "embedded" or a mapping with \`url\`, got "embeded"
          service: embeded
                   ^
        hint: did you mean \`embedded\`?"
    `)
    expect(await renderedProblems(`${minimal}service: { key: a }\n`)).toMatchInlineSnapshot(`
      "a.yaml:3:1: \`url\` is missing in \`service\`
          service: { key: a }
          ^
        hint: the base address of the service (an address that begins with http:// or https://)"
    `)
  })

  it("name a pipeline by what can be a name", async () => {
    expect(await renderedProblems(`${minimal}name: ../up\n`)).toMatchInlineSnapshot(`
      "a.yaml:3:7: \`name\` must be a name of letters, digits, dots, dashes and underscores, got "../up"
          name: ../up
                ^"
    `)
    expect(await renderedProblems(`${minimal}vars: { a: [1], b: }\n`)).toMatchInlineSnapshot(`
      "a.yaml:3:12: \`vars.a\` must be text, a number or true or false, got a list
          vars: { a: [1], b: }
                     ^
      a.yaml:3:20: \`vars.b\` must be text, a number or true or false, got nothing
          vars: { a: [1], b: }
                             ^"
    `)
  })
})
