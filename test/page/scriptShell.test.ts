import { expect, it } from "vitest"
import { isScriptShell } from "#page/scriptShell"

const script = '<script src="/main.js"></script>'
const body = (html: string) =>
  `<!doctype html><html><head><title>App</title>${script}</head><body>${html}</body></html>`

it.each([
  ["React", body('<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>')],
  ["Vue", body('<div id="app"></div><script type="module">import "/x.js"</script>')],
  ["Angular", body("<app-root></app-root>")],
  ["a spinner", body('<div id="root"><div class="spin"><span>Loading, please wait ...</span></div></div>')],
  ["unclosed", body('<div id="root">')],
  ["docsify", '<div id="app">Please wait...</div><script>window.$docsify = {}</script><script src="d.js"></script>']
])("an empty shell: %s", (_, html) => {
  expect(isScriptShell(html)).toBe(true)
})

it.each([
  ["no script", '<div id="root"></div>'],
  ["only data", '<div id="root"></div><script type="application/ld+json">{}</script>'],
  ["words in its place", body('<div id="content">Hello world</div>')],
  ["a paragraph", body('<p>Closed on Mondays.</p><div id="fb-root"></div>')],
  ["a heading", body('<h1>Hello</h1><div id="overlay"></div>')],
  [
    "words beside its place",
    body(`Our office has moved.${" It is at the harbour now.".repeat(4)}<div id="map"></div>`)
  ],
  ["a link", body('<div id="root"></div><a href="/next">next</a>')],
  ["a form", body('<div id="root"></div><form><input name="q"></form>')],
  ["a picture", body('<div id="root"><img src="a.png"></div>')],
  ["a frame", body('<div id="root"></div><iframe src="/inner"></iframe>')],
  ["no place", body("ok")],
  ["nothing", ""]
])("no shell: %s", (_, html) => {
  expect(isScriptShell(html)).toBe(false)
})
