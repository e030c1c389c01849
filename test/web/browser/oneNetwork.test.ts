/** The browser reaches what fetches reach, and nothing else, whatever a page tries. */
import { type ChildProcess, spawn } from "node:child_process"
import * as dgram from "node:dgram"
import type { LookupAddress } from "node:dns"
import { mkdtempSync, writeFileSync } from "node:fs"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve as resolvePath } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, inject } from "vitest"
import type * as AddressGuard from "#web/AddressGuard"
import { Browser } from "#web/Browser"
import { chromiumPath } from "#web/chromiumPath"
import { file, scriptedSite } from "../../service/scriptedSite.ts"
import { selfSigned } from "../../service/selfSigned.ts"

const chromium = chromiumPath()

/** What a page is once an element of the class `done` is there. */
const show = (url: string, guard: Partial<AddressGuard.Options>, options: object = {}) =>
  Effect.gen(function* () {
    const browser = yield* Browser
    const actions = [{ type: "wait" as const, selector: ".done" }]
    return yield* browser.render(new URL(url), { actions, ...options }, {}, 300_000)
  }).pipe(Effect.provide(Browser.layer({ allowPrivate: false, resolve: new Map(), ...guard })))

const mapped = (port: number) => new Map([["site.test", { address: "127.0.0.1", port }]])

const page = (code: string) =>
  `<title>t</title><p id=out></p><script>const say = t => out.append(t + ';'); const end = () => out.className = 'done';
   (async () => { ${code} })().catch(e => say('failed ' + e)).finally(end)</script>`

/** A port of UDP that writes down what it is sent. */
const listening = Effect.acquireRelease(
  Effect.callback<{ readonly socket: dgram.Socket; readonly received: Array<number> }>((resume) => {
    const received: Array<number> = []
    const socket = dgram.createSocket("udp4", (message) => received.push(message.length))
    socket.bind(0, "127.0.0.1", () => resume(Effect.succeed({ socket, received })))
  }),
  ({ socket }) => Effect.sync(() => socket.close())
)

const tlsSite = (body: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: https.Server; readonly port: number; readonly cert: string }>((resume) => {
      const signed = selfSigned("site.test")
      const server = https.createServer(signed, (_, response) => {
        response.setHeader("content-type", "text/html")
        response.end(body)
      })
      server.listen(0, "127.0.0.1", () => {
        // A server on a TCP port has an address of this shape.
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ server, port, cert: signed.cert }))
      })
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

/** The real command with certificate authorities of its own, until the scope closes; its address. */
const serving = (port: number, authorities: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly child: ChildProcess; readonly base: string }>((resume) => {
      const folder = mkdtempSync(join(tmpdir(), "millrace-"))
      const args = ["serve", "--port", "0", "--data", folder, "--resolve", `site.test=127.0.0.1:${port}`]
      const child = spawn(inject("command") ?? resolvePath("bin/millrace"), args, {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: authorities },
        stdio: ["ignore", "pipe", "inherit"]
      })
      let said = ""
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString()
        const base = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
        if (base !== undefined) resume(Effect.succeed({ child, base }))
      })
    }),
    ({ child }) =>
      Effect.promise(
        () =>
          new Promise<void>((done) => {
            child.on("close", () => done())
            child.kill("SIGTERM")
          })
      )
  ).pipe(Effect.map(({ base }) => base))

