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
  ["Flutter", body('<script src="flutter_bootstrap.js" async></script>')],
  ["Meteor", body("")],
  ["Redoc", body('<redoc spec-url="openapi.json"></redoc>')],
  ["a skeleton", body('<div id="root"><h1></h1><p class="line"></p><ul><li></li><li></li></ul></div>')],
  ["a place with a class", body('<div class="application"></div>')],
  ["a spinner that is drawn", body('<div id="root"><svg viewBox="0 0 9 9"><circle r="4"></circle></svg></div>')],
  ["a spinner that is a picture", body('<div id="root"><img src="s.gif" alt="Loading"></div>')],
  [
    "Blazor",
    body(
      '<div id="app">Loading...</div><div id="blazor-error-ui">An unhandled error has occurred. <a href="" class="reload">Reload</a></div>'
    )
  ],
  [
    "a header and a footer",
    body(
      '<header><h1>Shop</h1><nav><a href="/">Home</a><a href="/about">About</a></nav></header><div id="root"></div><footer><p>© 2026 The Shop, Harbour Road 1</p></footer>'
    )
  ],
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
  ["a page that is called as what loads", body(`<div class="loading">${"We are closed on Mondays. ".repeat(9)}</div>`)],
  ["a script that leads elsewhere", '<script>location.href = "/next"</script>'],
  ["a header alone", body("<header><h1>Closed</h1><p>We are on holiday.</p></header>")],
  ["words in a frame of a class", body('<div class="page"><span>Closed on Mondays.</span></div>')],
  ["a form of a header", body('<header><form><input name="q"></form></header><p>Closed.</p><div id="root"></div>')],
  ["nothing", ""]
])("no shell: %s", (_, html) => {
  expect(isScriptShell(html)).toBe(false)
})
