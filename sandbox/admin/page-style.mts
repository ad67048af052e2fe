export const style = `
	:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
	body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
	h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 0.95rem; margin: 1rem 0 0.3rem; }
	table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
	th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; overflow-wrap: anywhere; }
	tbody tr:nth-child(odd) { background: var(--soft); }
	form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin: 0.5rem 0; }
	label { display: grid; font-size: 0.8rem; } input, select, button { font: inherit; padding: 0.3rem 0.5rem; }
	button[data-copy] { font-size: 0.75rem; padding: 0 0.4rem; }
	:focus-visible { outline: 3px solid #2a7de1; outline-offset: 2px; }
	input[name=url], textarea { width: 28rem; max-width: 90vw; } textarea { font: inherit; } output { white-space: pre-wrap; overflow-wrap: anywhere; }
`;
