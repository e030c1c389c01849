import { expect, it } from "vitest"
import { promptOptions } from "#service/jobs/promptOptions"

it.each([
  ["include subdomains", true],
  ["skip the blog and include subdomains", true],
  ["not only the main site but also its subdomains", true],
  ["without subdomains", false],
  ["do not crawl any subdomains", false],
  ["Don’t go to sub-domains.", false],
  ["never leave for a subdomain", false],
  ["crawl the docs, excluding all subdomains", false]
])("of subdomains, %s means %s", (prompt, allowed) => {
  expect(promptOptions(prompt)).toMatchObject({ allowSubdomains: allowed })
})

it.each([
  ["follow external links", true],
  ["no PDFs, and follow external links", true],
  ["ignore external links", false],
  ["do not follow links to external sites", false],
  ["don't visit off-site pages", false]
])("of other sites, %s means %s", (prompt, allowed) => {
  expect(promptOptions(prompt)).toMatchObject({ allowExternalLinks: allowed })
})
