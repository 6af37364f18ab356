'use strict';

/* One piece of code at a time; tables that sort; charts that can be read at a place. */
(function () {
	const loops = Array.from(document.querySelectorAll('section.loop'));
	const narrow = matchMedia('(max-width: 40rem)');
	const choose = document.getElementById('choose'), made = new Set();

	function show(id, move) {
		const at = Math.max(0, loops.findIndex(loop => loop.id === id));

		loops.forEach((loop, i) => { loop.hidden = i !== at; });
		/* Of those that nobody looks at, no slider is made. */
		if (loops.length && !made.has(loops[at])) {
			made.add(loops[at]);
			loops[at].querySelectorAll('figure[data-at]').forEach(readable);
		}
		document.querySelectorAll('.code-table tr[aria-current]').forEach(row =>
			row.removeAttribute('aria-current'));
		if (!loops.length)
			return;
		const row = document.querySelector('.code-table tr[data-loop="' + loops[at].id + '"]');
		if (row)
			row.setAttribute('aria-current', 'true');
		if (choose)
			choose.value = loops[at].id;
		if (move) {
			const heading = loops[at].querySelector('h3');
			heading.focus({ preventScroll: true });
			document.getElementById('loop').scrollIntoView();
		}
	}

	function follow() {
		const id = location.hash.slice(1);

		if (loops.some(loop => loop.id === id))
			show(id, true);
	}

	/* --- tables --- */

	function key(cell) {
		const number = cell.dataset.n;

		return number === undefined ? cell.textContent.trim().toLowerCase() : Number(number);
	}

	function sort(table, column, header) {
		const up = header.getAttribute('aria-sort') === 'descending';
		const body = table.tBodies[0], rows = Array.from(body.rows);

		table.querySelectorAll('th[aria-sort]').forEach(other => other.removeAttribute('aria-sort'));
		header.setAttribute('aria-sort', up ? 'ascending' : 'descending');
		rows.map((row, i) => [key(row.cells[column]), i, row])
			.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (up ? 1 : -1) || a[1] - b[1])
			.forEach(entry => body.appendChild(entry[2]));
	}

	function sortable(table) {
		Array.from(table.tHead.rows[0].cells).forEach((header, column) => {
			const button = document.createElement('button');

			button.type = 'button';
			while (header.firstChild)
				button.appendChild(header.firstChild);
			header.appendChild(button);
			button.addEventListener('click', () => sort(table, column, header));
		});
	}

	function filter(input, table, count) {
		const rows = Array.from(table.tBodies[0].rows);
		const texts = rows.map(row => row.textContent.toLowerCase());

		input.addEventListener('input', () => {
			const words = input.value.toLowerCase().split(/\s+/);
			let shown = 0;

			rows.forEach((row, i) => {
				row.hidden = !words.every(word => texts[i].includes(word));
				shown += row.hidden ? 0 : 1;
			});
			count.textContent = shown + ' of ' + rows.length + ' rows';
		});
	}

	/* --- charts: a slider says what is at a place --- */

	function numbers(text) {
		return (text || '').split(' ').map(Number);
	}

	function readable(figure) {
		const svg = figure.querySelector('svg'), xs = numbers(figure.dataset.at);
		const texts = numbers(figure.dataset.a), more = figure.dataset.b ? numbers(figure.dataset.b) : null;
		const names = figure.dataset.x ? numbers(figure.dataset.x) : null;
		const cursor = document.createElementNS('http://www.w3.org/2000/svg', 'path');
		const line = document.createElement('div'), input = document.createElement('input');
		const label = document.createElement('label'), output = document.createElement('output');
		const top = figure.dataset.top, bottom = figure.dataset.bottom;

		function read() {
			const i = Number(input.value), name = names ? names[i] : i;
			let text = figure.dataset.name + ' ' + name + ': ' + texts[i] / 10 + '% ' + figure.dataset.first;

			if (more)
				text += ', ' + more[i] / 10 + '% ' + figure.dataset.second;
			output.textContent = text;
			input.setAttribute('aria-valuetext', text);
			cursor.setAttribute('d', 'M' + xs[i] + ' ' + top + 'V' + bottom);
		}

		input.type = 'range';
		input.min = 0;
		input.max = xs.length - 1;
		input.value = figure.dataset.begin;
		label.textContent = figure.dataset.name;
		label.appendChild(document.createTextNode(' '));
		label.appendChild(input);
		line.className = 'read';
		line.appendChild(label);
		line.appendChild(output);
		svg.after(line);
		cursor.setAttribute('class', 'cursor');
		svg.appendChild(cursor);
		input.addEventListener('input', read);
		svg.addEventListener('pointermove', event => {
			const box = svg.getBoundingClientRect();
			const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
			let best = 0;

			xs.forEach((at, i) => {
				if (Math.abs(at - x) < Math.abs(xs[best] - x))
					best = i;
			});
			input.value = best;
			read();
		});
		read();
	}

	/* Pictures that are wider than a narrow window scroll by themselves, with keys too. */
	function reach() {
		document.querySelectorAll('figure').forEach(figure =>
			narrow.matches ? figure.setAttribute('tabindex', 0) : figure.removeAttribute('tabindex'));
	}

	document.documentElement.classList.add('script');
	reach();
	narrow.addEventListener('change', reach);
	document.querySelectorAll('table.sortable').forEach(sortable);
	document.querySelectorAll('input[data-filter]').forEach(input =>
		filter(input, document.querySelector(input.dataset.filter),
			document.getElementById(input.dataset.count)));
	document.querySelectorAll('figure[data-at]').forEach(figure => {
		if (!figure.closest('section.loop'))
			readable(figure);
	});
	if (choose)
		choose.addEventListener('change', () => {
			show(choose.value, false);
			history.replaceState(null, '', '#' + choose.value);
		});
	document.querySelectorAll('[data-step]').forEach(button =>
		button.addEventListener('click', () => {
			const at = loops.findIndex(loop => !loop.hidden) + Number(button.dataset.step);

			if (at >= 0 && at < loops.length)
				location.hash = loops[at].id;
		}));
	/* The one that is shown is printed, with its instructions closed as they are. */
	window.addEventListener('hashchange', follow);
	if (loops.length) {
		show(loops[0].id, false);
		follow();
	}
})();
