/** How the site looks: text in the middle, lists at its sides where there is room, light or dark as its reader has chosen. */
export const style = `:root {
  color-scheme: light dark;
  --text: light-dark(#1d2125, #dfe3e6);
  --quiet: light-dark(#59626b, #a3acb5);
  --ground: light-dark(#ffffff, #15181b);
  --raised: light-dark(#f4f6f7, #1e2327);
  --line: light-dark(#dde2e6, #333a40);
  --link: light-dark(#0b5c8f, #7cc0ee);
  --mark: light-dark(#ffe9a8, #5c4a10);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--text); background: var(--ground); font: 1rem/1.6 system-ui, sans-serif; }
.frame {
  margin: 0 auto;
  max-width: 90rem;
  padding: 0 1.25rem 4rem;
  display: grid;
  justify-content: center;
  grid-template-columns: 15rem minmax(0, 48rem) 13rem;
  grid-template-areas: "head head head" "pages main own";
  gap: 0 2.5rem;
}
.frame.reference { max-width: 120rem; grid-template-columns: 15rem minmax(0, 1fr) 13rem; }
.frame.landing { grid-template-columns: 15rem minmax(0, 64rem); grid-template-areas: "head head" "pages main"; }
header { grid-area: head; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; padding: 1rem 0; border-bottom: 1px solid var(--line); color: var(--quiet); }
header a { font-weight: 700; font-size: 1.2rem; color: var(--text); text-decoration: none; }
.tools { margin-left: auto; display: flex; gap: 0.5rem; }
a { color: var(--link); }
button { font: inherit; font-size: 0.875rem; color: var(--text); background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.25rem 0.7rem; cursor: pointer; }
button:hover { border-color: var(--quiet); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
kbd { font: 0.85em ui-monospace, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3em; color: var(--quiet); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--ground); padding: 0.5rem; }
.pages { grid-area: pages; font-size: 0.875rem; padding-top: 1.5rem; }
@supports selector(::details-content) {
  .pages::details-content { content-visibility: visible; display: block; }
  .pages summary { display: none; }
}
.pages ul { padding-left: 0; list-style: none; }
.pages li { margin: 0.3rem 0; color: var(--quiet); }
.pages h2 { font-size: 0.875rem; margin: 1.25rem 0 0.25rem; border: 0; padding: 0; }
.pages p { display: none; }
.pages [aria-current] { font-weight: 700; color: var(--text); text-decoration: none; border-left: 3px solid var(--link); padding-left: 0.4rem; }
main { grid-area: main; min-width: 0; }
.own { grid-area: own; font-size: 0.875rem; padding-top: 2rem; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; }
.own ul { list-style: none; padding-left: 0; border-left: 1px solid var(--line); }
.own li { margin: 0.35rem 0; }
.own a { display: block; padding-left: 1rem; margin-left: -1px; border-left: 3px solid transparent; }
.own a[data-read] { border-color: var(--link); color: var(--text); }
h1 { line-height: 1.2; margin: 1.5rem 0 1rem; }
h2 { margin: 2.5rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); line-height: 1.3; }
code { font: 0.875em/1.5 ui-monospace, monospace; background: var(--raised); border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: break-word; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem 1rem; overflow: auto; margin: 0; }
p + pre, .code { margin: 1rem 0; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.code { position: relative; }
.copy { position: absolute; top: 0.45rem; right: 0.5rem; opacity: 0; }
.code:hover .copy, .copy:focus-visible { opacity: 1; }
@media (hover: none) { .copy { opacity: 1; } }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.925rem; }
.reference table { width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line); min-width: 6rem; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
.hero { padding: 2.5rem 0 1rem; max-width: 46rem; font-size: 1.15rem; }
.hero h1 { font-size: clamp(2rem, 5vw, 3.2rem); margin: 0 0 1rem; letter-spacing: -0.02em; }
.actions { display: flex; gap: 1.25rem; align-items: center; }
.button { background: var(--link); color: var(--ground); padding: 0.5rem 1.1rem; border-radius: 8px; text-decoration: none; font-weight: 600; }
.ways { border: 0; padding: 0; margin: 2.5rem 0; min-width: 0; }
.ways legend { font-size: 1.5rem; font-weight: 700; padding: 0; margin-bottom: 0.75rem; }
.ways > input { position: absolute; opacity: 0; }
.ways > label { display: inline-block; padding: 0.35rem 0.9rem; border-bottom: 3px solid transparent; cursor: pointer; color: var(--quiet); }
.ways > input:checked + label { border-color: var(--link); color: var(--text); font-weight: 600; }
.ways > input:focus-visible + label { outline: 2px solid var(--link); border-radius: 4px; }
.way { display: none; border-top: 1px solid var(--line); padding-top: 0.5rem; }
.ways:has(#way-0:checked) .way-0, .ways:has(#way-1:checked) .way-1, .ways:has(#way-2:checked) .way-2 { display: block; }
dialog.search { width: min(44rem, calc(100vw - 2rem)); max-height: 80vh; margin-top: 8vh; padding: 1rem; color: var(--text); background: var(--ground); border: 1px solid var(--line); border-radius: 10px; overflow: auto; }
dialog.search::backdrop { background: rgb(0 0 0 / 0.45); }
.search input { width: 100%; font: inherit; font-size: 1.1rem; padding: 0.5rem 0.75rem; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.search .state { margin: 0.5rem 0; font-size: 0.875rem; color: var(--quiet); }
.search ol { list-style: none; margin: 0; padding: 0; }
.search li a { display: block; padding: 0.5rem; border-radius: 6px; text-decoration: none; color: inherit; }
.search li a:hover, .search li a:focus { background: var(--raised); }
.search .page { margin-left: 0.6rem; font-size: 0.875rem; color: var(--quiet); }
.search .excerpt { display: block; font-size: 0.875rem; overflow-wrap: anywhere; }
@media (max-width: 75rem) {
  .frame, .frame.reference { grid-template-columns: 15rem minmax(0, 1fr); grid-template-areas: "head head" "pages main"; }
  .own { display: none; }
}
@media (max-width: 52rem) {
  .frame, .frame.reference, .frame.landing { display: block; }
  header span { display: none; }
  .pages::details-content { content-visibility: hidden; display: none; }
  .pages[open]::details-content { content-visibility: visible; display: block; }
  .pages summary { display: list-item; cursor: pointer; }
  .pages { border-bottom: 1px solid var(--line); padding: 0.75rem 0; }
  .reference thead { display: none; }
  .reference tr { display: flex; flex-wrap: wrap; gap: 0 0.8rem; border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .reference td { border: 0; padding: 0; min-width: 0; overflow-wrap: anywhere; }
  .reference td:empty { display: none; }
  .reference td:is([data-of="what it does"], [data-of="what it holds"], [data-of="what it says"], [data-of="meaning"]) { flex-basis: 100%; }
  .reference td:is([data-of="default"], [data-of="example"])::before { content: attr(data-of) " "; color: var(--quiet); }
}
@media print { .pages, .own, .tools, .copy { display: none; } .frame { display: block; } }
`
