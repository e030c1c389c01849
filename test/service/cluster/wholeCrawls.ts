/** Nine sites for processes that something happens to, and what must hold of their crawls whatever it was. */
import { expect } from "vitest"
import type { Host, Sites } from "./measuredSite.ts"
import type { Status } from "./serveProcess.ts"

export const pages = 30

/** The most requests of a host that may be open at once. */
export const perHost = 2

/** Every third asks for a second between requests. */
export const nineHosts = (name: string): ReadonlyArray<Host> =>
  Array.from({ length: 9 }, (_, index) => ({
    name: `${name}${index}.test`,
    pages,
    delaySeconds: index % 3 === 0 ? 1 : 0,
    millis: 300
  }))

/** Each page was read once, and each host asked at its pace: by the sites' own clock. It prints the figures. */
export const expectWhole = (sites: Sites, hosts: ReadonlyArray<Host>, read: ReadonlyArray<Status>): void => {
  const again = hosts.reduce((sum, { name }) => sum + sites.of(name).asked.length - pages, 0)
  const gaps = hosts.filter(({ delaySeconds }) => delaySeconds > 0).map(({ name }) => sites.smallestGap(name))
  const peak = Math.max(...hosts.map(({ name }) => sites.of(name).peak))
  console.log(
    `fetched again ${again}, smallest gap ${Math.round(Math.min(...gaps))} ms of 1000, most in flight ${peak} of ${perHost}`
  )
  for (const [index, { error, ledger, status, titles }] of read.entries()) {
    expect({ index, status, error }).toEqual({ index, status: "completed", error: undefined })
    expect(ledger).toMatchObject({ discovered: pages, scraped: pages, failed: 0, blocked: 0 })
    expect(new Set(titles).size).toBe(pages)
  }
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
  expect(peak).toBeLessThanOrEqual(perHost)
}
