import { expect, it } from "vitest"
import { isScriptShell, type ShellEvidence, shellEvidence, templateText } from "#page/scriptShell"

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
  [
    "a template in the page",
    body('<div id="app"><h1>{{ title }}</h1><ul><li v-for="l in all"><a :href="l">{{ l }}</a></li></ul></div>')
  ],
  ["a template of the whole body", body("<h1>{{title}}</h1><p>{{text}} by {{author}}</p>")],
  ["a text in the body until scripts fill it", body("Loading...")],
  ["a paragraph until scripts fill it", body("<p>Loading...</p>")],
  ["a text of any language until scripts fill it", body('<div id="root"><p>Wird geladen …</p></div>')],
  [
    "the words for readers without scripts",
    body('<noscript>Bitte Skripte <b>erlauben</b></noscript><div id="root"><p>Bitte Skripte erlauben</p></div>')
  ],
  [
    "a frame without a page",
    body('<iframe src="javascript:\'\'" style="position:absolute;width:0;height:0"></iframe>')
  ],
  ["a frame that is hidden", body('<iframe src="/session" hidden></iframe><div id="root"></div>')],
  ["a picture that says nothing", body('<div data-get="/fragment"><img src="/bars.svg" alt=""></div>')],
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
  ["what is about loading", body("<p>Downloads</p>")],
  ["a text that trails off, and no place", body("<p>Coming soon ...</p>")],
  [
    "a template in a text",
    body("<p>Write {{ name }} where the name of the reader is wanted, and it is filled in.</p>")
  ],
  ["other words than those for readers without scripts", body("<noscript>Closed</noscript><p>Closed on Mondays.</p>")],
  ["a form of a header", body('<header><form><input name="q"></form></header><p>Closed.</p><div id="root"></div>')],
  ["nothing", ""]
])("no shell: %s", (_, html) => {
  expect(isScriptShell(html)).toBe(false)
})

it.each<readonly [string, ShellEvidence | undefined, string]>([
  ["nothing", "empty", body('<div id="root"></div>')],
  ["only that it loads", "empty", body('<header>Shop</header><div id="root"><p>Loading ...</p></div>')],
  ["a few words beside an empty place", "place", body('<span>Shop</span><div id="root"></div>')],
  ["little, and leads nowhere", "little", body('<div id="root"><p>読み込み中</p></div>')],
  ["little, with a picture", "little", body('<div id="root"><img src="/logo.svg" alt="Lamps"><p>Lamps</p></div>')],
  ["little, and leads to itself", "little", body('<a href="/">Shop</a><div id="root"></div><p>© 2026 The Shop</p>')],
  ["little, with a button", "little", body('<div id="root"></div><p>We use cookies.</p><button>Accept</button>')],
  ["little, and leads on", undefined, body('<p>Closed on Mondays.</p><a href="/contact">Contact</a>')],
  ["little, with a form", undefined, body('<p>Closed on Mondays.</p><form><input name="q"></form>')],
  ["little, with a film", undefined, body('<p>Closed on Mondays.</p><video src="a.webm"></video>')],
  ["little, without code from elsewhere", undefined, "<p>Closed on Mondays.</p><script>let a = 1</script>"],
  ["more than a few sentences", undefined, body(`<p>${"We are closed on Mondays. ".repeat(9)}</p>`)]
])("a page that says %s: %s", (_, evidence, html) => {
  expect(shellEvidence(html)).toBe(evidence)
})

const welcome = "<h1>The harbour shop</h1><p>Lamps, ropes and nets since 1899.</p>"

it.each([
  [
    "that loads code and has a place for it",
    body(`${welcome}<div id="view"></div>`),
    "The harbour shop Lamps, ropes and nets since 1899."
  ],
  ["that has no place", body(welcome), undefined],
  ["whose place is full", body(`<div id="view">${welcome}</div>`), undefined],
  ["that loads no code", `${welcome}<div id="view"></div><script>let a = 1</script>`, undefined],
  ["that says nothing", body('<div id="view"></div>'), undefined],
  ["of text", body(`<p>${"A long text. ".repeat(200)}</p><div id="view"></div>`), undefined]
])("a page %s may be the template of many: its text, or undefined", (_, html, text) => {
  expect(templateText(html)).toBe(text)
})
