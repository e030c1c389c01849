/** A title of the Vermont Statutes Annotated, as its releases are published in HTML. */
export const vsa = (
  release: number,
  purpose = "The purpose of this chapter is to protect the public."
): string => `<!DOCTYPE html>
<html lang="en"><head><title>VTCODE</title>
<meta content="Release ${release} of the Official Code of Vermont Annotated released 2021.07.
  Transformed and posted by a library." name="description" /></head>
<body><nav><p>Release ${release}</p><h1 class="title" id="t09"><b>TITLE 9
 Commerce and Trade</b></h1>
<ul><li><a href="#t09p03c63">63. Consumer Protection</a></li></ul></nav>
<main>
<div><h2 class="oneh2" id="t09p03"><b>PART 3 Sales</b></h2></div>
<div><h2 class="twoh2" id="t09p03c43"><b>CHAPTER 43. BULK SALES</b></h2>
 <div><h3 id="t09p03c43s1631"><b>§§ 1631, 1632. Repealed. 1966, No. 29.</b></h3>
  <div><h4><b>History</b></h4><p>Former §§ 1631 and 1632 were derived from V.S. 1947.</p></div></div></div>
<div><h2 class="twoh2" id="t09p03c63"><b>CHAPTER 63. CONSUMER PROTECTION</b></h2><p>Sec.</p>
 <nav><ul><li><a href="#t09p03c63s2451">2451. Purpose.</a></li></ul></nav>
 <div><h3 id="t09p03c63s2451"><b>§ 2451. Purpose.</b></h3><p>${purpose}</p>
  <div><h4><b>History</b></h4><p>Added 1967.</p><h4><b>Annotations</b></h4><p>A case of it.</p></div></div>
 <div><h3 id="t09p03c63s2470aa"><b>§ 2470aa. Definitions.</b></h3><p>In this subchapter "dealer" means one who deals.</p></div>
</div></main></body></html>`
