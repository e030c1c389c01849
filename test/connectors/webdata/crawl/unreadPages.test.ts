import { expect, it } from "vitest"
import { serviceFault } from "../../../../connectors/webdata/crawl/unreadPages.ts"

const failing = (...errors: ReadonlyArray<string>) =>
  serviceFault({
    errors: errors.map((error, at) => ({
      id: String(at),
      url: `http://site.test/${at}`,
      code: "SCRAPE_FETCH_ERROR",
      error
    })),
    robotsBlocked: []
  })

it("a page that failed for want of file descriptors, room or memory is a fault of the machine", () => {
  expect(
    failing("connect ECONNREFUSED 10.0.0.1:80", "connect EMFILE 10.0.0.1:443", "connect EMFILE 10.0.0.1:443")
  ).toBe(
    "2 pages failed because of the machine that crawls, not because of the site, so nothing is loaded: connect EMFILE " +
      "10.0.0.1:443 (http://site.test/1); give it what it lacks (open files: ulimit -n; disk space; memory), then run it again"
  )
  expect(failing("ENOSPC: no space left on device, write")).toContain("ENOSPC")
  expect(failing("cannot write /x: the disk is full; make room, then run again (ENOSPC)")).toContain("ENOSPC")
})

it("every other failure is the site's", () => {
  expect(failing("connect ECONNREFUSED 10.0.0.1:80", "no host DEMFILE.test", "read ECONNRESET")).toBeUndefined()
})
