import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import axios, { type AxiosResponse } from 'axios';

const MOST_STEPS = 12;

/** Where a walk ended: at a page, or at an address of somebody else (which is not visited). */
export interface Arrival {
	readonly url: URL;
	readonly status: number;
	/** HTML of the page; empty when the address is somebody else's. */
	readonly html: string;
}

/**
 * As much of a browser as the sandbox's sign-on needs: keeps cookies, follows redirects within the sandbox,
 * and submits forms. For tests and tools that have no browser at hand. Scripts do not run: a page whose form
 * submits itself is submitted here.
 */
export class SandboxBrowser {
	readonly #cookies = new Map<string, { value: string; path: string }>();

	readonly #agent: Agent;

	readonly #origin: string;

	/** Addresses that pages showed in iframes. */
	readonly frames: string[] = [];

	/** With the sandbox's certificate when it speaks HTTPS. */
	constructor(baseUrl: string, certificate?: string) {
		this.#agent =
			certificate === undefined
				? new Agent({ keepAlive: true })
				: new TlsAgent({ keepAlive: true, ca: certificate });
		this.#origin = new URL(baseUrl).origin;
	}

	/** Opens an address and goes where redirects and self-submitting forms lead. */
	async open(url: string): Promise<Arrival> {
		return await this.#walk('GET', url);
	}

	/** Fills in the login screen at which an authorization request has arrived. */
	async logIn(at: Arrival, login: string, password: string = login): Promise<Arrival> {
		return await this.#walk('POST', at.url.href, { login, password });
	}

	/** Opens an authorization request and logs in when the login screen is shown; ends at the redirect URI. */
	async signIn(authorizationUrl: string, login: string): Promise<URL> {
		let arrival = await this.open(authorizationUrl);
		if (arrival.url.pathname.includes('/login/')) arrival = await this.logIn(arrival, login);
		if (arrival.url.origin === this.#origin) {
			throw new Error(`The sign-in ended at ${arrival.url.pathname} with status ${arrival.status}.`);
		}
		return arrival.url;
	}

	close(): void {
		this.#agent.destroy();
	}

	async #walk(method: 'GET' | 'POST', start: string, form?: Record<string, string>): Promise<Arrival> {
		let next: Step | undefined = { method, url: new URL(start), form };
		for (let step = 0; next && step < MOST_STEPS; step += 1) {
			if (next.url.origin !== this.#origin) return { url: next.url, status: 0, html: '' };
			const { url }: Step = next;
			const answer = await this.#request(next);
			this.#keepCookies(answer);
			next = this.#nextOf(answer, url);
			if (!next) return { url, status: answer.status, html: answer.data };
		}
		throw new Error('The redirects do not end.');
	}

	#nextOf({ status, headers, data }: AxiosResponse<string>, url: URL): Step | undefined {
		const { location } = headers as { location?: string };
		if (status >= 300 && status < 400 && location) return { method: 'GET', url: new URL(location, url) };
		for (const [, src] of data.matchAll(/<iframe src="([^"]*)"/g)) this.frames.push(unescapeHtml(src));
		return /\.submit\(\)/.test(data) ? formOf(data, url) : undefined;
	}

	async #request({ method, url, form }: Step): Promise<AxiosResponse<string>> {
		const cookie = [...this.#cookies]
			.filter(([, { path }]) => url.pathname.startsWith(path))
			.map(([name, { value }]) => `${name}=${value}`)
			.join('; ');
		return await axios.request<string>({
			method,
			url: url.href,
			data: form && new URLSearchParams(form),
			headers: cookie === '' ? {} : { cookie },
			httpAgent: this.#agent,
			httpsAgent: this.#agent,
			maxRedirects: 0,
			proxy: false,
			responseType: 'text',
			validateStatus: () => true,
		});
	}

	#keepCookies({ headers }: AxiosResponse): void {
		for (const line of headers['set-cookie'] ?? []) {
			const [pair, ...attributes] = line.split(/;\s*/);
			const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
			const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
			if (value === '') this.#cookies.delete(name);
			else this.#cookies.set(name, { value, path });
		}
	}
}

interface Step {
	method: 'GET' | 'POST';
	url: URL;
	form?: Record<string, string>;
}

function formOf(html: string, url: URL): Step | undefined {
	const [, action] = /<form[^>]*\saction="([^"]*)"/.exec(html) ?? [];
	if (action === undefined) return undefined;
	const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
	return {
		method: 'POST',
		url: new URL(unescapeHtml(action), url),
		form: Object.fromEntries(fields.map(([, name, value]) => [name, unescapeHtml(value)])),
	};
}

function unescapeHtml(text: string): string {
	return text
		.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
		.replace(/&amp;/g, '&');
}
