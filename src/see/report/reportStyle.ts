/** The style of a report: light and dark, on a phone and on paper. It loads nothing. */
export const reportStyle = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;--card:#f6f8fa;--range:#c8d1da;
--c1:#0b62c4;--c2:#b35900;--c3:#1a7f37;--c4:#8250df;--c5:#bf3989;--c6:#57606a;--bad:#c0202b;--good:#1a7f37;
--add:#1a7f3726;--del:#cf222e22;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0f1419;--soft:#a3adb8;--line:#3a424d;--card:#181e25;--range:#3d4753;
--c1:#6cb0ff;--c2:#f0a35c;--c3:#5bcf7a;--c4:#c49bff;--c5:#ff8fc4;--c6:#a3adb8;--bad:#ff7b72;--good:#5bcf7a;
--add:#2ea04333;--del:#f8514933;--link:#7ab8ff}}
*{box-sizing:border-box}
body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;margin:0 auto;
max-width:62rem;overflow-wrap:anywhere;padding:1rem}
h1{font-size:1.6rem;line-height:1.2;margin:.2rem 0}
h2{border-top:1px solid var(--line);font-size:1.25rem;margin:2.2rem 0 .4rem;padding-top:1rem}
h3{font-size:1.02rem;margin:1.4rem 0 .3rem;overflow-wrap:anywhere}
h4{font-size:.95rem;font-weight:600;margin:0;overflow-wrap:anywhere}
p{margin:.4rem 0}a{color:var(--link)}small,.soft{color:var(--soft)}
code{font:0.92em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.cards{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));list-style:none;margin:1rem 0;padding:0}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.5rem .7rem}
.cards b{display:block;font-size:1.3rem;font-weight:650;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.status{border:1px solid currentColor;border-radius:99px;font-weight:600;padding:.05rem .6rem}
.status.ok{color:var(--good)}.status.warn{color:var(--c2)}.status.bad{color:var(--bad)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;margin:.6rem 0;padding:0}
nav a{display:inline-block;padding:.15rem 0}
figure{margin:.6rem 0}figure svg{display:block;height:auto;max-width:40rem;width:100%}
.plot{font-family:inherit;font-size:13px}
.charts{display:grid;gap:0 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}
.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--link)}
table{border-collapse:collapse;font-size:.9rem;min-width:100%}
caption{color:var(--soft);font-size:.85rem;padding:.2rem 0;text-align:left}
th,td{border-bottom:1px solid var(--line);padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top}
table{overflow-wrap:normal}thead th{white-space:nowrap}td.n,th.n{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
td.text{max-width:28rem;min-width:10rem;overflow-wrap:anywhere;white-space:pre-wrap}
tr.unusual th,tr.unusual td{background:var(--del)}
details{margin:.4rem 0}summary{color:var(--link);cursor:pointer;padding:.15rem 0}
.change{border:1px solid var(--line);border-left-width:4px;border-radius:4px;margin:.7rem 0;padding:.5rem .7rem}
.change.added{border-left-color:var(--good)}.change.removed{border-left-color:var(--bad)}
.change.changed,.change.written{border-left-color:var(--c2)}
.change td{white-space:pre-wrap;overflow-wrap:anywhere}.change table{overflow-wrap:anywhere}.change th{min-width:5rem;padding-right:.9rem;width:18%}
.kind{border:1px solid var(--line);border-radius:3px;font-size:.78rem;font-weight:400;padding:0 .3rem}
ins{background:var(--add);text-decoration:underline var(--good)}del{background:var(--del);text-decoration:line-through var(--bad)}
.gap{color:var(--soft)}
.notes{background:var(--card);border:1px solid var(--line);border-radius:6px;margin:1rem 0;padding:.5rem .9rem}
.notes ul{margin:.3rem 0;padding-left:1.2rem}.notes h2{border:0;margin:0;padding:0;font-size:1rem}
@media (max-width:40rem){body{padding:.7rem}}
@media print{body{max-width:none}nav{display:none}h2,h3{break-after:avoid}figure,.change,tr{break-inside:avoid}
.scroll{overflow:visible}a{color:inherit}}`
