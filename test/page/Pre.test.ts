import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

test("code keeps its lines, and its language wherever it is named", () => {
  expect(md('<div class="language-ruby highlighter-rouge"><pre><code>\n  a\n\n b &lt;\n</code></pre></div>')).toBe(
    "```ruby\n  a\n\n b <\n```"
  )
  expect(md('<pre class="brush: js">a<br>b<div>c</div><div>d</div></pre>')).toBe("```js\na\nb\nc\nd\n```")
})

test("line numbers beside code are not code", () => {
  const table =
    '<figure class="highlight js"><table><tr><td class=gutter><pre>1\n2</pre></td><td class=code><pre>a\nb</pre></td></tr></table></figure>'
  const page = parse({ url: "https://example.com/", body: Buffer.from(table), contentType: "text/html" }, defaults)
  expect(page.markdown).toBe("```js\na\nb\n```")
})

test("fences are longer than any run of backticks inside", () => {
  expect(md("<pre>a\n````\nb</pre><p><code>x `` y</code> <code>`z</code> <kbd>Ctrl</kbd><code> </code>")).toBe(
    "`````\na\n````\nb\n`````\n\n`x `` y` `` `z `` `Ctrl`"
  )
})

test("code that is written line by line without <pre> is code", () => {
  const doxygen =
    '<div class="fragment"><div class="line"><a id="l1"></a><span class="lineno">    1</span>#include &lt;map&gt;</div>\n<div class="line"> </div>\n<div class="line">int <a href="/f">f</a>()</div>\n<div class="line">  { x_y*z; }</div>\n</div><!-- fragment -->after'
  expect(md(doxygen)).toBe("```\n#include <map>\n \nint f()\n  { x_y*z; }\n```\n\nafter")
  const scribble =
    '<blockquote class="SCodeFlow"><table class="RktBlk"><tbody><tr><td><span class="RktPn">(</span>define x</td></tr><tr><td><span class="hspace">&nbsp;&nbsp;</span>42)</td></tr></tbody></table></blockquote><p>after'
  expect(md(scribble)).toBe("> ```\n> (define x\n>   42)\n> ```\n\nafter")
  const github =
    '<table class="highlight tab-size js-file-line-container"><tr><td class="blob-num" data-line-number=1></td><td class="blob-code">def f():</td></tr><tr><td class="blob-num">2</td><td class="blob-code">\n</td></tr><tr><td class="blob-num">3</td><td class="blob-code">    return `a`</td></tr></table>'
  expect(md(github)).toBe("```\ndef f():\n\n    return `a`\n```")
  const editor =
    '<div class="CodeMirror-code"><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">1</div></div><pre class="CodeMirror-line"><span>a</span></pre></div><div><pre class="CodeMirror-line">  b</pre></div></div>'
  expect(md(editor)).toBe("```\na\n  b\n```")
})

test("code that only its style keeps as it is written is code", () => {
  expect(
    md(
      '<div style="font-family: Menlo, monospace; white-space: pre;"><div>if (a) {</div><div>  b()</div><div>}</div></div>x'
    )
  ).toBe("```\nif (a) {\n  b()\n}\n```\n\nx")
  expect(
    md('<p>a <code style="white-space:pre">b  c</code> d</p><p><code style="white-space: pre">e\n  f</code></p>')
  ).toBe("a `b c` d\n\n```\ne\n  f\n```")
  expect(md('<div style="white-space: pre">a <a href="/b">b</a></div>')).toBe("a [b](https://example.com/b)")
})

test("numbers of lines in the code are no code", () => {
  const chroma =
    '<div class="highlight"><pre class="chroma"><code class="language-go"><span class="line"><span class="ln">1</span><span class="cl">one()\n</span></span><span class="line"><span class="ln">2</span><span class="cl">  two()\n</span></span></code></pre></div>'
  expect(md(chroma)).toBe("```go\none()\n  two()\n```")
  const table =
    '<div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go">a\n  b\n</code></pre></td></tr></table></div>'
  expect(md(table)).toBe("```go\na\n  b\n```")
})

test("a column of numbers beside the code is no code of its own", () => {
  const pygments =
    '<table class="highlighttable"><tr><th colspan="2" class="filename">x.py</th></tr><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div class="highlight"><pre>a\n  b\n</pre></div></td></tr></table>'
  expect(md(pygments)).toBe("x.py\n\n```\na\n  b\n```")
  const docbook =
    '<table class="listing_frame"><tr><td class="listing_lines"><pre>1\n2</pre></td><td class="listing_code"><pre class="programlisting">a\n  b</pre></td></tr></table>'
  expect(md(docbook)).toBe("```\na\n  b\n```")
  const syntaxHighlighter =
    '<div class="syntaxhighlighter js"><table><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div></td><td class="code"><div class="container"><div class="line number1"><code>a</code></div><div class="line number2"><code>&nbsp;</code><code>b</code></div></div></td></tr></table></div>'
  expect(md(syntaxHighlighter)).toBe("```\na\n b\n```")
})

test("what an editor measures with is no code, and a tab is the one that it stands for", () => {
  const editor =
    '<div class="CodeMirror-lines"><div class="CodeMirror-measure"><pre><span>xxxxxxxxxx</span></pre></div><div class="CodeMirror-code"><pre class=" CodeMirror-line "><span cm-text="">\u200b</span></pre><pre class="CodeMirror-line"><span class="cm-tab" cm-text="\t">    </span>a</pre><pre class="CodeMirror-line"><span cm-text="">\u200b</span></pre><pre class="CodeMirror-line">b</pre></div></div>'
  expect(md(editor)).toBe("```\n\ta\n\nb\n```")
})

test("a block in the code ends its line, and links to the manual beside it are no code", () => {
  expect(md('<pre class="rust"><code><div class="code-attribute">#[repr(simd)]</div>pub struct A;</code></pre>')).toBe(
    "```\n#[repr(simd)]\npub struct A;\n```"
  )
  const sphinx =
    '<pre>a\n<div class="viewcode-block"><a class="viewcode-back" href="/d">[docs]</a>class B:\n    c</div>\n\nd</pre>'
  expect(md(sphinx)).toBe("```\na\nclass B:\n    c\n\nd\n```")
})

test("a row of a table of code that has nothing to show is no line", () => {
  const row = (text: string) => `<tr><td>${text}</td></tr>`
  expect(md(`<table class="RktBlk">${row("a")}${row("<span></span>")}${row("&nbsp;")}${row("b")}</table>`)).toBe(
    "```\na\n \nb\n```"
  )
})

test("a block with the class of code and other content is no code", () => {
  expect(md('<div class="fragment"><p>One <b>two</b></p><div class="line">three</div></div>')).toBe(
    "One **two**\n\nthree"
  )
})
