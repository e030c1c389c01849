/** The least that answers with JSON: node:http, one object as large as the status of a crawl with one page, no store. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { page } from "../generatedSite.ts"

const answer = {
  success: true,
  status: "completed",
  total: 100,
  completed: 100,
  data: [{ markdown: page(1, 100).replace(/<[^>]*>/g, " "), metadata: { title: "Page 1", statusCode: 200 } }]
}

const server = createServer((_, response) => {
  const body = JSON.stringify(answer)
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
