// SPDX-License-Identifier: GPL-2.0-only
/* What a critical reader would see at once, as a list: empty where the page is as it should be. */
(() => {
	const bad = [], shown = e => e.getClientRects().length > 0;
	const name = e => e.textContent.trim().replace(/\s+/g, ' ').slice(0, 40);
	const all = (what, within) => Array.from((within || document).querySelectorAll(what)).filter(shown);

	if (document.documentElement.scrollWidth > innerWidth)
		bad.push('wider than the window: ' + document.documentElement.scrollWidth);
	all('svg').forEach(svg => {
		const frame = svg.getBoundingClientRect();
		const texts = all('text', svg).map(e => [e, e.getBoundingClientRect()]);

		texts.forEach(([a, r], i) => {
			if (r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 ||
			    r.bottom > frame.bottom + 1)
				bad.push('cut off: ' + name(a));
			texts.slice(i + 1).forEach(([b, s]) => {
				if (r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 3 &&
				    s.top < r.bottom - 3)
					bad.push('one over the other: ' + name(a) + ' | ' + name(b));
			});
		});
	});
	/* Lines and boxes of text that their frame cuts. */
	all('th, td, dd, p, h1, h2, h3, h4, figcaption, .badge').forEach(e => {
		if (getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1 &&
		    !e.closest('.wide, .unseen'))
			bad.push('cut off: ' + name(e));
	});
	/* A heading, a table or a figure with nothing in it. */
	all('h2, h3, h4').forEach(e => {
		let next = e.nextElementSibling;

		while (next && !shown(next))
			next = next.nextElementSibling;
		if (!next || (/^H[1-4]$/.test(next.tagName) && next.tagName <= e.tagName))
			bad.push('nothing below: ' + name(e));
	});
	all('table').forEach(e => {
		if (!e.tBodies.length || !e.tBodies[0].rows.length)
			bad.push('an empty table: ' + name(e));
	});
	all('p, dd, figcaption, li').forEach(e => {
		if (!name(e) && !e.querySelector('svg, input, select, button'))
			bad.push('empty: ' + e.tagName + ' in ' + name(e.parentElement));
	});
	all('body *').forEach(e => {
		if (!e.children.length && /\bNaN\b|\bundefined\b|\bnan\b|-nan|\binf\b|\de[+-]\d/.test(e.textContent) &&
		    !e.closest('.code, bdi, script, style'))
			bad.push('no number: ' + name(e));
	});
	return bad.slice(0, 20);
})()
