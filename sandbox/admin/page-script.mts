/**
 * The page's script. Each form names its admin path, or its `data-requests` one after the other; its fields travel as JSON, a text
 * area as a list of its lines. What came of it is said beside its button: at once with `data-stays`, otherwise after the page was read anew.
 *
 * Requests go one after the other, so that all use the one connection that an outage leaves open.
 */
export const script = `
	let last = Promise.resolve();
	const send = (path, init) => (last = last.catch(() => undefined).then(async () => {
		const answer = await fetch(path, init);
		const text = await answer.text();
		return { ok: answer.ok, body: text ? JSON.parse(text) : {} };
	}));
	const command = (method, path, body) =>
		send(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

	const shown = {};
	async function refresh() {
		const { body } = await send('live');
		for (const part of document.querySelectorAll('[data-live]')) {
			const html = body[part.dataset.live];
			if (shown[part.dataset.live] !== html) part.innerHTML = shown[part.dataset.live] = html;
		}
	}
	const connection = document.getElementById('connection');
	async function watch() {
		const problem = await refresh().then(() => '', () => 'The sandbox does not answer. The page goes on trying.');
		if (connection.textContent !== problem) connection.textContent = problem;
		setTimeout(watch, 1000);
	}
	watch();

	function bodyOf(form) {
		const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
		for (const { name, value } of form.querySelectorAll('textarea')) fields[name] = value.split(/\\s+/).filter(Boolean);
		for (const { name, value } of form.querySelectorAll('[data-none-if-empty]')) fields[name] = value || null;
		return { ...JSON.parse(form.dataset.body || '{}'), ...fields };
	}
	const requestsOf = (form, submitter) => form.dataset.requests
		? JSON.parse(form.dataset.requests)
		: [[form.dataset.method || 'POST', submitter.value || form.dataset.path, bodyOf(form)]];

	for (const form of document.querySelectorAll('form[data-path], form[data-requests]')) form.addEventListener('submit', async (event) => {
		event.preventDefault();
		const said = form.querySelector('output');
		said.textContent = 'Working…';
		try {
			let answer;
			for (const request of requestsOf(form, event.submitter)) {
				answer = await command(...request);
				if (!answer.ok) { said.textContent = answer.body.message; return; }
			}
			await done(form, said, answer.body);
		} catch {
			said.textContent = 'The sandbox does not answer.';
		}
	});
	async function done(form, said, { message, status, isSuccessful }) {
		const text = status === undefined || isSuccessful === undefined ? 'Done.' :
			'The webhook answered ' + (status || 'nothing') + (message ? ': ' + message : '.');
		if ('stays' in form.dataset) { await refresh(); said.textContent = text; return; }
		sessionStorage.said = text;
		sessionStorage.saidBeside = form.dataset.path;
		location.reload();
	}
	for (const form of document.forms) if (form.dataset.path && form.dataset.path === sessionStorage.saidBeside)
		form.querySelector('output').textContent = [sessionStorage.said, form.dataset.advice].filter(Boolean).join(' ');
	delete sessionStorage.said;
	delete sessionStorage.saidBeside;

	/** The clipboard is there on HTTPS and on this machine's own names only. */
	async function copy(text) {
		if (navigator.clipboard) return await navigator.clipboard.writeText(text);
		const field = Object.assign(document.createElement('textarea'), { value: text });
		document.body.append(field);
		field.select();
		document.execCommand('copy');
		field.remove();
	}
	document.addEventListener('click', async ({ target }) => {
		if (!(target instanceof HTMLElement) || target.dataset.copy === undefined) return;
		await copy(target.dataset.copy);
		target.textContent = 'Copied';
	});
`;
