/**
 * Whether pages of a crawl failed for a fault of the machine that crawled: no file descriptors, no room, no memory.
 *
 * Such a fault is never counted as the site's. A service may take it for a failure of a page; then this check stops the
 * run.
 */
import type { CrawlErrors } from "../../../src/api/Crawl.ts"

export const serviceFault = ({ errors }: CrawlErrors): string | undefined => {
  const own = errors.filter(({ error }) => faults.test(error))
  const [first] = own
  if (first === undefined) return undefined
  return (
    `${own.length} pages failed because of the machine that crawls, not because of the site, so nothing is loaded: ` +
    `${first.error} (${first.url}); give it what it lacks (open files: ulimit -n; disk space; memory), then run it again`
  )
}

/** As system calls name them: "connect EMFILE 10.0.0.1:443", "ENOSPC: no space left on device". */
const faults = /(^|\s)(EMFILE|ENFILE|ENOSPC|EDQUOT|ENOMEM|ENOBUFS)([\s:,]|$)/
