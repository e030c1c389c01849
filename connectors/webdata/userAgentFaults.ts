/**
 * A User-Agent among the headers of a source: requests would have a name that robots.txt is not read for. The crawler's
 * name is that of the whole pipeline.
 */
import type { ScrapeOptions } from "#contract/ScrapeOptions"

/** In the form of a schema check; `within`: the path of the options. */
export const userAgentFaults = (
  options: Pick<ScrapeOptions, "headers"> | null | undefined,
  within: ReadonlyArray<PropertyKey>
): ReadonlyArray<{ readonly path: ReadonlyArray<PropertyKey>; readonly issue: string }> =>
  Object.entries(options?.headers ?? {})
    .filter(([name]) => name.toLowerCase() === "user-agent")
    .map(([name, value]) => ({
      path: [...within, "headers", name],
      issue: `it is not the name for which robots.txt is read; leave it out, and write at the top of the file (in code: an option of run): ${keysFor(value)}`
    }))

/** "AcmeBot/1.0 (+https://acme.example)" as the keys that say the same. */
const keysFor = (userAgent: string): string => {
  const [, name = "AcmeBot/1.0"] = /^([A-Za-z][A-Za-z_-]*(?:\/\d[\d.]*)?)(?:\s|$)/.exec(userAgent.trim()) ?? []
  const [contact = "https://your.site/bot"] = /https?:\/\/[^\s()<>;,]+/.exec(userAgent) ?? []
  return `crawler: { name: ${name.startsWith("Mozilla") ? "AcmeBot/1.0" : name}, contact: ${contact} }`
}