describe.skipIf(chromium === undefined)("the network of the browser", () => {
  it.live("trusts the authorities that NODE_EXTRA_CA_CERTS names, and no others", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "millrace-"))
        const site = yield* tlsSite(page("say('read by a browser')"))
        const [own, other] = ["own.pem", "other.pem"].map((name) => join(folder, name))
        writeFileSync(own ?? "", site.cert)
        writeFileSync(other ?? "", selfSigned("site.test").cert)
        const scrape = Effect.fnUntraced(function* (authorities: string) {
          const base = yield* serving(site.port, authorities)
          return yield* Effect.promise(async () => {
            const body = JSON.stringify({ url: "https://site.test/", waitFor: 1 })
            const headers = { "content-type": "application/json" }
            const answer = await fetch(`${base}/v2/scrape`, { method: "POST", headers, body })
            return answer.text()
          })
        })

        expect(yield* scrape(own ?? "")).toContain("read by a browser")
        expect(yield* scrape(other ?? "")).toContain("SCRAPE_TLS_ERROR")
      })
    )
  )

  it.live("never reaches an address that a name is given after it was judged", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const site = yield* scriptedSite({
          "/": page(
            "for (let i = 0; i < 3; i++) say(await fetch('http://rebind.test:PORT/secret', {mode: 'no-cors'}).then(a => 'got ' + a.type + a.status, () => 'refused'))"
          ).replace("PORT", "8099"),
          "/secret": "secret"
        })
        const asked: Array<string> = []
        const answers: ReadonlyArray<ReadonlyArray<LookupAddress>> = [
          [{ address: "192.0.2.1", family: 4 }],
          [{ address: "127.0.0.1", family: 4 }],
          [
            { address: "93.184.215.14", family: 4 },
            { address: "127.0.0.1", family: 4 }
          ]
        ]
        const lookup: AddressGuard.Lookup = (host, _options, done) => {
          asked.push(host)
          done(null, answers[Math.min(asked.length, answers.length) - 1] ?? [])
        }
        const { html } = yield* show("http://site.test/", {
          lookup,
          resolve: mapped(site.port),
          connectTimeoutMillis: 500
        })

        expect(html).not.toContain("secret</")
        expect(asked).toEqual(["rebind.test", "rebind.test", "rebind.test"])
        expect(site.requests).not.toContain("/secret")
      })
    )
  )

  it.live("judges certificates as fetches do, and goes to a mapped host whether it speaks TLS or not", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const body = "<title>t</title><p class=done>here</p>"
        const tls = yield* tlsSite(body)
        const plain = yield* scriptedSite({ "/": body })
        const at = (port: number, options: object = {}) =>
          show("https://site.test/", { resolve: mapped(port) }, options)
        const refused = yield* Effect.flip(at(tls.port))
        const trusting = yield* at(tls.port, { skipTlsVerification: true })
        const standIn = yield* at(plain.port)

        expect(refused).toMatchObject({
          code: "SCRAPE_TLS_ERROR",
          message: "the host's certificate or TLS is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)"
        })
        expect([trusting, standIn].map(({ html }) => html.includes("here"))).toEqual([true, true])
      })
    )
  )

  it.live("says what the network said of a page that did not come", () =>
    Effect.gen(function* () {
      const lookup: AddressGuard.Lookup = (host, _options, done) =>
        done(Object.assign(new Error(host), { code: "ENOTFOUND" }), [])
      const of = (url: string) => Effect.map(Effect.flip(show(url, { lookup })), ({ code }) => code)

      expect(yield* of("http://nowhere.test/")).toBe("SCRAPE_DNS_RESOLUTION_ERROR")
      expect(yield* of("https://nowhere.test/")).toBe("SCRAPE_DNS_RESOLUTION_ERROR")
      expect(yield* of("https://127.0.0.1/")).toBe("SCRAPE_ADDRESS_BLOCKED")
    })
  )

  it.live("has no service workers: they answer nothing, however they are registered", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const register = (how: string) => `await ${how}.then(r => say('registered'), () => say('refused'));`
        const site = yield* scriptedSite({
          "/": page(
            register("Promise.resolve().then(() => navigator.serviceWorker.register('/worker.js'))") +
              register(
                "Promise.resolve().then(() => ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/worker.js'))"
              ) +
              "const f = document.body.appendChild(document.createElement('iframe'));" +
              register(
                "Promise.resolve().then(() => f.contentWindow.ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/worker.js'))"
              ) +
              register(
                "Promise.resolve().then(() => { delete ServiceWorkerContainer.prototype.register; return navigator.serviceWorker.register('/worker.js') })"
              ) +
              "say('n=' + (await navigator.serviceWorker.getRegistrations()).length); say(await (await fetch('/data')).text())"
          ),
          "/worker.js": file(
            "text/javascript",
            "onfetch = e => e.respondWith(new Response('made up')); oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim())"
          ),
          "/data": file("text/plain", "sent by the site")
        })
        const { html } = yield* show("https://site.test/", { resolve: mapped(site.port) })

        expect(html).toContain("n=0;sent by the site")
        expect(site.requests).not.toContain("/worker.js")
      })
    )
  )

  it.live("sends nothing by UDP: no WebRTC, no QUIC, and no TURN to an address that is refused", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { received, socket } = yield* listening
        const inside = yield* scriptedSite({})
        const { port } = socket.address()
        const site = yield* scriptedSite({
          "/": page(`
            const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' },
              { urls: ['turn:127.0.0.1:${port}?transport=udp', 'turn:127.0.0.1:${inside.port}?transport=tcp'], username: 'a', credential: 'b' }] });
            const found = []; peer.createDataChannel('x');
            const gathered = new Promise(done => peer.onicecandidate = e => e.candidate ? found.push(e.candidate.candidate) : done());
            await peer.setLocalDescription(await peer.createOffer());
            await peer.addIceCandidate({ candidate: 'candidate:1 1 udp 2113937151 127.0.0.1 ${port} typ host', sdpMid: '0' }).catch(() => {});
            await Promise.race([gathered, new Promise(done => setTimeout(done, 4000))]);
            say('addresses: ' + found.join());
            const transport = new WebTransport('https://127.0.0.1:${port}/');
            await transport.ready.then(() => say('QUIC'), () => say('no QUIC'));`)
        })
        const { html } = yield* show("https://site.test/", { resolve: mapped(site.port) })

        expect(html).toContain(">addresses: ;no QUIC;<")
        expect(received).toEqual([])
        expect(inside.requests).toEqual([])
      })
    )
  )
})
