/**
 * A little model of the service, written from its document: classes, users and bonds are created and bonds removed, responsible users come
 * before their students, a bond needs its class and its user. It refuses what it has already, and counts that.
 */

export interface Answer {
	status: number;
}

type Body = Record<string, unknown>;

export class Service {
	/** What is there. */
	readonly things = new Map<string, Body>();

	/** How many requests came. */
	requests = 0;

	/** What was created although it was there. */
	doubles = 0;

	/** Decides about a request before the service does: a status that it answers instead. */
	fault: (action: string, body: Body) => number | undefined = () => undefined;

	constructor(private readonly userKeys: 'network' | 'school' = 'network') {}

	create(kind: string, body: Body): Answer {
		this.requests += 1;
		const status = this.fault('create', body);
		if (status !== undefined) return { status };
		if (
			kind === 'user' &&
			!((body.responsible_external_id ?? []) as string[]).every((id) =>
				this.has(this.user(body.school_external_id, id)),
			)
		)
			return { status: 400 };
		if (
			kind === 'bond' &&
			!(
				this.has(this.class(body.school_external_id, body.class_external_id)) &&
				this.has(this.user(body.school_external_id, body.user_external_id))
			)
		) {
			return { status: 400 };
		}
		const name = this.nameOf(kind, body);
		if (this.has(name)) {
			this.doubles += 1;
			return { status: 409 };
		}
		this.things.set(name, body);
		return { status: 200 };
	}

	remove(body: Body): Answer {
		this.requests += 1;
		const status = this.fault('remove', body);
		if (status !== undefined) return { status };
		return { status: this.things.delete(this.nameOf('bond', body)) ? 200 : 404 };
	}

	has(name: string): boolean {
		return this.things.has(name);
	}

	/** Everything that is there, for comparing. */
	all(): string[] {
		return [...this.things.keys()].sort();
	}

	private class(school: unknown, id: unknown): string {
		return JSON.stringify(['class', school, id]);
	}

	private user(school: unknown, id: unknown): string {
		return JSON.stringify(this.userKeys === 'school' ? ['user', school, id] : ['user', id]);
	}

	private nameOf(kind: string, body: Body): string {
		if (kind === 'class') return this.class(body.school_external_id, body.external_id);
		if (kind === 'user') return this.user(body.school_external_id, body.external_id);
		return JSON.stringify([
			'bond',
			body.school_external_id,
			body.class_external_id,
			body.user_external_id,
			body.profile_name,
		]);
	}
}
