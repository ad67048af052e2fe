/**
 * A chat model that does as it is told: a small server that speaks OpenAI's chat completions, as far as n8n's model
 * node asks for them. No real model can be had in a test: it needs a network and answers differently every time.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { IDataObject } from 'n8n-workflow';

/** A tool as the model is told of it. */
export interface OfferedTool {
	name: string;
	description: string;
	/** JSON schema of the arguments. */
	parameters: {
		type: string;
		properties: Record<string, { type: string; description?: string }>;
		required?: string[];
	};
}

interface Message {
	role: string;
	content: unknown;
	tool_call_id?: string;
}

interface ChatRequest {
	model: string;
	messages: Message[];
	tools?: Array<{ type: 'function'; function: OfferedTool }>;
}

/** The calls that the model makes: tool and arguments. */
export type Script = Record<string, IDataObject>;

export interface ScriptedModel {
	/** For the credential of n8n's OpenAI node. */
	baseUrl: string;
	/** What the model asks for, `atATime` calls in one answer; when it has the results of all, it says `text` and stops. */
	say(calls: Script, text: string, atATime?: number): void;
	/** The tools of the newest request. */
	offered(): OfferedTool[];
	/** What each tool gave, by the tool's name. */
	results(): Record<string, string>;
	stop(): Promise<void>;
}

function completion(message: IDataObject, finish: string) {
	return {
		id: 'chatcmpl-scripted',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

const asText = (content: unknown): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

/** Listens on a free port of this machine. */
export async function startScriptedModel(): Promise<ScriptedModel> {
	let script: Script = {};
	let lastWords = '';
	let mostAtATime = Infinity;
	let newest: ChatRequest | undefined;

	const answerTo = ({ messages }: ChatRequest) => {
		const done = new Set(messages.map(({ tool_call_id: id }) => id));
		const calls = Object.entries(script).map(([name, args]) => ({
			// The name stands in the id, so that a result can be told by the call it belongs to.
			id: `call_${name}`,
			type: 'function',
			function: { name, arguments: JSON.stringify(args) },
		}));
		const left = calls.filter(({ id }) => !done.has(id));
		return left.length === 0
			? completion({ content: lastWords }, 'stop')
			: completion({ content: null, tool_calls: left.slice(0, mostAtATime) }, 'tool_calls');
	};

	const server = createServer((request, response) => {
		void json(request).then((body) => {
			newest = body as ChatRequest;
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answerTo(newest)));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		say: (calls, text, atATime = Infinity) => {
			script = calls;
			lastWords = text;
			mostAtATime = atATime;
			newest = undefined;
		},
		offered: () => (newest?.tools ?? []).map((tool) => tool.function),
		results: () =>
			Object.fromEntries(
				(newest?.messages ?? [])
					.filter(({ role }) => role === 'tool')
					.map(({ tool_call_id: id = '', content }) => [id.replace(/^call_/, ''), asText(content)]),
			),
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
