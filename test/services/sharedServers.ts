/**
 * The servers that all files of a whole run share. They are started at once, and nobody waits for one who does not need it:
 * a small server answers with the URL of each, as soon as it is up.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ownServer } from "./ownServer.ts"
import { environmentOf, notToBeHad } from "./serverUrl.ts"

export interface SharedServers {
  /** `/postgres` and `/s3` below it answer with a URL, or that there is none to be had. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export const sharedServers = async (): Promise<SharedServers> => {
  const serving = { "/postgres": served("postgres"), "/s3": served("s3") }
  const told = createServer((request, response) => {
    const found = Object.entries(serving).find(([path]) => path === request.url)
    if (found === undefined) return void response.writeHead(404).end()
    void found[1].then(({ url }) => response.end(url))
  })
  told.listen(0, "127.0.0.1")
  await once(told, "listening")
  const { port } = told.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      told.close()
      told.closeAllConnections()
      await Promise.all(Object.values(serving).map(async (server) => (await server).stop()))
    }
  }
}

const served = async (name: "postgres" | "s3") => {
  const named = process.env[environmentOf[name]]
  const nothing = { url: named ?? notToBeHad, stop: () => Promise.resolve() }
  if (named !== undefined) return nothing
  const server = await ownServer(`${name}.sh`, name.toUpperCase())
  // Whoever sums up the run, and workers that start later, need not ask.
  if (server === undefined) process.env[environmentOf[name]] = notToBeHad
  return server ?? nothing
}
