/** How the site looks: text in the middle, lists at its sides where there is room, light or dark as the reader's machine is. */
export const style = `:root {
  color-scheme: light dark;
  --text: light-dark(#1d2125, #dfe3e6);
  --quiet: light-dark(#59626b, #a3acb5);
  --ground: light-dark(#ffffff, #15181b);
  --raised: light-dark(#f4f6f7, #1e2327);
  --line: light-dark(#dde2e6, #333a40);
  --link: light-dark(#0b5c8f, #7cc0ee);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  max-width: 90rem;
  padding: 0 1.25rem 4rem;
  display: grid;
  justify-content: center;
  grid-template-columns: 15rem minmax(0, 48rem) 13rem;
  grid-template-areas: "head head head" "pages main own";
  gap: 0 2.5rem;
  color: var(--text);
  background: var(--ground);
  font: 1rem/1.6 system-ui, sans-serif;
}
header { grid-area: head; padding: 1rem 0; border-bottom: 1px solid var(--line); color: var(--quiet); }
header a { font-weight: 700; font-size: 1.2rem; color: var(--text); text-decoration: none; }
a { color: var(--link); }
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
main { grid-area: main; min-width: 0; }
.own { grid-area: own; font-size: 0.875rem; padding-top: 2rem; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; }
.own ul { list-style: none; padding-left: 1rem; border-left: 1px solid var(--line); }
.own li { margin: 0.35rem 0; }
h1 { line-height: 1.2; margin: 1.5rem 0 1rem; }
h2 { margin: 2.5rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); line-height: 1.3; }
code { font: 0.875em/1.5 ui-monospace, monospace; background: var(--raised); border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: break-word; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem 1rem; overflow: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.925rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line); min-width: 6rem; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
@media (max-width: 75rem) {
  body { grid-template-columns: 15rem minmax(0, 1fr); grid-template-areas: "head head" "pages main"; }
  .own { display: none; }
}
@media (max-width: 52rem) {
  body { display: block; }
  .pages::details-content { content-visibility: hidden; display: none; }
  .pages[open]::details-content { content-visibility: visible; display: block; }
  .pages summary { display: list-item; cursor: pointer; }
  .pages { border-bottom: 1px solid var(--line); padding: 0.75rem 0; }
}
@media print { .pages, .own { display: none; } body { display: block; } }
`
