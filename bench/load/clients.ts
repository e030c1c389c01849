/** Callers of a service under load: requests over connections that are kept, and senders that send a byte at a time. */
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

export interface Answer {
  /** 0: none came. */
  readonly status: number
  readonly text: string
  readonly millis: number
}

export const ask = (url: string, key: string, body?: object, method = body === undefined ? "GET" : "POST") =>
  new Promise<Answer>((done) => {
    const began = performance.now()
    const end = (status: number, text: string) => done({ status, text, millis: performance.now() - began })
    const sent = body === undefined ? "" : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(sent) })
    }
    const asked = request(url, { agent, method, headers }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk) => (text += String(chunk)))
      response.once("end", () => end(response.statusCode ?? 0, text))
      response.once("error", () => end(0, ""))
    })
    asked.once("error", (error) => end(0, String(error)))
    asked.end(sent)
  })

/** Asks for something and hangs up after so many milliseconds. */
export const hangUp = (url: string, key: string, body: object, millis: number): void => {
  const sent = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(sent)
  }
  const asked = request(url, { method: "POST", headers, agent: false }, (response) => void response.resume())
  asked.on("error", () => {})
  asked.end(sent)
  setTimeout(() => asked.destroy(), millis)
}

/** Sends a long body, a byte every few seconds; whoever is closed by the service comes again. */
export const slowSenders = (url: string, key: string, count: number) => {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let closed = 0
  let isOver = false
  const open = () => {
    if (isOver) return
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    socket.write(
      `POST /v2/scrape HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`
    )
    socket.on("error", () => {})
    socket.resume()
    socket.once("close", () => {
      sockets.delete(socket)
      closed += 1
      setTimeout(open, 1000)
    })
  }
  for (let n = 0; n < count; n++) open()
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(" ")
  }, 5000)
  return {
    closed: () => closed,
    end: () => {
      isOver = true
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    }
  }
}

export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const closeConnections = (): void => agent.destroy()
